/** Which rows a timeline shows, and in which order. */
import { newBadRequest } from '../apimachinery/errors.ts';
import { type LabelSet, parseSelector, type Selector, SelectorError } from '../apimachinery/labels.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { ComputedQuery } from '../contracts/computed-resource.ts';
import { LivingRows } from './living-rows.ts';
import type { RowIndex } from './row-index/row-index.ts';
import { LabelSets } from './row-index/label-sets.ts';
import { Scratch } from './row-index/scratch.ts';
import { SearchedText } from './row-index/searched-text.ts';
import { sortedWindow } from './row-index/sorted-window.ts';
import { Verdicts } from './row-index/verdicts.ts';

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

type Test = (slot: number) => boolean;

/** Asked of each row: a function made for each would cost as much as what it asks. */
function passes(slot: number, tests: readonly Test[]): boolean {
  for (const test of tests) if (!test(slot)) return false;
  return true;
}

export class TimelineRows {
  readonly #index: RowIndex;
  readonly #living: LivingRows;
  readonly #weights = new Scratch(Float64Array);
  readonly #places = new Scratch(Int32Array);
  readonly #found = new Scratch(Int32Array);
  readonly #texts: Verdicts<SearchedText>;
  readonly #labels: LabelSets;

  constructor(index: RowIndex) {
    this.#index = index;
    this.#living = new LivingRows(index);
    this.#texts = new Verdicts(
      (text, slot) => text.isOf(slot),
      (narrow, general) => narrow.includes(general),
    );
    this.#labels = new LabelSets(({ deletedMs, key }) => (deletedMs === 0 ? storedLabels(index.source.stored(key)) : undefined));
    index.onSlot((slot) => {
      this.#texts.forget(slot);
      this.#labels.forget(slot);
    });
  }

  /** Of an index that has looked at what changed. */
  prepareLabels(most: number): boolean {
    return this.#labels.prepare(most, this.#index.slotCount, (slot) => this.#index.row(slot));
  }

  /** Slots of the rows that lived in the range and are asked for, in tree order. Of a question that hangs on lives alone the very list that was given before, while it holds; of others one that holds until the next question. */
  select(query: RowQuery, range: Range): Int32Array {
    const living = this.#living.of(query, range);
    const tests = this.#tests(query, range);
    if (tests.length === 0) return living;
    const found = this.#found.ofLength(living.length);
    let count = 0;
    for (const slot of living) if (passes(slot, tests)) found[count++] = slot;
    return found.subarray(0, count);
  }

  /** Those that stand from one place to another when they are sorted; what weighs the same stays in its order. */
  sorted(slots: Int32Array, sort: RowSort, range: Range, from: number, to: number): Int32Array {
    if (sort === 'tree') return slots.subarray(from, to);
    const weights = this.#weights.ofLength(slots.length);
    this.#weigh(slots, sort, range, weights);
    const places = this.#places.ofLength(slots.length);
    for (let place = 0; place < slots.length; place++) places[place] = place;
    const compare = (a: number, b: number): number => (weights[b] as number) - (weights[a] as number) || a - b;
    return sortedWindow(places, compare, from, to, weights, true).map((place) => slots[place] as number);
  }

  /** One loop for each order: a function asked of each row would cost more than what it tells. */
  #weigh(slots: Int32Array, sort: RowSort, range: Range, weights: Float64Array): void {
    const index = this.#index;
    if (sort === 'trouble') index.troublesMs(slots, range.fromMs, range.toMs, weights);
    else if (sort === 'size') {
      const { id } = index.columns;
      for (let place = 0; place < slots.length; place++) weights[place] = index.owned(id[slots[place] as number] as number);
    } else {
      const lastMs = index.lastMarksMs(range.fromMs, range.toMs);
      for (let place = 0; place < slots.length; place++) weights[place] = lastMs[slots[place] as number] as number;
    }
  }

  /** Of rows that live; what is quick to tell comes first. */
  #tests({ owner, object, search = '', labels, isTroubled, isChanged }: RowQuery, { fromMs, toMs }: Range): readonly Test[] {
    const index = this.#index;
    const tests: Test[] = [];
    if (object) {
      const wanted = index.findId(object);
      tests.push((slot) => index.id(slot) === wanted);
    }
    if (isChanged === true) {
      const lastMs = index.lastMarksMs(fromMs, toMs);
      tests.push((slot) => (lastMs[slot] as number) >= 0);
    }
    if (isTroubled === true) tests.push((slot) => index.troubleMs(slot, fromMs, toMs) > 0 || index.hasWarning(slot, fromMs, toMs));
    if (owner) tests.push(this.#isOwnedBy(owner));
    if (search !== '') tests.push(this.#texts.of(search.toLowerCase(), new SearchedText(index, search.toLowerCase()), index.slotCount));
    if (labels !== undefined) tests.push(this.#labels.matching(labels, index.slotCount, (slot) => index.row(slot)));
    return tests;
  }

  /** Directly or not; asked once of each owner. Most rows have the owner of the row before. */
  #isOwnedBy(owner: string): Test {
    const index = this.#index;
    const owners = index.columns.owner;
    const known = new Map<number, boolean>([[0, false]]);
    let [before, isBefore] = [0, false];
    const find = (id: number): boolean => {
      let text = index.idText(id);
      for (let depth = 0; text !== '' && depth < levelsMax; depth++) {
        if (text === owner) return true;
        text = index.source.find(text)?.owner ?? '';
      }
      return false;
    };
    return (slot) => {
      const id = owners[slot] as number;
      if (id === before) return isBefore;
      let isOwned = known.get(id);
      if (isOwned === undefined) known.set(id, (isOwned = find(id)));
      [before, isBefore] = [id, isOwned];
      return isOwned;
    };
  }
}

const noLabels: LabelSet = {};

function storedLabels(object: KubeObject | undefined): LabelSet | undefined {
  return object && (object.metadata.labels ?? noLabels);
}
