/** For how long something was wrong with a row: short of what was wished for, or in a state that is bad. Of most ranges sums tell it, without its segments. */
import { isPassingTrouble } from '../../component-helpers/pod.ts';
import { isEverShort, shortMs } from '../area.ts';
import type { Row, Segment } from '../row.ts';
import { FloatColumn, IntColumn } from './columns.ts';

/** States that something is wrong in, whatever the reason. */
const badStates: ReadonlySet<string> = new Set(['Failed', 'NotReady', 'Unknown']);
const never = Number.POSITIVE_INFINITY;

type RowsBySlot = readonly (Row | undefined)[];

export class Troubles {
  /** Of bad segments that are over: when the first began, when the last ended, how long they were. */
  readonly #fromMs = new FloatColumn();
  readonly #toMs = new FloatColumn();
  readonly #sumMs = new FloatColumn();
  /** When the one that lasts began. */
  readonly #openMs = new FloatColumn();
  /** 1 where an area was ever short. */
  readonly #isShort = new IntColumn();
  /** 1 where anything was ever wrong: of most rows nothing else is looked at. */
  readonly #isEver = new IntColumn();

  take({ segments, area }: Row, slot: number): void {
    let [fromMs, toMs, sumMs, openMs] = [never, -1, 0, never];
    for (const segment of segments) {
      if (!isBad(segment)) continue;
      if (segment.toMs === 0) openMs = Math.min(openMs, segment.fromMs);
      else {
        fromMs = Math.min(fromMs, segment.fromMs);
        toMs = Math.max(toMs, segment.toMs);
        sumMs += segment.toMs - segment.fromMs;
      }
    }
    this.#fromMs.set(slot, fromMs);
    this.#toMs.set(slot, toMs);
    this.#sumMs.set(slot, sumMs);
    this.#openMs.set(slot, openMs);
    const isShort = isEverShort(area);
    this.#isShort.set(slot, isShort ? 1 : 0);
    this.#isEver.set(slot, isShort || openMs !== never || toMs >= 0 ? 1 : 0);
  }

  ms(rows: RowsBySlot, slot: number, fromMs: number, toMs: number): number {
    return this.#isEver.get(slot) === 0 ? 0 : this.#some(rows[slot] as Row, slot, fromMs, toMs);
  }

  /** Of these slots, in their order: with most nothing was ever wrong, and of those no row is read. */
  eachMs(rows: RowsBySlot, slots: Int32Array, fromMs: number, toMs: number, into: Float64Array): void {
    const isEver = this.#isEver.values;
    for (let place = 0; place < slots.length; place++) {
      const slot = slots[place] as number;
      into[place] = isEver[slot] === 1 ? this.#some(rows[slot] as Row, slot, fromMs, toMs) : 0;
    }
  }

  #some(row: Row, slot: number, fromMs: number, toMs: number): number {
    let ms = Math.max(0, toMs - Math.max(fromMs, this.#openMs.get(slot)));
    if (this.#isShort.get(slot) === 1) ms += shortMs(row.area, fromMs, row.deletedMs === 0 ? toMs : Math.min(toMs, row.deletedMs));
    const [firstMs, lastMs] = [this.#fromMs.get(slot), this.#toMs.get(slot)];
    if (lastMs <= fromMs || firstMs >= toMs) return ms;
    if (fromMs <= firstMs && lastMs <= toMs) return ms + this.#sumMs.get(slot);
    for (const segment of row.segments)
      if (segment.toMs !== 0 && isBad(segment)) ms += Math.max(0, Math.min(segment.toMs, toMs) - Math.max(segment.fromMs, fromMs));
    return ms;
  }
}

function isBad({ state, reason }: Segment): boolean {
  return badStates.has(state) || !isPassingTrouble(reason);
}
