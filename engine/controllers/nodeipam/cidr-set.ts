/**
 * The ranges of pod addresses that a cluster has for its nodes, by number. Mirrors
 * pkg/controller/nodeipam/ipam/cidrset/cidr_set.go: the next free one is taken, walking on from the last.
 */
import { parseCIDR } from '../../apimachinery/ip.ts';
import { assert } from '../../base/assert.ts';

export class CidrSet {
  readonly #first: number;
  readonly #size: number;
  readonly #bits: number;
  readonly count: number;

  /** `range` such as `10.244.0.0/16`, cut into parts of `bits`, such as 24. */
  constructor(range: string, bits: number) {
    const parsed = numbersOf(range);
    assert(parsed, `a range of addresses: ${range}`);
    this.#bits = bits;
    this.#size = 2 ** (32 - bits);
    this.#first = parsed.first;
    this.count = Math.floor((parsed.last - parsed.first + 1) / this.#size);
  }

  rangeAt(index: number): string {
    const address = this.#first + index * this.#size;
    return `${[2 ** 24, 2 ** 16, 2 ** 8, 1].map((unit) => Math.floor(address / unit) % 256).join('.')}/${this.#bits}`;
  }

  /** Numbers of the parts that a range covers, first and last; undefined when it lies outside. */
  indexesOf(range: string): { readonly from: number; readonly to: number } | undefined {
    const parsed = numbersOf(range);
    if (parsed === undefined) return undefined;
    const from = Math.max(0, Math.floor((parsed.first - this.#first) / this.#size));
    const to = Math.min(this.count - 1, Math.floor((parsed.last - this.#first) / this.#size));
    return from <= to && parsed.last >= this.#first ? { from, to } : undefined;
  }
}

function numbersOf(range: string): { readonly first: number; readonly last: number } | undefined {
  const cidr = parseCIDR(range);
  if (cidr?.ip.family !== 4) return undefined;
  const [address = '', bits = '32'] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = Math.floor(value / size) * size;
  return { first, last: first + size - 1 };
}
