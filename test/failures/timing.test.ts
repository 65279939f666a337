/** Failures of one machine, to the second of virtual time. */
import { describe, expect, test } from 'vitest';
import { playTimed, rowText } from './judge.ts';
import { timingCases } from './timing-cases.ts';

describe.each(['1.36', '1.13'] as const)('release %s', (release) => {
  test.each(timingCases.filter(({ releases }) => releases?.includes(release) ?? true).map((timed) => ({ name: timed.name, timed })))(
    '$name',
    async ({ timed }) => {
      const rows = await playTimed(timed, release);
      expect(rows.filter(({ isRight }) => !isRight).map(rowText)).toEqual([]);
    },
  );
});
