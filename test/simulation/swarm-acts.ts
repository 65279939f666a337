/** What the swarm may do: each act makes one request from the seed's numbers. A refusal by the API is an answer, not a failure. */
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { faults } from '../../engine/faults/index.gen.ts';
import { aDeployment, type TestCluster } from '../support/cluster.ts';

export interface Swarm {
  readonly made: TestCluster;
  /** An integer in [0, bound). */
  below(bound: number): number;
  readonly refusals: Map<string, number>;
}

const merge = 'application/merge-patch+json';
const core = '/api/v1';
const apps = '/apis/apps/v1';
const batch = '/apis/batch/v1';
const sim = '/apis/sim.wavetank.dev/v1alpha1';
const images = ['nginx:1.27', 'nginx:1.28', 'busybox', 'redis:7', 'registry.invalid/nope:none', 'httpd'];
const scripts = ['sleep 3', 'sleep 2; exit 1', 'echo hi', 'sleep 600', 'exit 3'];

export const acts: readonly ((swarm: Swarm) => void)[] = [
  (swarm) => ask(swarm, 'POST', in_(swarm, apps, 'deployments'), aDeployment(named(swarm, 'web'), swarm.below(8), pick(swarm, images))),
  (swarm) => ask(swarm, 'POST', in_(swarm, apps, 'deployments'), probed(swarm)),
  (swarm) => ask(swarm, 'PATCH', `${any(swarm, apps, 'deployments')}/scale`, { spec: { replicas: swarm.below(10) } }, merge),
  (swarm) =>
    ask(
      swarm,
      'PATCH',
      any(swarm, apps, 'deployments'),
      { spec: { template: { spec: { containers: [{ name: 'c', image: pick(swarm, images) }] } } } },
      'application/strategic-merge-patch+json',
    ),
  (swarm) => ask(swarm, 'DELETE', `${any(swarm, apps, 'deployments')}?propagationPolicy=${pick(swarm, policies)}`),
  (swarm) => ask(swarm, 'DELETE', `${any(swarm, apps, 'replicasets')}?propagationPolicy=${pick(swarm, policies)}`),
  (swarm) =>
    ask(swarm, 'POST', in_(swarm, batch, 'jobs'), {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: named(swarm, 'job') },
      spec: jobSpec(swarm),
    }),
  (swarm) =>
    ask(
      swarm,
      'PATCH',
      any(swarm, batch, 'jobs'),
      { spec: pick<object>(swarm, [{ suspend: true }, { suspend: false }, { parallelism: 0 }, { parallelism: 3 }]) },
      merge,
    ),
  (swarm) => ask(swarm, 'DELETE', `${any(swarm, batch, 'jobs')}?propagationPolicy=${pick(swarm, policies)}`),
  (swarm) =>
    ask(swarm, 'POST', in_(swarm, batch, 'cronjobs'), {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: named(swarm, 'cron') },
      spec: { schedule: '* * * * *', concurrencyPolicy: pick(swarm, ['Allow', 'Forbid', 'Replace']), jobTemplate: { spec: jobSpec(swarm) } },
    }),
  (swarm) => ask(swarm, 'DELETE', any(swarm, batch, 'cronjobs')),
  (swarm) => ask(swarm, 'POST', in_(swarm, core, 'pods'), oddPod(swarm)),
  (swarm) => ask(swarm, 'DELETE', `${any(swarm, core, 'pods')}?gracePeriodSeconds=${swarm.below(4)}`),
  (swarm) =>
    ask(swarm, 'PATCH', any(swarm, core, 'pods'), { metadata: { finalizers: pick<readonly string[]>(swarm, [['example.com/hold'], []]) } }, merge),
  (swarm) => evict(swarm),
  (swarm) =>
    ask(swarm, 'POST', in_(swarm, core, 'services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: named(swarm, 'svc') },
      spec: { selector: { app: `web-${swarm.below(12)}` }, ports: [{ port: 80 }], type: pick(swarm, ['ClusterIP', 'NodePort']) },
    }),
  (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'services')),
  (swarm) => ask(swarm, 'POST', `${core}/namespaces`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }),
  (swarm) => ask(swarm, 'DELETE', `${core}/namespaces/team`),
  (swarm) => ask(swarm, 'PATCH', node(swarm), { spec: { unschedulable: swarm.below(2) === 0 } }, merge),
  (swarm) =>
    ask(
      swarm,
      'PATCH',
      node(swarm),
      { spec: { taints: pick<readonly object[]>(swarm, [[], [{ key: 'odd', effect: 'NoExecute' }], [{ key: 'odd', effect: 'NoSchedule' }]]) } },
      merge,
    ),
  (swarm) => fault(swarm),
  (swarm) => ask(swarm, 'DELETE', any(swarm, sim, 'faults')),
];

const policies = ['Foreground', 'Background', 'Orphan'];

function ask({ made, refusals }: Swarm, method: string, path: string, body?: unknown, type?: string): void {
  try {
    made.call(method, path, body, type);
  } catch (error) {
    // Only what the API says is an answer: it begins with the request.
    if (!(error instanceof Error) || error.name !== 'Error' || !error.message.startsWith(method)) throw error;
    const text = error.message.replace(/^\S+ \S+ /, '').replaceAll(/"[^"]*"/g, '…');
    refusals.set(text, (refusals.get(text) ?? 0) + 1);
    if (text.includes('Internal') || text.includes('internal error')) throw error;
  }
}

function jobSpec(swarm: Swarm): object {
  return {
    parallelism: 1 + swarm.below(3),
    completions: 1 + swarm.below(4),
    backoffLimit: swarm.below(3),
    ttlSecondsAfterFinished: swarm.below(90),
    ...(swarm.below(3) === 0 ? { completionMode: 'Indexed' } : {}),
    ...(swarm.below(4) === 0 ? { activeDeadlineSeconds: 5 } : {}),
    template: {
      spec: {
        restartPolicy: pick(swarm, ['Never', 'OnFailure']),
        containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', pick(swarm, scripts)] }],
      },
    },
  };
}

function probed(swarm: Swarm): object {
  const base = aDeployment(named(swarm, 'web'), 1 + swarm.below(3)) as { spec: { template: { spec: { containers: object[] } } } };
  const probe = { httpGet: { path: pick(swarm, ['/', '/missing']), port: pick(swarm, [80, 81]) }, periodSeconds: 2, failureThreshold: 2 };
  base.spec.template.spec.containers = [
    { ...base.spec.template.spec.containers[0], [pick(swarm, ['readinessProbe', 'livenessProbe', 'startupProbe'])]: probe },
  ];
  return base;
}

function oddPod(swarm: Swarm): object {
  const odd = pick<object>(swarm, [
    {},
    { nodeName: `node-${swarm.below(5)}` },
    { nodeSelector: { disk: 'none' } },
    { hostNetwork: true },
    { schedulingGates: [{ name: 'example.com/wait' }] },
    { terminationGracePeriodSeconds: 0 },
    { activeDeadlineSeconds: 7 },
    { initContainers: [{ name: 'i', image: 'busybox', command: ['sh', '-c', pick(swarm, scripts)] }] },
    { tolerations: [{ operator: 'Exists' }] },
    { restartPolicy: 'Never' },
    { priorityClassName: 'system-node-critical' },
  ]);
  const requests = { cpu: pick(swarm, ['10m', '900m', '3']), memory: '32Mi' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: named(swarm, 'pod'), labels: { app: `web-${swarm.below(12)}` } },
    spec: { containers: [{ name: 'c', image: pick(swarm, images), command: ['sh', '-c', pick(swarm, scripts)], resources: { requests } }], ...odd },
  };
}

function evict(swarm: Swarm): void {
  const path = any(swarm, core, 'pods');
  const [, namespace, name] = /namespaces\/([^/]+)\/pods\/(.+)$/.exec(path) ?? [];
  ask(swarm, 'POST', `${path}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } });
}

function fault(swarm: Swarm): void {
  const definition = pick(swarm, faults);
  const target = definition.target === 'nodes' ? pick<object>(swarm, [{ node: `node-${1 + swarm.below(3)}` }, { zone: 'sim-a' }]) : {};
  ask(swarm, 'POST', `${sim}/faults`, {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name: named(swarm, 'fault') },
    spec: { type: definition.name, target, duration: `${10 + swarm.below(150)}s` },
  });
}

function pick<T>({ below }: Swarm, values: readonly T[]): T {
  return values[below(values.length)] as T;
}

function named({ below }: Swarm, prefix: string): string {
  return `${prefix}-${below(12)}`;
}

function in_({ below }: Swarm, base: string, resource: string): string {
  return `${base}/namespaces/${below(4) === 0 ? 'team' : 'default'}/${resource}`;
}

function node({ below }: Swarm): string {
  return `${core}/nodes/node-${1 + below(3)}`;
}

/** The path of one that exists outside kube-system, or of none. */
function any(swarm: Swarm, base: string, resource: string): string {
  const found = swarm.made
    .call<{ items: KubeObject[] }>('GET', `${base}/${resource}`)
    .items.filter(({ metadata }) => metadata.namespace !== 'kube-system' && metadata.name !== 'kubernetes');
  const one = found[swarm.below(Math.max(1, found.length))]?.metadata;
  const at = one?.namespace ?? (resource === 'faults' ? undefined : 'default');
  return `${base}/${at === undefined ? '' : `namespaces/${at}/`}${resource}/${one?.name ?? 'none'}`;
}
