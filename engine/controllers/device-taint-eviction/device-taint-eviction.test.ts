import { beforeEach, describe, expect, it } from 'vitest';
import type { DeviceTaint, DeviceToleration, ResourceSlice } from '../../api/resource/v1/types.gen.ts';
import type { DeviceTaintRule } from '../../api/resource/v1beta2/types.gen.ts';
import { newInternalError } from '../../apimachinery/errors.ts';
import { pods, resourceType } from '../../client/resources.ts';
import { resourceClaims, resourceSlices } from '../lib/resource-claims.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { deviceTaintEvictionController } from './controller.ts';

const rules = resourceType<DeviceTaintRule>('resource.k8s.io', 'v1beta2', 'devicetaintrules', 'DeviceTaintRule', false);
const broken = { key: 'broken', effect: 'NoExecute' };
const gone = ['patch pods/status default/a', 'delete pods default/a'];
const marking = 'Normal DeviceTaintManagerEviction Marking for deletion';
let bench: ControllerBench;

beforeEach(() => {
  bench = new ControllerBench({ options: { deviceTaintRules: true } });
});

function addSlice(taints: readonly DeviceTaint[] = [], name = 'n1-gpus', generation = 1): void {
  bench.putAs(resourceSlices, name, undefined, {
    metadata: { name },
    spec: {
      driver: 'gpu.example.com',
      nodeName: 'n1',
      pool: { name: 'n1', generation, resourceSliceCount: 1 },
      devices: [{ name: 'gpu-0', taints }, { name: 'gpu-1' }],
    },
  });
}

/** A claim for gpu-0 that pod `a`, and nobody else, uses. */
function addUser(tolerations: readonly DeviceToleration[] = [], pod = 'a', namespace = 'default'): void {
  const uid = `${namespace}-${pod}-uid`;
  const results = [{ request: 'gpu', driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0', tolerations }];
  bench.add(resourceClaims, {
    metadata: { namespace, name: `${pod}-claim` },
    spec: {},
    status: { allocation: { devices: { results } }, reservedFor: [{ resource: 'pods', name: pod, uid }] },
  });
  bench.add(pods, {
    metadata: { namespace, name: pod, uid },
    spec: { nodeName: 'n1', resourceClaims: [{ name: 'gpu', resourceClaimName: `${pod}-claim` }] },
  });
}

function addRule(effect: string, selector: object = { driver: 'gpu.example.com' }): void {
  bench.add(rules, { metadata: { name: 'out' }, spec: { deviceSelector: selector, taint: { key: 'k', effect, timeAdded: bench.time() } } });
}

const condition = () => bench.get(rules, undefined, 'out')?.status?.conditions?.[0];

describe('taints that a driver publishes', () => {
  it.each<[name: string, tolerations: readonly DeviceToleration[], afterMs: number | undefined]>([
    ['not tolerated', [], 0],
    ['tolerated for a while', [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 }], 30_000],
    [
      'tolerated for the shortest of several times',
      [60, 20].map((tolerationSeconds) => ({ key: 'broken', operator: 'Exists', effect: 'NoExecute', tolerationSeconds })),
      20_000,
    ],
    ['tolerated for ever', [{ key: 'broken', operator: 'Equal', value: 'yes', effect: 'NoExecute' }], undefined],
    ['tolerated with another value', [{ key: 'broken', operator: 'Equal', value: 'no', effect: 'NoExecute' }], 0],
    ['tolerated with another key', [{ key: 'other', operator: 'Exists', effect: 'NoExecute' }], 0],
    ['tolerated for scheduling only', [{ key: 'broken', operator: 'Exists', effect: 'NoSchedule' }], 0],
  ])('%s', async (_name, tolerations, afterMs) => {
    addSlice();
    addUser(tolerations);
    await bench.run(deviceTaintEvictionController);
    addSlice([{ ...broken, value: 'yes', timeAdded: bench.time() }]);
    await bench.settle();
    if (afterMs !== 0) await bench.advance((afterMs ?? 1e9) - 1);
    if (afterMs !== 0) expect(bench.writeTexts()).toEqual([]);
    if (afterMs === undefined) return;
    await bench.advance(1);
    expect(bench.writeTexts()).toEqual(gone);
    expect(bench.writes[0]?.body).toMatchObject({
      status: {
        conditions: [
          {
            type: 'DisruptionTarget',
            status: 'True',
            reason: 'DeletionByDeviceTaintManager',
            message: 'Device Taint manager: deleting due to NoExecute taint',
          },
        ],
      },
    });
    expect(bench.writes[1]?.body).toMatchObject({ preconditions: { uid: 'default-a-uid' } });
    expect(bench.eventTexts()).toEqual([marking]);
  });

  it.each<[name: string, prepare: () => void]>([
    ['of an old generation of the pool', () => (addSlice([{ ...broken, timeAdded: bench.time() }]), addSlice([], 'newer', 2))],
    ['that only keep new pods away', () => addSlice([{ ...broken, effect: 'NoSchedule', timeAdded: bench.time() }])],
  ])('%s evict nobody', async (_name, prepare) => {
    addUser();
    prepare();
    await bench.run(deviceTaintEvictionController);
    await bench.advance(60_000);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('are taken back: the pod stays, and is told so', async () => {
    addSlice();
    addUser([{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 }]);
    await bench.run(deviceTaintEvictionController);
    addSlice([{ ...broken, timeAdded: bench.time() }]);
    await bench.advance(20_000);
    addSlice();
    await bench.advance(60_000);
    expect(bench.writeTexts()).toEqual([]);
    expect(bench.eventTexts()).toEqual(['Normal DeviceTaintManagerEviction Cancelling deletion']);
  });

  it('leave pods alone that are not on a node, or for whom the claim is not reserved', async () => {
    addSlice([{ ...broken, timeAdded: bench.time() }]);
    addUser();
    bench.change(pods, 'default', 'a', (pod) => ({ ...pod, spec: { ...pod.spec, nodeName: '' } }) as typeof pod);
    bench.add(pods, {
      metadata: { namespace: 'default', name: 'b' },
      spec: { nodeName: 'n1', resourceClaims: [{ name: 'gpu', resourceClaimName: 'a-claim' }] },
    });
    await bench.run(deviceTaintEvictionController);
    await bench.advance(60_000);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('evict the pod that is there when a deletion was refused before', async () => {
    addSlice([{ ...broken, timeAdded: bench.time() }]);
    addUser();
    let refused = 0;
    bench.refuse = ({ verb }) => {
      if (verb === 'delete' && ++refused === 1) throw newInternalError('the API fails');
    };
    await bench.run(deviceTaintEvictionController);
    await bench.advance(1000);
    expect(refused).toBe(2);
    expect(bench.writeTexts().at(-1)).toBe('delete pods default/a');
  });
});

describe('rules', () => {
  it('evict, and say how far that is', async () => {
    addSlice();
    addUser([{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }]);
    addUser([{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }], 'b', 'other');
    await bench.run(deviceTaintEvictionController);
    addRule('NoExecute');
    await bench.settle();
    expect(condition()).toMatchObject({
      type: 'EvictionInProgress',
      status: 'True',
      reason: 'PodsPendingEviction',
      message: '2 pods need to be evicted in 2 different namespaces.',
      observedGeneration: 1,
    });
    await bench.advance(20_000);
    expect(condition()?.message).toBe('1 pod needs to be evicted in 1 namespace. 1 pod evicted since starting the controller.');
    await bench.advance(60_000);
    expect(condition()).toMatchObject({ status: 'False', reason: 'Completed', message: '2 pods evicted since starting the controller.' });
    const writes = bench.writes.length;
    await bench.advance(3_600_000);
    expect(bench.writes).toHaveLength(writes);
  });

  it.each<[effect: string, reason: string, message: string]>([
    [
      'None',
      'NoEffect',
      '1 published device selected. 1 allocated device selected. 1 pod would be evicted in 1 namespace if the effect was NoExecute. This information will not be updated again. Recreate the DeviceTaintRule to trigger an update.',
    ],
    ['NoSchedule', 'OtherEffect', 'Eviction only happens for the NoExecute effect.'],
  ])('with the effect %s tell and evict nobody', async (effect, reason, message) => {
    addSlice();
    addUser();
    addRule(effect, { device: 'gpu-0' });
    await bench.run(deviceTaintEvictionController);
    expect(condition()).toMatchObject({ status: 'False', reason, message });
    expect(bench.writeTexts()).toEqual(['patch devicetaintrules/status out']);
  });

  it('that nobody is hit by have not started', async () => {
    addSlice();
    addUser();
    addRule('NoExecute', { pool: 'elsewhere' });
    await bench.run(deviceTaintEvictionController);
    await bench.advance(60_000);
    expect(condition()).toMatchObject({ status: 'False', reason: 'NotStarted', message: '' });
    expect(bench.mustGet(pods, 'default', 'a').metadata.deletionTimestamp).toBeUndefined();
  });

  it('are not looked at where their gate is off', async () => {
    bench = new ControllerBench();
    addSlice();
    addUser();
    addRule('NoExecute');
    await bench.run(deviceTaintEvictionController);
    await bench.advance(60_000);
    expect(bench.writeTexts()).toEqual([]);
  });
});

it('a slice as the API serves it has the time of its taints', async () => {
  const client = bench.client('driver');
  const made = client.create(resourceSlices, {
    kind: 'ResourceSlice',
    apiVersion: 'resource.k8s.io/v1',
    metadata: { name: 's' },
    spec: { driver: 'd', allNodes: true, pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices: [{ name: 'one', taints: [broken] }] },
  } satisfies ResourceSlice);
  await bench.settle();
  expect((await made).spec.devices?.[0]?.taints?.[0]?.timeAdded).toBe(bench.time());
});
