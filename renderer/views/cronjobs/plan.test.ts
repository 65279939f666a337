import { describe, expect, it } from 'vitest';
import { planOf } from './plan.ts';

const start = Date.UTC(2026, 2, 29, 0, 0);
const hour = 3_600_000;
const cronJob = (spec: object) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'c', creationTimestamp: '2026-03-28T00:00:00Z' },
  spec: { ...spec },
});
const times = (list: readonly number[]) => list.map((ms) => new Date(ms).toISOString().slice(8, 16));

describe('plan of a CronJob', () => {
  it('has the due times of the range and the next ten', () => {
    const { due, next } = planOf(cronJob({ schedule: '*/30 * * * *' }), { fromMs: start, toMs: start + hour }, start + 10_000);
    expect(times(due)).toEqual(['29T00:30', '29T01:00']);
    expect(next).toHaveLength(10);
  });
  it('keeps local time over the change of clocks', () => {
    expect(
      times(
        planOf(cronJob({ schedule: '30 4 * * *', timeZone: 'Europe/Berlin' }), { fromMs: start, toMs: start }, start - 24 * hour).next.slice(0, 2),
      ),
    ).toEqual(['28T03:30', '29T02:30']);
  });
  it('plans nothing while suspended and says what is wrong with a schedule', () => {
    expect(planOf(cronJob({ schedule: '* * * * *', suspend: true }), { fromMs: start, toMs: start }, start).next).toEqual([]);
    expect(planOf(cronJob({ schedule: 'soon' }), { fromMs: start, toMs: start }, start).problem).not.toBe('');
  });
});
