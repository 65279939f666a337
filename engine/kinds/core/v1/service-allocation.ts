/**
 * Cluster addresses and node ports as pure questions over the services there are, or over the objects that stand for addresses, which come and go
 * with the write that takes them: nothing else is remembered, so nothing can leak.
 * Random draws come from the caller. Mirrors the bands of pkg/registry/core/service/ipallocator and portallocator: what is drawn
 * comes from the upper band while it lasts, the lower one is left for fixed choices.
 */
import type { Service } from '../../../api/core/v1/types.gen.ts';
import { parseIP } from '../../../apimachinery/ip.ts';
import { newInternalError } from '../../../apimachinery/errors.ts';
import type { AddressHolder, ServiceAllocator } from '../../../contracts/kind.ts';
import { type AddressRange, addressRange, canonicalAddress } from './address-range.ts';

export interface ServiceRanges {
  /** Ranges such as `10.96.0.0/12`, at most one of each family: those of `--service-cluster-ip-range`. */
  readonly clusterIps: readonly string[];
  /** Where ranges and addresses are objects: these say which are taken, and refusals name no range. */
  readonly addresses?: AddressObjects;
  /** Further ranges, of ServiceCIDRs that are ready. */
  readonly furtherIps?: () => readonly string[];
  readonly nodePortMin: number;
  readonly nodePortMax: number;
}

/** Addresses in canonical form. */
export interface AddressObjects {
  has(address: string): boolean;
  /** Why it may not be taken; undefined when it is. */
  add(address: string, holder: AddressHolder): string | undefined;
  remove(address: string): void;
}

/** `draw(n)` gives a whole number from 0 up to, and without, n. */
export function createServiceAllocator(list: () => Iterable<Service>, ranges: ServiceRanges, draw: (below: number) => number): ServiceAllocator {
  const { addresses } = ranges;
  const all = (): readonly AddressRange[] => [...ranges.clusterIps, ...(ranges.furtherIps?.() ?? [])].flatMap((cidr) => addressRange(cidr) ?? []);
  return {
    families: ranges.clusterIps.flatMap((cidr) => addressRange(cidr)?.family ?? []),
    allocateClusterIp(family, holder, dryRun) {
      const isTaken = addresses === undefined ? takenAddresses(list()) : addresses.has;
      for (const range of all()) {
        if (range.family !== family) continue;
        if (dryRun) return { ip: range.at(0) };
        const { low, high } = range;
        const offset = Math.min(Math.max(16, Math.floor((high - low + 2) / 16)), 256);
        const found = pick(low, high, offset, draw, (index) => !isTaken(range.at(index)));
        if (found === undefined) continue;
        const fault = addresses?.add(range.at(found), holder);
        return fault === undefined ? { ip: range.at(found) } : { fault };
      }
      return undefined;
    },
    claimClusterIp(ip, holder, dryRun) {
      if (!all().some((range) => range.holds(ip))) return outside(ip, ranges, dryRun);
      if (dryRun && addresses !== undefined) return undefined;
      const address = canonicalAddress(ip);
      if ((addresses === undefined ? takenAddresses(list()) : addresses.has)(address)) return 'provided IP is already allocated';
      return addresses?.add(address, holder);
    },
    releaseClusterIps(ips) {
      for (const ip of ips) if (parseIP(ip) !== undefined) addresses?.remove(canonicalAddress(ip));
    },
    allocateNodePort(_protocols, besides) {
      const taken = takenPorts(list());
      const count = ranges.nodePortMax - ranges.nodePortMin + 1;
      const offset = Math.min(Math.max(16, Math.floor(count / 32)), 128);
      const free = (index: number): boolean => !taken.has(ranges.nodePortMin + index) && !besides.has(ranges.nodePortMin + index);
      const found = pick(0, count, offset, draw, free);
      if (found === undefined) throw newInternalError('failed to allocate a nodePort: range is full');
      return ranges.nodePortMin + found;
    },
    claimNodePort(port) {
      if (port < ranges.nodePortMin || port > ranges.nodePortMax)
        return `provided port is not in the valid range. The range of valid ports is ${ranges.nodePortMin}-${ranges.nodePortMax}`;
      return takenPorts(list()).has(port) ? 'provided port is already allocated' : undefined;
    },
  };
}

/** A dry run asks a range whether it holds the address, and not whether there is one that does. */
function outside(ip: string, { addresses, clusterIps }: ServiceRanges, dryRun: boolean): string {
  if (addresses !== undefined && !dryRun) return 'the provided network does not match the current range';
  const range = clusterIps.find((cidr) => cidr.includes(':') === ip.includes(':')) ?? clusterIps[0] ?? '';
  return `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${range}`;
}

/** A random free index of the upper band, walking on from where the draw fell; of the lower band when that is full. */
function pick(low: number, high: number, offset: number, draw: (below: number) => number, free: (index: number) => boolean): number | undefined {
  const split = low + offset < high ? low + offset : low;
  for (const [from, to] of [
    [split, high],
    [low, split],
  ] as const) {
    const length = to - from;
    if (length <= 0) continue;
    const start = draw(length);
    for (let step = 0; step < length; step++) {
      const index = from + ((start + step) % length);
      if (free(index)) return index;
    }
  }
  return undefined;
}

function takenAddresses(services: Iterable<Service>): (address: string) => boolean {
  const taken = new Set<string>();
  for (const service of services) for (const ip of service.spec?.clusterIPs ?? []) taken.add(canonicalAddress(ip));
  return (address) => taken.has(address);
}

function takenPorts(services: Iterable<Service>): ReadonlySet<number> {
  const taken = new Set<number>();
  for (const { spec } of services) {
    for (const port of spec?.ports ?? []) if (port.nodePort) taken.add(port.nodePort);
    if (spec?.healthCheckNodePort) taken.add(spec.healthCheckNodePort);
  }
  return taken;
}
