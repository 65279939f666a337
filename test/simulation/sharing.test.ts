/**
 * What pods of one template and their Events hold is kept once as far as it is alike: how many objects each more of them brings.
 * At e5514b3 it was 46 for the pod and 20 for its Events.
 */
import { expect, test } from 'vitest';
import { aCluster, aDeployment, type TestCluster } from '../support/cluster.ts';

/** Different objects that the values under a prefix are made of. */
function objectsUnder({ cluster }: TestCluster, prefix: string): number {
  const met = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || met.has(value)) return;
    met.add(value);
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const { value } of cluster.store.range({ prefix }).items) visit(value);
  return met.size;
}

test('one pod more brings few objects, and so do its Events', async () => {
  const made = await aCluster({ nodes: 3 });
  const counts = async (replicas: number) => {
    made.call('PATCH', '/apis/apps/v1/namespaces/default/deployments/web', { spec: { replicas } }, 'application/merge-patch+json');
    await made.advance(60_000);
    expect(made.cluster.store.count('/registry/pods/')).toBe(replicas);
    return { pods: objectsUnder(made, '/registry/pods/'), events: objectsUnder(made, '/registry/events/') };
  };
  made.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 1));
  const few = await counts(20);
  const more = await counts(60);
  expect((more.pods - few.pods) / 40).toBeLessThan(24);
  expect((more.events - few.events) / 40).toBeLessThan(12);
});
