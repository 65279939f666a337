/**
 * A pod that preempts others gets their place once, and nobody else is harmed: a node counted victims that had ended as still there, refused
 * the pod (`OutOf…`) and those that were made in the place of its victims, over and over (upstream's conformance test of the same name).
 */
import { expect, it } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster } from '../../support/cluster.ts';

const resource = 'example.com/fakecpu';
const node = 'node-2';

function podSpec(priority: number, amount: string): object {
  const list = { [resource]: amount };
  return {
    terminationGracePeriodSeconds: 1,
    priorityClassName: `p${priority}`,
    nodeSelector: { 'kubernetes.io/hostname': node },
    containers: [{ name: 'c', image: 'registry.k8s.io/pause:3.10.2', resources: { requests: list, limits: list } }],
  };
}

it.each([1, 2, 3, 4])('runs ReplicaSets to verify preemption running path, seed %i', async (seed) => {
  const made = await aCluster({ seed });
  const pods = (): readonly Pod[] => made.call<{ items: Pod[] }>('GET', '/api/v1/namespaces/default/pods').items;
  const advertised = { capacity: { [resource]: '1000' }, allocatable: { [resource]: '1000' } };
  made.call('PATCH', `/api/v1/nodes/${node}/status`, { status: advertised }, 'application/merge-patch+json');
  for (const value of [1, 2, 3, 4]) made.call('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: `p${value}` }, value });
  for (const [index, amount] of ['200', '300', '450'].entries()) {
    const priority = index + 1;
    const labels = { n: `${priority}` };
    const template = { metadata: { labels }, spec: podSpec(priority, amount) };
    made.call('POST', '/apis/apps/v1/namespaces/default/replicasets', {
      metadata: { name: `rs${priority}` },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    });
  }
  await made.advance(10_000 + seed * 77);
  expect(pods().map(({ status }) => status?.phase)).toEqual(['Running', 'Running', 'Running']);
  made.call('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'pod4' }, spec: podSpec(4, '500') });
  const seen = new Set<string>();
  for (let ms = 0; ms < 10_000; ms += 100) {
    for (const { metadata } of pods()) seen.add(metadata.name ?? '');
    await made.advance(100);
  }
  const created = (set: string): number => [...seen].filter((name) => name.startsWith(`${set}-`)).length;
  expect(['rs1', 'rs2', 'rs3'].map(created)).toEqual([2, 2, 1]);
  expect(pods().find(({ metadata }) => metadata.name === 'pod4')?.status?.phase).toBe('Running');
});
