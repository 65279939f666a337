import { describe, expect, it } from 'vitest';
import { jobs, pods } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { jobController } from './controller.ts';

async function running(spec: object): Promise<FakeCluster> {
  const fake = new FakeCluster();
  fake.add(jobs, {
    metadata: { namespace: 'default', name: 'j', uid: 'job-uid' },
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      selector: { matchLabels: { job: 'j' } },
      template: { metadata: { labels: { job: 'j' } }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      ...spec,
    },
  });
  await fake.run(jobController);
  await fake.advance(1000);
  return fake;
}

function conditions(fake: FakeCluster): readonly string[] {
  return (fake.get(jobs, 'default', 'j')?.status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
}

function podNames(fake: FakeCluster): readonly string[] {
  return fake.list(pods).map((pod) => pod.metadata.name ?? '');
}

async function finish(fake: FakeCluster, name: string, phase: 'Succeeded' | 'Failed', exitCode = phase === 'Failed' ? 1 : 0): Promise<void> {
  const finishedAt = fake.store.time();
  const containerStatuses = [{ name: 'c', restartCount: 0, state: { terminated: { exitCode, finishedAt } } }];
  fake.change(pods, 'default', name, (pod) => ({ ...pod, status: { phase, containerStatuses } }));
  await fake.advance(1000);
}

describe('job-controller', () => {
  it('runs a pod to completion, counting it once', async () => {
    const fake = await running({});
    expect(podNames(fake)).toEqual(['j-00001']);
    expect(fake.list(pods)[0]?.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking']);
    expect(fake.get(jobs, 'default', 'j')?.status).toEqual({
      startTime: '2026-01-01T00:00:00Z',
      active: 1,
      terminating: 0,
      uncountedTerminatedPods: {},
      ready: 0,
    });
    await finish(fake, 'j-00001', 'Succeeded');
    await fake.advance(2000);
    expect(conditions(fake)).toEqual(['SuccessCriteriaMet=True CompletionsReached', 'Complete=True CompletionsReached']);
    expect(fake.get(jobs, 'default', 'j')?.status).toMatchObject({
      succeeded: 1,
      uncountedTerminatedPods: {},
      completionTime: '2026-01-01T00:00:02Z',
    });
    expect(fake.list(pods)[0]?.metadata.finalizers ?? []).toEqual([]);
    expect(fake.eventTexts()).toEqual(['Normal SuccessfulCreate Created pod: j-00001', 'Normal Completed Job completed']);
    fake.clear();
    await fake.advance(60_000);
    expect(fake.writeTexts()).toEqual([]);
  });

  it('backs off 10 s, 20 s … and gives up at the limit', async () => {
    const fake = await running({ backoffLimit: 2 });
    await finish(fake, 'j-00001', 'Failed');
    await fake.advance(8_500);
    expect(podNames(fake).length).toBe(1);
    await fake.advance(1_500);
    expect(podNames(fake).length).toBe(2);
    await finish(fake, 'j-00002', 'Failed');
    await fake.advance(18_500);
    expect(podNames(fake).length).toBe(2);
    await fake.advance(2_000);
    expect(podNames(fake).length).toBe(3);
    await finish(fake, 'j-00003', 'Failed');
    await fake.advance(2_000);
    expect(conditions(fake)).toEqual(['FailureTarget=True BackoffLimitExceeded', 'Failed=True BackoffLimitExceeded']);
    expect(fake.get(jobs, 'default', 'j')?.status?.failed).toBe(3);
    expect(fake.eventTexts().at(-1)).toBe('Warning BackoffLimitExceeded Job has reached the specified backoff limit');
  });

  it('gives indexes, and completes when each has succeeded', async () => {
    const fake = await running({ completionMode: 'Indexed', completions: 3, parallelism: 2 });
    expect(podNames(fake)).toEqual(['j-0-00001', 'j-1-00002']);
    const first = fake.list(pods)[0];
    expect(first?.spec).toMatchObject({ hostname: 'j-0', containers: [{ env: [{ name: 'JOB_COMPLETION_INDEX' }] }] });
    expect(first?.metadata.labels).toMatchObject({ 'batch.kubernetes.io/job-completion-index': '0' });
    await finish(fake, 'j-1-00002', 'Succeeded');
    await fake.advance(2_000);
    expect(fake.get(jobs, 'default', 'j')?.status).toMatchObject({ succeeded: 1, completedIndexes: '1', active: 2 });
    await finish(fake, 'j-0-00001', 'Succeeded');
    await finish(fake, 'j-2-00003', 'Succeeded');
    await fake.advance(2_000);
    expect(fake.get(jobs, 'default', 'j')?.status).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
    expect(conditions(fake)).toContain('Complete=True CompletionsReached');
  });

  it('counts failures per index', async () => {
    const fake = await running({ completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimit: 100, backoffLimitPerIndex: 1 });
    await finish(fake, 'j-0-00001', 'Failed');
    await fake.advance(12_000);
    const second = fake.list(pods).find(({ metadata }) => metadata.name === 'j-0-00003');
    expect(second?.metadata.annotations?.['batch.kubernetes.io/job-index-failure-count']).toBe('1');
    await finish(fake, 'j-0-00003', 'Failed');
    await finish(fake, 'j-1-00002', 'Succeeded');
    await fake.advance(2_000);
    expect(fake.get(jobs, 'default', 'j')?.status).toMatchObject({ failedIndexes: '0', completedIndexes: '1' });
    expect(conditions(fake)).toEqual(['FailureTarget=True FailedIndexes', 'Failed=True FailedIndexes']);
  });

  it('fails at the active deadline, when its pods have gone', async () => {
    const fake = await running({ activeDeadlineSeconds: 30 });
    await fake.advance(30_000);
    expect(podNames(fake)).toEqual([]);
    expect(conditions(fake)).toEqual(['FailureTarget=True DeadlineExceeded', 'Failed=True DeadlineExceeded']);
  });

  it('suspends and resumes', async () => {
    const fake = await running({});
    fake.change(jobs, 'default', 'j', (job) => ({ ...job, spec: { ...job.spec, suspend: true } }));
    await fake.advance(2_000);
    expect(podNames(fake)).toEqual([]);
    expect(conditions(fake)).toEqual(['Suspended=True JobSuspended']);
    expect(fake.get(jobs, 'default', 'j')?.status?.startTime).toBeUndefined();
    fake.change(jobs, 'default', 'j', (job) => ({ ...job, spec: { ...job.spec, suspend: false } }));
    await fake.advance(20_000);
    expect(conditions(fake)).toEqual(['Suspended=False JobResumed']);
    expect(podNames(fake).length).toBe(1);
    expect(fake.eventTexts()).toContain('Normal Resumed Job resumed');
  });

  it.each([
    { action: 'FailJob', wantFailed: 1, wantEnd: ['FailureTarget=True PodFailurePolicy', 'Failed=True PodFailurePolicy'] },
    { action: 'Ignore', wantFailed: undefined, wantEnd: [] },
    { action: 'Count', wantFailed: 1, wantEnd: ['FailureTarget=True BackoffLimitExceeded', 'Failed=True BackoffLimitExceeded'] },
  ])('heeds the pod failure policy: $action', async ({ action, wantFailed, wantEnd }) => {
    const fake = await running({ backoffLimit: 0, podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values: [42] } }] } });
    await finish(fake, 'j-00001', 'Failed', 42);
    await fake.advance(3_000);
    expect(conditions(fake)).toEqual(wantEnd);
    expect(fake.get(jobs, 'default', 'j')?.status?.failed).toBe(wantFailed);
  });

  it('heeds the success policy', async () => {
    const fake = await running({ completionMode: 'Indexed', completions: 3, parallelism: 3, successPolicy: { rules: [{ succeededIndexes: '1' }] } });
    await finish(fake, 'j-1-00002', 'Succeeded');
    await fake.advance(3_000);
    expect(conditions(fake)).toEqual(['SuccessCriteriaMet=True SuccessPolicy', 'Complete=True SuccessPolicy']);
    expect(podNames(fake)).toEqual(['j-1-00002']);
  });

  it('leaves jobs of other managers alone', async () => {
    const fake = await running({ managedBy: 'example.com/other' });
    expect(fake.writeTexts()).toEqual([]);
  });
});
