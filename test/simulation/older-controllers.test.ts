/** What controllers of release 1.13 do otherwise, as a user sees it; the whole of it is in test/situations/facts/1.13. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';

const jobsPath = '/apis/batch/v1/namespaces/default/jobs';
const cronJobsPath = '/apis/batch/v1beta1/namespaces/default/cronjobs';
const podsPath = '/api/v1/namespaces/default/pods';

type Thing = KubeObject & { readonly status?: { readonly [field: string]: unknown } };

const template = { spec: { restartPolicy: 'Never', schedulerName: 'nobody', containers: [{ name: 'c', image: 'example.com/c:1' }] } };

async function older(): Promise<TestCluster> {
  const made = await aCluster({ seed: 3, nodes: 0, release: '1.13' });
  await made.advance(5000);
  return made;
}

function list(made: TestCluster, path: string): readonly Thing[] {
  return made.call<{ readonly items: readonly Thing[] }>('GET', path).items;
}

function end(made: TestCluster, phase: 'Succeeded' | 'Failed'): void {
  for (const { metadata, status } of list(made, podsPath)) {
    if (status?.['phase'] !== 'Pending') continue;
    made.call('PATCH', `${podsPath}/${metadata.name}/status`, { status: { phase } }, 'application/merge-patch+json');
  }
}

describe('a Job of 1.13', () => {
  it('has pods without a finalizer, ends with one condition and says nothing of it', async () => {
    const made = await older();
    made.call('POST', jobsPath, { kind: 'Job', metadata: { name: 'j' }, spec: { template } });
    await made.advance(2000);
    expect(list(made, podsPath).map(({ metadata }) => metadata.finalizers)).toEqual([undefined]);
    end(made, 'Succeeded');
    await made.advance(2000);
    const { status } = made.call<Thing>('GET', `${jobsPath}/j`);
    expect(status?.['conditions']).toMatchObject([{ type: 'Complete', status: 'True' }]);
    const reasons = list(made, '/api/v1/namespaces/default/events').map((event) => (event as unknown as { readonly reason: string }).reason);
    expect(reasons).toContain('SuccessfulCreate');
    expect(reasons).not.toContain('Completed');
  });

  it('replaces the first pod that fails at once, the second after ten seconds, and gives up behind its limit twenty seconds later', async () => {
    const made = await older();
    made.call('POST', jobsPath, { kind: 'Job', metadata: { name: 'j' }, spec: { backoffLimit: 2, template } });
    await made.advance(2000);
    const pods = (): number => list(made, podsPath).length;
    end(made, 'Failed');
    await made.advance(1000);
    expect(pods()).toBe(2);
    end(made, 'Failed');
    await made.advance(8000);
    expect(pods()).toBe(2);
    await made.advance(3000);
    expect(pods()).toBe(3);
    end(made, 'Failed');
    await made.advance(18_000);
    expect(made.call<Thing>('GET', `${jobsPath}/j`).status?.['conditions']).toBeUndefined();
    await made.advance(5000);
    const { status } = made.call<Thing>('GET', `${jobsPath}/j`);
    expect(status).toMatchObject({ failed: 3, conditions: [{ type: 'Failed', reason: 'BackoffLimitExceeded' }] });
  });

  it('makes anew what was deleted behind its back, and counts it no more', async () => {
    const made = await older();
    made.call('POST', jobsPath, { kind: 'Job', metadata: { name: 'j' }, spec: { template } });
    await made.advance(2000);
    made.call('DELETE', `${podsPath}/${list(made, podsPath)[0]?.metadata.name ?? ''}`);
    await made.advance(15_000);
    expect(list(made, podsPath).length).toBe(1);
    expect(made.call<Thing>('GET', `${jobsPath}/j`).status?.['failed']).toBeUndefined();
  });
});

describe('a CronJob of 1.13', () => {
  const cronJob = (spec: object): object => ({
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: { schedule: '*/1 * * * *', jobTemplate: { spec: { template } }, ...spec },
  });

  it('is looked at every ten seconds: its Job is called by the second that was due, and no other event tells of a prior run', async () => {
    const made = await older();
    made.call('POST', cronJobsPath, cronJob({ concurrencyPolicy: 'Forbid' }));
    await made.advance(130_000);
    const names = list(made, jobsPath).map(({ metadata }) => metadata.name ?? '');
    expect(names).toHaveLength(1);
    expect(names[0]).toMatch(/^tick-\d{10}$/);
    expect(Number((names[0] ?? '').slice('tick-'.length)) % 60).toBe(0);
    const reasons = list(made, '/api/v1/namespaces/default/events').map((event) => (event as unknown as { readonly reason: string }).reason);
    expect(reasons).not.toContain('JobAlreadyActive');
  });

  it('gives up where more than a hundred runs were missed, and says so', async () => {
    const made = await older();
    made.call('POST', cronJobsPath, cronJob({ suspend: true }));
    await made.advance(102 * 60_000);
    made.call('PATCH', `${cronJobsPath}/tick`, { spec: { suspend: false } }, 'application/merge-patch+json');
    await made.advance(11_000);
    expect(list(made, jobsPath)).toEqual([]);
    const messages = list(made, '/api/v1/namespaces/default/events').map((event) => (event as unknown as { readonly message: string }).message);
    expect(messages.join('\n')).toContain('Cannot determine if job needs to be started: Too many missed start time (> 100).');
  });

  it('leaves its Jobs when it goes and nobody says otherwise', async () => {
    const made = await older();
    made.call('POST', cronJobsPath, cronJob({}));
    await made.advance(75_000);
    made.call('DELETE', `${cronJobsPath}/tick`);
    await made.advance(10_000);
    expect(list(made, cronJobsPath)).toEqual([]);
    expect(list(made, jobsPath)[0]?.metadata.ownerReferences ?? []).toEqual([]);
  });
});

describe('an eviction in 1.13', () => {
  const evict = (made: TestCluster, apiVersion: string): number =>
    made.ask('POST', `${podsPath}/p/eviction`, { apiVersion, kind: 'Eviction', metadata: { name: 'p' } }).status;

  it('is of policy/v1beta1 alone; today both will do', async () => {
    const made = await older();
    const today = await aCluster({ seed: 3, nodes: 0 });
    for (const cluster of [made, today]) {
      await cluster.advance(5000);
      cluster.call('POST', podsPath, { kind: 'Pod', metadata: { name: 'p' }, spec: template.spec });
    }
    expect(evict(made, 'policy/v1')).toBe(400);
    expect(evict(made, 'policy/v1beta1')).toBe(201);
    expect(evict(today, 'policy/v1beta1')).toBe(201);
  });
});
