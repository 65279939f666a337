import { describe, expect, it } from 'vitest';
import { podDisruptionBudgets, pods, replicaSets } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { disruptionController } from './controller.ts';

const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs-uid', controller: true };
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

function clusterOf(spec: object, podCount: number, status: object = {}): FakeCluster {
  const fake = new FakeCluster();
  fake.add(replicaSets, { metadata: { namespace: 'ns', name: 'rs', uid: 'rs-uid' }, spec: { replicas: 4, selector: {} } } as never);
  for (let index = 0; index < podCount; index++) {
    fake.add(pods, {
      metadata: { namespace: 'ns', name: `p${index}`, labels: { a: 'b' }, ownerReferences: [owner] },
      spec: { containers: [] },
      status: ready,
    } as never);
  }
  fake.add(podDisruptionBudgets, {
    metadata: { namespace: 'ns', name: 'b', generation: 1 },
    spec: { selector: { matchLabels: { a: 'b' } }, ...spec },
    status,
  } as never);
  return fake;
}

describe('disruption-controller', () => {
  it.each([
    [{ minAvailable: 2 }, 3, { currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, disruptionsAllowed: 1 }, 'SufficientPods'],
    [{ maxUnavailable: 1 }, 3, { currentHealthy: 3, desiredHealthy: 3, expectedPods: 4, disruptionsAllowed: 0 }, 'InsufficientPods'],
    [{ minAvailable: '50%' }, 4, { currentHealthy: 4, desiredHealthy: 2, expectedPods: 4, disruptionsAllowed: 2 }, 'SufficientPods'],
    [{ minAvailable: 0 }, 0, { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, disruptionsAllowed: 0 }, 'InsufficientPods'],
  ])('%j of %d pods', async (spec, count, status, reason) => {
    const fake = clusterOf(spec, count);
    await fake.run(disruptionController);
    const found = fake.get(podDisruptionBudgets, 'ns', 'b')?.status;
    expect(found).toMatchObject({ ...status, observedGeneration: 1 });
    expect(found?.conditions?.[0]).toMatchObject({ type: 'DisruptionAllowed', reason });
    expect(fake.writes).toHaveLength(1);
  });

  it('counts an evicted pod again when it did not go within two minutes', async () => {
    const fake = clusterOf({ minAvailable: 1 }, 2, { disruptedPods: { p0: new Date(new FakeCluster().nowMs).toISOString() } });
    await fake.run(disruptionController);
    expect(fake.get(podDisruptionBudgets, 'ns', 'b')?.status?.disruptionsAllowed).toBe(0);
    await fake.advance(121_000);
    expect(fake.get(podDisruptionBudgets, 'ns', 'b')?.status).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 2 });
    expect(fake.eventTexts().some((text) => text.includes('NotDeleted'))).toBe(true);
  });
});
