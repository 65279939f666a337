/** A page of what is sorted without sorting the rest: what stands before and behind it is only told apart from it. */

export type Compare = (a: number, b: number) => number;

/** Below so many, sorting is quicker than telling apart. */
const fewMax = 64;
/** A window that ends within this share of all is gathered in one walk: what does not belong to it is compared once, with the last that does. */
const shortShare = 1 / 32;

/**
 * The items that stand from one place to another (not itself) when sorted; `compare` leaves no two equal. `items` may be put into another order. `weights`, by item, say what
 * `compare` looks at first, the greatest before others: most are told apart by them without asking it. Where `tiesStay`, items stand in the order that
 * `compare` gives to those that weigh the same: of a hundred thousand that all weigh nothing it is asked nothing then.
 */
export function sortedWindow(items: Int32Array, compare: Compare, from: number, to: number, weights?: Float64Array, tiesStay = false): Int32Array {
  const end = Math.min(to, items.length);
  if (from >= end) return new Int32Array(0);
  if (end < items.length * shortShare) return firstOf(items, end, compare, weights, tiesStay).subarray(from);
  if (from > 0) divide(items, from, 0, items.length, compare);
  if (end < items.length) divide(items, end, from, items.length, compare);
  return items.slice(from, end).sort(compare);
}

/** The first `count` when sorted; `items` is left as it is. */
function firstOf(items: Int32Array, count: number, compare: Compare, weights: Float64Array | undefined, tiesStay: boolean): Int32Array {
  // A heap whose root is the last of those found so far.
  const found = items.slice(0, count).sort((a, b) => compare(b, a));
  let leastWeight = weights?.[found[0] as number] ?? Number.NEGATIVE_INFINITY;
  for (let at = count; at < items.length; at++) {
    const item = items[at] as number;
    if (weights !== undefined) {
      const weight = weights[item] as number;
      if (weight < leastWeight || (tiesStay && weight === leastWeight)) continue;
    }
    if (compare(item, found[0] as number) >= 0) continue;
    replaceRoot(found, item, compare);
    if (weights !== undefined) leastWeight = weights[found[0] as number] as number;
  }
  return found.sort(compare);
}

function replaceRoot(heap: Int32Array, item: number, compare: Compare): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && compare(heap[child + 1] as number, heap[child] as number) > 0) child++;
    if (compare(heap[child] as number, item) <= 0) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = item;
}

/** Afterwards what belongs before `place` stands before it, of the part from `from` to `to`. Linear, but for the few that are unlucky: these are sorted. */
function divide(items: Int32Array, place: number, from: number, to: number, compare: Compare): void {
  let [low, high] = [from, to - 1];
  for (let turns = 2 * (32 - Math.clz32(items.length)); high - low >= fewMax && turns > 0; turns--) {
    const pivot = middleOf(items[low] as number, items[(low + high) >> 1] as number, items[high] as number, compare);
    let [left, right] = [low, high];
    while (left <= right) {
      while (compare(items[left] as number, pivot) < 0) left++;
      while (compare(items[right] as number, pivot) > 0) right--;
      if (left > right) break;
      const swapped = items[left] as number;
      items[left++] = items[right] as number;
      items[right--] = swapped;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else return;
  }
  items.subarray(low, high + 1).sort(compare);
}

function middleOf(a: number, b: number, c: number, compare: Compare): number {
  if (compare(a, b) < 0) {
    if (compare(b, c) < 0) return b;
    return compare(a, c) < 0 ? c : a;
  }
  if (compare(a, c) < 0) return a;
  return compare(b, c) < 0 ? c : b;
}
