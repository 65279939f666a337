/** Every second day beside a day of the week: both in release 1.13, either in the present one. What is planned is told as the controller plans it. */
import { expect, test } from 'vitest';
import type { CronJobRun } from '../../engine/api/sim/v1alpha1/cron-job-run.ts';
import { aCluster } from '../support/cluster.ts';

const cronJob = (apiVersion: string) => ({
  apiVersion,
  kind: 'CronJob',
  metadata: { name: 'tidy' },
  spec: {
    schedule: '0 0 */2 * mon',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'busybox', command: ['true'] }] } } } },
  },
});

test.each([
  ['1.13', 'batch/v1beta1', '2026-01-03', 0],
  ['1.13', 'batch/v1beta1', '2026-01-05', 1],
  ['1.36', 'batch/v1', '2026-01-03', 1],
  ['1.36', 'batch/v1', '2026-01-05', 1],
] as const)('release %s, by %s, plans what it runs on %s', async (release, apiVersion, day, due) => {
  const { call, advance } = await aCluster({ release, nodes: 0, startMs: Date.parse(`${day}T00:00:00Z`) - 600_000 });
  call('POST', `/apis/${apiVersion}/namespaces/default/cronjobs`, cronJob(apiVersion));
  await advance(1_200_000);
  const runs = call<{ readonly items: readonly CronJobRun[] }>('GET', '/apis/sim.wavetank.dev/v1alpha1/cronjobruns?from=0&ahead=0').items;
  expect(runs.map(({ status }) => status.plannedTime.slice(0, 10))).toEqual(due === 0 ? [] : [day]);
  const jobs = call<{ readonly items: readonly object[] }>('GET', '/apis/batch/v1/namespaces/default/jobs').items;
  expect(jobs).toHaveLength(due);
});
