/** `faulttypes` over the API: the faults there are, each with a sentence on what it would do under the settings in force. */
import type { FaultType } from '../api/sim/v1alpha1/fault-type.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import { defineKind, type KindDefinition } from '../contracts/kind.ts';
import { getFaultType, listFaultTypes } from '../faults/fault-types.ts';
import { messageField, scalarField } from '../kinds/sim/v1alpha1/schema-fields.ts';
import { faultSettings } from './component-options.ts';
import type { Settings } from './settings.ts';

const group = 'sim.wavetank.dev';

const faultTypeKind = defineKind<FaultType>({
  group,
  version: 'v1alpha1',
  kind: 'FaultType',
  plural: 'faulttypes',
  singular: 'faulttype',
  categories: ['wavetank'],
  namespaced: false,
  schema: {
    name: 'dev.wavetank.sim.v1alpha1.FaultType',
    fields: [
      scalarField('kind', 0, 'string'),
      scalarField('apiVersion', 0, 'string'),
      messageField('metadata', 1, 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
      scalarField('title', 2, 'string', { required: true }),
      scalarField('target', 3, 'string', { required: true }),
      scalarField('parameters', 4, 'json'),
      scalarField('values', 5, 'json'),
      scalarField('sentence', 6, 'string', { required: true }),
      scalarField('refusal', 7, 'string'),
    ],
  },
  storagePrefix: `${group}/faulttypes`,
  verbs: ['get', 'list'],
  hasGeneration: false,
  columns: [
    { name: 'Name', type: 'string' },
    { name: 'Target', type: 'string' },
    { name: 'Parameters', type: 'string' },
    { name: 'What it does', type: 'string', priority: 1 },
  ],
  row: ({ metadata, target, parameters, sentence }) => [
    metadata.name ?? '',
    target,
    parameters.map(({ name }) => name).join(',') || '<none>',
    sentence,
  ],
});

export function faultTypesResource(settings: () => Settings): ComputedResource {
  return {
    kind: faultTypeKind as unknown as KindDefinition,
    get: (name, query) => getFaultType(name, query, faultSettings(settings())),
    list: () => listFaultTypes(faultSettings(settings())),
  };
}
