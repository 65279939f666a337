/** Webhooks in the life of a cluster: its own components meet them, and history holds what they answered. */
import { afterEach, expect, test } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import type { JsonValue } from '../../../engine/base/json.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../../support/cluster.ts';
import { hook } from './cases.ts';

type Review = { readonly request: { readonly uid: string; readonly name?: string; readonly operation: string; readonly object: KubeObject | null } };
type Reviewer = (review: Review, path: string) => object | Promise<object>;

const configurations = '/apis/admissionregistration.k8s.io/v1';
const config = { nodes: 1, seed: 11 };
let closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers) close();
  closers = [];
});

/** A host that answers for webhooks, as HTTPS would. */
function asking(reviewer: Reviewer): { readonly ask: (question: Question) => Promise<Answer>; readonly asked: string[] } {
  const asked: string[] = [];
  const ask = async ({ body }: Question): Promise<Answer> => {
    const { url, text } = body as unknown as { readonly url: string; readonly text: string };
    const review = JSON.parse(text) as Review;
    const { uid, operation, object, name } = review.request;
    asked.push(`${operation} ${object?.kind ?? ''} ${name ?? ''}`);
    const response = { uid, ...(await reviewer(review, new URL(url).pathname)) };
    const answer = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response });
    return { outcome: 'answered', body: { code: 200, text: answer, contentType: 'application/json', retryAfter: '' } as JsonValue };
  };
  return { ask, asked };
}

const allow = (): object => ({ allowed: true });
const patch = (operations: object): object => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

function configuration(kind: 'Mutating' | 'Validating', more: object): object {
  const made = { ...hook('/x'), clientConfig: { url: 'https://hook.example/x' }, namespaceSelector: {}, ...more };
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind: `${kind}WebhookConfiguration`, metadata: { name: 'w' }, webhooks: [made] };
}

const pods = { rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] };

async function serve(
  tank: TestCluster,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly code: number; readonly object: KubeObject }> {
  const [route = '', query = ''] = path.split('?', 2);
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'test' };
  const response = await tank.door.serve({ method, path: route, query, headers, body: bytes, identity: adminIdentity });
  if (!('body' in response)) throw new Error('a stream');
  return { code: response.status, object: JSON.parse(String(response.body)) as KubeObject };
}

async function replayed(tank: TestCluster): Promise<TestCluster> {
  const again = madeCluster(config);
  await again.cluster.start();
  again.door.beginReplay();
  for (const input of tank.inputs) {
    await again.cluster.loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
    again.door.replay(input);
  }
  again.door.endReplay();
  await again.cluster.loop.run(tank.cluster.loop.nowMs());
  return again;
}

test('pods that a controller makes are changed by a webhook; a replay asks nobody and comes to the same digest', async () => {
  const marked = asking(() => patch([{ op: 'add', path: '/metadata/annotations', value: { marked: 'yes' } }]));
  const tank = await aCluster(config, { ask: marked.ask });
  tank.call('POST', `${configurations}/mutatingwebhookconfigurations`, configuration('Mutating', pods));
  tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 3));
  await tank.advance(20_000);
  const { items } = tank.call<{ readonly items: readonly Pod[] }>('GET', '/api/v1/namespaces/default/pods');
  expect(items.map(({ metadata, status }) => [metadata.annotations?.['marked'], status?.phase])).toEqual(Array(3).fill(['yes', 'Running']));
  expect(marked.asked).toEqual(Array(3).fill('CREATE Pod '));
  const again = await replayed(tank);
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});

test('what a webhook was shown is what is stored, whatever others write while it thinks', async () => {
  let shown: string | undefined;
  let interfere: () => Promise<unknown> = () => Promise.resolve();
  const slow = asking(async ({ request }) => {
    shown = request.object?.metadata.uid;
    await interfere();
    return allow();
  });
  const tank = await aCluster(config, { ask: slow.ask });
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  tank.call('POST', `${configurations}/validatingwebhookconfigurations`, configuration('Validating', { rules }));
  // It asks the API back: other writes come in between.
  interfere = () => serve(tank, 'POST', '/api/v1/namespaces/default/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { generateName: 's-' } });
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'm-' } };
  const made = await serve(tank, 'POST', '/api/v1/namespaces/default/configmaps', body);
  expect([made.code, made.object.metadata.uid]).toEqual([201, shown]);
  expect(slow.asked).toHaveLength(1);
  const again = await replayed(tank);
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});

test('several that validate are asked at the same time', async () => {
  let open = 0;
  let most = 0;
  const together = asking(async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setImmediate(resolve));
    open--;
    return allow();
  });
  const tank = await aCluster(config, { ask: together.ask });
  const one = configuration('Validating', pods) as { readonly webhooks: readonly [object] };
  const webhooks = ['a', 'b', 'c'].map((name) => ({ ...one.webhooks[0], name: `${name}.hooks.example.com` }));
  tank.call('POST', `${configurations}/validatingwebhookconfigurations`, { ...one, webhooks });
  tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 1));
  await tank.advance(20_000);
  expect([most, together.asked.length]).toEqual([3, 3]);
  const again = await replayed(tank);
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});

test('a cluster lives on under a webhook that refuses everything, its own leases and pods too', async () => {
  const closed = asking(() => ({ allowed: false, status: { message: 'closed' } }));
  const tank = await aCluster(config, { ask: closed.ask });
  tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 1));
  await tank.advance(20_000);
  const rules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];
  tank.call('POST', `${configurations}/validatingwebhookconfigurations`, configuration('Validating', { rules }));
  await tank.advance(35_000);
  const refused = await serve(tank, 'POST', '/api/v1/namespaces/default/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'm' },
  });
  expect(refused).toMatchObject({ code: 400, object: { message: 'admission webhook "x.hooks.example.com" denied the request: closed' } });
  // Configurations are never asked about: it can be taken away.
  expect((await serve(tank, 'DELETE', `${configurations}/validatingwebhookconfigurations/w`)).code).toBe(200);
  tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('after', 2));
  await tank.advance(120_000);
  const { items } = tank.call<{ readonly items: readonly Pod[] }>('GET', '/api/v1/namespaces/default/pods?labelSelector=app%3Dafter');
  expect(items.map(({ status }) => status?.conditions?.find(({ type }) => type === 'Ready')?.status)).toEqual(['True', 'True']);
});

test('a cluster that was saved after a webhook spoke goes on as the first does', async () => {
  const { ask } = asking(() => patch([{ op: 'add', path: '/metadata/labels/marked', value: 'yes' }]));
  const tank = await aCluster(config, { ask });
  tank.call('POST', `${configurations}/mutatingwebhookconfigurations`, configuration('Mutating', pods));
  tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 1));
  await tank.advance(20_000);
  await tank.quiet();
  const other = madeCluster(config, { ask });
  other.cluster.restore(JSON.parse(JSON.stringify(tank.cluster.save())) as JsonValue);
  other.door.continueAfter(tank.door.inputs);
  for (const one of [tank, other]) {
    one.call('PATCH', '/apis/apps/v1/namespaces/default/deployments/web', { spec: { replicas: 3 } }, 'application/merge-patch+json');
    await one.advance(20_000);
  }
  const labels = (one: TestCluster): readonly unknown[] =>
    one.call<{ readonly items: readonly Pod[] }>('GET', '/api/v1/namespaces/default/pods').items.map(({ metadata }) => metadata.labels?.['marked']);
  expect([labels(other), other.cluster.digest]).toEqual([['yes', 'yes', 'yes'], tank.cluster.digest]);
});

test('a webhook in a simulated pod answers as its image does; without an authority for its certificate it cannot be called', async () => {
  const tank = await aCluster(config);
  const template = {
    metadata: { labels: { app: 'hook' } },
    spec: { containers: [{ name: 'c', image: 'registry.k8s.io/e2e-test-images/agnhost:2.56', args: ['webhook', '--port=8444'] }] },
  };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'hook' },
    spec: { selector: { matchLabels: { app: 'hook' } }, template },
  };
  tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment);
  const spec = { selector: { app: 'hook' }, ports: [{ port: 8443, targetPort: 8444 }] };
  tank.call('POST', '/api/v1/namespaces/default/services', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'hook' }, spec });
  await tank.advance(30_000);
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const service = { namespace: 'default', name: 'hook', port: 8443, path: '/configmaps' };
  const path = `${configurations}/validatingwebhookconfigurations`;
  const caBundle = Buffer.from('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n').toString('base64');
  tank.call('POST', path, configuration('Validating', { rules, clientConfig: { service, caBundle } }));
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { 'webhook-e2e-test': 'webhook-disallow' } };
  expect(tank.ask('POST', '/api/v1/namespaces/default/configmaps', map).object.message).toBe(
    'admission webhook "x.hooks.example.com" denied the request: the configmap contains unwanted key and value',
  );
  tank.call('PATCH', `${path}/w`, [{ op: 'remove', path: '/webhooks/0/clientConfig/caBundle' }], 'application/json-patch+json');
  expect(tank.ask('POST', '/api/v1/namespaces/default/configmaps', map).object.message).toContain('x509: certificate signed by unknown authority');
});

test('match conditions are compiled when a configuration is written', async () => {
  const tank = await aCluster(config);
  const matchConditions = [{ name: 'broken', expression: '... [' }];
  const refused = tank.ask('POST', `${configurations}/validatingwebhookconfigurations`, configuration('Validating', { ...pods, matchConditions }));
  expect(refused).toMatchObject({ status: 422, object: { details: { causes: [{ field: 'webhooks[0].matchConditions[0].expression' }] } } });
  expect(refused.object.message).toContain('compilation failed: ERROR: <input>:1:');
});
