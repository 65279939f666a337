import { describe, expect, it } from 'vitest';
import type { TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { runsOf } from './lanes.ts';

const base = { group: 'batch', version: 'v1', namespace: 'default', uid: 'u', segments: [], marks: [] };
const cronJob: TimelineRow = {
  ...base,
  id: 'cronjobs.batch/default/tick',
  kind: 'CronJob',
  resource: 'cronjobs',
  name: 'tick',
  createdMs: 0,
  marks: [
    { ms: 600, type: 'scheduled', text: 'tick-1' },
    { ms: 700, type: 'started', text: 'tick-1' },
    { ms: 1200, type: 'scheduled', text: 'tick-2' },
    { ms: 1210, type: 'replaced', text: 'tick-1' },
    { ms: 1800, type: 'skipped', text: 'JobAlreadyActive: busy (×3)' },
  ],
};
const job = (name: string, createdMs: number, more: Partial<TimelineRow>): TimelineRow => ({
  ...base,
  id: `jobs.batch/default/${name}`,
  kind: 'Job',
  resource: 'jobs',
  name,
  createdMs,
  owner: cronJob.id,
  ...more,
});

describe('runs of a CronJob', () => {
  const runs = runsOf({
    row: cronJob,
    runs: [
      job('tick-1', 700, { deletedMs: 1210, segments: [{ fromMs: 700, toMs: 1210, state: 'Running' }] }),
      job('tick-2', 1215, { segments: [{ fromMs: 1215, state: 'Running' }] }),
      job('by-hand', 1300, { deletedMs: 1400, segments: [{ fromMs: 1300, toMs: 1400, state: 'Running' }] }),
      job('done', 1500, {
        deletedMs: 9000,
        segments: [
          { fromMs: 1500, toMs: 1600, state: 'Running' },
          { fromMs: 1600, toMs: 9000, state: 'Complete' },
        ],
      }),
    ],
  });
  const told = (name: string) => {
    const run = runs.find((one) => one.job?.name === name);
    return [run?.plannedMs, run?.finishedMs, run?.result];
  };
  it('a replaced run ends where it was replaced, with its own planned time', () => expect(told('tick-1')).toEqual([600, 1210, 'Replaced']));
  it('the run that took its place goes on', () => expect(told('tick-2')).toEqual([1200, undefined, 'Running']));
  it('one that somebody made and deleted was not planned and not replaced', () => expect(told('by-hand')).toEqual([undefined, 1400, 'Deleted']));
  it('one that was tidied away later keeps its result', () => expect(told('done')).toEqual([undefined, 1600, 'Complete']));
  it('a skipped run stands at its planned time, once', () =>
    expect(runs.filter(({ result }) => result === 'skipped').map(({ plannedMs }) => plannedMs)).toEqual([1800]));
});
