/** Which states and marks the legend explains, in which order. */
import type { TimelineMark } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { type Look, lookOf, shapeOf } from '../../components/states.ts';

/** As many as stand in a line at the smaller size. */
const most = 9;
/** What is wrong is explained first, what every row is last. */
const ranks: { readonly [L in Look]?: number } = {
  Broken: 0,
  NotReady: 0,
  Failed: 0,
  Unknown: 1,
  Terminating: 2,
  Suspended: 2,
  Pending: 3,
  Starting: 3,
};
const wellRank = 4;

/** One of those that look the same; what merely exists needs no word. */
export function told(states: readonly string[]): readonly string[] {
  const seen = new Map<string, string>();
  for (const state of states) {
    const shape = shapeOf(state);
    // A node that is not heard and the pods on it look alike and have a word each.
    const key = shape === 'Lost' ? state : (shape ?? lookOf(state));
    if (key !== 'Exists' && !seen.has(key)) seen.set(key, state);
  }
  return [...seen.values()].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1)).slice(0, most);
}

/** Marks with a shape of their own, those that tell most first. */
const markLooks = ['warning', 'restart', 'event', 'create', 'delete'] as const;
export type MarkLook = (typeof markLooks)[number];

/** Those that are there, within a range. */
export function toldMarks(
  rows: readonly { readonly marks: readonly Pick<TimelineMark, 'type' | 'level' | 'ms'>[] }[],
  fromMs: number,
  toMs: number,
): readonly MarkLook[] {
  const seen = new Set<string>();
  for (const { marks } of rows)
    for (const { type, level, ms } of marks) if (ms >= fromMs && ms <= toMs) seen.add(type === 'event' && level === 'Warning' ? 'warning' : type);
  return markLooks.filter((look) => seen.has(look));
}

function rankOf(state: string): number {
  return ranks[lookOf(state)] ?? wellRank;
}
