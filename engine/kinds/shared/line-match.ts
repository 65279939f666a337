/**
 * Which lines two texts have in common, as Python's difflib finds them: the longest run of equal lines first, then the same before and behind it;
 * lines that a long text repeats often start no run. Mirrors github.com/pmezard/go-difflib, whose diffs upstream shows.
 */
export interface Block {
  readonly left: number;
  readonly right: number;
  readonly size: number;
}

/** From here on lines that are more than a hundredth of the text start no run. */
const popularFrom = 200;

/** Runs of equal lines, in order; an empty one stands at the end. */
export function matchingBlocks(left: readonly string[], right: readonly string[]): readonly Block[] {
  const places = placesOf(right);
  const found: Block[] = [];
  const open: (readonly [number, number, number, number])[] = [[0, left.length, 0, right.length]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, to, start, end] = next;
    const block = longest(left, right, places, next);
    if (block.size === 0) continue;
    found.push(block);
    if (from < block.left && start < block.right) open.push([from, block.left, start, block.right]);
    if (block.left + block.size < to && block.right + block.size < end) open.push([block.left + block.size, to, block.right + block.size, end]);
  }
  found.sort((a, b) => a.left - b.left || a.right - b.right);
  return [...joined(found), { left: left.length, right: right.length, size: 0 }];
}

function placesOf(right: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of right.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  if (right.length < popularFrom) return places;
  const most = Math.floor(right.length / 100) + 1;
  return new Map([...places].filter(([, indices]) => indices.length <= most));
}

function longest(
  left: readonly string[],
  right: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [from, to, start, end]: readonly [number, number, number, number],
): Block {
  let best: Block = { left: from, right: start, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = from; i < to; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(left[i] ?? '') ?? []) {
      if (j < start) continue;
      if (j >= end) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { left: i - size + 1, right: j - size + 1, size };
    }
    lengths = next;
  }
  let { left: a, right: b, size } = best;
  for (; a > from && b > start && left[a - 1] === right[b - 1]; a--, b--) size++;
  while (a + size < to && b + size < end && left[a + size] === right[b + size]) size++;
  return { left: a, right: b, size };
}

/** Runs that lie side by side are one. */
function joined(blocks: readonly Block[]): readonly Block[] {
  const out: Block[] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    if (last !== undefined && last.left + last.size === block.left && last.right + last.size === block.right)
      out[out.length - 1] = { ...last, size: last.size + block.size };
    else out.push(block);
  }
  return out;
}
