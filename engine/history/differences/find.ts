/**
 * Which objects differ between two instants, of what history keeps of each life: how they came, went and changed, how many changes and
 * Events there were. Nothing of the objects themselves is read, so that hundreds of thousands of rows are looked at in passing.
 */
import type { DifferenceType } from '../../api/sim/v1alpha1/change.ts';
import { type Marks, markAt, markCount, markRevision, markTime, markType, type MarkType } from '../marks.ts';
import type { Row } from '../row.ts';

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
  lastMs: number;
}

/** Marks that tell of an object and are no change of it. */
const ofOthers: ReadonlySet<MarkType> = new Set(['event', 'scheduled', 'started', 'finished', 'missed', 'skipped', 'replaced']);

export function isEventMark(type: MarkType): boolean {
  return ofOthers.has(type);
}

/** In the order in which full rows forget them. */
const forgettable: readonly ReadonlySet<MarkType>[] = [new Set(['update', 'status']), new Set(['condition', 'event'])];

export interface FindOptions {
  isWanted(row: Row): boolean;
  /** Whether an object of which marks were forgotten is another at the second instant. */
  differs(row: Row, span: Span): boolean;
}

/** In the order of rows. */
export function findDifferences(rows: Iterable<Row>, span: Span, { isWanted, differs }: FindOptions): readonly RowDifference[] {
  const touched = new Map<string, { readonly lives: Row[]; readonly counts: Counts }>();
  for (const row of rows) {
    if (row.createdMs > span.toMs || (row.deletedMs !== 0 && row.deletedMs <= span.fromMs) || !isWanted(row)) continue;
    const counts = countMarks(row.marks, span);
    const cameOrWent = row.createdMs > span.fromMs || (row.deletedMs !== 0 && row.deletedMs <= span.toMs);
    if (!cameOrWent && counts.changes + counts.events === 0 && !(isCut(row, span) && differs(row, span))) continue;
    const known = touched.get(row.id);
    if (known === undefined) touched.set(row.id, { lives: [row], counts: { ...counts } });
    else add(known.lives, row, known.counts, counts);
  }
  return [...touched.values()].map(({ lives, counts }) => differenceOf(lives, counts, span));
}

function add(lives: Row[], row: Row, counts: Counts, more: Counts): void {
  lives.push(row);
  counts.changes += more.changes;
  counts.events += more.events;
  counts.warnings += more.warnings;
  counts.lastMs = Math.max(counts.lastMs, more.lastMs);
}

function differenceOf(lives: readonly Row[], counts: Counts, span: Span): RowDifference {
  const first = lives.find((row) => isThere(row, span.fromMs));
  const last = lives.findLast((row) => isThere(row, span.toMs));
  const row = last ?? (lives.at(-1) as Row);
  const lastMs = Math.max(
    counts.lastMs,
    row.deletedMs !== 0 && row.deletedMs <= span.toMs ? row.deletedMs : 0,
    row.createdMs > span.fromMs ? row.createdMs : 0,
  );
  return { row, type: typeOf(first, last, counts), ...counts, lastMs, isCut: lives.some((life) => isCut(life, span)) };
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

function countMarks(marks: Marks, { fromMs, toMs }: Span): Counts {
  const counts = { changes: 0, events: 0, warnings: 0, lastMs: 0 };
  let revision = 0;
  for (let index = markCount(marks) - 1; index >= 0; index--) {
    const ms = markTime(marks, index);
    if (ms <= fromMs || ms > toMs) continue;
    counts.lastMs = Math.max(counts.lastMs, ms);
    if (isEventMark(markType(marks, index))) {
      counts.events++;
      if (markAt(marks, index).level === 'Warning') counts.warnings++;
    } else if (markRevision(marks, index) !== revision) {
      // A write may have several marks.
      revision = markRevision(marks, index);
      counts.changes++;
    }
  }
  return counts;
}
