import { describe, expect, it } from 'vitest';
import type { Palette } from './palette.ts';
import { paintForgotten } from './paint-frame.ts';

const hour = 3_600_000;
const nowMs = Date.UTC(2026, 0, 5, 12);
const palette = new Proxy({}, { get: (_, name) => String(name) }) as Palette;

/** What hatching is kept within, from left to right. */
function hatched(forgottenUntilMs: number): readonly [number, number][] {
  const found: [number, number][] = [];
  const told: { readonly [name: string]: unknown } = { rect: (left: number, _top: number, width: number) => found.push([left, left + width]) };
  const context = new Proxy({}, { get: (_, name) => told[String(name)] ?? (() => undefined), set: () => true });
  const range = { fromMs: nowMs - 10 * hour, toMs: nowMs };
  paintForgotten(context as CanvasRenderingContext2D, forgottenUntilMs, { range, width: 1000, height: 400, palette });
  return found;
}

describe('a timeline whose history was cut', () => {
  it('is hatched behind its rows as far as rows may be missing', () => expect(hatched(nowMs - 6 * hour)).toEqual([[0, 400]]));

  it('is not where all that is shown came after', () => expect(hatched(nowMs - 20 * hour)).toEqual([]));
});
