/** Law 9 as a property: whatever the seed, the load and the quiet instant, a restored checkpoint goes on with the same history. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const patch = 'application/merge-patch+json';

type Act = (made: TestCluster, name: string) => void;

const acts: readonly Act[] = [
  ({ call }, name) => call('POST', deployments, aDeployment(name, 3)),
  ({ call }, name) => call('POST', deployments, aDeployment(name, 1, 'registry.invalid/nope:none')),
  ({ call }, name) => call('POST', '/apis/batch/v1/namespaces/default/jobs', aJob(name, 'sleep 3; exit 1')),
  ({ call }, name) =>
    call('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name },
      spec: { schedule: '* * * * *', jobTemplate: aJob('x', 'echo hi; sleep 2') },
    }),
  ({ call }, name) => call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  ({ call }) => call('PATCH', '/api/v1/nodes/node-1', { spec: { unschedulable: true } }, patch),
  ({ call }) => call('DELETE', '/api/v1/namespaces/default/pods?gracePeriodSeconds=1'),
  ({ call }) => call('DELETE', deployments),
];

function aJob(name: string, script: string): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      backoffLimit: 2,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', script] }] } },
    },
  };
}

async function perform(made: TestCluster, steps: readonly (readonly [number, number])[], prefix: string): Promise<void> {
  for (const [index, [act, waitMs]] of steps.entries()) {
    acts[act]?.(made, `${prefix}-${index}`);
    await made.advance(waitMs);
  }
}

const steps = fc.array(fc.tuple(fc.nat(acts.length - 1), fc.integer({ min: 0, max: 45_000 })), { minLength: 1, maxLength: 5 });

it('a checkpoint at any quiet instant goes on as if nothing had happened', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1_000_000), steps, steps, async (seed, before, after) => {
      const original = await aCluster({ seed });
      await perform(original, before, 'a');
      await original.quiet();
      const restored = madeCluster({ seed });
      restored.cluster.restore(JSON.parse(JSON.stringify(original.cluster.save())));
      restored.door.continueAfter(original.door.inputs);
      await perform(original, after, 'b');
      await perform(restored, after, 'b');
      expect(restored.cluster.digest).toBe(original.cluster.digest);
      expect(restored.cluster.store.currentRevision()).toBe(original.cluster.store.currentRevision());
      expect(restored.cluster.store.livingWeight).toBe(original.cluster.store.livingWeight);
    }),
    { seed: 20_260_101, numRuns: 25 },
  );
}, 300_000);
