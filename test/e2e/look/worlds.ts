/** Clusters in which there is something to look at, each written over its API as its users would and left paused. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseScenario } from '../../../engine/scenarios/load.ts';
import { type Api, pass, playWorld } from '../tasks/world.ts';
import { playHostile } from './hostile.ts';
import { playOddWords } from './odd-words.ts';

export interface World {
  readonly options: readonly string[];
  play(api: Api): Promise<void>;
}

const start = ['--speed', 'paused', '--start-time', '2026-11-23T08:00:00Z', '--seed', '11'];
const sim = '/apis/sim.wavetank.dev/v1alpha1';
const merge = { 'content-type': 'application/merge-patch+json' };
const scenario = fileURLToPath(new URL('../../../scenarios/nodes/node-power-loss/scenario.yaml', import.meta.url));

export const worlds = {
  wrong: { options: [...start, '--nodes', '4'], play: playWorld },
  well: { options: [...start, '--nodes', '2'], play: playDay },
  empty: { options: [...start, '--nodes', '3'], play: () => Promise.resolve() },
  nodeless: { options: [...start, '--nodes', '0'], play: playNodeless },
  hundreds: { options: [...start, '--nodes', '12'], play: playHundreds },
  large: { options: [...start, '--nodes', '150'], play: playMany },
  cut: { options: [...start, '--nodes', '2'], play: playCut },
  hostile: { options: [...start, '--nodes', '2'], play: playHostile },
  words: { options: [...start, '--nodes', '1'], play: playOddWords },
} as const satisfies { readonly [name: string]: World };
export type WorldName = keyof typeof worlds;

interface Workload {
  readonly kind: string;
  readonly replicas?: number;
  readonly pod: object;
  readonly more?: object;
}

const sleeps = { name: 'app', image: 'nginx:1.27', resources: { requests: { cpu: '250m', memory: '128Mi' } } };
const talks = (line: string, seconds: number): object => ({
  name: 'app',
  image: 'busybox:1.36',
  command: ['sh', '-c', `i=0; while true; do echo "${line} $i"; i=$((i+1)); sleep ${seconds}; done`],
  resources: { requests: { cpu: '100m', memory: '64Mi' } },
});

const workloads: { readonly [name: string]: Workload } = {
  web: { kind: 'deployments', replicas: 5, pod: { containers: [sleeps] } },
  api: { kind: 'deployments', replicas: 3, pod: { containers: [talks('GET /orders 200', 7)] } },
  database: {
    kind: 'statefulsets',
    replicas: 3,
    pod: { containers: [{ ...sleeps, image: 'postgres:17', volumeMounts: [{ name: 'data', mountPath: '/data' }] }] },
    more: {
      serviceName: 'database',
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '8Gi' } } } }],
    },
  },
  agent: { kind: 'daemonsets', pod: { containers: [talks('scraped', 60)] } },
};

function workload(name: string, { replicas, pod, more }: Workload): object {
  const labels = { app: name };
  return {
    metadata: { name },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod },
      ...more,
    },
  };
}

function cronJob(name: string, schedule: string, command: readonly string[], more: object = {}): object {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox:1.36', command }] } };
  return { metadata: { name }, spec: { schedule, jobTemplate: { spec: { backoffLimit: 0, template } }, ...more } };
}

/** Twelve hours in which all is well but for what every day brings: a rollout, a run that fails, one that takes too long. */
async function playDay(api: Api): Promise<void> {
  const { call } = api;
  await call('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  await pass(api, '5s');
  await call('POST', '/api/v1/namespaces/shop/services', { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
  const cronJobs = '/apis/batch/v1/namespaces/shop/cronjobs';
  await call('POST', cronJobs, cronJob('backup', '0 */2 * * *', ['sleep', '900']));
  await call('POST', cronJobs, cronJob('report', '30 11 * * 1-5', ['sleep', '120'], { timeZone: 'Europe/Berlin' }));
  await call('POST', cronJobs, cronJob('sync', '*/20 * * * *', ['sleep', '1500'], { concurrencyPolicy: 'Forbid' }));
  await call('POST', cronJobs, cronJob('reindex', '15 * * * *', ['sleep', '4000'], { concurrencyPolicy: 'Replace' }));
  await call('POST', cronJobs, cronJob('mail', '0 9,13,17 * * *', ['sh', '-c', 'exit 1']));
  await pass(api, '4h');
  await call('PATCH', `${cronJobs}/backup`, { spec: { suspend: true } }, merge);
  await pass(api, '3h');
  await call('PATCH', `${cronJobs}/backup`, { spec: { suspend: false } }, merge);
  await pass(api, '4h40m');
  for (const [name, one] of Object.entries(workloads)) await call('POST', `/apis/apps/v1/namespaces/shop/${one.kind}`, workload(name, one));
  await pass(api, '10m');
  await call(
    'PATCH',
    '/apis/apps/v1/namespaces/shop/deployments/web',
    { spec: { template: { spec: { containers: [{ ...sleeps, image: 'nginx:1.28' }] } } } },
    merge,
  );
  await pass(api, '10m');
}

/** Pods that wait for nodes that nobody has made. */
async function playNodeless(api: Api): Promise<void> {
  await api.call(
    'POST',
    '/apis/apps/v1/namespaces/default/deployments',
    workload('web', { kind: 'deployments', replicas: 3, pod: { containers: [sleeps] } }),
  );
  await pass(api, '2m');
}

/** 400 pods of twenty workloads, one that is slow to become ready; two faults strike a node, and others are planned. */
async function playHundreds(api: Api): Promise<void> {
  const readinessProbe = { exec: { command: ['true'] }, initialDelaySeconds: 3600 };
  for (let i = 0; i < 20; i++) {
    const container = { name: 'c', image: 'nginx', resources: { requests: { cpu: '50m' } }, ...(i === 0 ? { readinessProbe } : {}) };
    const one = { kind: 'deployments', replicas: 20, pod: { containers: [container] } };
    await api.call('POST', '/apis/apps/v1/namespaces/default/deployments', workload(`service-${i}`, one));
  }
  await pass(api, '5m');
  const fault = (name: string, type: string, node: string, more: object = {}): Promise<unknown> =>
    api.call('POST', `${sim}/faults`, { metadata: { name }, spec: { type, target: { node }, ...more } });
  await fault('dark', 'node-power-loss', 'node-3');
  await fault('slow', 'node-network-slow', 'node-3');
  await fault('reboot', 'node-reboot', 'node-5', { startAt: '2026-11-23T08:08:00Z' });
  await fault('partition', 'node-partition', 'node-6', { startAt: '2026-11-23T08:08:20Z', duration: '2m' });
  await pass(api, '70s');
}

/** 5,000 pods of fifty workloads; one zone of nodes has just gone dark. */
async function playMany(api: Api): Promise<void> {
  for (let i = 0; i < 50; i++) {
    const one = { kind: 'deployments', replicas: 100, pod: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '50m' } } }] } };
    await api.call('POST', '/apis/apps/v1/namespaces/default/deployments', workload(`service-${i}`, one));
  }
  await pass(api, '5m');
  await api.call('POST', `${sim}/faults`, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-7' } } });
  await pass(api, '70s');
}

/** As many rows of what is gone as history keeps, and some more: each half of them is made and deleted at once. */
const goneRows = 26_000;
const atOnce = 32;

/** A day on which a tool wrote more objects than history keeps rows for: what was deleted in the morning is forgotten. */
async function playCut(api: Api): Promise<void> {
  const { call } = api;
  const maps = '/api/v1/namespaces/default/configmaps';
  await call(
    'POST',
    '/apis/apps/v1/namespaces/default/deployments',
    workload('web', { kind: 'deployments', replicas: 3, pod: { containers: [sleeps] } }),
  );
  await call('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
    ...cronJob('sync', '*/10 * * * *', ['sleep', '120'], { successfulJobsHistoryLimit: 1 }),
  });
  await pass(api, '1h30m');
  for (const round of ['morning', 'noon']) {
    for (let made = 0; made < goneRows; made += atOnce)
      await Promise.all(
        Array.from({ length: atOnce }, (_, i) => call('POST', maps, { metadata: { name: `${round}-${made + i}`, labels: { round } } })),
      );
    await call('DELETE', `${maps}?labelSelector=round%3D${round}`);
    await pass(api, '1h');
  }
}

/** The scenario that loses a node, in the cluster that is looked at. */
export async function offerScenario(api: Api): Promise<void> {
  const { items } = (await api.call('GET', `${sim}/scenarios`)) as { readonly items: readonly { readonly metadata: { readonly name: string } }[] };
  if (!items.some(({ metadata }) => metadata.name === 'node-power-loss'))
    await api.call('POST', `${sim}/scenarios`, parseScenario(readFileSync(scenario, 'utf8')));
}
