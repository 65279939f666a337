import { describe, expect, it } from 'vitest';
import { answerMs, Ear, lookMs } from './ear.ts';

/** The engine speaks at the given instants, and whoever listens looks as often as the worker does, but for the time that it is held up. */
function listen(speaks: readonly number[], untilMs: number, heldUp: readonly [number, number] = [0, 0]): readonly string[] {
  let nowMs = 0;
  const told: string[] = [];
  const ear = new Ear(
    (hearing) => {
      if (told.at(-1)?.startsWith(hearing) !== true) told.push(`${hearing} at ${nowMs}`);
    },
    () => nowMs,
  );
  const isHeldUp = (ms: number): boolean => ms >= heldUp[0] && ms < heldUp[1];
  let queued = 0;
  for (; nowMs <= untilMs; nowMs += 10) {
    if (speaks.includes(nowMs)) queued++;
    if (isHeldUp(nowMs)) continue;
    // A timer that is late fires before what came meanwhile is read.
    if (nowMs % lookMs === 0 || nowMs === heldUp[1]) ear.look();
    if (queued > 0) ear.heard();
    queued = 0;
  }
  return told;
}
const each = (everyMs: number, fromMs: number, toMs: number): number[] =>
  Array.from({ length: Math.ceil((toMs - fromMs) / everyMs) }, (_, index) => fromMs + index * everyMs);

describe('what the page is told of its engine', () => {
  it('one that speaks is heard', () => {
    expect(listen(each(200, 50, 20_000), 20_000)).toEqual(['heard at 50']);
  });

  it.each([0, 10, 40, 90, 150, 190])('one that hangs is told within 1.3 s, whenever it does (%i ms)', (offset) => {
    const told = listen(each(200, 10 + offset, 5000), 10_000);
    const lastMs = each(200, 10 + offset, 5000).at(-1) ?? 0;
    expect(told).toHaveLength(2);
    const silentAtMs = Number(/^silent at (\d+)$/.exec(told[1] ?? '')?.[1]);
    expect(silentAtMs - lastMs).toBeGreaterThan(1000);
    expect(silentAtMs - lastMs).toBeLessThanOrEqual(1300);
  });

  it('one that is busy for nine tenths of a second, again and again, is not told as hung', () => {
    expect(listen(each(900, 10, 30_000), 30_000)).toEqual(['heard at 10']);
  });

  it('a page that was itself held up does not hold its engine for hung', () => {
    expect(listen(each(200, 50, 20_000), 20_000, [4000, 9005])).toEqual(['heard at 50']);
  });

  it('one that goes on after it hung is heard again', () => {
    expect(listen([10, ...each(200, 4000, 5000)], 5000)).toEqual(['heard at 10', 'silent at 1200', 'heard at 4000']);
  });

  it('one that never spoke is silent, and one that is lost is not told as silent after', () => {
    expect(listen([], 5000)).toEqual(['silent at 1200']);
    const told: string[] = [];
    let nowMs = 0;
    const ear = new Ear(
      (hearing) => told.push(hearing),
      () => nowMs,
    );
    ear.closed(0, false);
    for (; nowMs < 5000; nowMs += lookMs) ear.look();
    ear.closed(0, false);
    expect(told).toEqual(['lost']);
  });

  it('a closed socket is told by what the engine says of it, and is no loss where the engine answers', () => {
    const toldOf = (code: number, isBranch: boolean): readonly string[] => {
      const told: string[] = [];
      new Ear(
        (hearing) => told.push(hearing),
        () => 0,
      ).closed(code, isBranch);
      return told;
    };
    expect(toldOf(0, false)).toEqual(['lost']);
    expect(toldOf(503, false)).toEqual(['lost']);
    expect(toldOf(401, true)).toEqual(['stranger']);
    expect(toldOf(404, true)).toEqual(['gone']);
    expect(toldOf(404, false)).toEqual(['lost']);
    expect(toldOf(200, false)).toEqual([]);
    expect(answerMs).toBeLessThan(1000);
  });
});
