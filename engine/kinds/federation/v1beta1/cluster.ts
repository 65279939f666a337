/** Member clusters of a federation. Mirrors federation/registry/cluster of release 1.8; nothing controls them. */
import type { Cluster } from '../../../api/federation/v1beta1/cluster.ts';
import { type FieldErrorList, required } from '../../../apimachinery/field-errors.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { dropStatus, keepStatus, specPath } from '../../shared/strategy.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { clusterSchema, clusterSchemas } from './cluster-schema.ts';

export const clusterKind = defineKind<Cluster>({
  group: 'federation',
  version: 'v1beta1',
  kind: 'Cluster',
  plural: 'clusters',
  singular: 'cluster',
  namespaced: false,
  schema: clusterSchema,
  schemas: clusterSchemas,
  storagePrefix: 'clusters',
  nameValidation: 'dns1123label',
  statusSubresource: true,
  deprecation: 'federation/v1beta1 Cluster is deprecated in v1.8+, unavailable in v1.9+',
  prepareForCreate: dropStatus,
  prepareForUpdate: keepStatus,
  validate,
  validateUpdate: validate,
  columns: columns('Name', 'Status', 'Age'),
  row: (object, context) => [nameOf(object), statusOf(object), ageOf(object, context)],
});

function validate({ spec }: Cluster): FieldErrorList {
  return spec?.serverAddressByClientCIDRs?.length ? [] : [required(specPath.child('serverAddressByClientCIDRs'))];
}

function statusOf({ status }: Cluster): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
}
