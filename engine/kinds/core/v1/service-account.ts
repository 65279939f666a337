/** Service accounts. */
import type { ServiceAccount } from '../../../api/core/v1/types.gen.ts';
import { mountableSecretsAnnotation } from '../../../component-helpers/token-secrets.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';

export const serviceAccountKind = defineKind<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  metaChecks: { update: 'UM' },
  plural: 'serviceaccounts',
  singular: 'serviceaccount',
  shortNames: ['sa'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.ServiceAccount',
  storagePrefix: 'serviceaccounts',
  prepareForCreate: namesAlone,
  prepareForUpdate: namesAlone,
  warnings: (object, old) => (limits(object) && !(old !== undefined && limits(old)) ? [limitWarning] : []),
  columns: columns('Name', 'Age'),
  row: (object, context) => [nameOf(object), ageOf(object, context)],
});

const limitWarning = `metadata.annotations[${mountableSecretsAnnotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;

function limits({ metadata }: ServiceAccount): boolean {
  return metadata.annotations?.[mountableSecretsAnnotation] !== undefined;
}

/** Of a reference to a Secret the name counts. Mirrors cleanSecretReferences of pkg/registry/core/serviceaccount. */
function namesAlone(object: ServiceAccount): ServiceAccount {
  const { secrets } = object;
  if (secrets === undefined || secrets === null) return object;
  return { ...object, secrets: secrets.map(({ name }) => (name === undefined ? {} : { name })) };
}
