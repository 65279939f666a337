/**
 * A timeline as the page asks for it: GET …/timelines/main?packed=true&…
 *
 *   { words: ['', 'status', 'status.phase: Pending → Running', …], rows: [{ …, marks: [5278.25, 1, 412, 2, 0, 3, …], area: [5278.25, 3, 2, 3, …] }] }
 *
 * Hundreds of rows say the same few words, and each instant of a range begins with the same digits: as numbers an answer is half as long,
 * and its length is most of what it costs to send.
 */
import type { Timeline, TimelineMark, TimelineRow } from './timeline.ts';

/** Six places for each mark: instant, type, revision (0 where there is none), text, level, by; words by their place in `words`, the first of which is ''. */
export interface PackedRow extends Omit<TimelineRow, 'marks'> {
  readonly marks: readonly number[];
}

/** Instants of marks and areas are milliseconds since `range.fromMs`, without its fraction; all others are as ever. */
export interface PackedTimeline extends Omit<Timeline, 'rows'> {
  readonly kind: 'Timeline';
  readonly words: readonly string[];
  readonly rows: readonly PackedRow[];
}

const markWidth = 6;
const stepWidth = 4;

export function packTimeline({ rows, cluster, ...timeline }: Timeline): PackedTimeline {
  const baseMs = Math.floor(timeline.range.fromMs);
  const words = new Map([['', 0]]);
  const wordOf = (word = ''): number => {
    let place = words.get(word);
    if (place === undefined) words.set(word, (place = words.size));
    return place;
  };
  const packed = rows.map(({ marks, ...row }) => ({
    ...row,
    ...(row.area === undefined ? {} : { area: packedSteps(row.area, baseMs) }),
    marks: marks.flatMap(({ ms, type, revision = 0, text, level, by }) => [
      since(baseMs, ms),
      wordOf(type),
      revision,
      wordOf(text),
      wordOf(level),
      wordOf(by),
    ]),
  }));
  const areas = { pods: packedSteps(cluster.pods, baseMs), nodes: packedSteps(cluster.nodes, baseMs) };
  return { ...timeline, words: [...words.keys()], rows: packed, cluster: areas };
}

export function unpackTimeline({ rows, words, cluster, ...timeline }: PackedTimeline): Timeline {
  const baseMs = Math.floor(timeline.range.fromMs);
  const unpacked = rows.map(({ marks, ...row }) => ({
    ...row,
    ...(row.area === undefined ? {} : { area: stepsOf(row.area, baseMs) }),
    marks: marksOf(marks, words, baseMs),
  }));
  return { ...timeline, rows: unpacked, cluster: { pods: stepsOf(cluster.pods, baseMs), nodes: stepsOf(cluster.nodes, baseMs) } };
}

function marksOf(packed: readonly number[], words: readonly string[], baseMs: number): readonly TimelineMark[] {
  const marks = new Array<TimelineMark>(packed.length / markWidth);
  for (let index = 0, at = 0; at < packed.length; index++, at += markWidth) marks[index] = markAt(packed, at, words, baseMs);
  return marks;
}

function markAt(packed: readonly number[], at: number, words: readonly string[], baseMs: number): TimelineMark {
  const part = (place: number): number => packed[at + place] as number;
  const [revision, level, by] = [part(2), part(4), part(5)];
  const mark: { -readonly [K in keyof TimelineMark]: TimelineMark[K] } = {
    ms: baseMs + part(0),
    type: words[part(1)] as TimelineMark['type'],
    text: words[part(3)] as string,
  };
  if (revision !== 0) mark.revision = revision;
  if (level !== 0) mark.level = words[level] as string;
  if (by !== 0) mark.by = words[by] as string;
  return mark;
}

function packedSteps(area: readonly number[], baseMs: number): readonly number[] {
  return area.map((part, index) => (index % stepWidth === 0 ? since(baseMs, part) : part));
}

function stepsOf(area: readonly number[], baseMs: number): readonly number[] {
  return area.map((part, index) => (index % stepWidth === 0 ? baseMs + part : part));
}

/** With as few digits as lead back to the very same instant. */
function since(baseMs: number, ms: number): number {
  const short = Math.round((ms - baseMs) * 1000) / 1000;
  return baseMs + short === ms ? short : ms - baseMs;
}
