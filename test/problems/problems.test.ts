/** What `kubectl get problems -A` says of clusters in which something is wrong, and that it says no more once it is mended. */
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { CronJobRun } from '../../engine/api/sim/v1alpha1/cron-job-run.ts';
import type { Overview } from '../../engine/api/sim/v1alpha1/overview.ts';
import type { Problem } from '../../engine/api/sim/v1alpha1/problem.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';

const minuteMs = 60_000;
const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const faults = '/apis/sim.wavetank.dev/v1alpha1/faults';

function problems({ call }: TestCluster): readonly Problem[] {
  return call<{ items: readonly Problem[] } & { kind: string; apiVersion: string; metadata: object }>(
    'GET',
    '/apis/sim.wavetank.dev/v1alpha1/problems',
  ).items;
}

function told(made: TestCluster): readonly string[] {
  return problems(made).map(({ status }) => `${status.subject.kind}/${status.subject.name} ${status.reason}`);
}

function deployment(name: string, replicas: number, container: object = {}): object {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx', ...container }] } };
  return { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } };
}

function pod(name: string, container: object): object {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'busybox', ...container }] } };
}

describe('problems', () => {
  test('a cluster that is well has none, also while a rollout goes on', async () => {
    const made = await aCluster({ nodes: 2 });
    made.call('POST', deployments, deployment('web', 4));
    await made.advance(2_000);
    expect(told(made)).toEqual([]);
    await made.advance(minuteMs);
    expect(told(made)).toEqual([]);
  });

  test('a dead node is one problem with its pods, tells the fault and when they are evicted, and goes when it is back', async () => {
    const made = await aCluster({ nodes: 3 });
    made.call('POST', deployments, deployment('web', 9));
    await made.advance(30_000);
    made.call('POST', faults, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-0' } } });
    await made.advance(40_000);
    expect(told(made)).toEqual(['Node/node-0 NodeSilent']);
    expect(problems(made)[0]?.status.next).toMatchObject({ text: 'it is marked as unreachable' });
    await made.advance(minuteMs);
    const [problem] = problems(made);
    expect(told(made)).toEqual(['Node/node-0 NodeNotReady']);
    expect(problem?.status.affected).toMatchObject({ count: 4, kinds: { Pod: 3, Deployment: 1 } });
    expect(problem?.status.cause?.text).toContain('dark');
    expect(Date.parse(problem?.status.next?.at ?? '') - Date.parse(problem?.status.since ?? '')).toBeGreaterThanOrEqual(300_000);
    // Those that were evicted are there as long as nobody on the node ends them.
    await made.advance(6 * minuteMs);
    const evicted = problems(made).find(({ status }) => status.subject.kind === 'Node')?.status.next;
    expect(evicted).toEqual({ text: 'pods that are to end stay until it reports again or its node is deleted' });
    made.call('DELETE', `${faults}/dark`);
    await made.advance(2 * minuteMs);
    expect(told(made)).toEqual([]);
  });

  test('a workload whose pods are on several dead nodes is told what happens next to the first of these', async () => {
    const made = await aCluster({ nodes: 4 });
    made.call('POST', deployments, deployment('web', 12));
    await made.advance(30_000);
    for (const node of ['node-0', 'node-1'])
      made.call('POST', faults, { metadata: { name: `dark-${node}` }, spec: { type: 'node-power-loss', target: { node } } });
    await made.advance(2 * minuteMs);
    const web = problems(made).find(({ status }) => status.subject.kind === 'Deployment')?.status;
    expect(web?.next?.text).toMatch(/^Node node-[01]: its pods that do not tolerate it for longer are evicted$/);
    expect(web?.next?.at).toBeDefined();
  });

  test.each([
    ['an image that is missing', deployment('w', 2, { image: 'nginx:nope', imagePullPolicy: 'Never' }), 'Deployment/w ErrImageNeverPull'],
    ['a container that ends', deployment('w', 2, { image: 'busybox', command: ['sh', '-c', 'exit 3'] }), /^Deployment\/w CrashLoop/],
    ['a pod too large', deployment('w', 1, { resources: { requests: { cpu: '900' } } }), 'Deployment/w Unschedulable'],
    ['a ConfigMap that is missing', deployment('w', 2, { envFrom: [{ configMapRef: { name: 'cfg' } }] }), 'ConfigMap/cfg Missing'],
  ])('%s', async (_what, object, wanted) => {
    const made = await aCluster({ nodes: 2 });
    made.call('POST', deployments, object);
    await made.advance(3 * minuteMs);
    const found = told(made);
    expect(found).toHaveLength(1);
    expect(found[0]).toEqual(typeof wanted === 'string' ? wanted : (expect.stringMatching(wanted) as string));
    made.call('DELETE', `${deployments}/w`);
    await made.advance(minuteMs);
    expect(told(made)).toEqual([]);
  });

  test('pods of a dead node whose image is missing too are counted with both, and the image is told alone once the node is back', async () => {
    const made = await aCluster({ nodes: 2 });
    made.call('POST', deployments, deployment('w', 4, { image: 'nginx:nope', imagePullPolicy: 'Never' }));
    await made.advance(minuteMs);
    made.call('POST', faults, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-0' } } });
    await made.advance(2 * minuteMs);
    expect([...told(made)].sort()).toEqual(['Deployment/w ErrImageNeverPull', 'Node/node-0 NodeNotReady']);
    const affected = (kind: string) => problems(made).find(({ status }) => status.subject.kind === kind)?.status;
    expect(affected('Deployment')).toMatchObject({
      summary: expect.stringContaining('0 of 4 pods available: image nginx:nope cannot be pulled') as string,
      affected: { count: 4, kinds: { Pod: 4 } },
      next: { text: 'it starts when its node has the image, which its policy forbids to pull' },
    });
    expect(affected('Node')?.affected).toMatchObject({ count: 2, kinds: { Pod: 2 } });
    made.call('DELETE', `${faults}/dark`);
    await made.advance(2 * minuteMs);
    expect(told(made)).toEqual(['Deployment/w ErrImageNeverPull']);
  });

  test('a rollout that has timed out is still told with what is wrong with its pods, and by itself where none are', async () => {
    const made = await aCluster({ nodes: 1 });
    made.call('POST', deployments, deployment('pull', 1, { image: 'nginx:nope', imagePullPolicy: 'Never' }));
    made.call('POST', deployments, deployment('crash', 1, { command: ['sh', '-c', 'exit 3'] }));
    made.call('POST', deployments, deployment('huge', 1, { resources: { requests: { cpu: '900' } } }));
    // Of a crash loop the word depends on the moment.
    const toldNow = (): readonly string[] =>
      told(made)
        .map((one) => one.replace('CrashLoopBackOff', 'CrashLoop'))
        .sort();
    const causes = ['Deployment/crash CrashLoop', 'Deployment/huge Unschedulable', 'Deployment/pull ErrImageNeverPull'];
    await made.advance(2 * minuteMs);
    expect(toldNow()).toEqual(causes);
    await made.advance(12 * minuteMs);
    expect(toldNow()).toEqual(causes);
    for (const { status } of problems(made)) expect(status.summary).toMatch(/^0 of 1 pod available, its rollout has timed out: \S/);
  });

  test('a pod of two containers is told with what each of them lacks', async () => {
    const made = await aCluster({ nodes: 1 });
    const lacking = { name: 'b', image: 'nginx', envFrom: [{ configMapRef: { name: 'cfg' } }] };
    made.call('POST', pods, {
      metadata: { name: 'two' },
      spec: { containers: [{ name: 'a', image: 'nginx:nope', imagePullPolicy: 'Never' }, lacking] },
    });
    await made.advance(minuteMs);
    expect([...told(made)].sort()).toEqual(['ConfigMap/cfg Missing', 'Pod/two ErrImageNeverPull']);
  });

  test('a quota that refuses pods is the problem, with the workload below it', async () => {
    const made = await aCluster({ nodes: 2 });
    made.call('POST', '/api/v1/namespaces/default/resourcequotas', { metadata: { name: 'q' }, spec: { hard: { pods: '1' } } });
    await made.advance(1_000);
    made.call('POST', deployments, deployment('web', 3));
    await made.advance(minuteMs);
    expect(told(made)).toEqual(['ResourceQuota/q QuotaHit']);
    expect(problems(made)[0]?.status).toMatchObject({
      summary: expect.stringContaining('exceeded quota: q') as string,
      affected: { rows: ['deployments.apps/default/web'] },
    });
    made.call('PATCH', '/api/v1/namespaces/default/resourcequotas/q', { spec: { hard: { pods: '9' } } }, 'application/merge-patch+json');
    await made.advance(5 * minuteMs);
    expect(told(made)).toEqual([]);
  });

  test('a claim without a class, a budget that never allows, a Job that failed, a pod whose finalizer holds it', async () => {
    const made = await aCluster({ nodes: 2 });
    const claim = {
      metadata: { name: 'claim' },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'nope', resources: { requests: { storage: '1Gi' } } },
    };
    made.call('POST', '/api/v1/namespaces/default/persistentvolumeclaims', claim);
    made.call('POST', deployments, deployment('web', 2));
    made.call('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      metadata: { name: 'pdb' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
    });
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'exit 1'] }] } };
    made.call('POST', '/apis/batch/v1/namespaces/default/jobs', { metadata: { name: 'job' }, spec: { backoffLimit: 0, template } });
    made.call('POST', pods, { ...pod('held', { command: ['sleep', '9999'] }), metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    await made.advance(minuteMs);
    made.call('DELETE', `${pods}/held`);
    await made.advance(2 * minuteMs);
    expect([...told(made)].sort()).toEqual([
      'Job/job BackoffLimitExceeded',
      'PersistentVolumeClaim/claim ProvisioningFailed',
      'Pod/held FinalizersHold',
      'PodDisruptionBudget/pdb NeverAllows',
    ]);
    made.call('PATCH', `${pods}/held`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
    made.call('DELETE', '/api/v1/namespaces/default/persistentvolumeclaims/claim');
    made.call('DELETE', '/apis/batch/v1/namespaces/default/jobs/job?propagationPolicy=Background');
    made.call('PATCH', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/pdb', { spec: { minAvailable: 1 } }, 'application/merge-patch+json');
    await made.advance(minuteMs);
    expect(told(made)).toEqual([]);
  });

  test('a webhook that fails, for each of a configuration, until it is another one or has answered', async () => {
    const made = await aCluster({ nodes: 1 });
    const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    const service = { namespace: 'default', name: 'nowhere' };
    const hook = (name: string, failurePolicy: string) => ({
      ...{ name, failurePolicy, clientConfig: { service }, sideEffects: 'None', admissionReviewVersions: ['v1'] },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    });
    const webhooks = [hook('strict.hooks.example.com', 'Fail'), hook('lax.hooks.example.com', 'Ignore')];
    made.call('POST', configurations, { metadata: { name: 'guards' }, webhooks });
    await made.advance(minuteMs);
    const since = new Date(Math.floor(made.cluster.loop.nowMs() / 1_000) * 1_000).toISOString().replace('.000', '');
    made.ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
    await made.advance(minuteMs);
    made.ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
    const found = problems(made);
    expect(found.map(({ metadata }) => metadata.name).sort()).toEqual(['webhook-lax.hooks.example.com', 'webhook-strict.hooks.example.com']);
    expect(found.find(({ metadata }) => metadata.name?.includes('strict'))?.status).toMatchObject({
      ...{ subject: { kind: 'ValidatingWebhookConfiguration', name: 'guards' }, reason: 'WebhookFailing', since },
      summary: expect.stringMatching(
        /^webhook strict.hooks.example.com fails, and what it should judge is refused: .*service "nowhere" not found/,
      ) as string,
      next: { text: 'it is asked again with the next request that it should judge' },
      cause: { text: expect.stringContaining('guards') as string },
    });
    expect(found.find(({ metadata }) => metadata.name?.includes('lax'))?.status.summary).toContain('goes on without it');
    made.call('PATCH', `${configurations}/guards`, { webhooks: [webhooks[1]] }, 'application/merge-patch+json');
    expect(told(made)).toEqual([]);
  });

  test('kinds of one name in two groups have problems of two names, and so many are read as one asks for', async () => {
    const made = await aCluster({ nodes: 1 });
    const names = { kind: 'Deployment', plural: 'deployments', singular: 'deployment' };
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    made.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'deployments.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] },
    });
    await made.advance(5_000);
    const custom = '/apis/example.com/v1/namespaces/default/deployments';
    made.call('POST', custom, { apiVersion: 'example.com/v1', kind: 'Deployment', metadata: { name: 'web', finalizers: ['example.com/keep'] } });
    made.call('DELETE', `${custom}/web`);
    made.call('POST', deployments, deployment('web', 2, { resources: { requests: { cpu: '900' } } }));
    await made.advance(minuteMs);
    expect(problems(made).map(({ metadata }) => metadata.name)).toEqual(['deployment-web', 'deployment.example.com-web']);
    const { items } = made.call<{ items: readonly Problem[] } & { kind: string; apiVersion: string; metadata: object }>(
      'GET',
      '/apis/sim.wavetank.dev/v1alpha1/problems?most=1',
    );
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['deployment-web']);
  });

  test('a CronJob whose runs come to nothing, until one runs again', async () => {
    const made = await aCluster({ nodes: 1 });
    made.call('POST', '/api/v1/namespaces/default/resourcequotas', { metadata: { name: 'q' }, spec: { hard: { 'count/jobs.batch': '0' } } });
    await made.advance(1_000);
    const jobTemplate = {
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] } } },
    };
    made.call('POST', '/apis/batch/v1/namespaces/default/cronjobs', { metadata: { name: 'tick' }, spec: { schedule: '* * * * *', jobTemplate } });
    await made.advance(4 * minuteMs + 10_000);
    expect(told(made)).toEqual(['CronJob/tick Missed']);
    expect(reasons(made)[0]).toMatch(/^Error creating job: .* exceeded quota: q, /);
    made.call('PATCH', '/apis/batch/v1/namespaces/default/cronjobs/tick', { spec: { startingDeadlineSeconds: 20 } }, 'application/merge-patch+json');
    await made.advance(2 * minuteMs);
    expect(reasons(made)).toContainEqual(expect.stringMatching(/^not started within 20s: Error creating job: .* exceeded quota: q, /));
    made.call('DELETE', '/api/v1/namespaces/default/resourcequotas/q');
    await made.advance(5 * minuteMs);
    expect(told(made)).toEqual([]);
  });
});

/** Why runs did not come about, each once. */
function reasons({ call }: TestCluster): readonly string[] {
  const { items } = call<KubeObject & { items: readonly CronJobRun[] }>('GET', '/apis/sim.wavetank.dev/v1alpha1/namespaces/default/cronjobruns');
  return [...new Set(items.filter(({ status }) => status.fate !== 'Waiting').map(({ status }) => status.reason ?? ''))];
}

test('the overview counts without a list, now and over a range', async () => {
  const made = await aCluster({ nodes: 3 });
  const startMs = made.cluster.loop.nowMs();
  const read = (query = ''): Overview['status'] => made.call<Overview>('GET', `/apis/sim.wavetank.dev/v1alpha1/overviews/cluster${query}`).status;
  expect(read()).toMatchObject({ nodes: { total: 3, ready: 3 }, workloads: 0, workloadsShort: 0, faultsActive: 0, warningsPerMinute: 0 });
  made.call('POST', deployments, deployment('web', 4));
  made.call('POST', deployments, deployment('big', 2, { resources: { requests: { cpu: '900' } } }));
  await made.advance(30_000);
  expect(read()).toMatchObject({ pods: { Running: 4, Stuck: 2 }, workloads: 4, workloadsShort: 1 });
  made.call('POST', faults, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-0' } } });
  await made.advance(2 * minuteMs);
  expect(read()).toMatchObject({ nodes: { total: 3, ready: 2 }, faultsActive: 1 });
  const { curves = {} } = read(`?from=${startMs}&to=${made.cluster.loop.nowMs()}&parts=3`);
  expect(curves['nodes/Ready']).toEqual([3, 3, 2]);
  expect(curves['workloads/Short']).toEqual([2, 2, 2]);
  expect(curves['faults/Active']).toEqual([1, 1, 1]);
  expect(() => read('?from=x')).toThrow('from=x is not a number that is 0 or more');
});

test('the overview over a range that goes along with now is that of the range it has come to, in whole parts', async () => {
  const made = await aCluster({ nodes: 3 });
  const read = (query: string): Overview['status'] => made.call<Overview>('GET', `/apis/sim.wavetank.dev/v1alpha1/overviews/cluster${query}`).status;
  made.call('POST', faults, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-0' } } });
  for (let turn = 0; turn < 4; turn++) {
    await made.advance(50_000);
    const nowMs = made.cluster.loop.nowMs();
    const toMs = Math.ceil((nowMs + 12_000) / 10_000) * 10_000;
    const along = read('?span=120000&ahead=12000&parts=12');
    const exact = read(`?from=${toMs - 120_000}&to=${toMs}&parts=12`);
    // Reading is a request.
    expect({ ...along.curves, requests: [] }).toEqual({ ...exact.curves, requests: [] });
    expect(along.curves?.['requests']).toHaveLength(12);
  }
  expect(() => read('?span=1000&to=5')).toThrow('to: a range with a span goes along with now');
  expect(() => read('?span=-1')).toThrow('span=-1 is not a number that is 0 or more');
});
