/** How often each total came among the nodes that were scored. Nodes are mostly alike, so that different totals are few: then nobody sorts them. */
import { assert } from '../base/assert.ts';

/** `counts[k]` nodes have the total `values[k]`; undefined for too many different ones. */
export type Tally = { readonly values: readonly number[]; readonly counts: readonly number[] } | undefined;

const distinctMax = 32;

export function tallyOf(totals: Float64Array): Tally {
  const values: number[] = [];
  const counts: number[] = [];
  let at = -1;
  for (let i = 0; i < totals.length; i++) {
    const total = totals[i] as number;
    // Neighbours mostly have the same.
    if (at < 0 || values[at] !== total) {
      at = values.indexOf(total);
      if (at < 0) {
        if (values.length === distinctMax) return undefined;
        at = values.push(total) - 1;
        counts.push(0);
      }
    }
    counts[at] = (counts[at] as number) + 1;
  }
  return { values, counts };
}

/** The highest total, and how many nodes have it. */
export function highest(totals: Float64Array, tally: Tally): { readonly total: number; readonly ties: number } {
  assert(totals.length > 0, 'one of the nodes is the best');
  if (tally !== undefined) {
    const total = Math.max(...tally.values);
    return { total, ties: tally.counts[tally.values.indexOf(total)] as number };
  }
  let total = Number.NEGATIVE_INFINITY;
  let ties = 0;
  for (let n = 0; n < totals.length; n++) {
    const one = totals[n] as number;
    if (one > total) {
      total = one;
      ties = 1;
    } else if (one === total) ties++;
  }
  return { total, ties };
}

/** Rows of the `most` best totals, the best first, equal ones in the order in which they were tried. */
export function bestRows(totals: Float64Array, tally: Tally, most: number): readonly number[] {
  const { least, above } = leastShown(totals, tally, most);
  const shown = Math.min(most, totals.length);
  const rows: number[] = [];
  const last: number[] = [];
  // Of those with the least total that is shown the first ones are: they need no sorting, and where nodes are alike they are most.
  for (let i = 0; i < totals.length && (rows.length < above || last.length < shown - above); i++) {
    const total = totals[i] as number;
    if (total > least) rows.push(i);
    else if (total === least && last.length < shown - above) last.push(i);
  }
  rows.sort((a, b) => (totals[b] as number) - (totals[a] as number) || a - b);
  return rows.length === 0 ? last : rows.concat(last);
}

/** The total of the last row that is shown, and how many rows have a higher one. */
function leastShown(totals: Float64Array, tally: Tally, most: number): { readonly least: number; readonly above: number } {
  if (tally === undefined) {
    const least = totals.slice().sort()[Math.max(0, totals.length - most)] as number;
    return { least, above: totals.reduce((count, total) => count + (total > least ? 1 : 0), 0) };
  }
  const { values, counts } = tally;
  const ranked = values.map((_, index) => index).sort((a, b) => (values[b] as number) - (values[a] as number));
  let above = 0;
  for (const [rank, index] of ranked.entries()) {
    const count = counts[index] as number;
    if (above + count >= most || rank === ranked.length - 1) return { least: values[index] as number, above };
    above += count;
  }
  return { least: Number.NEGATIVE_INFINITY, above: 0 };
}
