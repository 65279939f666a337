import { describe, expect, it } from 'vitest';
import { podDisruptionBudgets, pods, replicaSets } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { disruptionController } from './controller.ts';

const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs-uid', controller: true };
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

function clusterOf(spec: object, podCount: number, status: object = {}): ControllerBench {
  const bench = new ControllerBench();
  bench.add(replicaSets, { metadata: { namespace: 'ns', name: 'rs', uid: 'rs-uid' }, spec: { replicas: 4, selector: {} } } as never);
  for (let index = 0; index < podCount; index++) {
    bench.add(pods, {
      metadata: { namespace: 'ns', name: `p${index}`, labels: { a: 'b' }, ownerReferences: [owner] },
      spec: { containers: [] },
      status: ready,
    } as never);
  }
  bench.add(podDisruptionBudgets, {
    metadata: { namespace: 'ns', name: 'b', generation: 1 },
    spec: { selector: { matchLabels: { a: 'b' } }, ...spec },
    status,
  } as never);
  return bench;
}

describe('disruption-controller', () => {
  it.each([
    [{ minAvailable: 2 }, 3, { currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, disruptionsAllowed: 1 }, 'SufficientPods'],
    [{ maxUnavailable: 1 }, 3, { currentHealthy: 3, desiredHealthy: 3, expectedPods: 4, disruptionsAllowed: 0 }, 'InsufficientPods'],
    [{ minAvailable: '50%' }, 4, { currentHealthy: 4, desiredHealthy: 2, expectedPods: 4, disruptionsAllowed: 2 }, 'SufficientPods'],
    [{ minAvailable: 0 }, 0, { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, disruptionsAllowed: 0 }, 'InsufficientPods'],
  ])('%j of %d pods', async (spec, count, status, reason) => {
    const bench = clusterOf(spec, count);
    await bench.run(disruptionController);
    const found = bench.get(podDisruptionBudgets, 'ns', 'b')?.status;
    expect(found).toMatchObject({ ...status, observedGeneration: 1 });
    expect(found?.conditions?.[0]).toMatchObject({ type: 'DisruptionAllowed', reason });
    expect(bench.writes).toHaveLength(1);
  });

  it('counts an evicted pod again when it did not go within two minutes', async () => {
    const bench = clusterOf({ minAvailable: 1 }, 2, { disruptedPods: { p0: new Date(new ControllerBench().nowMs).toISOString() } });
    await bench.run(disruptionController);
    expect(bench.get(podDisruptionBudgets, 'ns', 'b')?.status?.disruptionsAllowed).toBe(0);
    await bench.advance(121_000);
    expect(bench.get(podDisruptionBudgets, 'ns', 'b')?.status).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 2 });
    expect(bench.eventTexts().some((text) => text.includes('NotDeleted'))).toBe(true);
  });
});
