import { describe, expect, it } from 'vitest';
import { cronJobs, jobs } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { cronJobController } from './controller.ts';

const minuteMs = 60_000;

async function running(spec: object = {}, nowMs = Date.parse('2026-01-01T00:00:30Z'), creationTimestamp?: string): Promise<FakeCluster> {
  const fake = new FakeCluster({ nowMs });
  const metadata = { namespace: 'default', name: 'c', ...(creationTimestamp === undefined ? {} : { creationTimestamp }) };
  const jobTemplate = { metadata: { labels: { a: 'b' } }, spec: { template: { spec: { containers: [] } } } };
  fake.add(cronJobs, {
    metadata,
    spec: { schedule: '* * * * *', concurrencyPolicy: 'Allow', successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1, jobTemplate, ...spec },
  });
  await fake.run(cronJobController);
  return fake;
}

function jobNames(fake: FakeCluster): readonly string[] {
  return fake.list(jobs).map((job) => job.metadata.name ?? '');
}

async function finish(fake: FakeCluster, name: string, type = 'Complete'): Promise<void> {
  const time = fake.store.time();
  const conditions = [{ type, status: 'True', lastTransitionTime: time }];
  fake.change(jobs, 'default', name, (job) => ({
    ...job,
    status: { startTime: time, ...(type === 'Complete' ? { completionTime: time } : {}), conditions },
  }));
  await fake.settle();
}

const first = 29453761;

describe('cronjob-controller', () => {
  it('creates a job at each due time, 100 ms late, and remembers it', async () => {
    const fake = await running();
    await fake.advance(30_099);
    expect(jobNames(fake)).toEqual([]);
    await fake.advance(1);
    expect(jobNames(fake)).toEqual([`c-${first}`]);
    const [job] = fake.list(jobs);
    expect(job?.metadata.annotations).toEqual({ 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T00:01:00Z' });
    expect(fake.get(cronJobs, 'default', 'c')?.status).toMatchObject({ active: [{ name: `c-${first}` }], lastScheduleTime: '2026-01-01T00:01:00Z' });
    await finish(fake, `c-${first}`);
    expect(fake.get(cronJobs, 'default', 'c')?.status).toEqual({
      lastScheduleTime: '2026-01-01T00:01:00Z',
      lastSuccessfulTime: '2026-01-01T00:01:00Z',
    });
    expect(fake.eventTexts()).toEqual([
      `Normal SuccessfulCreate Created job c-${first}`,
      `Normal SawCompletedJob Saw completed job: c-${first}, condition: Complete`,
    ]);
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
    const fake = await running({ concurrencyPolicy: policy });
    await fake.advance(2 * minuteMs);
    expect(jobNames(fake)).toEqual(want);
    expect(fake.eventTexts().at(-1)).toBe(event);
  });

  it('starts only the most recent of many missed times, and says so', async () => {
    const fake = await running({}, Date.parse('2026-01-01T03:00:30Z'), '2026-01-01T00:00:30Z');
    expect(jobNames(fake)).toEqual([`c-${first + 179}`]);
    expect(fake.eventTexts()[0]).toMatch(/^Warning TooManyMissedTimes too many missed start times/);
  });

  it('does not start after the deadline', async () => {
    const fake = await running({ schedule: '0 * * * *', startingDeadlineSeconds: 10 }, Date.parse('2026-01-01T03:00:30Z'), '2026-01-01T00:00:30Z');
    expect(jobNames(fake)).toEqual([]);
    await fake.advance(60 * minuteMs);
    expect(jobNames(fake).length).toBe(1);
  });

  it('keeps as many finished jobs as the limits say', async () => {
    const fake = await running({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 });
    for (let i = 0; i < 3; i++) {
      await fake.advance(minuteMs);
      await finish(fake, `c-${first + i}`, i === 2 ? 'Failed' : 'Complete');
    }
    await fake.settle();
    expect(jobNames(fake)).toEqual([`c-${first + 1}`]);
    expect(fake.eventTexts()).toContain(`Normal SuccessfulDelete Deleted job c-${first}`);
  });

  it.each([
    { spec: { schedule: 'x' }, event: 'Warning UnparseableSchedule unparseable schedule: "x" : expected exactly 5 fields, found 1: [x]' },
    { spec: { timeZone: 'No/Where' }, event: 'Warning UnknownTimeZone invalid timeZone: "No/Where": unknown time zone No/Where' },
    { spec: { suspend: true }, event: undefined },
  ])('creates nothing with $spec', async ({ spec, event }) => {
    const fake = await running(spec);
    await fake.advance(10 * minuteMs);
    expect(jobNames(fake)).toEqual([]);
    expect(fake.eventTexts()[0]).toBe(event);
  });

  it('heeds the time zone', async () => {
    const fake = await running({ schedule: '0 9 * * *', timeZone: 'Asia/Kolkata' });
    await fake.advance(3.5 * 3_600_000);
    expect(fake.list(jobs)[0]?.metadata.annotations).toEqual({ 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T09:00:00+05:30' });
  });
});
