import { beforeEach, expect, it } from 'vitest';
import type { ResourcePoolStatusRequest } from '../../api/resource/v1alpha3/types.gen.ts';
import { resourceType } from '../../client/resources.ts';
import { resourceClaims, resourceSlices } from '../lib/resource-claims.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { resourcePoolStatusRequestController } from './controller.ts';

const requests = resourceType<ResourcePoolStatusRequest>(
  'resource.k8s.io',
  'v1alpha3',
  'resourcepoolstatusrequests',
  'ResourcePoolStatusRequest',
  false,
);
let bench: ControllerBench;

beforeEach(() => {
  bench = new ControllerBench();
});

function addSlice(name: string, pool: string, devices: number, { generation = 1, of = 1, driver = 'd' } = {}): void {
  bench.add(resourceSlices, {
    metadata: { name },
    spec: {
      driver,
      nodeName: 'n1',
      pool: { name: pool, generation, resourceSliceCount: of },
      devices: Array.from({ length: devices }, (_, index) => ({ name: `gpu-${index}` })),
    },
  });
}

async function answer(spec: object = { driver: 'd' }) {
  bench.add(requests, { metadata: { name: 'q' }, spec });
  await bench.run(resourcePoolStatusRequestController);
  await bench.advance(60_000);
  return bench.get(requests, undefined, 'q')?.status;
}

it('counts devices of the newest generation, and what is allocated of them', async () => {
  addSlice('old', 'a', 7);
  addSlice('a1', 'a', 3, { generation: 2, of: 2 });
  addSlice('a2', 'a', 1, { generation: 2, of: 2 });
  addSlice('b', 'b', 2);
  addSlice('other', 'a', 9, { driver: 'other' });
  bench.add(resourceClaims, {
    metadata: { namespace: 'default', name: 'c' },
    spec: {},
    status: { allocation: { devices: { results: [{ request: 'r', driver: 'd', pool: 'a', device: 'gpu-0' }] } } },
  });
  const counts = { driver: 'd', nodeName: 'n1', unavailableDevices: 0 };
  expect(await answer()).toEqual({
    poolCount: 2,
    pools: [
      { ...counts, poolName: 'a', generation: 2, resourceSliceCount: 2, totalDevices: 4, allocatedDevices: 1, availableDevices: 3 },
      { ...counts, poolName: 'b', generation: 1, resourceSliceCount: 1, totalDevices: 2, allocatedDevices: 0, availableDevices: 2 },
    ],
    conditions: [
      {
        type: 'Complete',
        status: 'True',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        reason: 'CalculationComplete',
        message: 'Calculated status for 2 pools',
      },
    ],
  });
});

it.each<[name: string, spec: object, pools: readonly string[] | undefined]>([
  ['one pool', { driver: 'd', poolName: 'b' }, ['b']],
  ['a limit', { driver: 'd', limit: 1 }, ['a']],
  ['a driver without pools', { driver: 'nobody' }, undefined],
])('%s', async (_name, spec, pools) => {
  addSlice('a', 'a', 1);
  addSlice('b', 'b', 1);
  expect((await answer(spec))?.pools?.map(({ poolName }) => poolName)).toEqual(pools);
});

it('a pool that is not whole is waited for, and then left without an answer', async () => {
  addSlice('a', 'a', 1, { of: 2 });
  expect(await answer()).toBeUndefined();
  expect(bench.writes).toEqual([]);
});

it('answers are deleted after an hour, requests without one after a day', async () => {
  addSlice('a', 'a', 1, { of: 2 });
  addSlice('b', 'b', 1);
  bench.add(requests, { metadata: { name: 'answered' }, spec: { driver: 'd', poolName: 'b' } });
  await answer();
  await bench.advance(2 * 3_600_000);
  expect(bench.writeTexts().slice(1)).toEqual(['delete resourcepoolstatusrequests answered']);
  await bench.advance(24 * 3_600_000);
  expect(bench.writeTexts().slice(2)).toEqual(['delete resourcepoolstatusrequests q']);
});
