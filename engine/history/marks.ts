/**
 * The marks of a row, packed: history keeps a dozen for each pod. Five places for each mark in one list:
 *
 *   [1767225600000, 2, 412, 'status.phase: Pending → Running', 'system:node:pool-0', …]   at, kind, revision, text, by
 */
import type { TimelineMark } from '../api/sim/v1alpha1/timeline.ts';
import { assert } from '../base/assert.ts';
import { type Codec, StateError } from '../base/codecs.ts';
import type { JsonValue } from '../base/json.ts';

export type MarkType = TimelineMark['type'];

/** Absent texts are '' and absent numbers 0. */
export interface Mark {
  readonly ms: number;
  readonly type: MarkType;
  readonly revision: number;
  readonly text: string;
  readonly level: string;
  readonly by: string;
}

/** Plain data; it is changed by the functions here alone. */
export type Marks = (number | string)[];

/** Types and levels by number; sessions hold the numbers, so that new ones come last. */
const types: readonly MarkType[] = [
  'create',
  'update',
  'status',
  'delete',
  'event',
  'condition',
  'restart',
  'scheduled',
  'started',
  'finished',
  'missed',
  'skipped',
  'replaced',
];
const levels: readonly string[] = ['', 'Normal', 'Warning'];
const width = 5;
/** A list that grows by itself keeps room for half as many more. */
const exactMax = 20 * width;

/** They are copied, because they grow in place. */
export const marksCodec: Codec<Marks> = {
  encode: (marks) => marks.slice(),
  decode: (saved, path) => {
    if (!Array.isArray(saved) || saved.length % width !== 0 || !saved.every(isInPlace)) throw new StateError(path, 'a list of marks', saved);
    return saved.slice() as Marks;
  },
};

function isInPlace(part: JsonValue, index: number): boolean {
  const place = index % width;
  if (place >= 3) return typeof part === 'string';
  return typeof part === 'number' && (place !== 1 || (part >= 0 && part < types.length * levels.length));
}

export function markCount(marks: Marks): number {
  return marks.length / width;
}

export function markTime(marks: Marks, index: number): number {
  return marks[index * width] as number;
}

export function markType(marks: Marks, index: number): MarkType {
  return types[Math.floor((marks[index * width + 1] as number) / levels.length)] as MarkType;
}

export function markRevision(marks: Marks, index: number): number {
  return marks[index * width + 2] as number;
}

const warning = levels.indexOf('Warning');

export function isWarning(marks: Marks, index: number): boolean {
  return (marks[index * width + 1] as number) % levels.length === warning;
}

function markAt(marks: Marks, index: number): Mark {
  const at = index * width;
  const [ms, kind, revision, text, by] = marks.slice(at, at + width) as [number, number, number, string, string];
  return { ms, type: markType(marks, index), revision, text, level: levels[kind % levels.length] as string, by };
}

/** Those from one instant to another. */
export function marksWithin(marks: Marks, fromMs: number, toMs: number): Mark[] {
  const found: Mark[] = [];
  for (let index = 0; index < markCount(marks); index++) {
    const ms = markTime(marks, index);
    if (ms >= fromMs && ms <= toMs) found.push(markAt(marks, index));
  }
  return found;
}

/** The marks with one more, at the end. */
export function withMark(marks: Marks, mark: Mark): Marks {
  const packed = pack(mark);
  if (marks.length < exactMax) return marks.concat(packed);
  marks.push(...packed);
  return marks;
}

export function replaceMark(marks: Marks, index: number, mark: Mark): void {
  marks.splice(index * width, width, ...pack(mark));
}

export function removeMark(marks: Marks, index: number): void {
  marks.splice(index * width, width);
}

function pack({ ms, type, revision, text, level, by }: Mark): Marks {
  const [typeNumber, levelNumber] = [types.indexOf(type), levels.indexOf(level)];
  assert(typeNumber >= 0 && levelNumber >= 0, `a mark is of a known type and level: ${type} ${level}`);
  return [ms, typeNumber * levels.length + levelNumber, revision, text, by];
}
