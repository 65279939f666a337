import { expect, it } from 'vitest';
import { bandsOf, boxesOf } from './paint-area.ts';

/** A pixel for ten milliseconds, a hundred of them. */
const frame = { endMs: 1000, x: (ms: number): number => ms / 10, width: 100, margin: 0 };
const shown = (...steps: readonly (readonly [fromMs: number, ready: number])[]): readonly string[] =>
  boxesOf(
    steps.flatMap(([fromMs, ready]) => [fromMs, 3, ready, 3]),
    frame,
  ).map(({ ready, left, right }) => `${left}-${right}: ${ready}`);

it.each([
  [
    'each step from where it begins',
    [
      [0, 3],
      [200, 2],
      [600, 3],
    ],
    ['0-20: 3', '20-60: 2', '60-100: 3'],
  ],
  [
    'a lack that is shorter than a pixel in front of what is well',
    [
      [0, 3],
      [400, 1],
      [402, 3],
    ],
    ['0-40: 3', '40-40: 1', '41-100: 3'],
  ],
  [
    'the worst of many in one pixel, once',
    [
      [0, 3],
      [400, 2],
      [401, 0],
      [402, 2],
      [403, 3],
    ],
    ['0-40: 3', '40-40: 0', '41-100: 3'],
  ],
  [
    'nothing of what is out of sight',
    [
      [-900, 1],
      [-500, 3],
      [990, 2],
      [1200, 0],
    ],
    ['-50-99: 3', '99-100: 2'],
  ],
] as const)('%s', (_what, steps, boxes) => expect(shown(...steps)).toEqual(boxes));

function bandsOfSteps(peak: number, ...steps: readonly (readonly [fromMs: number, wished: number, ready: number])[]): readonly string[] {
  const area = steps.flatMap(([fromMs, wished, ready]) => [fromMs, wished, ready, ready]);
  return bandsOf(boxesOf(area, frame), peak, 14).map(
    ({ left, right, ready, wish, short }) => `${left}-${right}: ${ready} of ${wish}, short ${short}`,
  );
}

it('steps that differ by less than can be seen are painted as one', () => {
  expect(bandsOfSteps(5000, [0, 5000, 2500], [200, 5000, 2510], [400, 5000, 2520], [600, 5000, 3500])).toEqual([
    '0-60: 7 of 14, short 7',
    '60-100: 9.75 of 14, short 4.25',
  ]);
});

it('what is little is not nothing: one of thousands that lacks, or is all there is', () => {
  expect(bandsOfSteps(5000, [0, 5000, 5000], [200, 5000, 4999], [400, 5000, 5000])).toEqual([
    '0-20: 14 of 14, short 0',
    '20-40: 14 of 14, short 2',
    '40-100: 14 of 14, short 0',
  ]);
  expect(bandsOfSteps(5000, [0, 1, 1], [400, 0, 0])).toEqual(['0-40: 0.25 of 0.25, short 0', '40-100: 0 of 0, short 0']);
});

it('as many as before of another wish are told apart', () => {
  expect(bandsOfSteps(14, [0, 4, 6], [400, 5, 6])).toEqual(['0-40: 6 of 4, short 0', '40-100: 6 of 5, short 0']);
});

it('a step that is over within its pixel and looks like the one before has that pixel all the same', () => {
  expect(bandsOfSteps(109, [0, 63, 58], [200, 63, 56], [400, 63, 57], [402, 63, 58])).toEqual([
    '0-20: 7.5 of 8, short 2',
    '20-41: 7.25 of 8, short 2',
    '41-100: 7.5 of 8, short 2',
  ]);
});
