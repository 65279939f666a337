/**
 * The one canonical layout of the subsets of Endpoints: ports with the same addresses share a subset, an address stands in it once.
 * Mirrors pkg/api/v1/endpoints/util.go.
 */
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../api/core/v1/types.gen.ts';
import { newStatusError } from '../../apimachinery/errors.ts';
import { type EndpointOrder, presentOrder, sortPorts, sortSubsets } from './order.ts';

interface Held {
  readonly address: EndpointAddress;
  readonly ready: boolean;
}

/** What is behind ports that share it, by address; not ready wins over ready. No port stands for all of them. */
export interface PortAddresses {
  readonly ports: EndpointPort[];
  readonly addresses: Map<string, Held>;
}

/** An object has room for no more, however its ports and addresses lie. */
const addressesMax = 100_000;

/** The same subsets in the canonical layout. Throws where nobody could store it: ports and addresses that cross make more than either. */
export function repackSubsets(subsets: readonly EndpointSubset[], order = presentOrder): readonly EndpointSubset[] {
  let count = 0;
  return packSubsets(
    sharedPlaces(subsets).map(({ ports, places }) => {
      const addresses = new Map<string, Held>();
      for (const place of places) {
        for (const address of subsets[place]?.addresses ?? []) hold(addresses, address, true);
        for (const address of subsets[place]?.notReadyAddresses ?? []) hold(addresses, address, false);
      }
      count += addresses.size;
      if (count > addressesMax) throw newStatusError(500, '', 'etcdserver: request is too large');
      return { ports, addresses };
    }),
    order,
  );
}

interface SharedPlaces {
  readonly ports: EndpointPort[];
  /** Subsets, by index. */
  readonly places: readonly number[];
}

/** Ports that stand in the same subsets have the same addresses. */
function sharedPlaces(subsets: readonly EndpointSubset[]): readonly SharedPlaces[] {
  const placesOf = new Map<string, { readonly port: EndpointPort | undefined; readonly places: number[] }>();
  for (const [place, { ports = [] }] of subsets.entries()) {
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const known = placesOf.get(portKey(port)) ?? { port, places: [] };
      placesOf.set(portKey(port), known);
      if (known.places.at(-1) !== place) known.places.push(place);
    }
  }
  const sharing = Map.groupBy(placesOf.values(), ({ places }) => places.join());
  return [...sharing.values()].map((all) => ({ ports: all.flatMap(({ port }) => port ?? []), places: all[0]?.places ?? [] }));
}

function portKey(port: EndpointPort | undefined): string {
  return port === undefined ? '' : `${port.name ?? ''}/${port.port}/${port.protocol ?? ''}/${port.appProtocol ?? ''}`;
}

/** Puts an address behind a port, or behind none. */
export function addAddress(byPort: Map<string, PortAddresses>, port: EndpointPort | undefined, address: EndpointAddress, ready: boolean): void {
  const key = portKey(port);
  const held = byPort.get(key) ?? { ports: port === undefined ? [] : [port], addresses: new Map() };
  byPort.set(key, held);
  hold(held.addresses, address, ready);
}

function hold(addresses: Map<string, Held>, address: EndpointAddress, ready: boolean): void {
  const key = `${address.ip}/${address.targetRef?.uid ?? ''}`;
  const before = addresses.get(key);
  if (before === undefined || before.ready) addresses.set(key, { address: before?.address ?? address, ready });
}

/** Ports with the same addresses share a subset. */
export function packSubsets(all: readonly PortAddresses[], order: EndpointOrder = presentOrder): readonly EndpointSubset[] {
  const groups = new Map<string, { readonly ports: EndpointPort[]; readonly addresses: readonly Held[] }>();
  for (const { ports, addresses } of all) {
    const sorted = [...addresses.values()].sort((a, b) => compare(a.address, b.address));
    const key = all.length === 1 ? '' : sorted.map(({ address, ready }) => `${address.ip}/${address.targetRef?.uid ?? ''}/${ready}`).join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ports: [...ports], addresses: sorted });
    else for (const port of ports) group.ports.push(port);
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
