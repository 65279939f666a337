/** Lines of two texts side by side: the shortest way from one to the other (Myers), with a few lines around each difference. */

export interface DiffLine {
  /** `gap` stands for lines that are the same in both, `count` of them. */
  readonly sign: ' ' | '-' | '+' | 'gap';
  readonly text: string;
  readonly count: number;
}

const aroundLines = 3;
/** Beyond so many steps the shortest way is not looked for: all is told as taken out and put in. */
const stepsMax = 400;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = shortest(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return fold([...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)]);
}

function same(text: string): DiffLine {
  return { sign: ' ', text, count: 1 };
}

/** Each round goes one step further from every diagonal that was reached; the way back is read from the rounds. */
function shortest(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const rounds: ReadonlyMap<number, number>[] = [];
  for (let steps = 0; steps <= Math.min(a.length + b.length, stepsMax); steps++) {
    rounds.push(new Map(furthest));
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let x = nextX(furthest, diagonal, steps);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      furthest.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return wayBack(a, b, rounds);
    }
  }
  const removed = a.map((text): DiffLine => ({ sign: '-', text, count: 1 }));
  return [...removed, ...b.map((text): DiffLine => ({ sign: '+', text, count: 1 }))];
}

function goesDown(furthest: ReadonlyMap<number, number>, diagonal: number, steps: number): boolean {
  return diagonal === -steps || (diagonal !== steps && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));
}

function nextX(furthest: ReadonlyMap<number, number>, diagonal: number, steps: number): number {
  return goesDown(furthest, diagonal, steps) ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1;
}

function wayBack(a: readonly string[], b: readonly string[], rounds: readonly ReadonlyMap<number, number>[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let steps = rounds.length - 1; steps >= 0; steps--) {
    const furthest = rounds[steps] ?? new Map<number, number>();
    const diagonal = x - y;
    const from = goesDown(furthest, diagonal, steps) ? diagonal + 1 : diagonal - 1;
    const fromX = steps === 0 ? 0 : (furthest.get(from) ?? 0);
    const fromY = steps === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      lines.push(same(a[--x] ?? ''));
      y--;
    }
    if (steps === 0) break;
    if (x > fromX) lines.push({ sign: '-', text: a[--x] ?? '', count: 1 });
    else lines.push({ sign: '+', text: b[--y] ?? '', count: 1 });
  }
  return lines.reverse();
}

/** Long stretches that are the same become one line. */
function fold(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Uint8Array(lines.length);
  for (const [index, { sign }] of lines.entries()) if (sign !== ' ') near.fill(1, Math.max(0, index - aroundLines), index + aroundLines + 1);
  const folded: DiffLine[] = [];
  for (let at = 0; at < lines.length; ) {
    let until = at;
    while (until < lines.length && near[until] === 0) until++;
    if (until > at) folded.push({ sign: 'gap', text: '', count: until - at });
    const line = lines[until];
    if (line) folded.push(line);
    at = until + 1;
  }
  return folded;
}
