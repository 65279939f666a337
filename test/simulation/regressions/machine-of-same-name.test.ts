/**
 * A machine goes while a pod on it is being deleted, and another comes under its name: its kubelet removed the pod although its status
 * said that it ran. Nobody who watched learned that the containers had ended (seeds 121 and 125 of the swarm).
 */
import { expect, it } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster } from '../../support/cluster.ts';

const merge = 'application/merge-patch+json';
const poolsPath = '/apis/sim.wavetank.dev/v1alpha1/nodepools';

it.each([121, 125])('a pod is said to have ended before another kubelet removes it, seed %i', async (seed) => {
  const made = await aCluster({ seed, nodes: 3 });
  const [pool] = made.call<{ items: { metadata: { name: string } }[] }>('GET', poolsPath).items;
  const resize = (count: number): unknown => made.call('PATCH', `${poolsPath}/${pool?.metadata.name}`, { spec: { count } }, merge);
  const nodes = made.call<{ items: { metadata: { name: string } }[] }>('GET', '/api/v1/nodes').items.map(({ metadata }) => metadata.name);
  const nodeName = nodes.toSorted().at(-1);
  const containers = [{ name: 'c', image: 'busybox', command: ['sleep', '3600'] }];
  made.call('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'p' },
    spec: { nodeName, terminationGracePeriodSeconds: 600, tolerations: [{ operator: 'Exists' }], containers },
  });
  await made.advance(20_000);
  const told: string[] = [];
  made.watch('/api/v1/namespaces/default/pods?watch=1', ({ type, object }) => {
    const { phase, containerStatuses } = (object as Pod).status ?? {};
    told.push(`${type} ${phase} ${containerStatuses?.[0]?.state?.terminated?.reason ?? 'runs'}`);
  });
  made.call('DELETE', '/api/v1/namespaces/default/pods/p');
  await made.advance(3_000);
  resize(2);
  await made.advance(3_000);
  resize(3);
  await made.advance(30_000);
  expect(told.slice(-2)).toEqual(['MODIFIED Failed ContainerStatusUnknown', 'DELETED Failed ContainerStatusUnknown']);
});
