/**
 * How much was wished for and how much was there, over virtual time, packed: four places for each step in one list.
 *
 *   [1767225600000, 3, 2, 3, …]   at, wished, ready, there (ready or not)
 *
 * Bounded: what has grown too long loses the steps that were shortest, never two neighbours at once, so that its shape stays.
 */
import { type Codec, number, StateError } from '../base/codecs.ts';

export interface Level {
  readonly wished: number;
  readonly ready: number;
  /** Ready or not. */
  readonly there: number;
}

/** Plain data; it is changed by the functions here alone. */
export type Area = number[];

const width = 4;
const fewSteps = 16;
/** What has no area shares this one. */
export const noArea: Area = [];

/** They are copied, because they grow in place. */
export const areaCodec: Codec<Area> = {
  encode: (area) => area.slice(),
  decode: (saved, path) => {
    if (!Array.isArray(saved) || saved.length % width !== 0 || !saved.every((part) => number.accepts?.(part) === true))
      throw new StateError(path, 'an area', saved);
    return saved.length === 0 ? noArea : (saved.slice() as Area);
  },
};

/** The area with one more step; the last word of an instant counts. `stepsMax` may be passed by a quarter. */
export function withStep(area: Area, ms: number, { wished, ready, there }: Level, stepsMax: number): Area {
  const last = area.length - width;
  if (last < 0) return [ms, wished, ready, there];
  if (area[last + 1] === wished && area[last + 2] === ready && area[last + 3] === there) return area;
  if (area[last] === ms) area.splice(last + 1, width - 1, wished, ready, there);
  else area.push(ms, wished, ready, there);
  return area.length > stepsMax * width * 1.25 ? thinned(area, area.length / width - stepsMax) : area;
}

/**
 * What a range shows: what was in force when it began, then its steps. Of each part of it that can be told apart (two of `stepsMax` for each) the step
 * with the greatest shortage and the last one: hundreds of steps within some pixels would be sent and painted for nothing. A few are all told.
 */
export function areaWithin(area: Area, fromMs: number, toMs: number, stepsMax: number): readonly number[] {
  let first = 0;
  while (first + width < area.length && (area[first + width] as number) <= fromMs) first += width;
  let end = first;
  while (end < area.length && (area[end] as number) <= toMs) end += width;
  if (end - first <= Math.min(stepsMax, fewSteps) * width) return area.slice(first, end);
  const shown = area.slice(first, first + width);
  const parts = Math.max(1, Math.floor(stepsMax / 2));
  const partOf = (at: number): number => Math.min(parts - 1, Math.floor((((area[at] as number) - fromMs) / (toMs - fromMs)) * parts));
  for (let at = first + width; at < end; ) {
    const part = partOf(at);
    let worst = at;
    for (at += width; at < end && partOf(at) === part; at += width) if (shortage(area, at) > shortage(area, worst)) worst = at;
    shown.push(...area.slice(worst, worst + width));
    if (at - width !== worst) shown.push(...area.slice(at - width, at));
  }
  return shown;
}

/** What was in force at an instant; undefined before the first step. */
export function levelAt(area: Area, ms: number): Level | undefined {
  let found: Level | undefined;
  for (let at = 0; at < area.length && (area[at] as number) <= ms; at += width)
    found = { wished: area[at + 1] as number, ready: area[at + 2] as number, there: area[at + 3] as number };
  return found;
}

/** For how long of a range less was ready than wished for. */
export function shortMs(area: Area, fromMs: number, toMs: number): number {
  let ms = 0;
  for (let at = 0; at < area.length; at += width) {
    const endMs = at + width < area.length ? (area[at + width] as number) : toMs;
    if (shortage(area, at) > 0) ms += Math.max(0, Math.min(endMs, toMs) - Math.max(area[at] as number, fromMs));
  }
  return ms;
}

/** Less was ready at some time than wished for. */
export function isEverShort(area: Area): boolean {
  for (let at = 0; at < area.length; at += width) if (shortage(area, at) > 0) return true;
  return false;
}

function shortage(area: Area, at: number): number {
  return (area[at + 1] as number) - (area[at + 2] as number);
}

/** Without about so many of the shortest steps; the first and the last stay. */
function thinned(area: Area, tooMany: number): Area {
  const lasting: number[] = [];
  for (let at = width; at + width < area.length; at += width) lasting.push((area[at + width] as number) - (area[at] as number));
  const longest = lasting.toSorted((a, b) => a - b)[tooMany - 1] ?? 0;
  const kept = area.slice(0, width);
  let isGap = false;
  lasting.forEach((ms, index) => {
    isGap = !isGap && ms <= longest;
    if (!isGap) kept.push(...area.slice((index + 1) * width, (index + 2) * width));
  });
  kept.push(...area.slice(-width));
  return kept;
}
