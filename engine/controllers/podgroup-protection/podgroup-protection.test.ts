import { beforeEach, expect, it } from 'vitest';
import type { PodGroup } from '../../api/scheduling/v1alpha2/types.gen.ts';
import { pods, resourceType } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { podGroupProtectionController } from './controller.ts';

const groups = resourceType<PodGroup>('scheduling.k8s.io', 'v1alpha2', 'podgroups', 'PodGroup');
const finalizer = 'scheduling.k8s.io/podgroup-protection';
let bench: ControllerBench;

beforeEach(() => {
  bench = new ControllerBench();
});

function addGroup(isDeleted: boolean): void {
  bench.add(groups, {
    metadata: { namespace: 'default', name: 'gang', finalizers: [finalizer], ...(isDeleted ? { deletionTimestamp: bench.time() } : {}) },
    spec: { schedulingPolicy: { basic: {} } },
  });
}

function addMember(phase: string): void {
  bench.add(pods, { metadata: { namespace: 'default', name: 'a' }, spec: { schedulingGroup: { podGroupName: 'gang' } }, status: { phase } });
}

it.each<[name: string, isDeleted: boolean, phase: string | undefined, isLeft: boolean]>([
  ['a group that nobody deletes', false, undefined, true],
  ['a deleted group without pods', true, undefined, false],
  ['a deleted group with a running pod', true, 'Running', true],
  ['a deleted group with a pending pod', true, 'Pending', true],
  ['a deleted group whose pod is over', true, 'Succeeded', false],
])('%s', async (_name, isDeleted, phase, isLeft) => {
  addGroup(isDeleted);
  if (phase !== undefined) addMember(phase);
  await bench.run(podGroupProtectionController);
  expect(bench.get(groups, 'default', 'gang') !== undefined).toBe(isLeft);
  expect(bench.writes).toHaveLength(isLeft ? 0 : 1);
});

it('the group goes with the end of its last pod', async () => {
  addGroup(true);
  addMember('Running');
  await bench.run(podGroupProtectionController);
  bench.change(pods, 'default', 'a', (pod) => ({ ...pod, status: { ...pod.status, phase: 'Failed' } }));
  await bench.settle();
  expect(bench.get(groups, 'default', 'gang')).toBeUndefined();
});
