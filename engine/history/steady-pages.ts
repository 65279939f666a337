/**
 * Rows in their groups, kept from one question to the next. Who follows the clock asks the same of all rows twice a second, and the answer hangs on their lives alone:
 * it is another one only when a row came, went, ended, moved or was given another owner, or when an end of the range passed an instant at which one began or ended.
 */
import { groupRows, type GroupedRows, type RowGrouping } from './row-groups.ts';
import type { RowIndex } from './row-index/row-index.ts';
import { isSorted, type Range, type RowQuery, type TimelineRows } from './timeline-rows.ts';

export interface GroupedQuery extends RowQuery {
  readonly collapsed?: readonly string[];
}

/** Of ranges that begin after `lastEndedMs`, not after `nextEndedMs`, end not before `lastCreatedMs` and before `nextCreatedMs`. */
interface Span {
  readonly lastCreatedMs: number;
  readonly nextCreatedMs: number;
  readonly lastEndedMs: number;
  readonly nextEndedMs: number;
}

interface Kept {
  readonly version: number;
  readonly span: Span;
  readonly page: GroupedRows;
}

/** A page asks one question at a time; each answer is two numbers a row. */
const keptMax = 4;

export class SteadyPages {
  readonly #index: RowIndex;
  readonly #rows: TimelineRows;
  /** By what was asked, the newest last. */
  readonly #kept = new Map<string, Kept>();

  constructor(index: RowIndex, rows: TimelineRows) {
    this.#index = index;
    this.#rows = rows;
  }

  /** Of rows in tree order. */
  page(query: GroupedQuery, group: RowGrouping, range: Range): GroupedRows {
    if (!hangsOnLivesAlone(query)) return this.#find(query, group, range);
    const { version } = this.#index.refresh();
    const { kinds = [], namespace = '', collapsed = [] } = query;
    const key = JSON.stringify([group, kinds, namespace, collapsed]);
    const before = this.#kept.get(key);
    const kept =
      before?.version === version && holds(before.span, range)
        ? before
        : { version, span: spanAround(this.#index, range), page: this.#find(query, group, range) };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > keptMax) this.#kept.delete(oldest);
    return kept.page;
  }

  #find(query: GroupedQuery, group: RowGrouping, range: Range): GroupedRows {
    return groupRows(this.#index, this.#rows.select(query, range), group, new Set(query.collapsed));
  }
}

function hangsOnLivesAlone({ owner, object, search, labels, isTroubled, isChanged, ...query }: RowQuery): boolean {
  const isOfTheirOwn = isSorted(query) || Boolean(owner ?? object ?? search) || labels !== undefined;
  return !isOfTheirOwn && isTroubled !== true && isChanged !== true;
}

function holds({ lastCreatedMs, nextCreatedMs, lastEndedMs, nextEndedMs }: Span, { fromMs, toMs }: Range): boolean {
  return fromMs > lastEndedMs && fromMs <= nextEndedMs && toMs >= lastCreatedMs && toMs < nextCreatedMs;
}

function spanAround(index: RowIndex, { fromMs, toMs }: Range): Span {
  let [lastCreatedMs, nextCreatedMs, lastEndedMs, nextEndedMs] = [-Infinity, Infinity, -Infinity, Infinity];
  for (let slot = 0; slot < index.slotCount; slot++) {
    const [createdMs, endedMs] = [index.createdMs(slot), index.endedMs(slot)];
    if (createdMs <= toMs) lastCreatedMs = Math.max(lastCreatedMs, createdMs);
    else nextCreatedMs = Math.min(nextCreatedMs, createdMs);
    if (endedMs < fromMs) lastEndedMs = Math.max(lastEndedMs, endedMs);
    else nextEndedMs = Math.min(nextEndedMs, endedMs);
  }
  return { lastCreatedMs, nextCreatedMs, lastEndedMs, nextEndedMs };
}
