/** Which rows a timeline shows, and in which order. */
import { newBadRequest } from '../apimachinery/errors.ts';
import { parseSelector, type Selector, SelectorError } from '../apimachinery/labels.ts';
import { isPassingTrouble } from '../component-helpers/pod.ts';
import type { ComputedQuery } from '../contracts/computed-resource.ts';
import { shortMs } from './area.ts';
import { markAt, markCount, markTime } from './marks.ts';
import type { HistoryRecorder } from './recorder.ts';
import type { Row, Segment } from './row.ts';
import { TreeOrder } from './tree-order.ts';

export interface RowQuery {
  readonly kinds?: readonly string[];
  readonly namespace?: string;
  /** Rows that this one owns, directly or not. */
  readonly owner?: string;
  /** All lives of this object. */
  readonly object?: string;
  readonly search?: string;
  /** Of what is stored now. */
  readonly labels?: Selector;
  /** Only rows that something was wrong with in the range. */
  readonly isTroubled?: boolean;
  /** Only rows with a mark in the range. */
  readonly isChanged?: boolean;
  readonly sort?: RowSort;
}

export type RowSort = 'tree' | 'trouble' | 'time' | 'size';

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

const sorts: ReadonlySet<string> = new Set(['tree', 'trouble', 'time', 'size']);
const levelsMax = 16;
/** States that something is wrong in, whatever the reason. */
const badStates: ReadonlySet<string> = new Set(['Failed', 'NotReady', 'Unknown']);

export function isSorted({ sort = 'tree' }: RowQuery): boolean {
  return sort !== 'tree';
}

/** Throws a bad request. */
export function parseRowQuery(query: ComputedQuery): RowQuery {
  const { kind, label, severity, changed, sort, namespace, owner, object, search } = query;
  if (sort && !sorts.has(sort)) throw newBadRequest(`sort=${sort} is none of ${[...sorts].join(', ')}`);
  if (severity && severity !== 'warning') throw newBadRequest(`severity=${severity} is not warning`);
  return {
    ...(kind ? { kinds: kind.split(',').filter((one) => one !== '') } : {}),
    ...(namespace ? { namespace } : {}),
    ...(owner ? { owner } : {}),
    ...(object ? { object } : {}),
    ...(search ? { search } : {}),
    ...(label ? { labels: readSelector(label) } : {}),
    ...(severity ? { isTroubled: true } : {}),
    ...(changed === 'true' ? { isChanged: true } : {}),
    ...(sort ? { sort: sort as RowSort } : {}),
  };
}

function readSelector(text: string): Selector {
  try {
    return parseSelector(text);
  } catch (error) {
    if (error instanceof SelectorError) throw newBadRequest(error.message);
    throw error;
  }
}

export class TimelineRows {
  readonly #recorder: HistoryRecorder;
  readonly #order: TreeOrder;

  constructor(recorder: HistoryRecorder) {
    this.#recorder = recorder;
    this.#order = new TreeOrder(recorder);
  }

  /** Those that lived in the range and are asked for. */
  select(query: RowQuery, range: Range): readonly Row[] {
    const rows = this.#order.rows();
    const isWanted = this.#filter(query, range);
    return this.#sorted(rows.filter(isWanted), query.sort ?? 'tree', range);
  }

  #filter({ kinds, namespace, owner, object, search = '', labels, isTroubled, isChanged }: RowQuery, range: Range): (row: Row) => boolean {
    const wantedKinds = kinds === undefined || kinds.length === 0 ? undefined : new Set(kinds);
    const text = search.toLowerCase();
    return (row) => {
      if (row.createdMs > range.toMs || (row.deletedMs !== 0 && row.deletedMs < range.fromMs)) return false;
      if (wantedKinds !== undefined && !wantedKinds.has(row.kind)) return false;
      if (namespace && row.namespace !== namespace) return false;
      if (object && row.id !== object) return false;
      if (text !== '' && !hasText(row, text)) return false;
      if (owner && !this.#isOwnedBy(row, owner)) return false;
      if (isChanged === true && !hasMark(row, range)) return false;
      if (isTroubled === true && troubleMs(row, range) === 0 && !hasWarning(row, range)) return false;
      return labels === undefined || this.#hasLabels(row, labels);
    };
  }

  #hasLabels(row: Row, labels: Selector): boolean {
    const object = row.deletedMs === 0 ? this.#recorder.stored(row.key) : undefined;
    return object !== undefined && labels.matches(object.metadata.labels);
  }

  #isOwnedBy(row: Row, owner: string): boolean {
    let id = row.owner;
    for (let depth = 0; id !== '' && depth < levelsMax; depth++) {
      if (id === owner) return true;
      id = this.#recorder.find(id)?.owner ?? '';
    }
    return false;
  }

  #sorted(rows: readonly Row[], sort: RowSort, range: Range): readonly Row[] {
    if (sort === 'tree') return rows;
    const owned = sort === 'size' ? this.#ownedCounts() : undefined;
    const weightOf = (row: Row): number => {
      if (owned !== undefined) return owned.get(row.id) ?? 0;
      return sort === 'trouble' ? troubleMs(row, range) : lastMarkMs(row, range);
    };
    const weighed = rows.map((row) => ({ row, weight: weightOf(row) }));
    return weighed.sort((a, b) => b.weight - a.weight).map(({ row }) => row);
  }

  /** How many rows each owns, directly. */
  #ownedCounts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { owner } of this.#order.rows()) if (owner !== '') counts.set(owner, (counts.get(owner) ?? 0) + 1);
    return counts;
  }
}

/** For how long of the range something was wrong. */
function troubleMs(row: Row, range: Range): number {
  let ms = shortMs(row.area, range.fromMs, row.deletedMs === 0 ? range.toMs : Math.min(range.toMs, row.deletedMs));
  for (const segment of row.segments) if (isBad(segment)) ms += overlapMs(segment, range);
  return ms;
}

export function hasText(row: Row, text: string): boolean {
  return row.id.includes(text) || row.kind.toLowerCase().includes(text) || row.node.includes(text);
}

function hasMark({ marks }: Row, { fromMs, toMs }: Range): boolean {
  for (let index = markCount(marks) - 1; index >= 0; index--) {
    const ms = markTime(marks, index);
    if (ms >= fromMs && ms <= toMs) return true;
  }
  return false;
}

function hasWarning({ marks }: Row, { fromMs, toMs }: Range): boolean {
  for (let index = markCount(marks) - 1; index >= 0; index--) {
    const ms = markTime(marks, index);
    if (ms >= fromMs && ms <= toMs && markAt(marks, index).level === 'Warning') return true;
  }
  return false;
}

function lastMarkMs({ marks }: Row, { fromMs, toMs }: Range): number {
  let last = 0;
  for (let index = 0; index < markCount(marks); index++) {
    const ms = markTime(marks, index);
    if (ms >= fromMs && ms <= toMs) last = Math.max(last, ms);
  }
  return last;
}

function isBad({ state, reason }: Segment): boolean {
  return badStates.has(state) || !isPassingTrouble(reason);
}

function overlapMs({ fromMs, toMs }: Segment, range: Range): number {
  return Math.max(0, Math.min(toMs === 0 ? range.toMs : toMs, range.toMs) - Math.max(fromMs, range.fromMs));
}
