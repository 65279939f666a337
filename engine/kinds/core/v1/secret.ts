/** Secrets. Mirrors pkg/registry/core/secret/strategy.go. */
import type { Secret } from '../../../api/core/v1/types.gen.ts';
import { secretWarnings } from './secret-warnings.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { defaultSecret } from './secret-defaults.ts';
import { validateSecret, validateSecretUpdate } from './data-validation.ts';

export const secretKind = defineKind<Secret>({
  group: '',
  version: 'v1',
  kind: 'Secret',
  metaChecks: { update: 'U M' },
  plural: 'secrets',
  singular: 'secret',
  namespaced: true,
  schema: 'io.k8s.api.core.v1.Secret',
  storagePrefix: 'secrets',
  warnings: (secret, _old, { certificates }) => secretWarnings(secret, certificates),
  selectableFields: { type: (object) => object.type ?? '' },
  defaults: defaultSecret,
  validate: validateSecret,
  validateUpdate: validateSecretUpdate,
  columns: columns('Name', 'Type', 'Data', 'Age'),
  row: (object, context) => [nameOf(object), object.type ?? '', Object.keys(object.data ?? {}).length, ageOf(object, context)],
});
