/** Laws 5 and 9 on whole clusters: same seed, same history; a restored checkpoint and a replayed input log give the same digest. */
import { describe, expect, it } from 'vitest';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** What a busy user does: rollouts, jobs, deletions, a failing image. */
async function useCluster({ call, advance }: TestCluster): Promise<void> {
  call('POST', deployments, aDeployment('web', 5));
  await advance(7_000);
  call(
    'PATCH',
    `${deployments}/web`,
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:1.28' }] } } } },
    'application/strategic-merge-patch+json',
  );
  await advance(1_500.25);
  call('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'echo hi; sleep 5'] }] } },
        },
      },
    },
  });
  call('POST', deployments, aDeployment('broken', 2, 'registry.invalid/nope:none'));
  await advance(130_000);
  call('PATCH', `${deployments}/web/scale`, { spec: { replicas: 2 } }, 'application/merge-patch+json');
  call('DELETE', `${deployments}/broken`);
  await advance(45_000);
}

async function historyOf(seed: number): Promise<string> {
  const made = await aCluster({ seed });
  await useCluster(made);
  return made.cluster.digest;
}

describe('one cluster', () => {
  it('has the same history for the same seed, and another for another', async () => {
    const first = await historyOf(7);
    expect(await historyOf(7)).toBe(first);
    expect(await historyOf(8)).not.toBe(first);
  });

  it('has the same history whether it is run in one go, in small steps or watched', async () => {
    const whole = await aCluster({ seed: 3 });
    whole.call('POST', deployments, aDeployment('web', 4));
    await whole.advance(60_000);
    const stepped = await aCluster({ seed: 3 });
    stepped.call('POST', deployments, aDeployment('web', 4));
    for (let i = 0; i < 600; i++) {
      await stepped.advance(100);
      stepped.call('GET', '/api/v1/pods');
    }
    expect(stepped.cluster.digest).toBe(whole.cluster.digest);
  });

  it('gives the same history when its inputs are run again without clients', async () => {
    const made = await aCluster({ seed: 11 });
    await useCluster(made);
    const place = { tasksRun: made.cluster.loop.tasksRun, nowMs: made.cluster.loop.nowMs() };
    const again = madeCluster({ seed: 11 });
    await again.cluster.start();
    for (const input of made.inputs) {
      await again.cluster.loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
      again.cluster.loop.advanceIdleTo(input.nowMs);
      again.door.replay(input);
    }
    await again.cluster.loop.run(Number.POSITIVE_INFINITY, place.tasksRun);
    expect(again.cluster.digest).toBe(made.cluster.digest);
    expect(again.cluster.store.currentRevision()).toBe(made.cluster.store.currentRevision());
  });

  it.each([1_000, 8_400, 20_000, 64_000, 140_000])('goes on with the same history after a checkpoint %i ms in', async (cutMs) => {
    const act = async (made: TestCluster): Promise<void> => {
      made.call('POST', deployments, aDeployment('late', 3));
      await made.advance(90_000);
    };
    const original = await aCluster({ seed: 5 });
    original.call('POST', deployments, aDeployment('web', 4));
    original.call('POST', '/apis/batch/v1/namespaces/default/jobs', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'flaky' },
      spec: {
        backoffLimit: 4,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 3; exit 1'] }] } },
      },
    });
    await original.advance(cutMs);
    await original.quiet();
    const saved = structuredClone(original.cluster.save());
    const restored = madeCluster({ seed: 5 });
    restored.cluster.restore(saved);
    restored.door.continueAfter(original.door.inputs);
    expect(restored.cluster.digest).toBe(original.cluster.digest);
    await act(original);
    await act(restored);
    expect(restored.cluster.digest).toBe(original.cluster.digest);
  });

  it.each([
    ['young', 60_000, 200],
    ['old', 600_000, 410],
  ])('gives an input that reads a %s revision the same answer, however much wall time has passed', async (_name, waitMs, status) => {
    const answers: unknown[] = [];
    const digests: string[] = [];
    for (const wallMs of [0, 3_600_000]) {
      let nowMs = 0;
      const made = await aCluster({ seed: 2, nodes: 1 }, { wallMs: () => nowMs, watchWindowMs: 300_000 });
      for (const name of ['a', 'b', 'c'])
        made.call('POST', '/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
      const path = '/api/v1/namespaces/default/configmaps?limit=1';
      const page = made.call<{ metadata: { continue: string } }>('GET', path);
      nowMs = wallMs;
      await made.advance(waitMs);
      answers.push(made.ask('DELETE', `${path}&continue=${page.metadata.continue}`).status);
      await made.advance(1000);
      digests.push(made.cluster.digest);
    }
    expect(answers).toEqual([status, status]);
    expect(digests[1]).toBe(digests[0]);
  });
});
