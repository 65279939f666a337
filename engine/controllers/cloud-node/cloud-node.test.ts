import { describe, expect, it } from 'vitest';
import { must } from '../../base/assert.ts';
import { nodes } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { cloudNodeController } from './controller.ts';

const taint = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' };
const own = { key: 'mine', effect: 'NoSchedule' };

describe('cloud-node-controller', () => {
  it('initializes a Node that registers: provider id, labels, addresses, taint', async () => {
    const bench = new ControllerBench({ machines: ['a'] });
    bench.add(nodes, { metadata: { name: 'a', labels: { role: 'x' } }, spec: { taints: [taint, own] } });
    await bench.run(cloudNodeController);
    await bench.advance(1_000);
    const node = bench.get(nodes, undefined, 'a');
    expect(node?.spec).toEqual({ providerID: 'wavetank://sim-a/a', taints: [own] });
    expect(node?.metadata.labels).toEqual({
      'beta.kubernetes.io/instance-type': 'small',
      'failure-domain.beta.kubernetes.io/region': 'sim',
      'failure-domain.beta.kubernetes.io/zone': 'sim-a',
      'node.kubernetes.io/instance-type': 'small',
      role: 'x',
      'topology.kubernetes.io/region': 'sim',
      'topology.kubernetes.io/zone': 'sim-a',
    });
    expect(node?.status?.addresses?.map(({ type }) => type)).toEqual(['InternalIP', 'ExternalIP', 'Hostname']);
    expect(bench.events.map(({ text }) => text)).toEqual(['Normal Synced Node synced successfully']);
  });

  it('tries again while the cloud does not know the instance', async () => {
    const bench = new ControllerBench({ machines: [] });
    bench.add(nodes, { metadata: { name: 'a' }, spec: { taints: [taint] } });
    await bench.run(cloudNodeController);
    await bench.advance(2_000);
    expect(bench.errors[0]).toBe('failed to get instance metadata for node a: instance not found');
    const { machines } = must(bench.cloud, 'there is a cloud');
    machines.set('a', { name: 'a', zone: 'z', region: '', instanceType: '', address: '172.18.0.2', slot: 0 });
    await bench.advance(60_000);
    expect(bench.get(nodes, undefined, 'a')?.spec?.taints ?? []).toEqual([]);
  });

  it('repeats zone labels of the older form, and restores addresses every five minutes', async () => {
    const bench = new ControllerBench({ machines: ['a'] });
    bench.add(nodes, { metadata: { name: 'a', labels: { 'failure-domain.beta.kubernetes.io/zone': 'z' } }, spec: {} });
    await bench.run(cloudNodeController);
    await bench.advance(1_000);
    expect(bench.get(nodes, undefined, 'a')?.metadata.labels?.['topology.kubernetes.io/zone']).toBe('z');
    await bench.advance(300_000);
    expect(bench.get(nodes, undefined, 'a')?.status?.addresses).toHaveLength(3);
  });

  it('killed between the taint and the addresses, it writes these when it begins again', async () => {
    const bench = new ControllerBench({ machines: ['a'] });
    bench.add(nodes, { metadata: { name: 'a' }, spec: { providerID: 'wavetank://sim-a/a' } });
    await bench.run(cloudNodeController);
    await bench.advance(1_000);
    expect(bench.get(nodes, undefined, 'a')?.status?.addresses?.map(({ type }) => type)).toEqual(['InternalIP', 'ExternalIP', 'Hostname']);
  });
});
