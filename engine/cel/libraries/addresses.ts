/** IP addresses and networks in CEL (apiserver pkg/cel/library/ip.go, cidr.go), as strict as Go's net/netip. */
import { cidrContains, formatIP, parseCIDR, parseIP, type ParsedCIDR, type ParsedIP } from '../../apimachinery/ip.ts';
import { global, member, type Overload, type Spend, traversalCost, traversed } from '../functions.ts';
import { bool, type CelType, int, string } from '../types.ts';
import { CelError, type CelObject, type CelValue, sizeOf } from '../values.ts';

const ipType: CelType = { kind: 'opaque', name: 'net.IP' };
const cidrType: CelType = { kind: 'opaque', name: 'net.CIDR' };

class CelIp implements CelObject {
  readonly celType = 'net.IP';
  readonly ip: ParsedIP;

  get size(): number {
    return this.ip.family === 4 ? 4 : 16;
  }

  constructor(ip: ParsedIP) {
    this.ip = ip;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelIp && other.toString() === this.toString();
  }

  toString(): string {
    return formatIP(this.ip.bytes);
  }
}

class CelCidr implements CelObject {
  readonly celType = 'net.CIDR';
  readonly cidr: ParsedCIDR;

  get size(): number {
    return Math.ceil(this.cidr.prefixLength / 8);
  }

  constructor(cidr: ParsedCIDR) {
    this.cidr = cidr;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelCidr && other.toString() === this.toString();
  }

  toString(): string {
    return `${formatIP(this.cidr.ip.bytes)}/${this.cidr.prefixLength}`;
  }
}

/** The address, or what is wrong with it. */
function readIp(text: string): ParsedIP | string {
  const told = JSON.stringify(text);
  if (text.includes(':') && text.includes('%')) {
    const bare = parseIP(text.slice(0, text.indexOf('%')));
    return bare === undefined
      ? `IP Address ${told} parse error during conversion from string: ${whyNoIp(text)}`
      : `IP address ${told} with zone value is not allowed`;
  }
  const ip = parseIP(text);
  if (ip === undefined || ip.leadingZeros) return `IP Address ${told} parse error during conversion from string: ${whyNoIp(text)}`;
  return ip.mapped ? `IPv4-mapped IPv6 address ${told} is not allowed` : ip;
}

/** As netip.ParseAddr says it. */
function whyNoIp(text: string): string {
  const fail = (why: string): string => `ParseAddr(${JSON.stringify(text)}): ${why}`;
  if (!/[.:%]/.test(text)) return fail('unable to parse IP');
  if (/^[^.:]*%/.test(text)) return fail('missing IPv6 address');
  if (/^[^:]*\./.test(text)) {
    const parts = text.split('.');
    const odd = /[^0-9.]/.exec(text)?.[0];
    if (parts.some((part) => /^\d{4,}$/.test(part)) || parts.some((part) => /^\d+$/.test(part) && Number(part) > 255))
      return fail('IPv4 field has value >255');
    if (parts.some((part) => /^0\d/.test(part))) return fail('IPv4 field has octet with leading zero');
    if (odd !== undefined) return fail('unexpected character (at ' + JSON.stringify(text.slice(text.indexOf(odd))) + ')');
    if (parts.some((part) => part === ''))
      return fail(`IPv4 field must have at least one digit (at ${JSON.stringify(text.slice(firstEmpty(parts)))})`);
    return fail(parts.length > 4 ? 'IPv4 address too long' : 'IPv4 address too short');
  }
  return fail('unexpected character, want colon');
}

function firstEmpty(parts: readonly string[]): number {
  let at = 0;
  for (const part of parts) {
    if (part === '') break;
    at += part.length + 1;
  }
  return Math.max(0, at - 1);
}

function readCidr(text: string): ParsedCIDR | string {
  const cidr = parseCIDR(text);
  const told = JSON.stringify(text);
  const prefix = 'network address parse error during conversion from string: ';
  if (cidr?.ip.mapped === true) return `IPv4-mapped IPv6 address ${told} is not allowed`;
  if (cidr === undefined || cidr.leadingZeros || text.includes('%')) return `${prefix}netip.ParsePrefix(${told}): ${whyNoCidr(text)}`;
  return cidr;
}

function whyNoCidr(text: string): string {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return "no '/'";
  const length = text.slice(slash + 1);
  const address = text.slice(0, slash);
  const ip = parseIP(address);
  if (ip === undefined || ip.leadingZeros) return whyNoIp(address);
  if (address.includes('%')) return 'IPv6 zones cannot be present in a prefix';
  return /^(?:0|[1-9]\d*)$/.test(length) ? 'prefix length out of range' : `bad bits after slash: ${JSON.stringify(length)}`;
}

function ipOf(text: string): CelIp {
  const found = readIp(text);
  if (typeof found === 'string') throw new CelError(found);
  return new CelIp(found);
}

function cidrOf(text: string): CelCidr {
  const found = readCidr(text);
  // Upstream says it twice.
  if (typeof found === 'string') throw new CelError(`network address parse error during conversion from string: ${found}`);
  return new CelCidr(found);
}

function isCanonical(text: string): boolean {
  return ipOf(text).toString() === text;
}

const isAll = ({ bytes }: ParsedIP, last: number): boolean => bytes.every((byte, i) => byte === (i === bytes.length - 1 ? last : 0));
const isLoopback = (ip: ParsedIP): boolean => (ip.family === 4 ? ip.bytes[0] === 127 : isAll(ip, 1));
const isMulticast = ({ family, bytes }: ParsedIP): boolean => (family === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff);

function isLinkLocalMulticast({ family, bytes: [a = 0, b = 0, c = 0] }: ParsedIP): boolean {
  return family === 4 ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 2;
}

function isLinkLocalUnicast({ family, bytes: [a = 0, b = 0] }: ParsedIP): boolean {
  return family === 4 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80;
}

function isGlobalUnicast(ip: ParsedIP): boolean {
  const isBroadcast = ip.family === 4 && ip.bytes.every((byte) => byte === 255);
  return !isAll(ip, 0) && !isBroadcast && !isLoopback(ip) && !isMulticast(ip) && !isLinkLocalUnicast(ip);
}

function containsNet({ cidr }: CelCidr, { cidr: other }: CelCidr): boolean {
  return cidr.prefixLength <= other.prefixLength && cidrContains(cidr, other.ip);
}

const traversal = { cost: ([size = 0]: readonly number[]) => Math.ceil(size * traversalCost), spendByName: traversed() };
/** The prefix is compared with as much of the other one; a text is read first, a network masked. */
const spendInside =
  (more: (own: number) => number, isText: boolean): Spend =>
  ([own = null, other = null]) =>
    Math.ceil(sizeOf(own) * 2 * traversalCost) + more(sizeOf(own)) + (isText ? Math.ceil(sizeOf(other) * traversalCost) : 0);
const ofIp = (isText: boolean) => ({ spend: spendInside(() => 0, isText) });
const ofNet = (isText: boolean) => ({ spend: spendInside((own) => Math.ceil(own * traversalCost) + 1, isText) });
const asked = (name: string, holds: (ip: ParsedIP) => boolean): Overload => member(name, [ipType], bool, ({ ip }: CelIp) => holds(ip));

export const addressFunctions: readonly Overload[] = [
  global('ip', [string], ipType, ipOf, traversal),
  global('isIP', [string], bool, (text: string) => typeof readIp(text) !== 'string', traversal),
  global('ip.isCanonical', [string], bool, isCanonical, { ...traversal, spendByName: traversed(2) }),
  global('string', [ipType], string, (ip: CelIp) => ip.toString()),
  member('family', [ipType], int, ({ ip }: CelIp) => BigInt(ip.family)),
  asked('isUnspecified', (ip) => isAll(ip, 0)),
  asked('isLoopback', isLoopback),
  asked('isLinkLocalMulticast', isLinkLocalMulticast),
  asked('isLinkLocalUnicast', isLinkLocalUnicast),
  asked('isGlobalUnicast', isGlobalUnicast),
  global('cidr', [string], cidrType, cidrOf, traversal),
  global('isCIDR', [string], bool, (text: string) => typeof readCidr(text) !== 'string', traversal),
  global('string', [cidrType], string, (cidr: CelCidr) => cidr.toString()),
  member('containsIP', [cidrType, string], bool, ({ cidr }: CelCidr, text: string) => cidrContains(cidr, ipOf(text).ip), ofIp(true)),
  member('containsIP', [cidrType, ipType], bool, ({ cidr }: CelCidr, { ip }: CelIp) => cidrContains(cidr, ip), ofIp(false)),
  member('containsCIDR', [cidrType, string], bool, (cidr: CelCidr, text: string) => containsNet(cidr, cidrOf(text)), ofNet(true)),
  member('containsCIDR', [cidrType, cidrType], bool, containsNet, ofNet(false)),
  member('ip', [cidrType], ipType, ({ cidr }: CelCidr) => new CelIp(cidr.ip)),
  member('prefixLength', [cidrType], int, ({ cidr }: CelCidr) => BigInt(cidr.prefixLength)),
  member('masked', [cidrType], cidrType, ({ cidr }: CelCidr) => new CelCidr({ ...cidr, ip: { ...cidr.ip, bytes: cidr.network } })),
];
