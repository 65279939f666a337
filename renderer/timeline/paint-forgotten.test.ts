import { describe, expect, it } from 'vitest';
import type { Palette } from './palette.ts';
import { paintBackground } from './paint-frame.ts';

const hour = 3_600_000;
const nowMs = Date.UTC(2026, 0, 5, 12);
const palette = new Proxy({}, { get: (_, name) => String(name) }) as Palette;

/** What hatching is kept within, from left to right. */
function hatched(forgottenUntilMs: number | undefined): readonly [number, number][] {
  const found: [number, number][] = [];
  const told: { readonly [name: string]: unknown } = { rect: (left: number, _top: number, width: number) => found.push([left, left + width]) };
  const context = new Proxy({}, { get: (_, name) => told[String(name)] ?? (() => undefined), set: () => true });
  paintBackground(context as CanvasRenderingContext2D, {
    ...{ range: { fromMs: nowMs - 10 * hour, toMs: nowMs }, width: 1000, height: 400, nowMs, palette },
    ...{ faults: [], rowHeight: 18, scrollTop: 0, first: 0, count: 0, rowAt: () => undefined, selected: '' },
    forgottenUntilMs,
  });
  return found;
}

describe('a timeline whose history was cut', () => {
  it('is hatched behind its rows as far as rows may be missing', () => expect(hatched(nowMs - 6 * hour)).toEqual([[0, 400]]));

  it('is not where all that is shown came after, or nothing was forgotten', () => {
    expect(hatched(nowMs - 20 * hour)).toEqual([]);
    expect(hatched(undefined)).toEqual([]);
  });
});
