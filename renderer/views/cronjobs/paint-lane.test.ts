import { expect, it } from 'vitest';
import { freeLeft, standsApart, unreadOf } from './paint-lane.ts';

it.each([
  [[], 10],
  [[[60, 90]], 10],
  // A run that went on from before the lane was suspended.
  [[[-40, 30]], 36],
  [
    [
      [0, 20],
      [30, 50],
      [140, 200],
    ],
    56,
  ],
] as const)('a word of 40 px beside %j stands at %d', (taken, left) => expect(freeLeft(taken, 10, 40)).toBe(left));

it.each([
  [undefined, [[0, 100]]],
  [{ fromMs: 0, toMs: 1000 }, []],
  [{ fromMs: 300, toMs: 600 }, [[0, 25]]],
  // A stretch elsewhere, from before a jump in time.
  [{ fromMs: 5000, toMs: 6000 }, [[0, 100]]],
  [{ fromMs: 0, toMs: 400 }, [[50, 100]]],
] as const)('of %j of a lane the rest is drawn as unread', (read, spans) =>
  expect(unreadOf(read, { range: { fromMs: 200, toMs: 600 }, width: 100 })).toEqual(spans),
);

it('dots of starts have ground between them', () => {
  const dotPx = 8;
  const drawn: number[] = [];
  for (let at = 0; at < 100; at += 3) if (standsApart(at, drawn.at(-1) ?? Number.NEGATIVE_INFINITY)) drawn.push(at);
  expect(drawn.length).toBeGreaterThan(5);
  drawn.slice(1).forEach((at, index) => expect(at - (drawn[index] as number)).toBeGreaterThan(dotPx));
});
