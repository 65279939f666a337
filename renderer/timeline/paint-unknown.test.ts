import { describe, expect, it } from 'vitest';
import type { Palette } from './palette.ts';
import { paintUnknown } from './paint-frame.ts';

const nowMs = Date.UTC(2026, 0, 5, 12);
const palette = new Proxy({}, { get: (_, name) => String(name) }) as Palette;
const width = 1000;

/** Where the box of the note stands, from left to right, when the engine was last heard so far from the right end. */
function noted(pixels: number): readonly [number, number] {
  let box: readonly [number, number] = [0, 0];
  const told: { readonly [name: string]: unknown } = {
    measureText: () => ({ width: 140 }),
    fillRect: (left: number, _top: number, room: number) => void (room > 10 ? (box = [left, left + room]) : undefined),
  };
  const context = new Proxy({}, { get: (_, name) => told[String(name)] ?? (() => undefined), set: () => true });
  const range = { fromMs: nowMs - 1000, toMs: nowMs };
  paintUnknown(context as CanvasRenderingContext2D, nowMs - pixels, { range, width, height: 400, nowMs, palette });
  return box;
}

describe('what says since when nothing is known', () => {
  it('stands behind its line where there is room, else before it, and never on it', () => {
    for (const pixels of [900, 300, 160, 150, 67, 20, 1]) {
      const line = width - pixels;
      const [left, right] = noted(pixels);
      expect(left > line || right < line, `${pixels} pixels from the end`).toBe(true);
      expect(left >= 0 && right <= width).toBe(true);
    }
    expect(noted(300)[0]).toBeGreaterThan(700);
  });
});
