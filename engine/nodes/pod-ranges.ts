/** Addresses of machines and of their pods: of one family, or of both, where the second ones follow from the first by their number. */
import { addressAt, formatIP, offsetIn, parseCIDR, parseIP } from '../apimachinery/ip.ts';

/** Size of a machine's part of a range of IPv6, as `--node-cidr-mask-size-ipv6` has it. */
export const sixBits = 64;
const networks = { 4: '172.18.0.0', 6: 'fd00:172:18::' } as const;
/** A range larger than a /24 gives its first addresses. */
const hostsMax = 256;

/** The part of a machine, by its number; past the end of the range for the next ones. `fourBits`: size of a part of IPv4. */
export function podRangeAt(slot: number, cidr: string, fourBits: number): string {
  const parsed = parseCIDR(cidr);
  if (parsed === undefined) return cidr;
  const { network, ip } = parsed;
  if (ip.family === 4) return `${formatIP(addressAt(network, slot * 2 ** (32 - fourBits)))}/${fourBits}`;
  const front = sixBits / 8;
  return `${formatIP([...addressAt(network.slice(0, front), slot), ...network.slice(front)])}/${sixBits}`;
}

/** The address of a machine in the family of its pods' range. */
export function machineAddress(slot: number, podCidr: string): string {
  const base = parseIP(networks[parseCIDR(podCidr)?.ip.family ?? 4]);
  return formatIP(addressAt(base?.bytes ?? [], slot + 2));
}

/** The last number of a pod in a range; the first is 2. */
export function lastHost(podCidr: string): number {
  const parsed = parseCIDR(podCidr);
  const bits = (parsed?.ip.family === 6 ? 128 : 32) - (parsed?.prefixLength ?? 24);
  return Math.min(hostsMax, 2 ** bits) - 2;
}

export function hostAddress(podCidr: string, host: number): string {
  return formatIP(addressAt(parseCIDR(podCidr)?.network ?? [], host));
}

export function hostOf(podCidr: string, address: string): number {
  return offsetIn(parseCIDR(podCidr)?.network ?? [], parseIP(address)?.bytes ?? []);
}

interface Addressed {
  readonly slot: number;
  readonly address: string;
  readonly podCidr: string;
  readonly otherCidr?: string | undefined;
}

/** All addresses of who has this one on a machine: a pod, or the machine itself. */
export function addressesOf({ slot, address: own, podCidr, otherCidr }: Addressed, address: string): readonly string[] {
  if (otherCidr === undefined || address === '') return [address];
  return [address, address === own ? machineAddress(slot, otherCidr) : hostAddress(otherCidr, hostOf(podCidr, address))];
}
