/** Jobs that succeed, fail, are suspended and outlive their time; CronJobs of all policies. */
import type { CronJob } from '../../../engine/api/batch/v1/types.gen.ts';
import { ask, any, batch, inside, merge, named, pick, scripts, type Swarm, type Theme } from '../draw.ts';
import { deleteOwner } from './workloads.ts';

export const jobs: Theme = {
  name: 'jobs',
  acts: [
    (swarm) => ask(swarm, 'POST', inside(swarm, batch, 'jobs'), job(named(swarm, 'job'), jobSpec(swarm))),
    (swarm) => ask(swarm, 'POST', inside(swarm, batch, 'jobs'), job(named(swarm, 'job'), jobSpec(swarm))),
    (swarm) => ask(swarm, 'POST', inside(swarm, batch, 'jobs'), job(named(swarm, 'fail'), failing(swarm))),
    (swarm) => ask(swarm, 'PATCH', any(swarm, batch, 'jobs'), { spec: pick<object>(swarm, changes) }, merge),
    (swarm) => deleteOwner(swarm, 'jobs', batch),
  ],
};

export const cronJobs: Theme = {
  name: 'CronJobs',
  begin: (swarm) => {
    for (const policy of ['Allow', 'Forbid', 'Replace']) ask(swarm, 'POST', `${batch}/namespaces/default/cronjobs`, cronJob(swarm, policy));
    ask(swarm, 'POST', `${batch}/namespaces/default/cronjobs`, impatient);
  },
  acts: [
    (swarm) => ask(swarm, 'POST', inside(swarm, batch, 'cronjobs'), cronJob(swarm, pick(swarm, ['Allow', 'Forbid', 'Replace']))),
    (swarm) => ask(swarm, 'PATCH', any(swarm, batch, 'cronjobs'), { spec: { suspend: swarm.below(2) === 0 } }, merge),
    (swarm) => ask(swarm, 'PATCH', any(swarm, batch, 'cronjobs'), { spec: { suspend: swarm.below(2) === 0 } }, merge),
    (swarm) => ask(swarm, 'PATCH', any(swarm, batch, 'cronjobs'), { spec: { schedule: pick(swarm, schedules)[0] } }, merge),
    (swarm) => (swarm.below(3) === 0 ? ask(swarm, 'DELETE', any(swarm, batch, 'cronjobs')) : undefined),
    toggleImpatient,
    toggleImpatient,
  ],
};

/** What it misses while it is suspended is over its deadline in most moments at which it is resumed. */
const impatient = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'cron-impatient' },
  spec: {
    schedule: '* * * * *',
    suspend: true,
    startingDeadlineSeconds: 10,
    jobTemplate: { spec: { template: podOf('Never', 'sleep 5') } },
  },
};

function toggleImpatient(swarm: Swarm): void {
  const found = swarm.world.all<CronJob>('cronjobs', 'default').find(({ metadata }) => metadata.name === 'cron-impatient');
  const path = `${batch}/namespaces/default/cronjobs`;
  if (found === undefined) ask(swarm, 'POST', path, impatient);
  else ask(swarm, 'PATCH', `${path}/cron-impatient`, { spec: { suspend: found.spec?.suspend !== true } }, merge);
}

const changes = [{ suspend: true }, { suspend: false }, { parallelism: 0 }, { parallelism: 3 }];
/** Clusters of the swarm start at midnight UTC: each of these falls into the first half hour. */
const schedules: readonly (readonly [string, string | undefined])[] = [
  ['* * * * *', undefined],
  ['* * * * *', undefined],
  ['*/2 * * * *', undefined],
  ['1-59/3 * * * *', 'UTC'],
  ['2,3,5,8,13 0 * * *', undefined],
  ['*/2 5 * * *', 'Asia/Kolkata'],
  ['31-45 5 * * *', 'Asia/Kolkata'],
  ['* 9 * * *', 'Asia/Tokyo'],
  ['* 17 * * *', 'America/Phoenix'],
];

function job(name: string, spec: object): object {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec };
}

function jobSpec(swarm: Swarm): object {
  return {
    parallelism: 1 + swarm.below(4),
    completions: 1 + swarm.below(5),
    backoffLimit: swarm.below(3),
    ttlSecondsAfterFinished: swarm.below(90),
    ...(swarm.below(3) === 0 ? { completionMode: 'Indexed' } : {}),
    ...(swarm.below(4) === 0 ? { activeDeadlineSeconds: 5 } : {}),
    template: podOf(pick(swarm, ['Never', 'OnFailure']), pick(swarm, scripts)),
  };
}

/** One pod at a time that always fails: the limit is reached exactly. */
function failing(swarm: Swarm): object {
  return { parallelism: 1, backoffLimit: swarm.below(3), template: podOf('Never', pick(swarm, ['exit 1', 'sleep 1; exit 2'])) };
}

function cronJob(swarm: Swarm, concurrencyPolicy: string): object {
  const [schedule, timeZone] = pick(swarm, schedules);
  const script = pick(swarm, ['sleep 5', 'sleep 90', 'sleep 150', 'exit 1']);
  const spec = {
    schedule,
    ...(timeZone === undefined ? {} : { timeZone }),
    concurrencyPolicy,
    ...(swarm.below(3) === 0 ? { startingDeadlineSeconds: pick(swarm, [10, 20, 200]) } : {}),
    ...(swarm.below(3) === 0 ? { successfulJobsHistoryLimit: swarm.below(3) } : {}),
    jobTemplate: { spec: { backoffLimit: swarm.below(2), template: podOf('Never', script) } },
  };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: `cron-${concurrencyPolicy.toLowerCase()}-${swarm.below(3)}` }, spec };
}

function podOf(restartPolicy: string, script: string): object {
  return { spec: { restartPolicy, containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', script] }] } };
}
