import { expect, it, vi } from 'vitest';
import type { TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
import type { Box } from './paint-bar.ts';
import { paintLinks } from './paint-links.ts';
import { paintLife } from './paint-row.ts';
import type { Palette } from './palette.ts';

const range = { fromMs: 0, toMs: 1000 };
const width = 1000;
const palette = new Proxy({ state: {} }, { get: (target, name) => Reflect.get(target, name) ?? String(name) }) as Palette;

interface Drawn {
  /** In order: lines with the boxes that were left out of them, and words where they were written. */
  readonly ways: (readonly (readonly [number, number])[])[];
  readonly steps: (readonly ['line', readonly Box[]] | readonly ['word', string, number])[];
}

/** Remembers what lines leave out and which words follow; letters are six pixels wide. */
function watched(): { readonly context: CanvasRenderingContext2D; readonly drawn: Drawn } {
  const drawn: Drawn = { steps: [], ways: [] };
  let holes: readonly Box[] = [];
  let boxes: Box[] = [];
  let way: (readonly [number, number])[] = [];
  const saved: (readonly Box[])[] = [];
  const told: { readonly [name: string]: unknown } = {
    save: () => saved.push(holes),
    restore: () => (holes = saved.pop() ?? []),
    beginPath: () => {
      boxes = [];
      way = [];
    },
    moveTo: (x: number, y: number) => way.push([x, y]),
    lineTo: (x: number, y: number) => way.push([x, y]),
    arcTo: (x: number, y: number) => way.push([x, y]),
    rect: (x: number, y: number, wide: number, height: number) => boxes.push({ x, y, width: wide, height }),
    clip: (rule: unknown) => {
      if (rule === 'evenodd') holes = [...holes, ...boxes.slice(1)];
    },
    stroke: () => {
      drawn.ways.push(way);
      drawn.steps.push(['line', holes]);
    },
    fillText: (text: string, x: number) => drawn.steps.push(['word', text, x]),
    measureText: (text: string) => ({ width: text.length * 6 }),
  };
  const context = new Proxy({}, { get: (_, name) => told[String(name)] ?? (() => undefined), set: () => true });
  return { context: context as CanvasRenderingContext2D, drawn };
}

const row = {
  ...{ id: 'deployments.apps/default/web', kind: 'Deployment', name: 'web', createdMs: 0, marks: [] },
  area: [0, 3, 1, 3],
  segments: [{ state: 'Unschedulable', fromMs: 400, toMs: 900, ready: false }],
} as unknown as TimelineRow;

// What shapes look like is no matter here.
vi.stubGlobal('Path2D', class {});

it('arrows pass behind figures and words of rows, and under the names of one another', () => {
  const words: Box[] = [];
  const rows = watched();
  for (const [top, one] of [[0, row] as const, [18, { ...row, area: undefined } as unknown as TimelineRow] as const])
    paintLife(rows.context, one, {
      top,
      height: 18,
      width,
      margin: 0,
      range,
      nowMs: 1000,
      knownMs: 1000,
      palette,
      loaded: range,
      words,
      boxes: rows.context,
    });
  const written = rows.drawn.steps.flatMap((step) => (step[0] === 'word' ? [step] : []));
  expect(written.map(([, text]) => text)).toContain('Unschedulable');
  expect(written.length).toBeGreaterThan(1);
  for (const [, text, x] of written) expect(words.some((box) => box.x <= x && box.x + box.width >= x + text.length * 6)).toBe(true);

  const { context, drawn } = watched();
  const end = (ms: number, line: number | undefined) => ({ ms, line, name: line === undefined ? 'elsewhere' : 'web' });
  const links = [
    { from: end(100, 0), to: end(700, 1), hub: 'to' as const },
    { from: end(100, undefined), to: end(700, 1), hub: 'to' as const },
  ];
  paintLinks(context, links, { range, width, height: 400, rowHeight: 18, scrollTop: 0, palette, words });
  const lines = drawn.steps.flatMap((step) => (step[0] === 'line' ? [step[1]] : []));
  expect(lines.length).toBeGreaterThan(1);
  for (const holes of lines) expect(holes).toEqual(words);
  expect(drawn.steps.at(-1)?.[1]).toBe('elsewhere');
});

const frame = { range, width, height: 400, rowHeight: 18, scrollTop: 0, palette, words: [] };
const at = (ms: number, line: number) => ({ ms, line, name: 'web' });

it('what came of a change at once is reached from above or below, and over nothing that was later', () => {
  for (const [name, to] of [
    ['below', at(705, 6)],
    ['above', at(740, 1)],
  ] as const) {
    const { context, drawn } = watched();
    paintLinks(context, [{ from: at(700, 3), to, hub: 'from' }], frame);
    const reached = drawn.ways.flat().map(([x]) => x);
    expect(Math.max(...reached), name).toBe(to.ms);
    expect(Math.min(...reached), name).toBe(to.ms === 705 ? 700 : 704);
    const [before, tip] = drawn.ways[0]?.slice(-2) ?? [];
    expect(Math.sign((tip?.[1] ?? 0) - (before?.[1] ?? 0)), name).toBe(name === 'below' ? 1 : -1);
  }
});

it('arrows that are the same to the pixel are one, and marks of one row that touch have none between them', () => {
  const { context, drawn } = watched();
  const [one, hub] = [{ from: at(100, 0), to: at(700, 1) }, 'to' as const];
  paintLinks(
    context,
    [
      { ...one, hub },
      { from: at(100.2, 0), to: at(700.1, 1), hub },
      { from: at(700, 1), to: at(705, 1), hub: 'from' },
    ],
    frame,
  );
  // Its ground and itself.
  expect(drawn.ways.length).toBe(2);
});

it('arrows of one change run together, upright at its instant and level between rows, and touch no row on their way', () => {
  const { context, drawn } = watched();
  const here = at(600, 4);
  const causes = [at(100, 1), at(200, 1), at(300, 8), at(50, 4)].map((from) => ({ from, to: here, hub: 'to' as const }));
  const effects = [at(900, 2), at(800, 9)].map((to) => ({ from: here, to, hub: 'from' as const }));
  paintLinks(context, [...causes, ...effects], frame);
  const ways = drawn.ways.slice(drawn.ways.length / 2);
  expect(ways).toHaveLength(6);
  const trunks = new Set<number>();
  for (const way of ways)
    for (const [index, [x, y]] of way.entries()) {
      const [nextX, nextY] = way[index + 1] ?? [x, y];
      if (y === nextY && x !== nextX) expect(y % 18).toBe(0);
      else if (Math.abs(nextY - y) > 9) trunks.add(x);
    }
  expect([...trunks].sort()).toEqual([596, 604]);
});
