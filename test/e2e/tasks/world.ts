/**
 * A cluster in which everything goes wrong that the ten tasks ask about: written over its API as its users would, and left paused. Each
 * trouble has a namespace of its own, so that no trouble hides another.
 */
export interface Api {
  /** Rejects where the answer is none of 2xx. */
  call(
    method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT',
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown>;
}

const clock = '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster';
/** Wall time; an engine that is asked all the time gets nowhere. */
const pollMs = 50;
const merge = { 'content-type': 'application/merge-patch+json' };
const namespaces = ['shop', 'images', 'quota', 'hooks', 'budget', 'nightly', 'changes', 'placing', 'operator', 'release'];

interface ClockStatus {
  readonly status: { readonly virtualMs: number; readonly runningUntil?: string };
}

/** Lets virtual time pass; resolves when it has. */
export async function pass({ call }: Api, duration: string): Promise<void> {
  await call('PATCH', clock, { spec: { advance: duration } }, merge);
  while (((await call('GET', clock)) as ClockStatus).status.runningUntil !== undefined) await new Promise((resolve) => setTimeout(resolve, pollMs));
}

function deployment(name: string, replicas: number, container: object = {}, pod: object = {}): object {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { ...pod, containers: [{ name: 'c', image: 'nginx:1.27', ...container }] } };
  return { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } };
}

const deploymentsIn = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;

/** Works from 08:00 of one virtual day to the next; the first task's fault strikes last. */
export async function playWorld(api: Api): Promise<void> {
  const { call } = api;
  await call('PATCH', clock, { spec: { speed: 'paused' } }, merge);
  for (const name of namespaces) await call('POST', '/api/v1/namespaces', { metadata: { name } });
  await pass(api, '5s');
  await playNight(api);
  await playRelease(api);
  await playRefusals(api);
  await playPlacing(api);
  await playOperator(api);
  await pass(api, '2m');
  await call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
    metadata: { name: 'dark' },
    spec: { type: 'node-power-loss', target: { node: 'node-0' } },
  });
  await pass(api, '100s');
}

/** Runs every half hour; for two hours of the night the controller could not make Jobs. */
async function playNight(api: Api): Promise<void> {
  const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] } } } };
  await api.call('POST', '/apis/batch/v1/namespaces/nightly/cronjobs', {
    metadata: { name: 'backup' },
    spec: { schedule: '*/30 * * * *', jobTemplate, startingDeadlineSeconds: 600 },
  });
  await pass(api, '8h');
  const quotas = '/api/v1/namespaces/nightly/resourcequotas';
  await api.call('POST', quotas, { metadata: { name: 'no-jobs' }, spec: { hard: { 'count/jobs.batch': '0' } } });
  await pass(api, '2h');
  await api.call('DELETE', `${quotas}/no-jobs`);
  await pass(api, '1h');
}

/** A deployment that went well, and its next release, which does not start. */
async function playRelease(api: Api): Promise<void> {
  await api.call('POST', deploymentsIn('release'), deployment('front', 4));
  await api.call('POST', deploymentsIn('changes'), deployment('app', 2));
  await pass(api, '5m');
  await api.call('PATCH', `${deploymentsIn('changes')}/app`, { spec: { replicas: 4 } }, merge);
  await api.call('POST', '/api/v1/namespaces/changes/configmaps', { metadata: { name: 'settings' }, data: { mode: 'fast' } });
  const containers = [{ name: 'c', image: 'nginx:1.28', command: ['sh', '-c', 'exit 3'] }];
  await api.call('PATCH', `${deploymentsIn('release')}/front`, { spec: { template: { spec: { containers } } } }, merge);
  await pass(api, '5m');
}

async function playRefusals(api: Api): Promise<void> {
  const { call } = api;
  await call('POST', deploymentsIn('images'), deployment('pull', 2, { image: 'registry.example/none:1', imagePullPolicy: 'Never' }));
  await call('POST', '/api/v1/namespaces/quota/resourcequotas', { metadata: { name: 'small' }, spec: { hard: { pods: '1' } } });
  await call('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'guard' },
    webhooks: [
      {
        name: 'guard.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { service: { namespace: 'hooks', name: 'guard', path: '/' } },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'hooks' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
    ],
  });
  await pass(api, '2s');
  await call('POST', deploymentsIn('quota'), deployment('many', 3));
  await call('POST', deploymentsIn('hooks'), deployment('guarded', 2));
  await call('POST', deploymentsIn('budget'), deployment('steady', 2));
  await call('POST', '/apis/policy/v1/namespaces/budget/poddisruptionbudgets', {
    metadata: { name: 'all-of-them' },
    spec: { minAvailable: 2, selector: { matchLabels: { app: 'steady' } } },
  });
  await pass(api, '1m');
}

/** One node has a taint, another too little room, the last one another architecture's label. */
async function playPlacing(api: Api): Promise<void> {
  await api.call('PATCH', '/api/v1/nodes/node-1', { spec: { taints: [{ key: 'team', value: 'db', effect: 'NoSchedule' }] } }, merge);
  await api.call('POST', deploymentsIn('placing'), deployment('picky', 1, {}, { nodeSelector: { disk: 'nvme' } }));
  await api.call('POST', deploymentsIn('shop'), deployment('web', 6));
  await pass(api, '1m');
}

/** What a client of somebody's own wrote, some of it refused. */
async function playOperator(api: Api): Promise<void> {
  const headers = { 'user-agent': 'my-operator/v0.3 (linux/amd64)' };
  const maps = '/api/v1/namespaces/operator/configmaps';
  await api.call('POST', maps, { metadata: { name: 'state' }, data: { phase: 'one' } }, headers);
  await api.call('PATCH', `${maps}/state`, { data: { phase: 'two' } }, { ...headers, ...merge });
  await api.call('POST', maps, { metadata: { name: 'Not A Name' } }, headers).catch(() => undefined);
}
