import { describe, expect, it } from 'vitest';
import type { IPAddress, ServiceCIDR } from '../../api/networking/v1/types.gen.ts';
import { resourceType } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { serviceCidrController } from './controller.ts';

const cidrs = resourceType<ServiceCIDR>('networking.k8s.io', 'v1', 'servicecidrs', 'ServiceCIDR', false);
const addresses = resourceType<IPAddress>('networking.k8s.io', 'v1', 'ipaddresses', 'IPAddress', false);
const finalizer = 'networking.k8s.io/service-cidr-finalizer';
const labels = { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io', 'ipaddress.kubernetes.io/ip-family': 'IPv4' };

async function aBench(ranges: Readonly<Record<string, readonly string[]>>, used: readonly string[] = []): Promise<ControllerBench> {
  const bench = new ControllerBench();
  for (const [name, range] of Object.entries(ranges)) bench.add(cidrs, { metadata: { name }, spec: { cidrs: range } });
  for (const name of used)
    bench.add(addresses, { metadata: { name, labels }, spec: { parentRef: { group: '', resource: 'services', namespace: 'default', name: 's' } } });
  await bench.run(serviceCidrController);
  return bench;
}

/** As the API server marks what has a finalizer. */
function remove(bench: ControllerBench, name: string): void {
  bench.change(cidrs, undefined, name, (cidr) => ({ ...cidr, metadata: { ...cidr.metadata, deletionTimestamp: bench.time() } }));
}

const conditionOf = (bench: ControllerBench, name: string) => bench.get(cidrs, undefined, name)?.status?.conditions?.[0];

describe('service-cidr-controller', () => {
  it('keeps a range by its finalizer and says that it is ready', async () => {
    const bench = await aBench({ a: ['10.0.0.0/24'] });
    expect(bench.get(cidrs, undefined, 'a')?.metadata.finalizers).toEqual([finalizer]);
    expect(conditionOf(bench, 'a')).toMatchObject({ type: 'Ready', status: 'True', message: 'Kubernetes Service CIDR is ready' });
    const { length } = bench.writes;
    await bench.advance(600_000);
    expect(bench.writes).toHaveLength(length);
  });

  it('lets a free range go ten seconds after it was deleted', async () => {
    const bench = await aBench({ a: ['10.0.0.0/24'] });
    remove(bench, 'a');
    await bench.advance(9_000);
    expect(bench.get(cidrs, undefined, 'a')?.metadata.finalizers).toEqual([finalizer]);
    await bench.advance(2_000);
    expect(bench.get(cidrs, undefined, 'a')).toBeUndefined();
  });

  it('keeps one that has addresses, says so, and lets it go with the last', async () => {
    const bench = await aBench({ a: ['10.0.0.0/24'] }, ['10.0.0.7']);
    remove(bench, 'a');
    await bench.advance(60_000);
    expect(conditionOf(bench, 'a')).toMatchObject({
      status: 'False',
      reason: 'Terminating',
      message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
    });
    bench.remove(addresses, undefined, '10.0.0.7');
    await bench.advance(11_000);
    expect(bench.get(cidrs, undefined, 'a')).toBeUndefined();
  });

  it.each([
    ['all of it', '10.0.0.0/16'],
    ['the address', '10.0.0.0/28'],
  ])('lets one go whose addresses another has: %s', async (_what, other) => {
    const bench = await aBench({ a: ['10.0.0.0/24'], b: [other] }, ['10.0.0.7']);
    remove(bench, 'a');
    await bench.advance(11_000);
    expect(bench.get(cidrs, undefined, 'a')).toBeUndefined();
  });

  it('looks again at a range that is going when another comes', async () => {
    const bench = await aBench({ a: ['10.0.0.0/24'] }, ['10.0.0.7']);
    remove(bench, 'a');
    await bench.advance(60_000);
    bench.add(cidrs, { metadata: { name: 'b' }, spec: { cidrs: ['10.0.0.0/16'] } });
    await bench.advance(1_000);
    expect(bench.get(cidrs, undefined, 'a')).toBeUndefined();
  });
});
