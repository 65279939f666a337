/**
 * IP addresses and CIDRs as upstream reads and checks them: parsing that forgives leading zeros, the canonical text of RFC 5952, and
 * the messages of k8s.io/apimachinery pkg/util/validation/ip.go.
 */
import { type FieldError, type FieldErrorList, type FieldPath, invalid } from './field-errors.ts';
import { goQuote } from './quote.ts';

export interface ParsedIP {
  readonly family: 4 | 6;
  /** Four bytes, or sixteen. An IPv4-mapped IPv6 address counts as IPv4, as in Go. */
  readonly bytes: readonly number[];
  readonly leadingZeros: boolean;
  readonly mapped: boolean;
}

export interface ParsedCIDR {
  readonly ip: ParsedIP;
  readonly prefixLength: number;
  /** The address with the bits beyond the prefix cleared. */
  readonly network: readonly number[];
  readonly leadingZeros: boolean;
}

function parseIPv4(text: string): ParsedIP | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  const bytes: number[] = [];
  let leadingZeros = false;
  for (const part of parts) {
    if (!/^[0-9]+$/.test(part) || Number(part) > 255) return undefined;
    if (part.length > 1 && part.startsWith('0')) leadingZeros = true;
    bytes.push(Number(part));
  }
  return { family: 4, bytes, leadingZeros, mapped: false };
}

/** The sixteen-bit groups of one side of `::`; the last may be a dotted IPv4 address. */
function parseGroups(text: string): { readonly groups: readonly number[]; readonly leadingZeros: boolean } | undefined {
  if (text === '') return { groups: [], leadingZeros: false };
  const groups: number[] = [];
  const parts = text.split(':');
  let leadingZeros = false;
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes('.')) {
      const tail = parseIPv4(part);
      if (tail === undefined) return undefined;
      const [a = 0, b = 0, c = 0, d = 0] = tail.bytes;
      groups.push(a * 256 + b, c * 256 + d);
      leadingZeros = tail.leadingZeros;
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return { groups, leadingZeros };
}

function parseIPv6(text: string): ParsedIP | undefined {
  const gap = text.indexOf('::');
  const before = parseGroups(gap < 0 ? text : text.slice(0, gap));
  const after = parseGroups(gap < 0 ? '' : text.slice(gap + 2));
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.groups.length - after.groups.length;
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...before.groups, ...Array.from({ length: missing }, () => 0), ...after.groups];
  const bytes = groups.flatMap((group) => [group >> 8, group & 255]);
  const leadingZeros = before.leadingZeros || after.leadingZeros;
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return mapped ? { family: 4, bytes: bytes.slice(12), leadingZeros, mapped } : { family: 6, bytes, leadingZeros, mapped };
}

/** Go's ParseIPSloppy. */
export function parseIP(text: string): ParsedIP | undefined {
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text);
}

/** Go's ParseCIDRSloppy. */
export function parseCIDR(text: string): ParsedCIDR | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const ip = parseIP(text.slice(0, slash));
  const lengthText = text.slice(slash + 1);
  if (ip === undefined || !/^[0-9]+$/.test(lengthText)) return undefined;
  const written = Number(lengthText);
  const prefixLength = ip.mapped ? written - 96 : written;
  if (prefixLength < 0 || prefixLength > ip.bytes.length * 8) return undefined;
  const network = ip.bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefixLength - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return { ip, prefixLength, network, leadingZeros: ip.leadingZeros || (lengthText.length > 1 && lengthText.startsWith('0')) };
}

/** Canonical text: dotted, or RFC 5952. */
export function formatIP(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (bytes[index * 2] ?? 0) * 256 + (bytes[index * 2 + 1] ?? 0));
  let bestStart = -1;
  let bestLength = 1;
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && groups[end] === 0) end++;
    if (end - start > bestLength) {
      bestStart = start;
      bestLength = end - start;
    }
  }
  const hex = groups.map((group) => group.toString(16));
  if (bestStart < 0) return hex.join(':');
  return `${hex.slice(0, bestStart).join(':')}::${hex.slice(bestStart + bestLength).join(':')}`;
}

/** The address so many after another one, of as many bytes; `offset` is a whole number below 2^53. */
export function addressAt(first: readonly number[], offset: number): readonly number[] {
  const bytes = [...first];
  for (let at = bytes.length - 1, carry = offset; at >= 0 && carry > 0; at--) {
    const sum = (bytes[at] ?? 0) + (carry % 256);
    bytes[at] = sum % 256;
    carry = Math.floor(carry / 256) + Math.floor(sum / 256);
  }
  return bytes;
}

/** How many addresses lie between two, as near as a number can say it beyond 2^53. */
export function offsetIn(first: readonly number[], address: readonly number[]): number {
  return address.reduce((sum, byte, index) => sum * 256 + byte - (first[index] ?? 0), 0);
}

export function formatCIDR(cidr: ParsedCIDR): string {
  return `${formatIP(cidr.network)}/${cidr.prefixLength}`;
}

/** The last address of the network: all bits beyond the prefix are set. */
export function lastAddress({ ip, network, prefixLength }: ParsedCIDR): ParsedIP {
  return { ...ip, bytes: network.map((byte, index) => byte | (0xff >> Math.min(8, Math.max(0, prefixLength - index * 8)))) };
}

/** Whether the address lies in the network. */
export function cidrContains(cidr: ParsedCIDR, ip: ParsedIP): boolean {
  if (cidr.ip.family !== ip.family) return false;
  return cidr.network.every((byte, index) => {
    const kept = Math.min(8, Math.max(0, cidr.prefixLength - index * 8));
    return byte === ((ip.bytes[index] ?? 0) & (0xff << (8 - kept)) & 0xff);
  });
}

/** Faults of an address; `strict` also refuses leading zeros and IPv4-mapped addresses. */
function ipFaults(path: FieldPath, value: string, strict: boolean): FieldErrorList {
  const ip = parseIP(value);
  if (ip === undefined) return [invalid(path, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
  const faults: FieldError[] = [];
  if (strict && ip.leadingZeros) faults.push(invalid(path, value, 'must not have leading 0s'));
  else if (strict && ip.mapped) faults.push(invalid(path, value, 'must not be an IPv4-mapped IPv6 address'));
  return faults;
}

/** For the fields that once took sloppy addresses; `strict` is the gate StrictIPCIDRValidation. */
export function isValidIPForLegacyField(path: FieldPath, value: string, strict = false, validOld: readonly string[] = []): FieldErrorList {
  return validOld.includes(value) ? [] : ipFaults(path, value, strict);
}

export function isValidIP(path: FieldPath, value: string): FieldErrorList {
  const faults = ipFaults(path, value, true);
  const ip = parseIP(value);
  if (faults.length > 0 || ip === undefined) return faults;
  const canonical = formatIP(ip.bytes);
  return canonical === value ? [] : [invalid(path, value, `must be in canonical form (${goQuote(canonical)})`)];
}

function cidrFaults(path: FieldPath, value: string, strict: boolean): FieldErrorList {
  const cidr = parseCIDR(value);
  if (cidr === undefined) return [invalid(path, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
  if (!strict) return [];
  if (cidr.leadingZeros) return [invalid(path, value, 'must not have leading 0s in IP or prefix length')];
  if (cidr.ip.mapped) return [invalid(path, value, 'must not have an IPv4-mapped IPv6 address')];
  const bitsBeyond = cidr.network.some((byte, index) => byte !== cidr.ip.bytes[index]);
  return bitsBeyond ? [invalid(path, value, 'must not have bits set beyond the prefix length')] : [];
}

export function isValidCIDRForLegacyField(path: FieldPath, value: string, strict = false, validOld: readonly string[] = []): FieldErrorList {
  return validOld.includes(value) ? [] : cidrFaults(path, value, strict);
}

export function isValidCIDR(path: FieldPath, value: string): FieldErrorList {
  const faults = cidrFaults(path, value, true);
  const cidr = parseCIDR(value);
  if (faults.length > 0 || cidr === undefined) return faults;
  const canonical = formatCIDR(cidr);
  return canonical === value ? [] : [invalid(path, value, `must be in canonical form (${goQuote(canonical)})`)];
}

/** Of an interface: an address with its prefix, whose further bits stay. */
export function isValidInterfaceAddress(path: FieldPath, value: string): FieldErrorList {
  const cidr = parseCIDR(value);
  if (cidr === undefined) return [invalid(path, value, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)')];
  const canonical = `${formatIP(cidr.ip.bytes)}/${cidr.prefixLength}`;
  return canonical === value ? [] : [invalid(path, value, `must be in canonical form (${goQuote(canonical)})`)];
}

/** What the writer of an address is warned of: another spelling than the usual one. Nothing where it is no address. */
export function warningsForIP(path: FieldPath, value: string): readonly string[] {
  const ip = parseIP(value);
  if (ip === undefined) return [];
  const usual = formatIP(ip.bytes);
  if (ip.leadingZeros || ip.mapped) return [`${path}: non-standard IP address ${goQuote(value)} is invalid: use ${goQuote(usual)}`];
  return usual === value ? [] : [`${path}: IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(usual)})`];
}

/** As `warningsForIP`, of a network. */
export function warningsForCIDR(path: FieldPath, value: string): readonly string[] {
  const cidr = parseCIDR(value);
  if (cidr === undefined) return [];
  const [usual, address] = [formatCIDR(cidr), formatIP(cidr.ip.bytes)];
  const warnings: string[] = [];
  if (formatIP(cidr.network) !== address)
    warnings.push(
      `${path}: CIDR value ${goQuote(value)} is ambiguous in this context (should be ${goQuote(usual)} or ${goQuote(`${address}/${cidr.ip.bytes.length * 8}`)}?)`,
    );
  if (cidr.leadingZeros || cidr.ip.mapped) warnings.push(`${path}: non-standard CIDR value ${goQuote(value)} is invalid: use ${goQuote(usual)}`);
  if (warnings.length > 0 || usual === value) return warnings;
  return [`${path}: IPv6 CIDR value ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(usual)})`];
}
