/**
 * Chance, from one seed. Every consumer draws from a named stream of its own, so that a new consumer never shifts the draws of
 * the others. A stream's position is four integers and is part of a checkpoint.
 */
import { type Codec, list, membersOf, number, where } from './codecs.ts';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

export interface RandomStream {
  /** A float in [0, 1). */
  next(): number;
  /** An integer in [0, bound). */
  integer(bound: number): number;
  /** A float in [min, max). */
  between(min: number, max: number): number;
  /** `length` characters of `alphabet`. */
  text(length: number, alphabet: string): string;
  /** `count` characters of lower-case hex. */
  hex(count: number): string;
}

type Generator = ReturnType<typeof xoroshiro128plus>;

/** Where streams stand, by name. */
export const positions: Codec<ReadonlyMap<string, readonly number[]>> = membersOf(
  where(list(number), 'the position of a stream', (state) => state.length === 4 && state.every((word) => (word | 0) === word)),
);

const hexDigits = '0123456789abcdef';

class Stream implements RandomStream {
  generator: Generator;

  constructor(generator: Generator) {
    this.generator = generator;
  }

  #bits(): number {
    return this.generator.next() >>> 0;
  }

  next(): number {
    return this.#bits() / 0x1_0000_0000;
  }

  integer(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  text(length: number, alphabet: string): string {
    let text = '';
    for (let i = 0; i < length; i++) text += alphabet[this.integer(alphabet.length)];
    return text;
  }

  hex(count: number): string {
    const codes: number[] = [];
    for (let drawn = 0; drawn < count; drawn += 8) {
      const bits = this.#bits();
      for (let shift = 28; shift >= 0 && codes.length < count; shift -= 4) codes.push(hexDigits.charCodeAt((bits >>> shift) & 15));
    }
    return String.fromCharCode(...codes);
  }
}

/** The named streams of one cluster. */
export class Random {
  readonly seed: number;
  readonly #streams = new Map<string, Stream>();

  constructor(seed: number) {
    this.seed = seed;
  }

  stream(name: string): RandomStream {
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      stream = new Stream(xoroshiro128plus(mix(this.seed, name)));
      this.#streams.set(name, stream);
    }
    return stream;
  }

  /** Where a stream stands. */
  position(name: string): readonly number[] {
    this.stream(name);
    return (this.#streams.get(name) as Stream).generator.getState();
  }

  /** Positions of all streams, by name. */
  save(): Map<string, readonly number[]> {
    const names = [...this.#streams.keys()].sort();
    return new Map(names.map((name) => [name, [...(this.#streams.get(name) as Stream).generator.getState()]]));
  }

  restore(saved: ReadonlyMap<string, readonly number[]>): void {
    for (const [name, state] of saved) {
      const generator = xoroshiro128plusFromState(state);
      const stream = this.#streams.get(name);
      if (stream === undefined) this.#streams.set(name, new Stream(generator));
      else stream.generator = generator;
    }
  }
}

/**
 * What one attempt draws: its own only when it is kept. Attempts never overlap, so drawing goes on where the stream stands. A `pinned`
 * attempt draws from streams that nobody else has, from their beginning: whoever makes it again draws the same.
 */
export class Draws {
  readonly #random: Random;
  readonly #own: Random | undefined;
  readonly #pinned: string | undefined;
  readonly #before = new Map<string, readonly number[]>();

  constructor(random: Random, pinned?: string) {
    this.#random = random;
    this.#pinned = pinned;
    this.#own = pinned === undefined ? undefined : new Random(random.seed);
  }

  stream(name: string): RandomStream {
    if (this.#own !== undefined) return this.#own.stream(`${this.#pinned}/${name}`);
    if (!this.#before.has(name)) this.#before.set(name, this.#random.position(name));
    return this.#random.stream(name);
  }

  /** Every stream goes on as if nothing had been drawn. */
  giveBack(): void {
    if (this.#before.size === 0) return;
    this.#random.restore(this.#before);
    this.#before.clear();
  }
}

/** 32-bit mix of seed and name (FNV-1a, then an avalanche), so that neighbouring seeds give unrelated streams. */
function mix(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ (seed | 0);
  hash = Math.imul(hash ^ Math.floor(seed / 0x1_0000_0000), 0x01000193);
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}
