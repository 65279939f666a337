/**
 * The ranges of pod addresses that a cluster has for its nodes, by number. Mirrors
 * pkg/controller/nodeipam/ipam/cidrset/cidr_set.go: the next free one is taken, walking on from the last.
 */
import { formatIP, parseCIDR } from '../../apimachinery/ip.ts';
import { assert } from '../../base/assert.ts';

/** Upstream refuses ranges of more parts. */
const partsMax = 65_536n;

export class CidrSet {
  readonly #first: bigint;
  readonly #size: bigint;
  readonly #bits: number;
  readonly #isSix: boolean;
  readonly count: number;

  /** `range` such as `10.244.0.0/16`, cut into parts of `bits`, such as 24. Of a large range the first parts count, as many as upstream allows. */
  constructor(range: string, bits: number) {
    const parsed = boundsOf(range);
    assert(parsed, `a range of addresses: ${range}`);
    this.#isSix = parsed.isSix;
    this.#bits = bits;
    this.#size = 1n << BigInt((parsed.isSix ? 128 : 32) - bits);
    this.#first = parsed.first;
    const count = (parsed.last - parsed.first + 1n) / this.#size;
    this.count = count > partsMax ? Number(partsMax) : Number(count);
  }

  rangeAt(index: number): string {
    const address = this.#first + BigInt(index) * this.#size;
    const bytes = Array.from({ length: this.#isSix ? 16 : 4 }, (_, at, width = this.#isSix ? 15 : 3) =>
      Number((address >> BigInt(8 * (width - at))) & 255n),
    );
    return `${formatIP(bytes)}/${this.#bits}`;
  }

  /** Numbers of the parts that a range covers, first and last; undefined when it lies outside. */
  indexesOf(range: string): { readonly from: number; readonly to: number } | undefined {
    const parsed = boundsOf(range);
    const end = this.#first + BigInt(this.count) * this.#size;
    if (parsed?.isSix !== this.#isSix || parsed.last < this.#first || parsed.first >= end) return undefined;
    const from = parsed.first < this.#first ? 0 : Number((parsed.first - this.#first) / this.#size);
    const to = parsed.last >= end ? this.count - 1 : Number((parsed.last - this.#first) / this.#size);
    return from <= to ? { from, to } : undefined;
  }
}

function boundsOf(range: string): { readonly first: bigint; readonly last: bigint; readonly isSix: boolean } | undefined {
  const cidr = parseCIDR(range);
  if (cidr === undefined) return undefined;
  const first = cidr.network.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const isSix = cidr.ip.family === 6;
  return { first, last: first + (1n << BigInt((isSix ? 128 : 32) - cidr.prefixLength)) - 1n, isSix };
}
