/**
 * Rows of some kinds that lived in a range, kept from one question to the next. Whoever searches, sorts or follows asks of the same rows again and again, and which these are
 * hangs on their lives alone: they are others only when a row came, went, ended, moved or was given another owner, or when an end of the range passed an instant at which one of them began or ended.
 */
import { keepNewest } from '../base/keep-newest.ts';
import type { RowIndex } from './row-index/row-index.ts';
import type { Range } from './timeline-rows.ts';

export interface LivingQuery {
  readonly kinds?: readonly string[];
  readonly namespace?: string;
}

/** Of ranges that begin after `lastEndedMs`, not after `nextEndedMs`, end not before `lastCreatedMs` and before `nextCreatedMs`. */
interface Span {
  lastCreatedMs: number;
  nextCreatedMs: number;
  lastEndedMs: number;
  nextEndedMs: number;
}

interface Kept {
  readonly version: number;
  readonly span: Readonly<Span>;
  readonly slots: Int32Array;
}

/** A page asks one question at a time; each answer is a number a row. */
const keptMax = 4;

export class LivingRows {
  readonly #index: RowIndex;
  /** By what was asked, the newest last. */
  readonly #kept = new Map<string, Kept>();

  constructor(index: RowIndex) {
    this.#index = index;
  }

  /** Slots in tree order; the very list that was given before while it holds, which nobody may change. */
  of({ kinds = [], namespace = '' }: LivingQuery, range: Range): Int32Array {
    const { version } = this.#index.refresh();
    const key = JSON.stringify([kinds, namespace]);
    const before = this.#kept.get(key);
    const kept = before?.version === version && holds(before.span, range) ? before : { version, ...this.#find(kinds, namespace, range) };
    keepNewest(this.#kept, key, kept, keptMax);
    return kept.slots;
  }

  #find(kinds: readonly string[], namespace: string, { fromMs, toMs }: Range): Omit<Kept, 'version'> {
    const index = this.#index;
    const order = index.order();
    const { createdMs, endedMs } = index.columns;
    const isWanted = this.#wanted(kinds, namespace);
    const span: Span = { lastCreatedMs: -Infinity, nextCreatedMs: Infinity, lastEndedMs: -Infinity, nextEndedMs: Infinity };
    const found = new Int32Array(order.length);
    let count = 0;
    for (const slot of order) {
      if (!isWanted(slot)) continue;
      const [created, ended] = [createdMs[slot] as number, endedMs[slot] as number];
      if (created <= toMs) span.lastCreatedMs = Math.max(span.lastCreatedMs, created);
      else span.nextCreatedMs = Math.min(span.nextCreatedMs, created);
      if (ended < fromMs) span.lastEndedMs = Math.max(span.lastEndedMs, ended);
      else span.nextEndedMs = Math.min(span.nextEndedMs, ended);
      if (created <= toMs && ended >= fromMs) found[count++] = slot;
    }
    return { span, slots: found.subarray(0, count) };
  }

  #wanted(kinds: readonly string[], namespace: string): (slot: number) => boolean {
    const index = this.#index;
    const { kind, namespace: spaces } = index.columns;
    const space = namespace === '' ? undefined : index.findWord(namespace);
    if (namespace !== '' && space === undefined) return () => false;
    const isKind = new Uint8Array(index.wordCount);
    for (const one of kinds) {
      const word = index.findWord(one);
      if (word !== undefined) isKind[word] = 1;
    }
    return (slot) => (kinds.length === 0 || isKind[kind[slot] as number] === 1) && (space === undefined || spaces[slot] === space);
  }
}

function holds({ lastCreatedMs, nextCreatedMs, lastEndedMs, nextEndedMs }: Span, { fromMs, toMs }: Range): boolean {
  return fromMs > lastEndedMs && fromMs <= nextEndedMs && toMs >= lastCreatedMs && toMs < nextCreatedMs;
}
