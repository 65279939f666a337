/** Whom a disruption budget protects from evictions, and whom not. Mirrors pkg/registry/core/pod/storage/eviction.go; the budgets' counts are written by hand. */
import { beforeEach, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../support/cluster.ts';

const core = '/api/v1/namespaces/default';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const labels = { app: 'a' };
let tank: TestCluster;

beforeEach(async () => {
  tank = await aCluster({ nodes: 0, options: { controllers: '-*', scheduler: 'false' } });
  tank.call('POST', `${core}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
});

function addPod(status: 'Pending' | 'ready' | 'not ready'): void {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  tank.call('POST', `${core}/pods`, pod);
  if (status === 'Pending') return;
  const conditions = [{ type: 'Ready', status: status === 'ready' ? 'True' : 'False' }];
  tank.call('PATCH', `${core}/pods/p/status`, { status: { phase: 'Running', conditions } }, 'application/merge-patch+json');
}

interface Counts {
  readonly healthy: number;
  readonly desired: number;
  readonly allowed: number;
}

function addBudget({ healthy, desired, allowed }: Counts, unhealthyPodEvictionPolicy?: string, name = 'b'): void {
  const spec = { selector: { matchLabels: labels }, minAvailable: 1, ...(unhealthyPodEvictionPolicy && { unhealthyPodEvictionPolicy }) };
  tank.call('POST', budgets, { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec });
  const status = { observedGeneration: 1, currentHealthy: healthy, desiredHealthy: desired, disruptionsAllowed: allowed, expectedPods: 2 };
  tank.call('PATCH', `${budgets}/${name}/status`, { status }, 'application/merge-patch+json');
}

function evict(): { readonly status: number; readonly message: string | undefined } {
  const { status, object } = tank.ask('POST', `${core}/pods/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } });
  return { status, message: object.message };
}

const short = { healthy: 1, desired: 2, allowed: 0 };
const just = { healthy: 2, desired: 2, allowed: 0 };
const none = { healthy: 0, desired: 0, allowed: 0 };
const plenty = { healthy: 2, desired: 1, allowed: 1 };

it.each([
  ['ready', just, undefined, 429],
  ['ready', just, 'AlwaysAllow', 429],
  ['ready', plenty, undefined, 201],
  ['not ready', short, undefined, 429],
  ['not ready', short, 'IfHealthyBudget', 429],
  ['not ready', short, 'AlwaysAllow', 201],
  ['not ready', just, undefined, 201],
  ['not ready', none, undefined, 429],
  ['Pending', short, undefined, 201],
] as const)('a pod that is %s, with a budget of %j and the policy %s', (state, counts, policy, code) => {
  addPod(state);
  addBudget(counts, policy);
  const { status, message } = evict();
  expect(status).toBe(code);
  if (code === 429) expect(message).toBe("Cannot evict pod as it would violate the pod's disruption budget.");
  expect(tank.ask('GET', `${core}/pods/p`).status).toBe(code === 429 ? 200 : 404);
});

it('takes what it evicts from what its budget allows, and nothing for whom it does not count', () => {
  addPod('ready');
  addBudget(plenty);
  expect(evict().status).toBe(201);
  expect(tank.call('GET', `${budgets}/b`)).toMatchObject({ status: { disruptionsAllowed: 0, disruptedPods: { p: expect.any(String) } } });
  addPod('not ready');
  tank.call('PATCH', `${budgets}/b/status`, { status: { disruptionsAllowed: 1, disruptedPods: null } }, 'application/merge-patch+json');
  expect(evict().status).toBe(201);
  expect(tank.call<{ status: object }>('GET', `${budgets}/b`).status).toMatchObject({ disruptionsAllowed: 1 });
});

it('evicts nobody whom two budgets protect', () => {
  addPod('ready');
  for (const name of ['b', 'c']) addBudget(plenty, undefined, name);
  expect(evict()).toEqual({
    status: 500,
    message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  });
});
