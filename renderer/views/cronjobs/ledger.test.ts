import { describe, expect, it } from 'vitest';
import type { CronJobRun, CronJobRunStatus } from '../../../engine/api/sim/v1alpha1/cron-job-run.ts';
import { cronJobs as words } from '../../texts/cron-jobs.ts';
import { byLane, fromNowOn, isOverdue, isSeenIn, marksOf, passes, readRun, summaryOf, toldUntil } from './ledger.ts';
import { cutBefore, isWhole } from './use-runs.ts';

const minute = 60_000;
const at = (minutes: number): string => new Date(minutes * minute).toISOString();
const run = (planned: number, status: Partial<CronJobRunStatus>): CronJobRun => ({
  apiVersion: 'sim.wavetank.dev/v1alpha1',
  kind: 'CronJobRun',
  metadata: { namespace: 'shop', name: `tick-${planned * 60}` },
  status: { cronJob: 'tick', plannedTime: at(planned), fate: 'Ran', ...status },
});
const runs = [
  run(5, { job: 'tick-5', startTime: at(5.1), finishTime: at(6), result: 'Complete' }),
  run(10, { job: 'tick-10', startTime: at(12), finishTime: at(13), result: 'Failed' }),
  run(15, { fate: 'SkippedByForbid', reason: 'tick-10 went on' }),
  run(20, { fate: 'Missed', reason: 'the controller was down' }),
  run(25, { fate: 'Waiting', reason: 'not due yet' }),
].map(readRun);

describe('the ledger of CronJobs', () => {
  it('says from when on all runs are there, where a CronJob has more than are told', () => {
    expect(cutBefore(runs)).toBeUndefined();
    const cut = readRun({ ...run(7, {}), metadata: { namespace: 'shop', name: 'slow-420', annotations: { 'sim.wavetank.dev/cut': 'true' } } });
    expect(cutBefore([...runs, cut])).toBe(7 * minute);
  });

  it('that none was planned is said of a stretch that was read and of which nothing is left out', () => {
    const shown = { fromMs: 10, toMs: 20 };
    expect(isWhole(shown, { fromMs: 5, toMs: 25 }, undefined)).toBe(true);
    expect(isWhole(shown, { fromMs: 5, toMs: 25 }, 10)).toBe(true);
    expect(isWhole(shown, { fromMs: 5, toMs: 25 }, 11)).toBe(false);
    expect(isWhole(shown, { fromMs: 11, toMs: 25 }, undefined)).toBe(false);
    expect(isWhole(shown, { fromMs: 5, toMs: 19 }, undefined)).toBe(false);
    expect(isWhole(shown, undefined, undefined)).toBe(false);
  });

  it('is read from now on: what was due backwards, then what is to come forwards', () =>
    expect(fromNowOn(runs, 15 * minute).map(({ plannedMs }) => plannedMs / minute)).toEqual([15, 10, 5, 20, 25]));

  it('sees a run wherever it went on, and where it was planned', () => {
    const [, failed] = runs;
    const seen = (fromMinute: number, toMinute: number): boolean =>
      failed !== undefined && isSeenIn(failed, { fromMs: fromMinute * minute, toMs: toMinute * minute }, 60 * minute);
    expect([seen(9, 11), seen(12.2, 12.5), seen(10.5, 11.5), seen(14, 60)]).toEqual([true, true, false, false]);
    const goesOn = readRun(run(5, { job: 'tick-5', startTime: at(5.1), result: 'Running' }));
    expect(isSeenIn(goesOn, { fromMs: 40 * minute, toMs: 50 * minute }, 60 * minute)).toBe(true);
  });

  it('says until when all runs to come are told, where a CronJob has more than are told', () => {
    const waiting = (lane: string, minutes: readonly number[]) => minutes.map((one) => ({ lane, plannedMs: one * minute, fate: 'Waiting' as const }));
    const told = [...waiting('often', [20, 25, 30]), ...waiting('soon', [24, 26, 28]), ...waiting('once', [90])];
    expect(toldUntil(told, 21 * minute, 3)).toBe(28 * minute);
    expect(toldUntil(told, 21 * minute, 4)).toBe(Number.POSITIVE_INFINITY);
    expect(toldUntil([], 0, 3)).toBe(Number.POSITIVE_INFINITY);
  });

  it('counts what became of planned instants, each once', () =>
    expect(summaryOf(runs)).toMatchObject({ ran: 2, complete: 1, failed: 1, missed: 1, skipped: 1, tookMs: 0.9 * minute, lateMs: 2 * minute }));

  it('counts what ended by a run in its place, what was deleted and what goes on', () => {
    const results = ['Replaced', 'Replaced', 'Deleted', 'Running'].map((result, index) => readRun(run(index, { startTime: at(index), result })));
    expect(summaryOf(results)).toMatchObject({ ran: 4, complete: 0, failed: 0, replaced: 2, deleted: 1, running: 1 });
    expect(words.summary('tick', summaryOf(results))).toBe('tick: 4 runs · 2 replaced · 1 deleted');
    expect(words.summary('tick', summaryOf(results.slice(3)))).toBe('tick: 1 run · none has ended');
  });

  it.each([
    ['', 5],
    ['ran', 2],
    ['failed', 1],
    ['missed', 1],
    ['skipped', 1],
    ['waiting', 1],
  ] as const)('filter %s lets %d through', (filter, count) => expect(runs.filter((one) => passes(one, filter))).toHaveLength(count));

  it('stands in the lane of its CronJob and leads to its Job', () => {
    expect([...byLane(runs).keys()]).toEqual(['cronjobs.batch/shop/tick']);
    expect(runs.map(({ jobRow }) => jobRow)).toEqual(['jobs.batch/shop/tick-5', 'jobs.batch/shop/tick-10', undefined, undefined, undefined]);
  });

  it('has a mark for each planned instant and for starts and ends, in order', () => {
    const marks = marksOf(runs, 22 * minute);
    expect(marks.map(({ ms, type }) => `${ms / minute} ${type}`)).toEqual([
      '5 scheduled',
      '5.1 started',
      '6 finished',
      '10 scheduled',
      '12 started',
      '13 finished',
      '15 skipped',
      '20 missed',
      '25 scheduled',
    ]);
    expect(marks[7]?.text).toContain('the controller was down');
  });

  it('is late when it waits for longer than a controller takes, as the strip and Problems count it', () => {
    expect(runs.some((one) => isOverdue(one, 25.9 * minute))).toBe(false);
    expect(runs.map((one) => isOverdue(one, 26.1 * minute))).toEqual([false, false, false, false, true]);
    expect(runs.some((one) => isOverdue(one, 24 * minute))).toBe(false);
  });
});
