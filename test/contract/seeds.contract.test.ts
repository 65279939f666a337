/** Every row of the seeds' "Resources and the operations shown", asked of a whole cluster in process, of each release. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Release } from '../../engine/contracts/release.ts';
import { releases } from '../../engine/releases/releases.ts';
import { aCluster, aDeployment, type TestCluster } from '../support/cluster.ts';
import { type Answer, type Ask, asker, eventsOf } from './seeds-client.ts';

let made: TestCluster;
let ask: Ask;

const labels = { app: 'x' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };

function ok(answer: Answer, status = 200): Answer {
  expect(answer.status, answer.text).toBe(status);
  return answer;
}

/** Read, replace and patch of a subresource that is the object itself. */
function readReplacePatch(item: string, subresource: 'status' | 'scale', patch: object): void {
  const path = `${item}/${subresource}`;
  const { body } = ok(ask('GET', path));
  ok(ask('PUT', path, { body }));
  ok(ask('PATCH', path, { body: patch, type: 'application/merge-patch+json' }));
  ok(ask('PATCH', path, { body: patch, type: 'application/strategic-merge-patch+json' }));
}

function watchForms(base: string, namespace: string, resource: string, name: string): void {
  for (const path of [`/watch/namespaces/${namespace}/${resource}/${name}`, `/watch/namespaces/${namespace}/${resource}`, `/watch/${resource}`]) {
    const answer = ok(ask('GET', base + path));
    expect(answer.type).toBe('application/json');
    expect(eventsOf(answer).some(({ type, object }) => type === 'ADDED' && String(object['metadata']?.['name']) === name)).toBe(true);
  }
}

function lists(base: string, resource: string, namespace: string, kind: string): void {
  for (const path of [`${base}/${resource}`, `${base}/namespaces/${namespace}/${resource}`])
    expect(ok(ask('GET', path)).body['kind']).toBe(`${kind}List`);
}

/** Create, read, replace, patch, delete and delete collection, each answering the version that was asked. */
function wholeLife(
  collection: string,
  body: { readonly apiVersion: string; readonly kind: string; readonly metadata: { readonly name: string } },
  collections = true,
): void {
  const item = `${collection}/${body.metadata.name}`;
  expect(ok(ask('POST', collection, { body }), 201).body['apiVersion']).toBe(body.apiVersion);
  const read = ok(ask('GET', item)).body;
  expect(read['kind']).toBe(body.kind);
  expect(ok(ask('PUT', item, { body: { ...read, metadata: { ...read['metadata'], labels: { round: '2' } } } })).body['apiVersion']).toBe(
    body.apiVersion,
  );
  for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json'])
    ok(ask('PATCH', item, { body: { metadata: { labels: { [type.slice(12, 17)]: 'y' } } }, type }));
  ok(ask('PATCH', item, { body: [{ op: 'add', path: '/metadata/labels/third', value: 'z' }], type: 'application/json-patch+json' }));
  const { servesApply } = made.cluster.release;
  const applied = ask('PATCH', `${item}?fieldManager=me&force=true`, {
    body: { apiVersion: body.apiVersion, kind: body.kind, metadata: { name: body.metadata.name, labels: { fourth: 'a' } } },
    type: 'application/apply-patch+yaml',
  });
  // Server-side apply came with 1.14, as the seeds say.
  ok(applied, servesApply ? 200 : 415);
  const labelled = Object.keys(ok(ask('GET', item)).body['metadata']?.['labels'] ?? {});
  expect(labelled).toEqual(expect.arrayContaining(['merge', 'round', 'strat', 'third', ...(servesApply ? ['fourth'] : [])]));
  ok(ask('DELETE', `${item}?propagationPolicy=Background`));
  expect(ask('GET', item).status).toBe(404);
  if (!collections) return;
  ok(ask('POST', collection, { body }), 201);
  ok(ask('DELETE', collection));
}

describe.each(releases.map((release) => [release.name, release] as const))('the seeds and release %s', (_name, release) => {
  beforeAll(async () => {
    made = await aCluster({ seed: 1, nodes: 1, release: release.name });
    await made.advance(2000);
    ask = asker(made);
  });

  describe('resources and the operations shown', rows);
  describe('the older groups', () => olderGroups(release));
});

function rows(): void {
  it('daemonsets of apps/v1', () => {
    const base = '/apis/apps/v1';
    ok(
      ask('POST', `${base}/namespaces/default/daemonsets`, {
        body: { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd' }, spec: { selector: { matchLabels: labels }, template } },
      }),
      201,
    );
    lists(base, 'daemonsets', 'default', 'DaemonSet');
    ok(ask('GET', `${base}/namespaces/default/daemonsets/d`));
    readReplacePatch(`${base}/namespaces/default/daemonsets/d`, 'status', { status: { numberReady: 0 } });
    watchForms(base, 'default', 'daemonsets', 'd');
  });

  it('deployments of apps/v1', () => {
    const base = '/apis/apps/v1';
    ok(ask('POST', `${base}/namespaces/default/deployments`, { body: aDeployment('web', 1) }), 201);
    lists(base, 'deployments', 'default', 'Deployment');
    ok(ask('GET', `${base}/namespaces/default/deployments/web`));
    readReplacePatch(`${base}/namespaces/default/deployments/web`, 'status', { status: { replicas: 1 } });
    readReplacePatch(`${base}/namespaces/default/deployments/web`, 'scale', { spec: { replicas: 2 } });
    watchForms(base, 'default', 'deployments', 'web');
  });

  it('cronjobs of batch/v1beta1', () => {
    const body = {
      apiVersion: 'batch/v1beta1',
      kind: 'CronJob',
      metadata: { name: 'tick' },
      spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } } },
    };
    wholeLife('/apis/batch/v1beta1/namespaces/default/cronjobs', body);
    // Its dependents are left alone, so the first takes a while to go.
    const again = { ...body, metadata: { name: 'tack' } };
    const { spec } = ok(ask('POST', '/apis/batch/v1beta1/namespaces/default/cronjobs', { body: again }), 201).body;
    expect(spec).toMatchObject({ concurrencyPolicy: 'Allow', failedJobsHistoryLimit: 1, successfulJobsHistoryLimit: 3, suspend: false });
  });

  it('daemonsets of extensions/v1beta1', () => {
    const base = '/apis/extensions/v1beta1';
    lists(base, 'daemonsets', 'default', 'DaemonSet');
    wholeLife(`${base}/namespaces/default/daemonsets`, {
      apiVersion: 'extensions/v1beta1',
      kind: 'DaemonSet',
      metadata: { name: 'old' },
      spec: { template },
    } as never);
    const { spec } = ok(
      ask('POST', `${base}/namespaces/default/daemonsets`, { body: { metadata: { name: 'older' }, spec: { template } } }),
      201,
    ).body;
    expect(spec).toMatchObject({ updateStrategy: { type: 'OnDelete' }, templateGeneration: 1, selector: { matchLabels: labels } });
  });

  it('deployments of extensions/v1beta1', () => {
    const collection = '/apis/extensions/v1beta1/namespaces/default/deployments';
    lists('/apis/extensions/v1beta1', 'deployments', 'default', 'Deployment');
    const { spec } = ok(ask('POST', collection, { body: { metadata: { name: 'first' }, spec: { template } } }), 201).body;
    expect(spec).toMatchObject({
      replicas: 1,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
      revisionHistoryLimit: 2147483647,
      progressDeadlineSeconds: 2147483647,
    });
    expect(ok(ask('GET', '/apis/apps/v1/namespaces/default/deployments/first')).body['spec']).toMatchObject({
      replicas: 1,
      selector: { matchLabels: labels },
    });
  });

  it('ingresses of extensions/v1beta1', () => {
    const base = '/apis/extensions/v1beta1';
    const paths = [
      { path: '/a', backend: { serviceName: 'a', servicePort: 80 } },
      { path: '/b', backend: { serviceName: 'b', servicePort: 'http' } },
    ];
    const body = {
      metadata: { name: 'in' },
      spec: { backend: { serviceName: 's', servicePort: 8080 }, rules: [{ host: 'example.com', http: { paths } }] },
    };
    ok(ask('POST', `${base}/namespaces/default/ingresses`, { body }), 201);
    lists(base, 'ingresses', 'default', 'Ingress');
    readReplacePatch(`${base}/namespaces/default/ingresses/in`, 'status', { status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } });
    watchForms(base, 'default', 'ingresses', 'in');
    expect(ok(ask('GET', `${base}/namespaces/default/ingresses/in`)).body).toMatchObject(body);
    const stored = made.cluster.store.get('/registry/ingress/default/in')?.value;
    expect(stored).toMatchObject({
      spec: {
        defaultBackend: { service: { name: 's', port: { number: 8080 } } },
        rules: [{ http: { paths: [{ pathType: 'ImplementationSpecific' }, { backend: { service: { name: 'b', port: { name: 'http' } } } }] } }],
      },
    });
  });

  it('replicasets of extensions/v1beta1', () => {
    const base = '/apis/extensions/v1beta1';
    const collection = `${base}/namespaces/default/replicasets`;
    lists(base, 'replicasets', 'default', 'ReplicaSet');
    wholeLife(collection, { apiVersion: 'extensions/v1beta1', kind: 'ReplicaSet', metadata: { name: 'rs' }, spec: { template } } as never, false);
    ok(ask('POST', collection, { body: { metadata: { name: 'rs' }, spec: { template } } }), 201);
    expect(ok(ask('GET', `${collection}/rs/scale`)).body).toMatchObject({
      apiVersion: 'extensions/v1beta1',
      kind: 'Scale',
      status: { selector: labels, targetSelector: 'app=x' },
    });
    readReplacePatch(`${collection}/rs`, 'scale', { spec: { replicas: 3 } });
    expect(ok(ask('GET', `${collection}/rs`)).body['spec']).toMatchObject({ replicas: 3 });
    readReplacePatch(`${collection}/rs`, 'status', { status: { replicas: 0 } });
    watchForms(base, 'default', 'replicasets', 'rs');
    ok(ask('DELETE', collection));
    expect(ask('POST', `${base}/watch/replicasets`).status).toBe(405);
  });

  it('configmaps, events and secrets of core v1', () => {
    const configmaps = '/api/v1/namespaces/default/configmaps';
    wholeLife(configmaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });
    lists('/api/v1', 'configmaps', 'default', 'ConfigMap');
    lists('/api/v1', 'events', 'default', 'Event');
    ok(ask('POST', '/api/v1/namespaces/default/secrets', { body: { metadata: { name: 's' } } }), 201);
    expect(ok(ask('GET', '/api/v1/secrets')).body['kind']).toBe('SecretList');
    expect(eventsOf(ok(ask('GET', '/api/v1/watch/secrets'))).some(({ object }) => String(object['metadata']?.['name']) === 's')).toBe(true);
  });

  it('namespaces of core v1', () => {
    const item = '/api/v1/namespaces/n';
    ok(ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'n' } } }), 201);
    const read = ok(ask('GET', item)).body;
    ok(ask('PUT', item, { body: read }));
    ok(ask('PATCH', item, { body: { metadata: { labels: { a: 'b' } } }, type: 'application/merge-patch+json' }));
    readReplacePatch(item, 'status', { status: { phase: 'Active' } });
    const watched = eventsOf(ok(ask('GET', '/api/v1/watch/namespaces/n')));
    expect(watched.map(({ object }) => String(object['metadata']?.['name']))).toEqual(['n']);
    expect(ok(ask('PUT', `${item}/finalize`, { body: { ...ok(ask('GET', item)).body, spec: { finalizers: ['kubernetes'] } } })).body['kind']).toBe(
      'Namespace',
    );
    expect(ok(ask('GET', '/api/v1/namespaces')).body['kind']).toBe('NamespaceList');
    ok(ask('DELETE', item));
  });

  it('services of core v1', () => {
    const collection = '/api/v1/namespaces/default/services';
    const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'svc' }, spec: { selector: labels, ports: [{ port: 80 }] } };
    wholeLife(collection, body as never, false);
    ok(ask('POST', collection, { body }), 201);
    readReplacePatch(`${collection}/svc`, 'status', { status: { loadBalancer: {} } });
    lists('/api/v1', 'services', 'default', 'Service');
    watchForms('/api/v1', 'default', 'services', 'svc');
  });

  it('pods of core v1: create in JSON and in protobuf', () => {
    const collection = '/api/v1/namespaces/default/pods';
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: template.spec };
    expect(ok(ask('POST', `${collection}?dryRun=All`, { body }), 201).body['kind']).toBe('Pod');
    expect(ask('GET', `${collection}/p`).status).toBe(404);
    const wire = ok(ask('POST', collection, { body, accept: 'application/vnd.kubernetes.protobuf' }), 201);
    expect([...wire.bytes.subarray(0, 4)]).toEqual([0x6b, 0x38, 0x73, 0x00]);
    ok(ask('DELETE', `${collection}/p?gracePeriodSeconds=0`));
    const dry = ok(
      ask('POST', `${collection}?dryRun=All`, { body: { ...body, metadata: { name: 'q' } }, accept: 'application/vnd.kubernetes.protobuf' }),
      201,
    );
    expect(ask('POST', collection, { bytes: dry.bytes, type: 'application/vnd.kubernetes.protobuf' }).status).toBe(201);
    expect(ok(ask('GET', `${collection}/q`)).body['spec']?.['containers']?.['0']?.['imagePullPolicy']).toBe('Always');
  });

  it('clusters of federation/v1beta1', () => {
    const collection = '/apis/federation/v1beta1/clusters';
    const spec = { serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '10.0.0.1' }], secretRef: { name: 'token' } };
    const body = { apiVersion: 'federation/v1beta1', kind: 'Cluster', metadata: { name: 'east' }, spec };
    wholeLife(collection, body);
    ok(ask('POST', collection, { body }), 201);
    expect(ok(ask('GET', collection)).body['kind']).toBe('ClusterList');
    const read = ok(ask('GET', `${collection}/east`)).body;
    const replaced = ok(
      ask('PUT', `${collection}/east/status`, { body: { ...read, status: { region: 'eu', conditions: [{ type: 'Ready', status: 'True' }] } } }),
    ).body;
    expect(replaced).toMatchObject({ spec, status: { region: 'eu' } });
    for (const path of ['/apis/federation/v1beta1/watch/clusters', '/apis/federation/v1beta1/watch/clusters/east'])
      expect(eventsOf(ok(ask('GET', path)))).toHaveLength(1);
    const wire = ok(ask('GET', `${collection}/east`, { accept: 'application/vnd.kubernetes.protobuf' }));
    expect(ask('PUT', `${collection}/east`, { bytes: wire.bytes, type: 'application/vnd.kubernetes.protobuf' }).status).toBe(200);
  });
}

function olderGroups(release: Release): void {
  it.each([
    ['/api/v1', 'v1', 'pods'],
    ['/apis/extensions/v1beta1', 'extensions/v1beta1', 'replicasets'],
    ['/apis/federation/v1beta1', 'federation/v1beta1', 'clusters'],
  ])('are listed by %s', (path, groupVersion, name) => {
    const { body } = ok(ask('GET', path));
    expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion, resources: expect.arrayContaining([expect.objectContaining({ name })]) });
  });

  it.runIf(release.versions.listed === undefined)('are left out of discovery and OpenAPI, and warn', () => {
    expect(ok(ask('GET', '/apis')).text).not.toMatch(/extensions\/|federation|apps\/v1beta/);
    expect(ok(ask('GET', '/openapi/v3')).text).not.toMatch(/extensions\/v1beta1|federation/);
    for (const [path, kind] of [
      [
        '/apis/extensions/v1beta1/ingresses',
        'extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use networking.k8s.io/v1 Ingress',
      ],
      ['/apis/batch/v1beta1/cronjobs', 'batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob'],
    ]) {
      expect(ok(ask('GET', path ?? '')).warnings).toEqual([`299 - "${kind}"`]);
    }
  });

  it.runIf(release.versions.listed !== undefined)('are listed and described where they are not older, and warn of nothing', () => {
    for (const group of ['extensions/v1beta1', 'federation/v1beta1', 'apps/v1beta1']) expect(ok(ask('GET', '/apis')).text).toContain(group);
    expect(ok(ask('GET', '/openapi/v2')).text).toContain('io.k8s.api.extensions.v1beta1.Ingress');
    expect(ok(ask('GET', '/apis/extensions/v1beta1/ingresses')).warnings).toEqual([]);
  });

  it('come and go with --runtime-config', async () => {
    const options = { 'runtime-config': 'extensions/v1beta1=false,batch/v1beta1=true' };
    const other = asker(await aCluster({ seed: 1, nodes: 0, release: release.name, options }));
    expect(other('GET', '/apis/extensions/v1beta1/ingresses').status).toBe(404);
    expect(other('GET', '/apis').text).toContain('batch/v1beta1');
    expect(other('GET', '/apis/batch/v1beta1/cronjobs').status).toBe(200);
  });
}
