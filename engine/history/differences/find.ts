/**
 * Which objects differ between two instants, of what history keeps of each life: how they came, went and changed, how many changes and
 * Events there were. Nothing of the objects themselves is read, and marks only of those that are shown, so that hundreds of thousands of rows are
 * looked at in passing.
 */
import type { DifferenceType } from '../../api/sim/v1alpha1/change.ts';
import { isWarning, type Marks, markCount, markRevision, markTime, markType, type MarkType } from '../marks.ts';
import type { Row } from '../row.ts';
import type { RowIndex } from '../row-index/row-index.ts';
import { Scratch } from '../row-index/scratch.ts';

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
  /** Absent: all are. */
  readonly isWanted?: ((slot: number) => boolean) | undefined;
  /** Whether an object of which marks were forgotten is another at the second instant. */
  differs(row: Row, span: Span): boolean;
}

/** Room for what one question finds; the next takes it again. */
export class FindRoom {
  readonly slots = new Scratch(Int32Array);
  readonly lastMs = new Scratch(Float64Array);
  readonly places = new Scratch(Int32Array);
}

/** What was found, in the order of rows: as much as is needed to sort it. The rest is told of those that are shown. Holds until the next question. */
export interface Found {
  /** Of each object the slot of the last life that the span touches. */
  readonly slots: Int32Array;
  readonly lastMs: Float64Array;
  tell(place: number): RowDifference;
}

export function findDifferences(index: RowIndex, span: Span, options: FindOptions, room = new FindRoom()): Found {
  const { slots, lastMs, count } = touchedRows(index, span, options, room);
  const lives = severalLives(index, slots.subarray(0, count));
  // Most lived once: of a hundred thousand that changed nothing is made, and no row is read.
  const length = lives.size === 0 ? count : asOne(index, { slots, lastMs, count }, lives, span);
  const livesAt = (place: number): readonly number[] => lives.get(index.id(slots[place] as number)) ?? [slots[place] as number];
  return {
    slots: slots.subarray(0, length),
    lastMs: lastMs.subarray(0, length),
    tell: (place) => {
      const all = livesAt(place).map((slot) => index.row(slot));
      return { ...differenceOf(all, span), lastMs: lastMs[place] as number };
    },
  };
}

/** Side by side, as many as `count`. */
interface Touched {
  readonly slots: Int32Array;
  readonly lastMs: Float64Array;
  readonly count: number;
}

function touchedRows(index: RowIndex, span: Span, { isWanted, differs }: FindOptions, room: FindRoom): Touched {
  const { fromMs, toMs } = span;
  const { creation } = index.refresh();
  const { createdMs, endedMs, lastMs: lastMarkMs } = index.columns;
  const slots = room.slots.ofLength(creation.length);
  const lastMs = room.lastMs.ofLength(creation.length);
  let count = 0;
  for (const slot of creation) {
    const [created, ended] = [createdMs[slot] as number, endedMs[slot] as number];
    if (created > toMs || ended <= fromMs || (isWanted !== undefined && !isWanted(slot))) continue;
    const known = lastMarkMs[slot] as number;
    // When it came, went, changed or was told of; 0 where nothing of it was within.
    let last = known <= toMs ? known : index.lastMarkMs(slot, fromMs, toMs);
    if (last <= fromMs) last = 0;
    if (ended <= toMs && ended > last) last = ended;
    if (created > fromMs && created > last) last = created;
    if (last === 0 && !isCutAndDiffers(index.row(slot), span, differs)) continue;
    slots[count] = slot;
    lastMs[count++] = last;
  }
  return { slots, lastMs, count };
}

function isCutAndDiffers(row: Row, span: Span, differs: FindOptions['differs']): boolean {
  return row.dropped > 0 && isCut(row, span) && differs(row, span);
}

/** Of objects that lived more than once, by id, in the order of their lives. */
function severalLives(index: RowIndex, slots: Int32Array): ReadonlyMap<number, readonly number[]> {
  const lives = new Map<number, number[]>();
  const { id: ids } = index.columns;
  for (const slot of slots) {
    const id = ids[slot] as number;
    if (index.lives(id) < 2) continue;
    const known = lives.get(id);
    if (known === undefined) lives.set(id, [slot]);
    else known.push(slot);
  }
  return lives;
}

/** One place for all lives of an object, where its first was; tells how many places there are then. */
function asOne(index: RowIndex, { slots, lastMs, count }: Touched, several: ReadonlyMap<number, readonly number[]>, span: Span): number {
  const last = new Map<number, number>();
  for (let place = 0; place < count; place++) last.set(slots[place] as number, lastMs[place] as number);
  let length = 0;
  for (let place = 0; place < count; place++) {
    const slot = slots[place] as number;
    const lives = several.get(index.id(slot));
    if (lives !== undefined && lives[0] !== slot) continue;
    slots[length] = lives === undefined ? slot : shownOf(index, lives, span);
    lastMs[length++] = Math.max(...(lives ?? [slot]).map((life) => last.get(life) as number));
  }
  return length;
}

function shownOf(index: RowIndex, lives: readonly number[], { toMs }: Span): number {
  const last = lives.findLast((slot) => isThere(index.row(slot), toMs));
  return last ?? (lives.at(-1) as number);
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
