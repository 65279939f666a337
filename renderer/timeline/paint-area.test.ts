import { expect, it } from 'vitest';
import { boxesOf } from './paint-area.ts';

/** A pixel for ten milliseconds, a hundred of them. */
const frame = { endMs: 1000, x: (ms: number): number => ms / 10, width: 100 };
const shown = (...steps: readonly (readonly [fromMs: number, ready: number])[]): readonly string[] =>
  boxesOf(
    steps.flatMap(([fromMs, ready]) => [fromMs, 3, ready, 3]),
    frame,
  ).map(({ step, left, right }) => `${left}-${right}: ${step.ready}`);

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
