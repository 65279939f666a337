import { describe, expect, it } from 'vitest';
import { formatWhen } from '../lib/format.ts';
import type { Palette } from './palette.ts';
import { paintOverlay } from './paint-frame.ts';

const hour = 3_600_000;
const nowMs = Date.UTC(2026, 0, 5, 12);
const palette = new Proxy({}, { get: (_, name) => String(name) }) as Palette;

interface Drawn {
  readonly texts: string[];
  /** What hatching is kept within, from left to right. */
  readonly hatched: [number, number][];
}

/** Remembers the words and the boxes that are drawn; letters are six pixels wide. */
function draw(forgottenUntilMs: number | undefined): Drawn {
  const drawn: Drawn = { texts: [], hatched: [] };
  const told: { readonly [name: string]: unknown } = {
    fillText: (text: string) => drawn.texts.push(text),
    rect: (left: number, _top: number, width: number) => drawn.hatched.push([left, left + width]),
    measureText: (text: string) => ({ width: text.length * 6 }),
  };
  const context = new Proxy({}, { get: (_, name) => told[String(name)] ?? (() => undefined), set: () => true });
  paintOverlay(context as CanvasRenderingContext2D, {
    range: { fromMs: nowMs - 10 * hour, toMs: nowMs },
    width: 1000,
    height: 400,
    nowMs,
    palette,
    hoverX: undefined,
    cursorMs: undefined,
    brush: undefined,
    unknownFromMs: undefined,
    compared: undefined,
    forgottenUntilMs,
    paintOver: () => undefined,
  });
  return drawn;
}

describe('a timeline whose history was cut', () => {
  it('says until when rows may be missing, and hatches as far', () => {
    const untilMs = nowMs - 6 * hour;
    expect(draw(untilMs)).toEqual({ texts: [`what was deleted before ${formatWhen(untilMs, nowMs)} is forgotten`], hatched: [[0, 400]] });
  });

  it('says nothing of it where all that is shown came after, or nothing was forgotten', () => {
    expect(draw(nowMs - 20 * hour)).toEqual({ texts: [], hatched: [] });
    expect(draw(undefined)).toEqual({ texts: [], hatched: [] });
  });
});
