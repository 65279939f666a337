/** Each checker finds a bad example: a checker that never speaks would pass everything. */
import { expect, it } from 'vitest';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import type { Cluster } from '../../../engine/cluster/cluster.ts';
import { createStore } from '../../../engine/store/memory-store.ts';
import type { Change } from '../../../engine/store/store.ts';
import type { Checker } from './checker.ts';
import { addressesAreUnique, countsAreKept, danglingOwners, nodesAreNotOverfull, podsAreBoundOnce } from './pod-checkers.ts';
import { fieldsAreManaged, revisionsRise, watchIsGapless, writesHaveCauses } from './store-checkers.ts';

const owned = { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u', controller: true }] };
const pod = (name: string, cpu = '3'): object => ({
  kind: 'Pod',
  metadata: { name, ...owned },
  spec: { nodeName: 'n', containers: [{ name: 'c', resources: { requests: { cpu } } }] },
  status: { podIP: '10.0.0.1' },
});
const objects: Readonly<Record<string, readonly object[]>> = {
  pods: [pod('a'), pod('b')],
  minions: [{ metadata: { name: 'n' }, status: { allocatable: { cpu: '4', pods: '10' } } }],
  jobs: [{ kind: 'Job', metadata: { name: 'j', uid: 'u', generation: 1 }, spec: { parallelism: 1 } }],
};
const cluster = { stored: (prefix: string) => objects[prefix] ?? [] } as unknown as Cluster;

it.each([addressesAreUnique(), countsAreKept(), nodesAreNotOverfull()])('$name', (checker) => {
  expect(checker.inspect?.(cluster)).toHaveLength(1);
});

it.each<[Checker, object]>([
  [revisionsRise(), { revision: 7, current: { value: { metadata: { resourceVersion: '6' } } }, meta: {} }],
  [writesHaveCauses(), { revision: 7, meta: { causes: ['rev:9'] } }],
  [writesHaveCauses(), { revision: 7, meta: { causes: [] } }],
  [fieldsAreManaged(), { revision: 7, key: '/registry/pods/a', current: { value: { metadata: {} } }, meta: { causes: ['input:1'] } }],
  [
    podsAreBoundOnce(),
    { key: '/registry/pods/a', previous: { value: { spec: { nodeName: 'x' } } }, current: { value: { spec: { nodeName: 'y' } } } },
  ],
])('$name', (checker, change) => {
  expect(checker.onChange?.(change as Change<KubeObject>)).toHaveLength(1);
});

it('watch is gapless, and owners that are gone', () => {
  const store = createStore<KubeObject>();
  store.create('/registry/pods/a', pod('a') as KubeObject, { virtualMs: 0, identity: '', causes: [] });
  expect(watchIsGapless().inspect?.({ store } as unknown as Cluster)).toHaveLength(2);
  expect(danglingOwners([pod('a') as KubeObject])).toHaveLength(1);
});
