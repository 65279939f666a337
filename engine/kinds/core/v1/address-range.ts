/** Addresses of Services by their number in a range of either family. Mirrors PrefixSubnet and its neighbours of pkg/registry/core/service/ipallocator. */
import { addressAt, cidrContains, formatIP, offsetIn, parseCIDR, parseIP } from '../../../apimachinery/ip.ts';
import type { IpFamily } from '../../../contracts/kind.ts';

export interface AddressRange {
  readonly family: IpFamily;
  /** First number that a Service can have, and the one after the last. */
  readonly low: number;
  readonly high: number;
  /** The address of a number, in canonical form. */
  at(index: number): string;
  holds(ip: string): boolean;
}

/** Of a larger range addresses are drawn from its first so many. */
const drawnMax = 2 ** 40;

/** Undefined for a text that is no range. IPv4 leaves out the first and the last address, IPv6 the first. */
export function addressRange(cidr: string): AddressRange | undefined {
  const parsed = parseCIDR(cidr);
  if (parsed === undefined) return undefined;
  const isFour = parsed.ip.family === 4;
  const size = 2 ** ((isFour ? 32 : 128) - parsed.prefixLength);
  const end = isFour ? size - 1 : size;
  return {
    family: isFour ? 'IPv4' : 'IPv6',
    low: 1,
    high: Math.min(end, drawnMax),
    at: (index) => formatIP(addressAt(parsed.network, index)),
    holds: (text) => {
      const ip = parseIP(text);
      if (ip === undefined || !cidrContains(parsed, ip)) return false;
      const offset = offsetIn(parsed.network, ip.bytes);
      // Numbers of so large ranges are not exact at their ends.
      return offset > 0 && (!isFour || offset < end);
    },
  };
}

/** As addresses are compared: clients may write one address in several ways. */
export function canonicalAddress(text: string): string {
  if (!/:|(?:^|\.)0\d/.test(text)) return text;
  const ip = parseIP(text);
  return ip === undefined ? text : formatIP(ip.bytes);
}
