import { describe, expect, it } from 'vitest';
import { cloudErrors, cloudInstanceGone, cloudQuota } from '../base/fault-points.ts';
import type { CloudLoadBalancerRequest } from '../contracts/cloud.ts';
import { Bench } from '../../test/support/bench.ts';
import { benchCloud, rented } from '../../test/support/cloud.ts';
import { SimulatedCloud } from './provider.ts';

function aCloud(names: readonly string[] = ['a']) {
  const bench = new Bench();
  bench.loop.register({ name: 'test', slots: undefined as never, onTimer: () => undefined });
  const made = benchCloud(bench, names);
  const calls = made.cloud.calls('test', ['rev:1']);
  /** Runs the loop until the call is answered. */
  const settled = async <T>(call: Promise<T>): Promise<T> => {
    const kept = call.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    await bench.advance(120_000);
    const result = await kept;
    if ('error' in result) throw result.error;
    return result.value;
  };
  return { bench, calls, settled, ...made };
}

const balancer = (name: string, address = ''): CloudLoadBalancerRequest => ({
  name,
  ports: ['TCP 80 30080'],
  nodes: ['a'],
  sourceRanges: [],
  address,
});

describe('load balancers', () => {
  it('have the lowest free address, and keep it while they change', async () => {
    const { calls, settled } = aCloud();
    expect((await settled(calls.ensureLoadBalancer(balancer('x')))).address).toBe('198.18.0.1');
    expect((await settled(calls.ensureLoadBalancer(balancer('y')))).address).toBe('198.18.0.2');
    await settled(calls.deleteLoadBalancer('x'));
    expect((await settled(calls.ensureLoadBalancer({ ...balancer('y'), nodes: [] }))).address).toBe('198.18.0.2');
    expect((await settled(calls.ensureLoadBalancer(balancer('z')))).address).toBe('198.18.0.1');
  });

  it('get the address that is asked for, when it is free and of the range', async () => {
    const { calls, settled } = aCloud();
    expect((await settled(calls.ensureLoadBalancer(balancer('x', '198.18.7.9')))).address).toBe('198.18.7.9');
    await expect(settled(calls.ensureLoadBalancer(balancer('y', '198.18.7.9')))).rejects.toMatchObject({ reason: 'Conflict' });
    await expect(settled(calls.ensureLoadBalancer(balancer('y', '8.8.8.8')))).rejects.toMatchObject({ reason: 'Invalid' });
    await expect(settled(calls.ensureLoadBalancer(balancer('y', '999.1.1.1')))).rejects.toMatchObject({ reason: 'Invalid' });
  });

  it('leave their address to others when they get another', async () => {
    const { calls, settled } = aCloud();
    await settled(calls.ensureLoadBalancer(balancer('x')));
    expect((await settled(calls.ensureLoadBalancer(balancer('x', '198.18.7.9')))).address).toBe('198.18.7.9');
    expect((await settled(calls.ensureLoadBalancer(balancer('y')))).address).toBe('198.18.0.1');
  });

  it('are remembered with their addresses', async () => {
    const { bench, calls, settled, cloud } = aCloud();
    await settled(calls.ensureLoadBalancer(balancer('x')));
    const again = benchCloud(bench, ['a']).cloud;
    again.slots.restore(cloud.slots.save(), 'cloud');
    expect(again.balancers.get('x')?.address).toBe('198.18.0.1');
    expect(again.balancers.ensure(balancer('y')).address).toBe('198.18.0.2');
  });
});

describe('disks', () => {
  const disk = (name: string, zone = 'sim-a') => ({ name, zone, sizeBytes: 2 ** 30 });

  it('are attached to one instance of their zone at a time, and grow', async () => {
    const { calls, settled, machines } = aCloud(['a', 'b']);
    machines.set('far', rented('far', 7, 'sim-b'));
    await settled(calls.createDisk(disk('d')));
    expect((await settled(calls.attachDisk('d', 'a'))).attachedTo).toBe('a');
    await expect(settled(calls.attachDisk('d', 'b'))).rejects.toThrow('disk d is attached to a');
    await expect(settled(calls.deleteDisk('d'))).rejects.toThrow('disk d is attached to a');
    await settled(calls.detachDisk('d', 'b'));
    expect((await settled(calls.getDisk('d')))?.attachedTo).toBe('a');
    await settled(calls.detachDisk('d', 'a'));
    await expect(settled(calls.attachDisk('d', 'far'))).rejects.toMatchObject({ reason: 'Invalid' });
    await expect(settled(calls.resizeDisk('d', 1))).rejects.toMatchObject({ reason: 'Invalid' });
    expect((await settled(calls.resizeDisk('d', 2 ** 31))).sizeBytes).toBe(2 ** 31);
  });

  it('are no more than an instance can have', async () => {
    const { calls, settled, cloud } = aCloud();
    for (let index = 0; index <= cloud.disksPerInstanceMax; index++) cloud.disks.create(disk(`d${index}`));
    for (let index = 0; index < cloud.disksPerInstanceMax; index++) cloud.disks.attach(`d${index}`, 'a');
    await expect(settled(calls.attachDisk(`d${cloud.disksPerInstanceMax}`, 'a'))).rejects.toMatchObject({ reason: 'QuotaExceeded' });
    expect(await settled(calls.listDisks('a'))).toHaveLength(cloud.disksPerInstanceMax);
  });
});

describe('faults', () => {
  it('that fail a call are causes of the one that succeeds later, also when they are healed', async () => {
    const { cloud, points, settled } = aCloud();
    points.inject('f', [{ point: cloudErrors.name, subject: '', value: { reason: 'InternalError', share: 1 } }], ['rev:7']);
    const first = cloud.calls('test', ['rev:1']);
    await expect(settled(first.ensureLoadBalancer(balancer('x')))).rejects.toMatchObject({ reason: 'InternalError' });
    expect(first.causes).toEqual(['rev:1', 'rev:7']);
    points.heal('f', []);
    const second = cloud.calls('test', ['rev:2']);
    await settled(second.ensureLoadBalancer(balancer('x')));
    expect(second.causes).toEqual(['rev:2', 'rev:7']);
    const third = cloud.calls('test', ['rev:3']);
    await settled(third.ensureLoadBalancer(balancer('x')));
    expect(third.causes).toEqual(['rev:3']);
  });

  it('of a quota refuse what is new and leave what is there', async () => {
    const { calls, points, settled } = aCloud();
    await settled(calls.ensureLoadBalancer(balancer('x')));
    points.inject('f', [{ point: cloudQuota.name, subject: 'load-balancers', value: 1 }], []);
    await settled(calls.ensureLoadBalancer(balancer('x')));
    await expect(settled(calls.ensureLoadBalancer(balancer('y')))).rejects.toThrow('quota of 1 load-balancers exceeded');
  });

  it('end an instance, and its routes lead nowhere', async () => {
    const { calls, points, settled } = aCloud();
    await settled(calls.createRoute({ name: 'r', targetNode: 'a', destinationCidr: '10.244.0.0/24' }));
    points.inject('f', [{ point: cloudInstanceGone.name, subject: 'a', value: true }], ['rev:7']);
    expect(await settled(calls.getInstance('a', ''))).toBeUndefined();
    expect(calls.causes).toContain('rev:7');
    expect(await settled(calls.listRoutes())).toEqual([{ name: 'r', targetNode: 'a', destinationCidr: '10.244.0.0/24', isBlackhole: true }]);
  });
});

it('knows an instance by its provider id, where the Node has one', async () => {
  const { calls, settled } = aCloud();
  expect(await settled(calls.getInstance('a', 'wavetank://sim-a/a'))).toMatchObject({ name: 'a' });
  expect(await settled(calls.getInstance('a', 'wavetank://sim-b/a'))).toBeUndefined();
});

it('names instances as Nodes name them', () => {
  const { cloud } = aCloud();
  expect(cloud).toBeInstanceOf(SimulatedCloud);
  expect(cloud.instance('a')).toEqual({
    providerId: 'wavetank://sim-a/a',
    name: 'a',
    zone: 'sim-a',
    region: 'sim',
    instanceType: 'small',
    addresses: [
      { type: 'InternalIP', address: '172.18.0.2' },
      { type: 'ExternalIP', address: '198.19.0.2' },
      { type: 'Hostname', address: 'a' },
    ],
    isShutDown: false,
  });
});
