import { describe, expect, it } from 'vitest';
import { cronJobs, jobs } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { defaultOptions } from '../testing/default-options.ts';
import { cronJobController } from './controller.ts';

const minuteMs = 60_000;

async function running(spec: object = {}, nowMs = Date.parse('2026-01-01T00:00:30Z'), creationTimestamp?: string): Promise<ControllerBench> {
  const bench = new ControllerBench({ nowMs });
  const metadata = { namespace: 'default', name: 'c', ...(creationTimestamp === undefined ? {} : { creationTimestamp }) };
  const jobTemplate = {
    metadata: { labels: { a: 'b' } },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
  };
  bench.add(cronJobs, {
    metadata,
    spec: { schedule: '* * * * *', concurrencyPolicy: 'Allow', successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1, jobTemplate, ...spec },
  });
  await bench.run(cronJobController);
  return bench;
}

function jobNames(bench: ControllerBench): readonly string[] {
  return bench.list(jobs).map((job) => job.metadata.name ?? '');
}

/** As it was looked at in release 1.13. */
async function polled(spec: object): Promise<ControllerBench> {
  const bench = new ControllerBench({
    nowMs: Date.parse('2026-01-01T00:00:30Z'),
    options: { traits: { ...defaultOptions.traits, timesCronJobs: false } },
  });
  const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } };
  bench.add(cronJobs, { metadata: { namespace: 'default', name: 'c' }, spec: { concurrencyPolicy: 'Allow', jobTemplate, ...spec } });
  await bench.run(cronJobController);
  return bench;
}

async function finish(bench: ControllerBench, name: string, type = 'Complete'): Promise<void> {
  const time = bench.time();
  const conditions = [{ type, status: 'True', lastTransitionTime: time }];
  bench.change(jobs, 'default', name, (job) => ({
    ...job,
    status: { startTime: time, ...(type === 'Complete' ? { completionTime: time } : {}), conditions },
  }));
  await bench.settle();
}

const first = 29453761;

describe('cronjob-controller', () => {
  it('creates a job at each due time, 100 ms late, and remembers it', async () => {
    const bench = await running();
    await bench.advance(30_099);
    expect(jobNames(bench)).toEqual([]);
    await bench.advance(1);
    expect(jobNames(bench)).toEqual([`c-${first}`]);
    const [job] = bench.list(jobs);
    expect(job?.metadata.annotations).toEqual({ 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T00:01:00Z' });
    expect(bench.get(cronJobs, 'default', 'c')?.status).toMatchObject({ active: [{ name: `c-${first}` }], lastScheduleTime: '2026-01-01T00:01:00Z' });
    await finish(bench, `c-${first}`);
    expect(bench.get(cronJobs, 'default', 'c')?.status).toEqual({
      lastScheduleTime: '2026-01-01T00:01:00Z',
      lastSuccessfulTime: '2026-01-01T00:01:00Z',
    });
    expect(bench.eventTexts()).toEqual([
      `Normal SuccessfulCreate Created job c-${first}`,
      `Normal SawCompletedJob Saw completed job: c-${first}, condition: Complete`,
    ]);
  });

  it('counts the jobs of a CronJob that had its name before', async () => {
    const bench = await running({ suspend: true });
    const controlledBy = (name: string): object => ({ apiVersion: 'batch/v1', kind: 'CronJob', name, uid: 'uid-before', controller: true });
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    for (const [name, owner] of Object.entries({ old: 'c', other: 'd' }))
      bench.add(jobs, { metadata: { namespace: 'default', name, ownerReferences: [controlledBy(owner)] as never }, spec: { template } });
    // Nobody is told of a job of another uid: the next look finds it.
    expect(bench.eventTexts()).toEqual([]);
    bench.change(cronJobs, 'default', 'c', ({ metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, labels: { looked: 'at' } } }));
    await bench.settle();
    expect(bench.eventTexts()).toEqual(['Warning UnexpectedJob Saw a job that the controller did not create or forgot: old']);
  });

  it.each([
    { policy: 'Allow', want: [`c-${first}`, `c-${first + 1}`], event: `Normal SuccessfulCreate Created job c-${first + 1}` },
    {
      policy: 'Forbid',
      want: [`c-${first}`],
      event: 'Normal JobAlreadyActive Not starting job because prior execution is running and concurrency policy is Forbid',
    },
    { policy: 'Replace', want: [`c-${first + 1}`], event: `Normal SuccessfulCreate Created job c-${first + 1}` },
  ])('concurrency: $policy', async ({ policy, want, event }) => {
    const bench = await running({ concurrencyPolicy: policy });
    await bench.advance(2 * minuteMs);
    expect(jobNames(bench)).toEqual(want);
    expect(bench.eventTexts().at(-1)).toBe(event);
  });

  it('starts only the most recent of many missed times, and says so', async () => {
    const bench = await running({}, Date.parse('2026-01-01T03:00:30Z'), '2026-01-01T00:00:30Z');
    expect(jobNames(bench)).toEqual([`c-${first + 179}`]);
    expect(bench.eventTexts()[0]).toMatch(/^Warning TooManyMissedTimes too many missed start times/);
  });

  it('does not start after the deadline', async () => {
    const bench = await running({ schedule: '0 * * * *', startingDeadlineSeconds: 10 }, Date.parse('2026-01-01T03:00:30Z'), '2026-01-01T00:00:30Z');
    expect(jobNames(bench)).toEqual([]);
    await bench.advance(60 * minuteMs);
    expect(jobNames(bench).length).toBe(1);
  });

  it('keeps as many finished jobs as the limits say', async () => {
    const bench = await running({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 });
    for (let i = 0; i < 3; i++) {
      await bench.advance(minuteMs);
      await finish(bench, `c-${first + i}`, i === 2 ? 'Failed' : 'Complete');
    }
    await bench.settle();
    expect(jobNames(bench)).toEqual([`c-${first + 1}`]);
    expect(bench.eventTexts()).toContain(`Normal SuccessfulDelete Deleted job c-${first}`);
  });

  it.each([
    { spec: { schedule: 'x' }, event: 'Warning UnparseableSchedule unparseable schedule: "x" : expected exactly 5 fields, found 1: [x]' },
    { spec: { timeZone: 'No/Where' }, event: 'Warning UnknownTimeZone invalid timeZone: "No/Where": unknown time zone No/Where' },
    { spec: { suspend: true }, event: undefined },
  ])('creates nothing with $spec', async ({ spec, event }) => {
    const bench = await running(spec);
    await bench.advance(10 * minuteMs);
    expect(jobNames(bench)).toEqual([]);
    expect(bench.eventTexts()[0]).toBe(event);
  });

  it('heeds the time zone', async () => {
    const bench = await running({ schedule: '0 9 * * *', timeZone: 'Asia/Kolkata' });
    await bench.advance(3.5 * 3_600_000);
    expect(bench.list(jobs)[0]?.metadata.annotations).toEqual({ 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T09:00:00+05:30' });
  });

  it('says of what is never due that it was missed too often, where all are polled', async () => {
    const bench = await polled({ schedule: '0 0 31 2 *' });
    await bench.advance(minuteMs);
    expect(jobNames(bench)).toEqual([]);
    expect(bench.eventTexts()[0]).toMatch(
      /^Warning FailedNeedsStart Cannot determine if job needs to be started: Too many missed start time \(> 100\)\./,
    );
  });

  it('reads schedules in the grammar of old where all are polled', async () => {
    const unread = await polled({ schedule: 'TZ=UTC * * * * *' });
    expect(unread.eventTexts()[0]).toBe(
      'Warning FailedNeedsStart Cannot determine if job needs to be started: Unparseable schedule: TZ=UTC * * * * * : Expected exactly 5 fields, found 6: TZ=UTC * * * * *',
    );
  });
});
