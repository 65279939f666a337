/** Rows in their groups, kept as long as the rows are the same: who follows the clock asks for them twice a second. */
import { keepNewest } from '../base/keep-newest.ts';
import { groupRows, type GroupedRows, type RowGrouping } from './row-groups.ts';
import type { RowIndex } from './row-index/row-index.ts';
import { isSorted, type Range, type RowQuery, type TimelineRows } from './timeline-rows.ts';

export interface GroupedQuery extends RowQuery {
  readonly collapsed?: readonly string[];
}

interface Kept {
  readonly slots: Int32Array;
  readonly page: GroupedRows;
}

/** A page asks one question at a time; each answer is a number a row. */
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
    const { kinds = [], namespace = '', collapsed = [] } = query;
    const slots = this.#rows.select(query, range);
    if (!hangsOnLivesAlone(query)) return groupRows(this.#index, slots, group, new Set(collapsed));
    const key = JSON.stringify([group, kinds, namespace, collapsed]);
    const before = this.#kept.get(key);
    const kept = before?.slots === slots ? before : { slots, page: groupRows(this.#index, slots, group, new Set(collapsed)) };
    keepNewest(this.#kept, key, kept, keptMax);
    return kept.page;
  }
}

function hangsOnLivesAlone({ owner, object, search, labels, isTroubled, isChanged, ...query }: RowQuery): boolean {
  const isOfTheirOwn = isSorted(query) || Boolean(owner ?? object ?? search) || labels !== undefined;
  return !isOfTheirOwn && isTroubled !== true && isChanged !== true;
}
