import { describe, expect, it } from 'vitest';
import { jobs, pods } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { jobController } from './controller.ts';

async function running(spec: object): Promise<ControllerBench> {
  const bench = new ControllerBench();
  bench.add(jobs, {
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
  await bench.run(jobController);
  await bench.advance(1000);
  return bench;
}

function conditions(bench: ControllerBench): readonly string[] {
  return (bench.get(jobs, 'default', 'j')?.status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
}

function podNames(bench: ControllerBench): readonly string[] {
  return bench.list(pods).map((pod) => pod.metadata.name ?? '');
}

/** Ends the pod that was made as the `number`th. */
async function finish(bench: ControllerBench, number: number, phase: 'Succeeded' | 'Failed', exitCode = phase === 'Failed' ? 1 : 0): Promise<void> {
  const finishedAt = bench.time();
  const containerStatuses = [{ name: 'c', restartCount: 0, state: { terminated: { exitCode, finishedAt } } }];
  bench.change(pods, 'default', bench.created(pods)[number - 1] ?? '', (pod) => ({ ...pod, status: { phase, containerStatuses } }));
  await bench.advance(1000);
}

describe('job-controller', () => {
  it('runs a pod to completion, counting it once', async () => {
    const bench = await running({});
    expect(podNames(bench)).toEqual([expect.stringMatching(/^j-.{5}$/)]);
    expect(bench.list(pods)[0]?.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking']);
    expect(bench.get(jobs, 'default', 'j')?.status).toEqual({
      startTime: '2026-01-01T00:00:00Z',
      active: 1,
      terminating: 0,
      uncountedTerminatedPods: {},
      ready: 0,
    });
    await finish(bench, 1, 'Succeeded');
    await bench.advance(2000);
    expect(conditions(bench)).toEqual(['SuccessCriteriaMet=True CompletionsReached', 'Complete=True CompletionsReached']);
    expect(bench.get(jobs, 'default', 'j')?.status).toMatchObject({
      succeeded: 1,
      uncountedTerminatedPods: {},
      completionTime: '2026-01-01T00:00:02Z',
    });
    expect(bench.list(pods)[0]?.metadata.finalizers ?? []).toEqual([]);
    expect(bench.eventTexts()).toEqual([`Normal SuccessfulCreate Created pod: ${bench.created(pods)[0]}`, 'Normal Completed Job completed']);
    bench.clear();
    await bench.advance(60_000);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('backs off 10 s, 20 s … and gives up at the limit', async () => {
    const bench = await running({ backoffLimit: 2 });
    await finish(bench, 1, 'Failed');
    await bench.advance(8_500);
    expect(podNames(bench).length).toBe(1);
    await bench.advance(1_500);
    expect(podNames(bench).length).toBe(2);
    await finish(bench, 2, 'Failed');
    await bench.advance(18_500);
    expect(podNames(bench).length).toBe(2);
    await bench.advance(2_000);
    expect(podNames(bench).length).toBe(3);
    await finish(bench, 3, 'Failed');
    await bench.advance(2_000);
    expect(conditions(bench)).toEqual(['FailureTarget=True BackoffLimitExceeded', 'Failed=True BackoffLimitExceeded']);
    expect(bench.get(jobs, 'default', 'j')?.status?.failed).toBe(3);
    expect(bench.eventTexts().at(-1)).toBe('Warning BackoffLimitExceeded Job has reached the specified backoff limit');
  });

  it('gives indexes, and completes when each has succeeded', async () => {
    const bench = await running({ completionMode: 'Indexed', completions: 3, parallelism: 2 });
    expect(podNames(bench)).toEqual([expect.stringMatching(/^j-0-.{5}$/), expect.stringMatching(/^j-1-.{5}$/)]);
    const first = bench.list(pods)[0];
    expect(first?.spec).toMatchObject({ hostname: 'j-0', containers: [{ env: [{ name: 'JOB_COMPLETION_INDEX' }] }] });
    expect(first?.metadata.labels).toMatchObject({ 'batch.kubernetes.io/job-completion-index': '0' });
    await finish(bench, 2, 'Succeeded');
    await bench.advance(2_000);
    expect(bench.get(jobs, 'default', 'j')?.status).toMatchObject({ succeeded: 1, completedIndexes: '1', active: 2 });
    await finish(bench, 1, 'Succeeded');
    await finish(bench, 3, 'Succeeded');
    await bench.advance(2_000);
    expect(bench.get(jobs, 'default', 'j')?.status).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
    expect(conditions(bench)).toContain('Complete=True CompletionsReached');
  });

  it('counts failures per index', async () => {
    const bench = await running({ completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimit: 100, backoffLimitPerIndex: 1 });
    await finish(bench, 1, 'Failed');
    await bench.advance(12_000);
    const second = bench.list(pods).find(({ metadata }) => metadata.name === bench.created(pods)[2]);
    expect(second?.metadata.annotations?.['batch.kubernetes.io/job-index-failure-count']).toBe('1');
    await finish(bench, 3, 'Failed');
    await finish(bench, 2, 'Succeeded');
    await bench.advance(2_000);
    expect(bench.get(jobs, 'default', 'j')?.status).toMatchObject({ failedIndexes: '0', completedIndexes: '1' });
    expect(conditions(bench)).toEqual(['FailureTarget=True FailedIndexes', 'Failed=True FailedIndexes']);
  });

  it('fails at the active deadline, when its pods have gone', async () => {
    const bench = await running({ activeDeadlineSeconds: 30 });
    await bench.advance(30_000);
    expect(podNames(bench)).toEqual([]);
    expect(conditions(bench)).toEqual(['FailureTarget=True DeadlineExceeded', 'Failed=True DeadlineExceeded']);
  });

  it('suspends and resumes', async () => {
    const bench = await running({});
    bench.change(jobs, 'default', 'j', (job) => ({ ...job, spec: { ...job.spec, suspend: true } }));
    await bench.advance(2_000);
    expect(podNames(bench)).toEqual([]);
    expect(conditions(bench)).toEqual(['Suspended=True JobSuspended']);
    expect(bench.get(jobs, 'default', 'j')?.status?.startTime).toBeUndefined();
    bench.change(jobs, 'default', 'j', (job) => ({ ...job, spec: { ...job.spec, suspend: false } }));
    await bench.advance(20_000);
    expect(conditions(bench)).toEqual(['Suspended=False JobResumed']);
    expect(podNames(bench).length).toBe(1);
    expect(bench.eventTexts()).toContain('Normal Resumed Job resumed');
  });

  it.each([
    { action: 'FailJob', wantFailed: 1, wantEnd: ['FailureTarget=True PodFailurePolicy', 'Failed=True PodFailurePolicy'] },
    { action: 'Ignore', wantFailed: undefined, wantEnd: [] },
    { action: 'Count', wantFailed: 1, wantEnd: ['FailureTarget=True BackoffLimitExceeded', 'Failed=True BackoffLimitExceeded'] },
  ])('heeds the pod failure policy: $action', async ({ action, wantFailed, wantEnd }) => {
    const bench = await running({ backoffLimit: 0, podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values: [42] } }] } });
    await finish(bench, 1, 'Failed', 42);
    await bench.advance(3_000);
    expect(conditions(bench)).toEqual(wantEnd);
    expect(bench.get(jobs, 'default', 'j')?.status?.failed).toBe(wantFailed);
  });

  it('heeds the success policy', async () => {
    const bench = await running({ completionMode: 'Indexed', completions: 3, parallelism: 3, successPolicy: { rules: [{ succeededIndexes: '1' }] } });
    await finish(bench, 2, 'Succeeded');
    await bench.advance(3_000);
    expect(conditions(bench)).toEqual(['SuccessCriteriaMet=True SuccessPolicy', 'Complete=True SuccessPolicy']);
    expect(podNames(bench)).toEqual([bench.created(pods)[1]]);
  });

  it('leaves jobs of other managers alone', async () => {
    const bench = await running({ managedBy: 'example.com/other' });
    expect(bench.writeTexts()).toEqual([]);
  });
});

describe('pods that a job itself takes away', () => {
  it.each([
    { name: 'suspended', edit: { suspend: true }, left: 0 },
    { name: 'scaled down', edit: { parallelism: 1 }, left: 1 },
  ])('$name: they have not failed, and nothing waits for a back-off', async ({ edit, left }) => {
    const bench = await running({ parallelism: 3, completions: 3 });
    bench.change(jobs, 'default', 'j', (job) => ({ ...job, spec: { ...job.spec, ...edit } }));
    await bench.advance(2000);
    // The kubelet ends what was deleted.
    for (const { metadata } of bench.list(pods)) {
      expect(metadata.deletionTimestamp === undefined || metadata.finalizers === undefined).toBe(true);
      if (metadata.deletionTimestamp !== undefined) bench.remove(pods, 'default', metadata.name ?? '');
    }
    await bench.advance(2000);
    expect(bench.list(pods).length).toBe(left);
    expect(bench.get(jobs, 'default', 'j')?.status?.failed).toBeUndefined();
    bench.change(jobs, 'default', 'j', (job) => ({ ...job, spec: { ...job.spec, suspend: false, parallelism: 3 } }));
    await bench.advance(2000);
    expect(bench.list(pods).length).toBe(3);
  });
});
