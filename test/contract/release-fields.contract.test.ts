/** What clients of release 1.13 meet of fields and values that came later: nothing, in whatever form and verb. What components store stays. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';
import { type Ask, asker, eventsOf } from './seeds-client.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const pods = '/api/v1/namespaces/default/pods';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const services = '/api/v1/namespaces/default/services';
const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const patchTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

const container = { name: 'c', image: 'nginx:1.27' };

let made: TestCluster;
let ask: Ask;

beforeAll(async () => {
  made = await aCluster({ seed: 1, nodes: 1, release: '1.13' });
  ask = asker(made);
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } };
  const body = { metadata: { name: 'web' }, spec: { replicas: 1, selector: { matchLabels: { app: 'a' } }, template } };
  expect(ask('POST', deployments, { body }).status).toBe(201);
  expect(ask('POST', services, { body: { metadata: { name: 'svc' }, spec: { ports: [{ port: 80 }] } } }).status).toBe(201);
  await made.advance(30_000);
});

function stored(key: string): unknown {
  return made.cluster.store.get(key)?.value;
}

function podName(): string {
  const { items } = ask('GET', pods).body as unknown as { readonly items: readonly { readonly metadata: { readonly name: string } }[] };
  return items.find(({ metadata }) => metadata.name.startsWith('web-'))?.metadata.name ?? '';
}

describe('fields that came later', () => {
  it('are dropped in silence, whatever fieldValidation says', () => {
    const spec = { containers: [{ ...container, startupProbe: { exec: { command: ['true'] } } }], topologySpreadConstraints: 'nonsense', nothing: 1 };
    for (const query of ['', '&fieldValidation=Strict', '&fieldValidation=Sometimes']) {
      const answer = ask('POST', `${pods}?dryRun=All${query}`, { body: { metadata: { name: 'p', managedFields: 'nonsense' }, spec } });
      expect(answer).toMatchObject({ status: 201, warnings: [] });
      expect(answer.text).not.toMatch(/startupProbe|topologySpread|nothing|managedFields/);
    }
  });

  it.each([
    ['JSON', json],
    ['YAML', 'application/yaml'],
    ['protobuf', protobuf],
    ['a Table', 'application/json;as=Table;g=meta.k8s.io;v=v1beta1'],
    ['metadata alone', 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1'],
    ['metadata of one', 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1'],
  ])('are not in %s', (_name, accept) => {
    expect(JSON.stringify(stored(`/registry/pods/default/${podName()}`))).toMatch(/managedFields.*hostIPs.*podIPs/);
    const paths = accept.includes('List') ? [pods] : accept.includes('Metadata') ? [`${pods}/${podName()}`] : [pods, `${pods}/${podName()}`];
    for (const path of [...paths, ...paths.map((one) => `${one}?includeObject=Object`)]) {
      const { status, text } = ask('GET', path, { accept });
      expect(status).toBe(200);
      expect(text).toContain('web-');
      expect(text).not.toMatch(/managedFields|kube-controller-manager|hostIPs|podIPs|preemptionPolicy/);
    }
  });

  it.each([
    ['JSON', `${json};stream=watch`],
    ['protobuf', `${protobuf};stream=watch`],
  ])('are not in watches in %s', (_name, accept) => {
    const { text } = ask('GET', `${pods}?watch=1`, { accept });
    expect(text).toContain('web-');
    expect(text).not.toMatch(/managedFields|hostIPs|podIPs|preemptionPolicy/);
  });

  it('are not described, but for those that a gate switches', () => {
    // Told as plain text in that release.
    const { definitions } = JSON.parse(ask('GET', '/openapi/v2').text) as {
      readonly definitions: { readonly [name: string]: { readonly properties: object } };
    };
    const propertiesOf = (name: string): readonly string[] => Object.keys(definitions[`io.k8s.api.${name}`]?.properties ?? {});
    expect(propertiesOf('core.v1.Container')).not.toContain('startupProbe');
    expect(propertiesOf('core.v1.ServiceSpec')).not.toContain('clusterIPs');
    expect(propertiesOf('batch.v1.JobSpec')).toContain('ttlSecondsAfterFinished');
    expect(propertiesOf('batch.v1.JobSpec')).not.toContain('suspend');
  });

  it.each([
    ['merge', { metadata: { labels: { merge: 'x' } }, spec: { internalTrafficPolicy: 'Local', clusterIPs: ['1.2.3.4'] } }],
    ['strategic', { metadata: { labels: { strategic: 'x' } }, spec: { internalTrafficPolicy: null, ports: [{ port: 80, appProtocol: 'x' }] } }],
    [
      'json',
      [
        { op: 'add', path: '/metadata/labels/json', value: 'x' },
        { op: 'add', path: '/spec/internalTrafficPolicy', value: 'Local' },
        { op: 'add', path: '/spec/ports/0/appProtocol', value: 'x' },
        { op: 'replace', path: '/spec/ports/0', value: { port: 80, protocol: 'TCP', targetPort: 80, appProtocol: 'x' } },
        { op: 'add', path: '/metadata/managedFields', value: [] },
      ],
    ],
  ] as const)('are not changed by a %s patch', (type, body) => {
    expect(ask('PATCH', `${services}/svc`, { body, type: patchTypes[type] })).toMatchObject({ status: 200 });
    const service = stored('/registry/services/specs/default/svc') as { readonly spec: { readonly clusterIP: string } };
    const { clusterIP } = service.spec;
    expect(service).toMatchObject({
      metadata: { labels: { [type]: 'x' }, managedFields: expect.any(Array) },
      spec: { internalTrafficPolicy: 'Cluster', clusterIPs: [clusterIP], ports: [{ port: 80 }] },
    });
    expect(JSON.stringify(service.spec)).not.toContain('appProtocol');
  });

  it('cannot be asked for by a JSON patch', () => {
    for (const operation of [
      { op: 'test', path: '/spec/internalTrafficPolicy', value: 'Cluster' },
      { op: 'remove', path: '/spec/clusterIPs' },
    ])
      expect(ask('PATCH', `${services}/svc`, { body: [operation], type: patchTypes.json }).status, operation.op).toBeGreaterThanOrEqual(400);
    // What is not there is copied as nothing, by the library of either release.
    const copy = { op: 'copy', from: '/metadata/managedFields', path: '/metadata/annotations' };
    expect(ask('PATCH', `${services}/svc`, { body: [copy], type: patchTypes.json })).toMatchObject({ status: 200 });
    expect(stored('/registry/services/specs/default/svc')).not.toHaveProperty('metadata.annotations');
  });

  it('stay when a client writes back what it saw', () => {
    const path = `${pods}/${podName()}`;
    const { body } = ask('GET', path);
    const before = stored(`/registry/pods/default/${podName()}`) as { readonly spec: object };
    expect(ask('PUT', path, { body: { ...body, metadata: { ...body['metadata'], annotations: { seen: 'yes' } } } })).toMatchObject({ status: 200 });
    expect(ask('PUT', `${path}/status`, { body: ask('GET', path).body })).toMatchObject({ status: 200 });
    expect(stored(`/registry/pods/default/${podName()}`)).toMatchObject({
      metadata: { annotations: { seen: 'yes' }, managedFields: expect.any(Array) },
      spec: before.spec,
      status: { hostIPs: expect.any(Array), podIPs: expect.any(Array) },
    });
  });

  it('stay in every object that a client writes back as it got it', () => {
    const { table } = made.cluster.registry;
    let written = 0;
    for (const { kind, apiVersion, verbs } of table.list()) {
      const isShown = kind.visibility === undefined && verbs.includes('update') && verbs.includes('list') && kind.group !== 'sim.wavetank.dev';
      // Versions that are not stored fill defaults of their own.
      if (!isShown || kind.storage !== undefined) continue;
      const base = `${kind.group === '' ? '/api' : '/apis'}/${apiVersion}`;
      const { items } = ask('GET', `${base}/${kind.plural}`).body as unknown as { readonly items: readonly KubeObject[] };
      for (const item of items) {
        // Computed for whoever reads it.
        if (item.metadata.labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined) continue;
        const path = item.metadata.selfLink ?? '';
        const { status, body } = ask('PUT', path, { body: { ...item, kind: kind.kind, apiVersion } });
        expect({ path, status, resourceVersion: body['metadata']?.['resourceVersion'] }).toEqual({
          path,
          status: 200,
          resourceVersion: item.metadata.resourceVersion,
        });
        written++;
      }
    }
    expect(written).toBeGreaterThan(100);
  });

  it('are neither shown nor set where they stand at the top of an object', () => {
    const maps = '/api/v1/namespaces/default/configmaps';
    expect(ask('POST', maps, { body: { metadata: { name: 'm' }, data: { a: '1' }, immutable: true } }).status).toBe(201);
    for (const type of ['merge', 'strategic'] as const)
      expect(ask('PATCH', `${maps}/m`, { body: { data: { b: type }, immutable: true }, type: patchTypes[type] })).toMatchObject({ status: 200 });
    expect(stored('/registry/configmaps/default/m')).not.toHaveProperty('immutable');
    const { store, loop } = made.cluster;
    const own = store.get('/registry/configmaps/default/m');
    const meta = { virtualMs: loop.nowMs(), identity: 'a component', causes: [] };
    store.update(own?.key ?? '', undefined, { ...own?.value, immutable: true } as never, meta);
    for (const path of [maps, `${maps}/m`]) {
      const { text, status } = ask('GET', path);
      expect(status).toBe(200);
      expect(text).not.toContain('immutable');
    }
    expect(ask('GET', `${maps}/m`, { accept: 'application/yaml' }).text).not.toContain('immutable');
    expect(ask('GET', `${maps}?watch=1`).text).not.toContain('immutable');
  });

  it('come with their gate', async () => {
    const body = {
      metadata: { name: 'j' },
      spec: { ttlSecondsAfterFinished: 5, template: { spec: { restartPolicy: 'Never', containers: [container] } } },
    };
    expect(ask('POST', `${jobs}?dryRun=All`, { body }).text).not.toContain('ttlSecondsAfterFinished');
    const other = asker(await aCluster({ nodes: 0, release: '1.13', options: { 'feature-gates': 'TTLAfterFinished=true,SCTPSupport=true' } }));
    expect(other('POST', `${jobs}?dryRun=All`, { body }).body['spec']).toMatchObject({ ttlSecondsAfterFinished: 5 });
    const sctp = { metadata: { name: 's' }, spec: { ports: [{ port: 80, protocol: 'SCTP' }] } };
    expect(other('POST', services, { body: sctp }).status).toBe(201);
  });
});

describe('values that came later', () => {
  const sctp = { metadata: { name: 's' }, spec: { ports: [{ port: 80, protocol: 'SCTP' }] } };

  it('are refused with those that there were', () => {
    expect(ask('POST', services, { body: sctp })).toMatchObject({
      status: 422,
      body: { message: 'Service "s" is invalid: spec.ports[0].protocol: Unsupported value: "SCTP": supported values: "TCP", "UDP"' },
    });
    const claim = { metadata: { name: 'c' }, spec: { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: '1Gi' } } } };
    const { status, text } = ask('POST', '/api/v1/namespaces/default/persistentvolumeclaims', { body: claim });
    expect(status).toBe(422);
    expect(text).toContain(
      'Unsupported value: \\"ReadWriteOncePod\\": supported values: \\"ReadOnlyMany\\", \\"ReadWriteMany\\", \\"ReadWriteOnce\\"',
    );
  });

  it('are refused in an update and a patch too', () => {
    const ports = [{ port: 80, protocol: 'SCTP' }];
    expect(ask('PATCH', `${services}/svc`, { body: { spec: { ports } }, type: patchTypes.merge }).status).toBe(422);
    const { body } = ask('GET', `${services}/svc`);
    expect(ask('PUT', `${services}/svc`, { body: { ...body, spec: { ...body['spec'], ports } } }).status).toBe(422);
  });
});

it('server-side apply is a type of patch that is not known', () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
  const answer = ask('PATCH', '/api/v1/namespaces/default/configmaps/x?fieldManager=me', { body, type: 'application/apply-patch+yaml' });
  expect(answer.status).toBe(415);
  expect(answer.text).not.toContain('apply-patch');
});

it('what an older server writes though it is zero is written', () => {
  expect(ask('GET', `${deployments}/web`).body['spec']?.['template']).toMatchObject({ metadata: { creationTimestamp: null } });
  expect(eventsOf(ask('GET', `${deployments}?watch=1`))[0]?.object['spec']?.['template']).toMatchObject({ metadata: { creationTimestamp: null } });
});
