import { expect, it } from 'vitest';
import { formatDuration } from '../../lib/format.ts';
import { roundTicks } from './round-ticks.ts';

it.each([
  [653_000, '2m 4m 6m 8m'],
  [86_400_000, '6h 12h 18h'],
  [4_200, '1 s 2 s 3 s'],
  [90, '20 ms 40 ms 60 ms'],
  [0.4, ''],
])('a run of %s ms has ticks at %s', (spanMs, told) => expect(roundTicks(spanMs).map(formatDuration).join(' ')).toBe(told));
