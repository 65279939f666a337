/**
 * The one canonical layout of the subsets of Endpoints: ports with the same addresses share a subset, an address stands in it once.
 * Mirrors pkg/api/v1/endpoints/util.go.
 */
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../api/core/v1/types.gen.ts';
import { type EndpointOrder, presentOrder, sortPorts, sortSubsets } from './order.ts';

interface Held {
  readonly address: EndpointAddress;
  readonly ready: boolean;
}

/** What is behind one port, by address; not ready wins over ready. */
export interface PortAddresses {
  readonly port: EndpointPort | undefined;
  readonly addresses: Map<string, Held>;
}

/** The same subsets in the canonical layout. */
export function repackSubsets(subsets: readonly EndpointSubset[], order = presentOrder): readonly EndpointSubset[] {
  const byPort = new Map<string, PortAddresses>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    for (const port of ports.length === 0 ? [undefined] : ports) {
      for (const address of addresses) addAddress(byPort, port, address, true);
      for (const address of notReadyAddresses) addAddress(byPort, port, address, false);
    }
  }
  return packSubsets(byPort, order);
}

/** Puts an address behind a port, or behind none. */
export function addAddress(byPort: Map<string, PortAddresses>, port: EndpointPort | undefined, address: EndpointAddress, ready: boolean): void {
  const key = port === undefined ? '' : `${port.name ?? ''}/${port.port}/${port.protocol ?? ''}/${port.appProtocol ?? ''}`;
  let held = byPort.get(key);
  if (held === undefined) {
    held = { port, addresses: new Map() };
    byPort.set(key, held);
  }
  const addressKey = `${address.ip}/${address.targetRef?.uid ?? ''}`;
  const before = held.addresses.get(addressKey);
  if (before === undefined || before.ready) held.addresses.set(addressKey, { address: before?.address ?? address, ready });
}

/** Ports with the same addresses share a subset. */
export function packSubsets(byPort: ReadonlyMap<string, PortAddresses>, order: EndpointOrder = presentOrder): readonly EndpointSubset[] {
  const groups = new Map<string, { readonly ports: EndpointPort[]; readonly addresses: readonly Held[] }>();
  for (const { port, addresses } of byPort.values()) {
    const sorted = [...addresses.values()].sort((a, b) => compare(a.address, b.address));
    const key = byPort.size === 1 ? '' : sorted.map(({ address, ready }) => `${address.ip}/${address.targetRef?.uid ?? ''}/${ready}`).join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ports: port === undefined ? [] : [port], addresses: sorted });
    else if (port !== undefined) group.ports.push(port);
  }
  const subsets = [...groups.values()].map(({ ports, addresses }): EndpointSubset => {
    const ready = addresses.filter((held) => held.ready).map(({ address }) => address);
    const notReady = addresses.filter((held) => !held.ready).map(({ address }) => address);
    return {
      ...(ready.length > 0 ? { addresses: ready } : {}),
      ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
      ...(ports.length > 0 ? { ports: sortPorts(ports, order) } : {}),
    };
  });
  return sortSubsets(subsets, order);
}

function compare(a: EndpointAddress, b: EndpointAddress): number {
  if (a.ip !== b.ip) return a.ip < b.ip ? -1 : 1;
  const left = a.targetRef?.uid ?? '';
  const right = b.targetRef?.uid ?? '';
  return left < right ? -1 : left > right ? 1 : 0;
}
