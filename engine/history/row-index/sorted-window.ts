/** A page of what is sorted without sorting the rest: what stands before and behind it is only told apart from it. */

export type Compare = (a: number, b: number) => number;

/** Below so many, sorting is quicker than telling apart. */
const fewMax = 64;

/** The items that stand from one place to another (not itself) when sorted; `compare` leaves no two equal. `items` is put into another order. */
export function sortedWindow(items: Int32Array, compare: Compare, from: number, to: number): Int32Array {
  const end = Math.min(to, items.length);
  if (from >= end) return new Int32Array(0);
  if (from > 0) divide(items, from, 0, items.length, compare);
  if (end < items.length) divide(items, end, from, items.length, compare);
  return items.slice(from, end).sort(compare);
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
