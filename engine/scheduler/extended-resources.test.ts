import { describe, expect, it } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { ResourceClaim } from '../api/resource/v1/types.gen.ts';
import type { JsonObject } from '../base/json.ts';
import { deviceClasses, deviceTaintRules, pods, resourceClaims, resourceSlices } from '../client/resources.ts';
import { SchedulerBench } from './testing/scheduler-bench.ts';

const driver = 'gpu.example.com';
const gpu = 'example.com/gpu';

function bench(devices: number, options: ConstructorParameters<typeof SchedulerBench>[0] = {}): SchedulerBench {
  const on = new SchedulerBench(options);
  on.node('a');
  on.putAs(deviceClasses, 'gpu', undefined, {
    metadata: { name: 'gpu' },
    spec: { extendedResourceName: gpu, selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] },
  });
  on.putAs(resourceSlices, 's', undefined, {
    metadata: { name: 's' },
    spec: {
      driver,
      nodeName: 'a',
      pool: { name: 'a', generation: 1, resourceSliceCount: 1 },
      devices: Array.from({ length: devices }, (_, i) => ({ name: `g${i}` })),
    },
  });
  return on;
}

const asking = (amount: string, name = gpu): JsonObject => ({ requests: { cpu: '100m', [name]: amount } });
const claimsOn = (on: SchedulerBench): readonly ResourceClaim[] => on.list<ResourceClaim>(resourceClaims);
const podOn = (on: SchedulerBench, name: string): Pod => on.get<Pod>(pods, 'default', name) as Pod;
const messageOf = (pod: Pod): string | undefined => pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;

describe('devices that stand for extended resources', () => {
  it('a claim is made for the pod, which says so; nobody else is given its devices', async () => {
    const on = bench(2);
    on.pod('p', asking('2'));
    on.pod('q', asking('1', 'deviceclass.resource.kubernetes.io/gpu'));
    await on.advance(5_000);
    expect([on.nodeOf('p'), on.nodeOf('q')]).toEqual(['a', undefined]);
    const [claim, ...others] = claimsOn(on);
    expect(others).toEqual([]);
    const { uid, name } = podOn(on, 'p').metadata;
    expect(claim?.metadata).toMatchObject({
      generateName: 'p-extended-resources-',
      annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }],
      finalizers: ['resource.kubernetes.io/delete-protection'],
    });
    expect(claim?.spec.devices.requests).toEqual([
      { name: 'container-0-request-1', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 } },
    ]);
    expect(claim?.status?.reservedFor).toEqual([{ resource: 'pods', name, uid }]);
    expect(podOn(on, 'p').status?.extendedResourceClaimStatus).toEqual({
      requestMappings: [{ containerName: 'c', resourceName: gpu, requestName: 'container-0-request-1' }],
      resourceClaimName: claim?.metadata.name,
    });
    expect(messageOf(podOn(on, 'q'))).toContain('1 cannot allocate all claims');
  });

  it('a pod that waits goes on when the devices are given back, or a class comes that stands for what it asks for', async () => {
    const on = bench(1);
    on.remove(deviceClasses, undefined, 'gpu');
    on.pod('p', asking('1'));
    await on.advance(5_000);
    expect(messageOf(podOn(on, 'p'))).toContain(`Insufficient ${gpu}`);
    on.putAs(deviceClasses, 'late', undefined, { metadata: { name: 'late' }, spec: { extendedResourceName: gpu } });
    // NodeResourcesFit hears of no classes: it is upstream's minutes that bring the pod back.
    await on.advance(6 * 60_000);
    expect(on.nodeOf('p')).toBe('a');
    on.pod('q', asking('1'));
    await on.advance(5_000);
    expect(on.nodeOf('q')).toBeUndefined();
    const held = claimsOn(on)[0]?.metadata.name ?? '';
    on.change(resourceClaims, 'default', held, (claim: ResourceClaim) => ({ ...claim, status: {} }));
    await on.advance(20_000);
    expect(on.nodeOf('q')).toBe('a');
  });

  it('what an attempt left behind is deleted, then the pod is tried anew', async () => {
    const on = bench(1);
    on.pod('p', asking('1'), { uid: 'u-p' });
    on.putAs(resourceClaims, 'p-extended-resources-old', 'default', {
      metadata: {
        name: 'p-extended-resources-old',
        namespace: 'default',
        annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: podOn(on, 'p').metadata.uid ?? '', controller: true }],
      },
      spec: {
        devices: { requests: [{ name: 'container-0-request-1', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 } }] },
      },
    });
    await on.advance(500);
    expect(messageOf(podOn(on, 'p'))).toContain('1 cannot schedule extended resource claim. deletion of ResourceClaim completed');
    expect(claimsOn(on)).toEqual([]);
    await on.advance(6 * 60_000);
    expect(on.nodeOf('p')).toBe('a');
    expect(claimsOn(on)).toHaveLength(1);
  });

  it('a node that has the resource itself gives of its own', async () => {
    const on = bench(4);
    on.node('a', { allocatable: { [gpu]: '1' } });
    on.pod('p', asking('1'));
    on.pod('q', asking('1'));
    await on.advance(5_000);
    expect(on.nodeOf('p')).toBe('a');
    expect(claimsOn(on)).toEqual([]);
    expect(messageOf(podOn(on, 'q'))).toContain(`Insufficient ${gpu}`);
  });

  it('without the gate nothing stands for them', async () => {
    const on = bench(4, { extendedResources: false });
    on.pod('p', asking('1'));
    await on.advance(5_000);
    expect(messageOf(podOn(on, 'p'))).toContain(`Insufficient ${gpu}`);
  });

  it('taints of rules keep pods away from devices; one that waits goes on when the rule goes', async () => {
    const on = bench(1, { deviceTaintRules: true });
    on.putAs(deviceTaintRules, 'worn', undefined, {
      metadata: { name: 'worn' },
      spec: { deviceSelector: { driver, device: 'g0' }, taint: { key: 'worn', effect: 'NoSchedule' } },
    });
    on.pod('p', asking('1'));
    await on.advance(5_000);
    expect(messageOf(podOn(on, 'p'))).toContain('1 cannot allocate all claims');
    on.remove(deviceTaintRules, undefined, 'worn');
    await on.advance(20_000);
    expect(on.nodeOf('p')).toBe('a');
  });
});
