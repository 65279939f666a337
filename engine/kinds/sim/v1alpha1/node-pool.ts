/** Pools of simulated machines; `nodes/nodepool.ts` makes the machines. */
import type { NodePool } from '../../../api/sim/v1alpha1/node-pool.ts';
import { invalid, root, type FieldError, type FieldErrorList } from '../../../apimachinery/field-errors.ts';
import { defineKind } from '../../../contracts/kind.ts';
import type { FieldSchema, MessageSchema } from '../../../apimachinery/schema.ts';
import { dropStatus, keepStatus } from '../../shared/strategy.ts';
import { ageOf, columns, integerColumn, nameOf } from '../../shared/table.ts';
import { messageField, objectFields, scalarField } from './schema-fields.ts';

const prefix = 'dev.wavetank.sim.v1alpha1';
const countMax = 5_000;

const specFields: readonly FieldSchema[] = [
  scalarField('count', 1, 'int32', { pointer: true }),
  scalarField('zones', 2, 'string', { card: 'list', listType: 'atomic' }),
  scalarField('region', 3, 'string'),
  scalarField('namePrefix', 4, 'string'),
  scalarField('capacity', 5, 'quantity', { card: 'map' }),
  scalarField('labels', 6, 'string', { card: 'map' }),
  messageField('taints', 7, 'io.k8s.api.core.v1.Taint', { card: 'list', listType: 'atomic' }),
  scalarField('kubeletVersion', 8, 'string'),
  scalarField('instanceType', 9, 'string'),
];

const schemas: readonly MessageSchema[] = [
  { name: `${prefix}.NodePoolSpec`, fields: specFields },
  { name: `${prefix}.NodePoolStatus`, fields: [scalarField('machines', 1, 'int32')] },
];

export const nodePoolKind = defineKind<NodePool>({
  group: 'sim.wavetank.dev',
  version: 'v1alpha1',
  kind: 'NodePool',
  plural: 'nodepools',
  singular: 'nodepool',
  shortNames: ['np'],
  categories: ['wavetank'],
  namespaced: false,
  schema: { name: `${prefix}.NodePool`, fields: objectFields(`${prefix}.NodePoolSpec`, `${prefix}.NodePoolStatus`) },
  schemas,
  storagePrefix: 'sim.wavetank.dev/nodepools',
  statusSubresource: true,
  prepareForCreate: dropStatus,
  prepareForUpdate: keepStatus,
  defaults: (object) => (object.spec?.count === undefined ? { ...object, spec: { count: 1, ...object.spec } } : object),
  scale: {
    getReplicas: (object) => object.spec?.count ?? 1,
    getStatusReplicas: (object) => object.status?.machines ?? 0,
    getSelector: (object) => `sim.wavetank.dev/pool=${object.metadata.name}`,
    setReplicas: (object, count) => ({ ...object, spec: { ...object.spec, count } }),
  },
  validate,
  validateUpdate: (next) => validate(next),
  columns: columns('Name', integerColumn('Count'), integerColumn('Machines'), 'Zones', 'Age'),
  row: (object, context) => [
    nameOf(object),
    object.spec?.count ?? 1,
    object.status?.machines ?? 0,
    object.spec?.zones?.join(',') || '<none>',
    ageOf(object, context),
  ],
});

function validate(object: NodePool): FieldErrorList {
  const errors: FieldError[] = [];
  const { count = 1, namePrefix } = object.spec ?? {};
  if (count < 0 || count > countMax) errors.push(invalid(root('spec', 'count'), count, `must be between 0 and ${countMax}, inclusive`));
  if (namePrefix !== undefined && !/^[a-z0-9]([-a-z0-9.]{0,60}[a-z0-9-])?$/.test(namePrefix)) {
    errors.push(invalid(root('spec', 'namePrefix'), namePrefix, 'must begin as a DNS-1123 subdomain does: lower case letters, digits, `-` and `.`'));
  }
  return errors;
}
