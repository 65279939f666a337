/**
 * The rows of history as numbers side by side, kept while somebody looks at the timeline: each row has a slot, and of each slot columns say what
 * queries ask of all rows. The first who asks pays for the whole (or `prepare` does, in slices); afterwards the rows that changed are looked at when it is asked for again. Derived
 * from rows alone and never saved; who asks no more costs a set of rows, which is given up when it grows too long.
 *
 *   slot   row            id  owner  place    created  ended     last mark
 *   0      deployment     1   0      0        100      never     180
 *   1      replica set    2   1      0        100      never     180
 *   2      pod            3   2      4 (n-1)  101      150       150       its place in tree order is after 1, whatever its slot is
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import { isWarning, markCount, type Marks, markTime } from '../marks.ts';
import type { Row } from '../row.ts';
import { FloatColumn, FloatLists, IntColumn, Numbered } from './columns.ts';
import { Scratch } from './scratch.ts';
import { TreeOrder, type TreeRows } from './tree-order.ts';
import { Troubles } from './troubles.ts';

/** Hears of rows: of one that came or is about to change, of one that was forgotten, of all being others. */
export interface RowFollower {
  onRow(row: Row): void;
  onGone(row: Row): void;
  onReset(): void;
}

export interface RowSource {
  readonly stored: (key: string) => KubeObject | undefined;
  /** It has not looked at all that it heard. */
  readonly isBehind: boolean;
  catchUp(most?: number): void;
  /** In the order of creation. */
  rows(): Iterable<Row>;
  /** The latest life. */
  find(id: string): Row | undefined;
  /** Returns what ends it. */
  follow(follower: RowFollower): () => void;
}

export interface RowColumns {
  readonly id: Int32Array;
  readonly owner: Int32Array;
  readonly kind: Int32Array;
  readonly namespace: Int32Array;
  /** The node that it is, or is on. */
  readonly place: Int32Array;
  readonly createdMs: Float64Array;
  readonly endedMs: Float64Array;
  /** When the last of its marks is; −1 where it has none. */
  readonly lastMs: Float64Array;
}

/** Of an instant that does not come. */
export const never = Number.POSITIVE_INFINITY;
/** So many rows may change before nobody is taken to look any more. */
const touchedMax = 200_000;
/** Names of rows that are forgotten are kept too; when they are so many, all is made anew. */
const namesMax = 500_000;

export class RowIndex implements TreeRows {
  readonly source: RowSource;
  #state = new IndexState(0);
  readonly #touched = new Set<Row>();
  readonly #lastMarks = new Scratch(Float64Array);
  #end: (() => void) | undefined;
  /** Told of each slot whose row is another one or changed. */
  readonly #listeners: ((slot: number) => void)[] = [];

  constructor(source: RowSource) {
    this.source = source;
  }

  /** Before it is asked anything: looks at what changed. */
  refresh(): this {
    this.source.catchUp();
    if (this.#end === undefined || this.#state.ids.size > namesMax + 4 * this.#state.creation.length) this.#begin();
    for (const row of this.#touched) this.#take(row);
    this.#touched.clear();
    return this;
  }

  /** Looks at so many of the rows that wait; tells whether none is left. */
  prepare(most: number): boolean {
    if (this.source.isBehind) {
      this.source.catchUp(most);
      return false;
    }
    if (this.#end === undefined) this.#begin();
    let count = 0;
    for (const row of this.#touched) {
      if (++count > most) return false;
      this.#take(row);
      this.#touched.delete(row);
    }
    return true;
  }

  onSlot(listener: (slot: number) => void): void {
    this.#listeners.push(listener);
  }

  /** Another one when a row came, went, ended, moved, or has another owner. */
  get version(): number {
    return this.#state.version;
  }

  /** Slots are below this. */
  get slotCount(): number {
    return this.#state.rows.length;
  }

  get creation(): readonly number[] {
    this.order();
    return this.#state.creation;
  }

  get idCount(): number {
    return this.#state.ids.size;
  }

  /** In tree order. */
  order(): Int32Array {
    const state = this.#state;
    if (state.order === undefined) {
      state.dropGone();
      state.order = state.tree.of({
        creation: state.creation,
        idCount: state.ids.size,
        row: (slot) => this.row(slot),
        id: (slot) => this.id(slot),
        owner: (slot) => this.owner(slot),
        lives: (id) => this.lives(id),
      });
    }
    return state.order;
  }

  /** Numbers by slot for who reads those of all rows, until it is asked to look again: a call for each would cost more than what it reads. */
  get columns(): RowColumns {
    const { id, owner, kind, namespace, place, created, ended, last } = this.#state;
    const words = { kind: kind.values, namespace: namespace.values, place: place.values };
    return { id: id.values, owner: owner.values, ...words, createdMs: created.values, endedMs: ended.values, lastMs: last.values };
  }

  row(slot: number): Row {
    return this.#state.rows[slot] as Row;
  }

  id(slot: number): number {
    return this.#state.id.get(slot);
  }

  /** The id of what owns it; 0 where nothing does. */
  owner(slot: number): number {
    return this.#state.owner.get(slot);
  }

  idText(id: number): string {
    return this.#state.ids.text(id);
  }

  /** 1 for each id that has `part`, which is not ''. */
  idsHaving(part: string): Uint8Array {
    return this.#state.ids.having(part);
  }

  /** Undefined where no row has it. */
  findId(text: string): number | undefined {
    return this.#state.ids.find(text);
  }

  lives(id: number): number {
    return this.#state.lives.get(id);
  }

  /** How many rows it owns, directly. */
  owned(id: number): number {
    return this.#state.owned.get(id);
  }

  kind(slot: number): number {
    return this.#state.kind.get(slot);
  }

  namespace(slot: number): number {
    return this.#state.namespace.get(slot);
  }

  /** The node that it is, or is on. */
  place(slot: number): number {
    return this.#state.place.get(slot);
  }

  /** Numbers of words are below this. */
  get wordCount(): number {
    return this.#state.words.size;
  }

  word(number: number): string {
    return this.#state.words.text(number);
  }

  findWord(text: string): number | undefined {
    return this.#state.words.find(text);
  }

  createdMs(slot: number): number {
    return this.#state.created.get(slot);
  }

  /** `never` while it lives. */
  endedMs(slot: number): number {
    return this.#state.ended.get(slot);
  }

  /** When the last mark of a range is, both ends counted; −1 where there is none. */
  lastMarkMs(slot: number, fromMs: number, toMs: number): number {
    const { last, marks } = this.#state;
    const lastMs = last.get(slot);
    if (lastMs < fromMs) return -1;
    return lastMs <= toMs ? lastMs : marks.greatestWithin(slot, fromMs, toMs);
  }

  /** The same of all, by slot, until it is asked again: marks of slots lie side by side, and rows in another order are each somewhere else in memory. */
  lastMarksMs(fromMs: number, toMs: number): Float64Array {
    const found = this.#lastMarks.ofLength(this.slotCount);
    for (let slot = 0; slot < found.length; slot++) found[slot] = this.lastMarkMs(slot, fromMs, toMs);
    return found;
  }

  hasWarning(slot: number, fromMs: number, toMs: number): boolean {
    const lastMs = this.#state.lastWarning.get(slot);
    if (lastMs < fromMs) return false;
    return lastMs <= toMs || hasWarningWithin(this.row(slot).marks, fromMs, toMs);
  }

  /** For how long of the range something was wrong. */
  troubleMs(slot: number, fromMs: number, toMs: number): number {
    return this.#state.troubles.ms(this.#state.rows, slot, fromMs, toMs);
  }

  /** The same of these, in their order. */
  troublesMs(slots: Int32Array, fromMs: number, toMs: number, into: Float64Array): void {
    this.#state.troubles.eachMs(this.#state.rows, slots, fromMs, toMs, into);
  }

  #begin(): void {
    this.#giveUp();
    this.#end = this.source.follow({
      onRow: (row) => this.#onRow(row),
      onGone: (row) => this.#onGone(row),
      onReset: () => this.#giveUp(),
    });
    for (const row of this.source.rows()) this.#touched.add(row);
  }

  #giveUp(): void {
    this.#end?.();
    this.#end = undefined;
    this.#touched.clear();
    for (let slot = 0; slot < this.#state.rows.length; slot++) this.#tell(slot);
    this.#state = new IndexState(this.#state.version + 1);
  }

  #onRow(row: Row): void {
    this.#touched.add(row);
    if (this.#touched.size > touchedMax + this.#state.rows.length) this.#giveUp();
  }

  #onGone(row: Row): void {
    this.#touched.delete(row);
    this.#state.remove(row);
  }

  #take(row: Row): void {
    this.#tell(this.#state.take(row));
  }

  #tell(slot: number): void {
    for (const listener of this.#listeners) listener(slot);
  }
}

class IndexState {
  readonly ids = new Numbered();
  readonly words = new Numbered();
  readonly rows: (Row | undefined)[] = [];
  readonly slots = new Map<Row, number>();
  /** Slots whose rows are gone, until the order is made without them; then they are free. */
  #gone: number[] = [];
  #free: number[] = [];
  creation: number[] = [];
  readonly tree = new TreeOrder();
  order: Int32Array | undefined;
  readonly id = new IntColumn();
  readonly owner = new IntColumn();
  readonly kind = new IntColumn();
  readonly namespace = new IntColumn();
  readonly place = new IntColumn();
  readonly created = new FloatColumn();
  readonly ended = new FloatColumn();
  /** When the marks are: lists of a hundred thousand rows lie wherever memory had room for them. */
  readonly marks = new FloatLists();
  readonly last = new FloatColumn();
  readonly lastWarning = new FloatColumn();
  readonly troubles = new Troubles();
  /** By id. */
  readonly lives = new IntColumn();
  readonly owned = new IntColumn();
  version: number;

  constructor(version: number) {
    this.version = version;
  }

  take(row: Row): number {
    const known = this.slots.get(row);
    const slot = known ?? this.#add(row);
    this.#own(slot, this.ids.of(row.owner));
    const place = this.words.of(row.kind === 'Node' ? row.name : row.node);
    const endedMs = row.deletedMs === 0 ? never : row.deletedMs;
    if (place !== this.place.get(slot) || endedMs !== this.ended.get(slot)) this.version++;
    this.place.set(slot, place);
    this.ended.set(slot, endedMs);
    this.#takeMarks(slot, row.marks);
    this.troubles.take(row, slot);
    return slot;
  }

  remove(row: Row): void {
    const slot = this.slots.get(row);
    if (slot === undefined) return;
    this.slots.delete(row);
    this.#own(slot, 0);
    this.lives.set(this.id.get(slot), this.lives.get(this.id.get(slot)) - 1);
    this.rows[slot] = undefined;
    this.#gone.push(slot);
    this.#reorder();
  }

  dropGone(): void {
    if (this.#gone.length === 0) return;
    this.creation = this.creation.filter((slot) => this.rows[slot] !== undefined);
    this.#free.push(...this.#gone);
    this.#gone = [];
  }

  #add(row: Row): number {
    const slot = this.#free.pop() ?? this.rows.length;
    this.rows[slot] = row;
    this.slots.set(row, slot);
    this.creation.push(slot);
    const id = this.ids.of(row.id);
    this.id.set(slot, id);
    this.lives.set(id, this.lives.get(id) + 1);
    this.owner.set(slot, 0);
    this.kind.set(slot, this.words.of(row.kind));
    this.namespace.set(slot, this.words.of(row.namespace));
    this.created.set(slot, row.createdMs);
    this.#reorder();
    return slot;
  }

  #own(slot: number, owner: number): void {
    const before = this.owner.get(slot);
    if (before === owner) return;
    if (before !== 0) this.owned.set(before, this.owned.get(before) - 1);
    if (owner !== 0) this.owned.set(owner, this.owned.get(owner) + 1);
    this.owner.set(slot, owner);
    this.#reorder();
  }

  #reorder(): void {
    this.order = undefined;
    this.version++;
  }

  /** They are in the order in which they were made: a planned time lies before marks that were made earlier. */
  #takeMarks(slot: number, marks: Marks): void {
    let [last, warning] = [-1, -1];
    const count = markCount(marks);
    for (let index = count - 1; index >= 0; index--) {
      const ms = markTime(marks, index);
      if (ms > last) last = ms;
      if (ms > warning && isWarning(marks, index)) warning = ms;
    }
    this.marks.set(slot, count, (index) => markTime(marks, index));
    this.last.set(slot, last);
    this.lastWarning.set(slot, warning);
  }
}

function hasWarningWithin(marks: Marks, fromMs: number, toMs: number): boolean {
  for (let index = markCount(marks) - 1; index >= 0; index--) {
    const ms = markTime(marks, index);
    if (ms >= fromMs && ms <= toMs && isWarning(marks, index)) return true;
  }
  return false;
}
