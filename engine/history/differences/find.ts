/**
 * Which objects differ between two instants, of what history keeps of each life: how they came, went and changed, how many changes and
 * Events there were. Nothing of the objects themselves is read, and marks only of those that are shown, so that hundreds of thousands of rows are
 * looked at in passing.
 */
import type { DifferenceType } from '../../api/sim/v1alpha1/change.ts';
import { isWarning, type Marks, markCount, markRevision, markTime, markType, type MarkType } from '../marks.ts';
import type { Row } from '../row.ts';
import type { RowIndex } from '../row-index/row-index.ts';

/** Changes after `fromMs`, up to `toMs`: what was so at the one instant, and at the other. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface RowDifference {
  /** Its last life that the span touches. */
  readonly row: Row;
  readonly type: DifferenceType;
  readonly changes: number;
  readonly events: number;
  readonly warnings: number;
  /** When it changed last, or an Event told of it. */
  readonly lastMs: number;
  /** Marks were forgotten. */
  readonly isCut: boolean;
}

interface Counts {
  changes: number;
  events: number;
  warnings: number;
}

/** Marks that tell of an object and are no change of it. */
const ofOthers: ReadonlySet<MarkType> = new Set(['event', 'scheduled', 'started', 'finished', 'missed', 'skipped', 'replaced']);

export function isEventMark(type: MarkType): boolean {
  return ofOthers.has(type);
}

/** In the order in which full rows forget them. */
const forgettable: readonly ReadonlySet<MarkType>[] = [new Set(['update', 'status']), new Set(['condition', 'event'])];

export interface FindOptions {
  isWanted(slot: number): boolean;
  /** Whether an object of which marks were forgotten is another at the second instant. */
  differs(row: Row, span: Span): boolean;
}

/** What was found, in the order of rows: as much as is needed to sort it. The rest is told of those that are shown. */
export interface Found {
  /** Of each object the slot of the last life that the span touches. */
  readonly slots: Int32Array;
  readonly lastMs: Float64Array;
  tell(place: number): RowDifference;
}

export function findDifferences(index: RowIndex, span: Span, options: FindOptions): Found {
  const touched: number[] = [];
  for (const slot of index.refresh().creation) if (isTouched(index, slot, span, options)) touched.push(slot);
  const several = severalLives(index, touched);
  const livesOf = (slot: number): readonly number[] | undefined => (several.size === 0 ? undefined : several.get(index.id(slot)));
  const slots = new Int32Array(several.size === 0 ? touched : touched.filter((slot) => (livesOf(slot)?.[0] ?? slot) === slot));
  // Most lived once: of a hundred thousand that changed nothing is made, and no row is read.
  const lastMs = new Float64Array(slots.length);
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place] as number;
    const lives = livesOf(slot);
    const shown = lives === undefined ? slot : shownOf(index, lives, span);
    lastMs[place] = lastOf(index, shown, lives, span);
    slots[place] = shown;
  }
  const livesAt = (place: number): readonly number[] => livesOf(slots[place] as number) ?? [slots[place] as number];
  return {
    slots,
    lastMs,
    tell: (place) => {
      const all = livesAt(place).map((slot) => index.row(slot));
      return { ...differenceOf(all, span), lastMs: lastMs[place] as number };
    },
  };
}

function isTouched(index: RowIndex, slot: number, span: Span, { isWanted, differs }: FindOptions): boolean {
  const { fromMs, toMs } = span;
  const [createdMs, endedMs] = [index.createdMs(slot), index.endedMs(slot)];
  if (createdMs > toMs || endedMs <= fromMs || !isWanted(slot)) return false;
  if (createdMs > fromMs || endedMs <= toMs || index.lastMarkMs(slot, fromMs, toMs) > fromMs) return true;
  const row = index.row(slot);
  return row.dropped > 0 && isCut(row, span) && differs(row, span);
}

/** Of objects that lived more than once, by id, in the order of their lives. */
function severalLives(index: RowIndex, slots: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const lives = new Map<number, number[]>();
  for (const slot of slots) {
    const id = index.id(slot);
    if (index.lives(id) < 2) continue;
    const known = lives.get(id);
    if (known === undefined) lives.set(id, [slot]);
    else known.push(slot);
  }
  return lives;
}

function shownOf(index: RowIndex, lives: readonly number[], { toMs }: Span): number {
  const last = lives.findLast((slot) => isThere(index.row(slot), toMs));
  return last ?? (lives.at(-1) as number);
}

/** `lives` is undefined where `shown` is the only one. */
function lastOf(index: RowIndex, shown: number, lives: readonly number[] | undefined, { fromMs, toMs }: Span): number {
  const [createdMs, endedMs] = [index.createdMs(shown), index.endedMs(shown)];
  const bornMs = Math.max(endedMs <= toMs ? endedMs : 0, createdMs > fromMs ? createdMs : 0);
  if (lives === undefined) return Math.max(bornMs, markAfter(index, shown, fromMs, toMs));
  return lives.reduce((lastMs, slot) => Math.max(lastMs, markAfter(index, slot, fromMs, toMs)), bornMs);
}

function markAfter(index: RowIndex, slot: number, fromMs: number, toMs: number): number {
  const markMs = index.lastMarkMs(slot, fromMs, toMs);
  return markMs > fromMs ? markMs : 0;
}

function differenceOf(lives: readonly Row[], span: Span): Omit<RowDifference, 'lastMs'> {
  const counts = { changes: 0, events: 0, warnings: 0 };
  for (const { marks } of lives) countMarks(marks, span, counts);
  const first = lives.find((row) => isThere(row, span.fromMs));
  const last = lives.findLast((row) => isThere(row, span.toMs));
  const row = last ?? (lives.at(-1) as Row);
  return { row, type: typeOf(first, last, counts), ...counts, isCut: lives.some((life) => isCut(life, span)) };
}

function typeOf(first: Row | undefined, last: Row | undefined, { changes, events }: Counts): DifferenceType {
  if (first === undefined) return last === undefined ? 'CameAndWent' : 'Created';
  if (last === undefined) return 'Deleted';
  if (first !== last) return 'Recreated';
  return changes === 0 && events > 0 ? 'Events' : 'Changed';
}

export function isThere({ createdMs, deletedMs }: Row, ms: number): boolean {
  return createdMs <= ms && (deletedMs === 0 || deletedMs > ms);
}

/** Full rows forget their oldest marks of little weight: nothing is forgotten from the first such mark on that is still there. */
export function isCut({ dropped, marks }: Row, { fromMs }: Span): boolean {
  if (dropped === 0) return false;
  for (const types of forgettable) {
    for (let index = 0; index < markCount(marks); index++) if (types.has(markType(marks, index))) return fromMs < markTime(marks, index);
  }
  return true;
}

function countMarks(marks: Marks, { fromMs, toMs }: Span, counts: Counts): void {
  let revision = 0;
  for (let index = markCount(marks) - 1; index >= 0; index--) {
    const ms = markTime(marks, index);
    if (ms <= fromMs || ms > toMs) continue;
    if (isEventMark(markType(marks, index))) {
      counts.events++;
      if (isWarning(marks, index)) counts.warnings++;
    } else if (markRevision(marks, index) !== revision) {
      // A write may have several marks.
      revision = markRevision(marks, index);
      counts.changes++;
    }
  }
}
