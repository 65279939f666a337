/** Which states the legend explains, in which order. */
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

function rankOf(state: string): number {
  return ranks[lookOf(state)] ?? wellRank;
}
