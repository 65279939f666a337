/** The messages of federation/v1beta1 by hand: upstream's modules no longer have them. Numbers are those of its generated.proto. */
import type { FieldSchema, MessageSchema, ScalarType } from '../../../apimachinery/schema.ts';

const prefix = 'io.k8s.api.federation.v1beta1';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Name of the message of a whole Cluster. */
export const clusterSchema = `${prefix}.Cluster`;

function field(name: string, number: number, type: ScalarType | { readonly message: string }, more: Partial<FieldSchema> = {}): FieldSchema {
  return { name, number, type, card: 'one', omitEmpty: true, pointer: false, ...more };
}

const typeFields = [field('kind', 0, 'string'), field('apiVersion', 0, 'string')];

export const clusterSchemas: readonly MessageSchema[] = [
  {
    name: clusterSchema,
    fields: [
      ...typeFields,
      field('metadata', 1, { message: `${meta}.ObjectMeta` }, { omitEmpty: false }),
      field('spec', 2, { message: `${prefix}.ClusterSpec` }, { omitEmpty: false }),
      field('status', 3, { message: `${prefix}.ClusterStatus` }, { omitEmpty: false }),
    ],
  },
  {
    name: `${prefix}.ClusterList`,
    fields: [
      ...typeFields,
      field('metadata', 1, { message: `${meta}.ListMeta` }, { omitEmpty: false }),
      field('items', 2, { message: clusterSchema }, { card: 'list', omitEmpty: false, required: true }),
    ],
  },
  {
    name: `${prefix}.ClusterSpec`,
    fields: [
      field(
        'serverAddressByClientCIDRs',
        1,
        { message: `${meta}.ServerAddressByClientCIDR` },
        { card: 'list', omitEmpty: false, required: true, patchStrategy: 'merge', patchMergeKey: 'clientCIDR' },
      ),
      field('secretRef', 2, { message: 'io.k8s.api.core.v1.LocalObjectReference' }, { pointer: true }),
    ],
  },
  {
    name: `${prefix}.ClusterStatus`,
    fields: [
      field('conditions', 1, { message: `${prefix}.ClusterCondition` }, { card: 'list' }),
      field('zones', 5, 'string', { card: 'list' }),
      field('region', 6, 'string'),
    ],
  },
  {
    name: `${prefix}.ClusterCondition`,
    fields: [
      field('type', 1, 'string', { omitEmpty: false, required: true }),
      field('status', 2, 'string', { omitEmpty: false, required: true }),
      field('lastProbeTime', 3, 'time'),
      field('lastTransitionTime', 4, 'time'),
      field('reason', 5, 'string'),
      field('message', 6, 'string'),
    ],
  },
];
