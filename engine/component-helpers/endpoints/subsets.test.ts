import { describe, expect, test } from 'vitest';
import type { EndpointPort } from '../../api/core/v1/types.gen.ts';
import { formerOrder } from './order.ts';
import { repackSubsets } from './subsets.ts';

const addressesOf = (count: number, from = 0) => Array.from({ length: count }, (_, i) => ({ ip: `10.0.${(from + i) >> 8}.${(from + i) & 255}` }));
const portsOf = (count: number): readonly EndpointPort[] =>
  Array.from({ length: count }, (_, i) => ({ name: `p${i}`, port: i + 1, protocol: 'TCP' }));

describe('the subsets of endpoints', () => {
  test('ports with the same addresses share a subset, whoever told them', () => {
    const [ports, addresses] = [portsOf(2), addressesOf(2)];
    const apart = ports.flatMap((port) => addresses.map((address) => ({ addresses: [address], ports: [port] })));
    expect(repackSubsets(apart)).toHaveLength(1);
    expect(repackSubsets(apart)[0]?.addresses).toEqual(addresses);
    expect(new Set(repackSubsets(apart)[0]?.ports)).toEqual(new Set(ports));
  });

  test('who is not ready behind a port in one subset is not ready behind it, and as it was behind others', () => {
    const [ports, [address = { ip: '' }]] = [portsOf(2), addressesOf(1)];
    const [a = { port: 0 }, b = a] = ports;
    const packed = repackSubsets([
      { addresses: [address], ports: [a, b] },
      { notReadyAddresses: [address], ports: [a] },
    ]);
    expect(new Set(packed)).toEqual(
      new Set([
        { notReadyAddresses: [address], ports: [a] },
        { addresses: [address], ports: [b] },
      ]),
    );
  });

  test('addresses without a port have a subset of their own, unless a port has just them', () => {
    const [one, other] = [addressesOf(1), addressesOf(1, 1)];
    const ports = portsOf(1);
    expect(new Set(repackSubsets([{ addresses: one }, { addresses: other, ports }]))).toEqual(
      new Set([{ addresses: one }, { addresses: other, ports }]),
    );
    expect(repackSubsets([{ addresses: one }, { addresses: one, ports }])).toEqual([{ addresses: one, ports }]);
  });

  test('many ports and many addresses of one subset are no more than they are', () => {
    const packed = repackSubsets([{ addresses: addressesOf(2_000), ports: portsOf(2_000) }]);
    expect(packed.map(({ addresses, ports }) => [addresses?.length, ports?.length])).toEqual([[2_000, 2_000]]);
  });

  test('subsets that cross so that nobody could store them are refused', () => {
    const ports = portsOf(1_000);
    const crossing = ports.map((port, index) => ({ addresses: addressesOf(1, 5_000 + index), ports: [port] }));
    const pack = () => repackSubsets([{ addresses: addressesOf(1_000), ports }, ...crossing], formerOrder);
    expect(pack).toThrow('etcdserver: request is too large');
  });
});
