/** Addresses of pods on driven nodes: the next free one of the node's range. Mirrors ipPool of pkg/kwok/controllers/utils.go. */
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import { cidrContains, formatIP, parseCIDR, parseIP } from '../apimachinery/ip.ts';
import { text } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';

/** KWOK's own, for nodes that have no range. */
const defaultRange = '10.0.0.1/24';
const triesMax = 65_536;

export class Addresses {
  /** Who has an address. */
  readonly #holders: Map<string, string>;

  constructor(slots: Slots) {
    this.#holders = slots.map('holders', text);
  }

  /** One address of each of the node's ranges: those that the holder has already, or new ones. */
  take(node: Node | undefined, holder: string): readonly string[] {
    return rangesOf(node).flatMap((range) => this.#takeOf(range, holder) ?? []);
  }

  /** What a pod has is its own, whoever gave it. */
  keep({ status }: Pod, holder: string): void {
    for (const address of [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)]) if (address) this.#holders.set(address, holder);
  }

  free(holder: string): void {
    for (const [address, of] of [...this.#holders]) if (of === holder) this.#holders.delete(address);
  }

  #takeOf(range: string, holder: string): string | undefined {
    const cidr = parseCIDR(range);
    if (cidr === undefined) return undefined;
    for (const [address, of] of this.#holders) {
      const ip = parseIP(address);
      if (of === holder && ip !== undefined && cidrContains(cidr, ip)) return address;
    }
    const start = parseCIDRStart(range);
    for (let step = 1; step < triesMax; step++) {
      const address = formatIP(plus(start, step));
      if (this.#holders.has(address)) continue;
      this.#holders.set(address, holder);
      return address;
    }
    return undefined;
  }
}

function rangesOf(node: Node | undefined): readonly string[] {
  const { podCIDRs = [], podCIDR } = node?.spec ?? {};
  return podCIDRs.length > 0 ? podCIDRs : podCIDR ? [podCIDR] : [defaultRange];
}

/** The address before the slash, whose bits behind the prefix count. */
function parseCIDRStart(range: string): readonly number[] {
  return parseIP(range.split('/')[0] ?? '')?.bytes ?? [0, 0, 0, 0];
}

function plus(bytes: readonly number[], more: number): readonly number[] {
  const sum = [...bytes];
  let carry = more;
  for (let index = sum.length - 1; index >= 0 && carry > 0; index--) {
    carry += sum[index] ?? 0;
    sum[index] = carry & 0xff;
    carry >>>= 8;
  }
  return sum;
}
