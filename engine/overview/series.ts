/**
 * A number over virtual time, as the changes of it: for the small curves beside the overview's figures. Bounded: when it has grown too long
 * its older half is thinned to every second change, so that what is recent stays exact and what is old keeps its shape.
 */
import { countWhile } from '../base/bisect.ts';
import { type Codec, StateError } from '../base/codecs.ts';
import type { JsonValue } from '../base/json.ts';

const changesMax = 4_000;

export class Series {
  /** Instant, value, instant, value …, in order. */
  #changes: number[];

  constructor(changes: readonly number[] = []) {
    this.#changes = [...changes];
  }

  get changes(): readonly number[] {
    return this.#changes;
  }

  get value(): number {
    return this.#changes.at(-1) ?? 0;
  }

  set(ms: number, value: number): void {
    const changes = this.#changes;
    if (changes.length > 0 && changes[changes.length - 1] === value) return;
    if (changes.length > 0 && changes[changes.length - 2] === ms) {
      changes[changes.length - 1] = value;
      return;
    }
    changes.push(ms, value);
    if (changes.length > changesMax * 2) this.#changes = thinned(changes);
  }

  /** The largest value of each of so many equal parts of a range; what was in force when a part began counts in it. */
  within(fromMs: number, toMs: number, parts: number): readonly number[] {
    const span = Math.max(1, toMs - fromMs);
    const found = new Array<number>(parts).fill(Number.NaN);
    const first = 2 * this.#countUntil(fromMs);
    const before = first === 0 ? 0 : (this.#changes[first - 1] as number);
    for (let index = first; index < this.#changes.length; index += 2) {
      const [ms, value] = [this.#changes[index] as number, this.#changes[index + 1] as number];
      if (ms > toMs) break;
      const part = Math.min(parts - 1, Math.floor(((ms - fromMs) / span) * parts));
      found[part] = Number.isNaN(found[part] as number) ? value : Math.max(found[part] as number, value);
    }
    return filled(found, before, this.#endsOf(fromMs, span, parts));
  }

  /** Changes that are not after an instant. */
  #countUntil(ms: number): number {
    return countWhile(this.#changes.length / 2, (index) => (this.#changes[2 * index] as number) <= ms);
  }

  /** The value in force at the end of each part. */
  #endsOf(fromMs: number, span: number, parts: number): readonly number[] {
    const ends: number[] = [];
    let index = 2 * this.#countUntil(fromMs);
    let value = index === 0 ? 0 : (this.#changes[index - 1] as number);
    for (let part = 1; part <= parts; part++) {
      const endMs = fromMs + (span * part) / parts;
      for (; index < this.#changes.length && (this.#changes[index] as number) <= endMs; index += 2) value = this.#changes[index + 1] as number;
      ends.push(value);
    }
    return ends;
  }
}

/** A part without a change has what was in force before it; one with changes at least that. */
function filled(found: readonly number[], before: number, ends: readonly number[]): readonly number[] {
  return found.map((value, part) => {
    const inForce = part === 0 ? before : (ends[part - 1] as number);
    return Number.isNaN(value) ? inForce : Math.max(value, inForce);
  });
}

function thinned(changes: readonly number[]): number[] {
  const half = Math.floor(changes.length / 4) * 2;
  const older: number[] = [];
  for (let index = 0; index < half; index += 4) older.push(changes[index] as number, changes[index + 1] as number);
  return [...older, ...changes.slice(half)];
}

export const seriesCodec: Codec<Series> = {
  encode: (series) => [...series.changes],
  decode: (saved: JsonValue | undefined, path) => {
    if (!Array.isArray(saved) || saved.length % 2 !== 0 || !saved.every((part) => typeof part === 'number'))
      throw new StateError(path, 'a series', saved);
    return new Series(saved as readonly number[]);
  },
};
