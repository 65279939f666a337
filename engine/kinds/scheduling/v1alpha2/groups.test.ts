/** Workloads and PodGroups as a real API server 1.36 with the gate GenericWorkload serves them. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { aCluster } from '../../../../test/support/cluster.ts';

const root = '/apis/scheduling.k8s.io/v1alpha2/namespaces/default';
const options = { 'feature-gates': 'GenericWorkload=true', 'runtime-config': 'scheduling.k8s.io/v1alpha2=true' };

function made(kind: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'scheduling.k8s.io/v1alpha2', kind, metadata: { name }, spec };
}

const basic = { basic: {} };
const refusals: readonly (readonly [kind: string, spec: JsonObject, want: string])[] = [
  ['PodGroup', {}, 'spec.schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`'],
  [
    'PodGroup',
    { schedulingPolicy: { basic: {}, gang: { minCount: 1 } } },
    'spec.schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`',
  ],
  ['PodGroup', { schedulingPolicy: { gang: { minCount: 0 } } }, 'spec.schedulingPolicy.gang.minCount: Required value'],
  [
    'PodGroup',
    { schedulingPolicy: { gang: { minCount: -1 } } },
    'spec.schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or equal to 1',
  ],
  ['PodGroup', { schedulingPolicy: basic, podGroupTemplateRef: {} }, 'spec.podGroupTemplateRef: Invalid value: "": must specify one of: `workload`'],
  [
    'PodGroup',
    { schedulingPolicy: basic, podGroupTemplateRef: { workload: { workloadName: 'w', podGroupTemplateName: 't' } } },
    'PodGroup rejected: Workload "w" not found',
  ],
  ['Workload', {}, 'spec.podGroupTemplates: Required value'],
  [
    'Workload',
    { podGroupTemplates: Array.from({ length: 9 }, (_, i) => ({ name: `a${i}`, schedulingPolicy: basic })) },
    'spec.podGroupTemplates: Too many: 9: must have at most 8 items',
  ],
  [
    'Workload',
    {
      podGroupTemplates: [
        { name: 'b', schedulingPolicy: basic },
        { name: 'b', schedulingPolicy: basic },
      ],
    },
    'spec.podGroupTemplates[1]: Duplicate value: {"name":"b","schedulingPolicy":{"basic":{}},"schedulingConstraints":null}',
  ],
  [
    'Workload',
    { controllerRef: { kind: 'a/b', name: 'n' }, podGroupTemplates: [{ name: 'a', schedulingPolicy: basic }] },
    'spec.controllerRef.kind: Invalid value: "a/b": may not contain \'/\'',
  ],
];

describe('groups of pods', () => {
  it.each(refusals)('a %s %j is refused', async (kind, spec, want) => {
    const { call } = await aCluster({ nodes: 0, options });
    expect(() => call('POST', `${root}/${kind.toLowerCase()}s`, made(kind, 'x', spec))).toThrow(want);
  });

  it('keep what gates allow, and do not change', async () => {
    const { call } = await aCluster({ nodes: 0, options });
    const spec = {
      schedulingPolicy: { gang: { minCount: 2 } },
      priority: 3,
      disruptionMode: 'PodGroup',
      schedulingConstraints: { topology: [{ key: 'z' }] },
    };
    const group = call('POST', `${root}/podgroups`, made('PodGroup', 'x', spec)) as { readonly spec: JsonValue };
    expect(group.spec).toEqual({ podGroupTemplateRef: null, schedulingPolicy: { gang: { minCount: 2 } }, disruptionMode: 'Pod' });
    const other = { ...group, spec: { schedulingPolicy: { gang: { minCount: 4 } } } };
    expect(() => call('PUT', `${root}/podgroups/x`, other)).toThrow('spec.schedulingPolicy: Invalid value: null: field is immutable');
  });

  it('are served only where their gate is on', async () => {
    const { call } = await aCluster({ nodes: 0, options: { 'runtime-config': 'scheduling.k8s.io/v1alpha2=true' } });
    expect(() => call('GET', `${root}/podgroups`)).toThrow('the server could not find the requested resource');
  });
});
