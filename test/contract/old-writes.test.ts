/** What a real 1.13.12 makes of writes that change nothing, name what is gone, or say less than they might. */
import { beforeAll, expect, it } from 'vitest';
import { aCluster, ask as askDoor, type TestCluster } from '../support/cluster.ts';

let tank: TestCluster;
interface Answer {
  readonly metadata?: { readonly resourceVersion?: string; readonly uid?: string };
  readonly message?: string;
  readonly [field: string]: unknown;
}
const ask = (method: string, path: string, body?: unknown): Answer => askDoor<Answer>(tank.door, method, path, body).object;

beforeAll(async () => {
  tank = await aCluster({ nodes: 0, release: '1.13' });
});

const core = '/api/v1/namespaces/default';
const labels = { app: 'a' };

it('stores nothing of a status that is written as it is', () => {
  const path = '/apis/apps/v1/namespaces/default/daemonsets';
  const set = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'd', labels },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
  };
  const made = ask('POST', path, set);
  expect(ask('PUT', `${path}/d/status`, set).metadata?.resourceVersion).toBe(made.metadata?.resourceVersion);
});

it('tells who writes what is gone that it is another', () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'gone', uid: 'u' } };
  expect(ask('PUT', `${core}/configmaps/gone`, map).message).toContain('Precondition failed: UID in precondition: u, UID in object meta: ');
});

it('forgets the class of quality of a pod whose status is written without it', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  ask('POST', '/api/v1/namespaces/default/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  expect(ask('POST', `${core}/pods`, pod)['status']).toMatchObject({ qosClass: 'BestEffort' });
  expect(ask('PUT', `${core}/pods/p/status`, pod)['status']).not.toHaveProperty('qosClass');
});

it('deletes an event of the newer group whatever becomes of dependents, which it has none of', () => {
  const path = '/apis/events.k8s.io/v1beta1/namespaces/default/events';
  const event = {
    apiVersion: 'events.k8s.io/v1beta1',
    kind: 'Event',
    metadata: { name: 'e' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'c.example.com/x',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    regarding: { namespace: 'default' },
  };
  ask('POST', path, event);
  expect(ask('DELETE', `${path}/e?propagationPolicy=Orphan`)['status']).toBe('Success');
});

it('refuses half of a rolling update beside another strategy as a body that cannot be read', () => {
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const deployment = (strategy: object): object => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: { strategy } });
  const text = 'Deployment in version "v1" cannot be handled as a Deployment: expected pointer, but got nil';
  expect(ask('POST', path, deployment({ type: 'Odd', rollingUpdate: { maxSurge: 1 } }))).toMatchObject({ code: 400, message: text });
  expect(ask('POST', path, deployment({ type: 'Odd', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } }))).toMatchObject({ code: 422 });
});

it('refuses whatever a claim would be filled from, and looks at no exception of a block behind a wrong one', () => {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'p' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, dataSource: { apiGroup: 'apps', kind: 'X', name: 'x' } },
  };
  expect(ask('POST', `${core}/persistentvolumeclaims`, claim).message).toContain('VolumeSnapshotDataSource is disabled by feature-gate');
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'n' },
    spec: { podSelector: {}, egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['../x', 'fd00::1'] } }] }] },
  };
  const { message } = ask('POST', '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', policy);
  expect(message).toContain('except[0]: Invalid value: "../x": not a valid CIDR');
  expect(message).not.toContain('except[1]');
});

it('tells of handlers and probes of a container before its ports', () => {
  const exec = {};
  const container = { name: 'c', image: 'i', ports: [{ containerPort: 0 }], lifecycle: { postStart: {} }, livenessProbe: { exec } };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'q' }, spec: { containers: [container] } };
  const { message = '' } = ask('POST', `${core}/pods`, pod);
  const places = ['lifecycle.postStart', 'livenessProbe.exec.command', 'ports[0].containerPort'].map((field) => message.indexOf(field));
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
});

it('shows what a revision holds in bytes, a selector it cannot read with its key, and none of a quantity of nothing', () => {
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const revision = (data: object): object => ({ apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'r' }, revision: 1, data });
  ask('POST', path, revision({ a: 1 }));
  expect(ask('PUT', `${path}/r`, revision({})).message).toContain('Raw:[]uint8{0x7b, 0x7d}, ContentEncoding:"", ContentType:"application/json"}');
  expect(ask('GET', `${core}/pods?labelSelector=-a%3Db`).message).toContain('unable to parse requirement: invalid label key "-a": name part');
  const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v' }, spec: { capacity: { k: '0' } } };
  expect(ask('POST', '/api/v1/persistentvolumes', volume).message).toContain('s:"0", Format:"DecimalSI"}}: supported values: "storage"');
});

it('takes null for an empty text where a strategic merge patch finds no map', () => {
  const made = ask('POST', `${core}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'n' }, data: { a: 'b' } });
  const patch = { metadata: { annotations: { x: null } }, data: { a: null } };
  const patched = askDoor<Answer>(tank.door, 'PATCH', `${core}/configmaps/n`, patch, 'application/strategic-merge-patch+json').object;
  expect(patched).toMatchObject({ metadata: { annotations: { x: '' } } });
  expect(patched).not.toHaveProperty('data');
  expect(patched.metadata?.resourceVersion).not.toBe(made.metadata?.resourceVersion);
});

it('words what an event, an address and finalizers are refused with as then', () => {
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'v' },
    involvedObject: { namespace: 'default' },
    eventTime: '2026-01-01T00:00:00.000000Z',
  };
  const { message } = ask('POST', `${core}/events`, { ...event, reportingComponent: 'Bad_Name!', reportingInstance: 'i', action: 'A', reason: 'R' });
  expect(message).toContain('reportingController: Invalid value: "Bad_Name!"');
  const subsets = [{ addresses: [{ ip: '10.0.0.1', hostname: 'a.b' }], ports: [{ port: 80 }] }];
  expect(ask('POST', `${core}/endpoints`, { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'e' }, subsets }).message).toContain(
    'hostname: Invalid value: "a.b": a DNS-1123 label must consist of',
  );
  const metadata = { name: 'f', finalizers: ['orphan', 'foregroundDeletion'] };
  expect(ask('POST', `${core}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata }).message).toContain(
    'Invalid value: []string{"orphan", "foregroundDeletion"}: finalizer orphan and foregroundDeletion cannot be both set',
  );
});

it('refuses half of a rolling update of a daemon set of the first version, which rolls nothing by itself', () => {
  const set = (updateStrategy: object): object => ({
    apiVersion: 'extensions/v1beta1',
    kind: 'DaemonSet',
    metadata: { name: 'h' },
    spec: { updateStrategy },
  });
  const path = '/apis/extensions/v1beta1/namespaces/default/daemonsets';
  expect(ask('POST', path, set({ rollingUpdate: {} }))).toMatchObject({
    code: 400,
    message: expect.stringContaining('expected pointer, but got nil'),
  });
  expect(ask('POST', path, set({ type: 'RollingUpdate', rollingUpdate: {} }))).toMatchObject({ code: 422 });
});

it('tells that containers came or went behind all that is wrong with them', () => {
  const pod = (...containers: readonly object[]): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'order' }, spec: { containers } });
  ask('POST', `${core}/pods`, pod({ name: 'a', image: 'i' }));
  expect(ask('PUT', `${core}/pods/order`, pod({ name: 'a' }, { name: 'b' })).message).toContain(
    '[spec.containers[0].image: Required value, spec.containers[1].image: Required value, spec.containers: Forbidden: pod updates may not add or remove containers]',
  );
});

it.each([
  [
    'a merge patch that takes the last one away',
    'application/strategic-merge-patch+json',
    { spec: { template: { metadata: { labels: { app: null } } } } },
    '{}',
  ],
  ['an operation that sets none', 'application/json-patch+json', [{ op: 'replace', path: '/spec/template/metadata', value: { labels: {} } }], '{}'],
  ['an operation that removes them', 'application/json-patch+json', [{ op: 'remove', path: '/spec/template/metadata/labels' }], '(nil)'],
] as const)('shows labels of a template as they came: %s', (_what, contentType, patch, shown) => {
  const path = '/apis/apps/v1/namespaces/default/statefulsets';
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } } };
  ask('POST', path, { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'l' }, spec });
  expect(askDoor(tank.door, 'PATCH', `${path}/l`, patch, contentType).object.message).toContain(
    `spec.template.metadata.labels: Invalid value: map[string]string${shown}: \`selector\` does not match template \`labels\``,
  );
});

it('judges where a balancer is, of whatever type the service is, and keeps it', () => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'b' }, spec: { ports: [{ port: 80 }] } };
  ask('POST', `${core}/services`, service);
  const patch = (entry: object): object =>
    askDoor(tank.door, 'PATCH', `${core}/services/b/status`, { status: { loadBalancer: { ingress: [entry] } } }, 'application/merge-patch+json')
      .object;
  expect(patch({ hostname: 'a b' })).toMatchObject({
    code: 422,
    message: expect.stringContaining('status.loadBalancer.ingress[0].hostname: Invalid value: "a b": a DNS-1123 subdomain must consist of'),
  });
  expect(patch({ ip: '10.0.0.1' })).toMatchObject({ status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } });
});

it('shows a surge below nothing as the number that it is', () => {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { selector: { matchLabels: labels }, template, strategy: { rollingUpdate: { maxSurge: -1 } } };
  expect(
    ask('POST', '/apis/apps/v1/namespaces/default/deployments', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 's' }, spec }).message,
  ).toContain('spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0');
});

it.each([
  ['taken one by one', 'application/merge-patch+json', { spec: { selector: { matchLabels: { app: null } } } }, '{}'],
  ['removed one by one', 'application/json-patch+json', [{ op: 'remove', path: '/spec/selector/matchLabels/app' }], '{}'],
  ['set to nothing', 'application/json-patch+json', [{ op: 'replace', path: '/spec/selector/matchLabels', value: null }], '(nil)'],
] as const)('shows an emptied selector as it became empty: labels %s', (_what, contentType, patch, shown) => {
  const path = '/apis/apps/v1/namespaces/default/replicasets';
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } } };
  ask('POST', path, { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'r' }, spec });
  const selector = `spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string${shown}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}`;
  const { message } = askDoor(tank.door, 'PATCH', `${path}/r`, patch, contentType).object;
  expect(message).toContain(`${selector}: empty selector is invalid for deployment`);
  expect(message).toContain(`${selector}: field is immutable`);
});

it('tells that a claim stays as it is behind all of its modes', () => {
  const claim = (...accessModes: readonly string[]): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c' },
    spec: { accessModes, resources: { requests: { storage: '1Gi' } } },
  });
  ask('POST', `${core}/persistentvolumeclaims`, claim('ReadWriteOnce'));
  const { message } = ask('PUT', `${core}/persistentvolumeclaims/c`, claim('', 'ReadWriteOncePod'));
  expect(message).toMatch(
    /accessModes: Unsupported value: "": .*accessModes: Unsupported value: "ReadWriteOncePod": .*spec: Forbidden: is immutable/,
  );
});

const json = 'application/json-patch+json';
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] } };
const causesOf = ({ details }: Answer): readonly string[] =>
  ((details as { readonly causes?: readonly { readonly field: string }[] } | undefined)?.causes ?? []).map(({ field }) => field);
const patch = (path: string, body: unknown, type = 'application/merge-patch+json'): Answer =>
  askDoor<Answer>(tank.door, 'PATCH', path, body, type).object;

it('packs the subsets of endpoints whoever writes them, in the order of the hashes of its types', () => {
  const addresses = [{ ip: '10.1.0.1' }];
  const made = ask('POST', `${core}/endpoints`, {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'packed' },
    subsets: [
      { addresses, ports: [{ name: 'a', port: 80, protocol: 'TCP' }] },
      { addresses, ports: [{ name: 'b', port: 1, protocol: 'UDP' }] },
    ],
  });
  expect(made['subsets']).toEqual([
    {
      addresses,
      ports: [
        { name: 'b', port: 1, protocol: 'UDP' },
        { name: 'a', port: 80, protocol: 'TCP' },
      ],
    },
  ]);
});

it('judges values that came later as often as the rest of an update', () => {
  ask('POST', `${core}/endpoints`, { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'twice' } });
  const subsets = [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 80, protocol: 'SCTP' }] }];
  const field = 'subsets[0].ports[0].protocol';
  expect(causesOf(patch(`${core}/endpoints/twice`, { subsets }))).toEqual([field, field]);
});

it('looks at the image of a container once more when a pod changes', () => {
  ask('POST', `${core}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'imageless' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const changed = patch(`${core}/pods/imageless`, [{ op: 'replace', path: '/spec/containers/0', value: { name: 'a b' } }], json);
  expect(causesOf(changed)).toEqual(['spec.containers[0].name', 'spec.containers[0].image', 'spec.containers[0].image', 'spec']);
});

it('fills the ports of the machine into templates whose pods use its network', () => {
  const made = ask('POST', '/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'net' },
    spec: { selector: { matchLabels: labels }, template: { ...template, spec: { ...template.spec, hostNetwork: true } } },
  });
  expect(made['spec']).toMatchObject({ template: { spec: { containers: [{ ports: [{ hostPort: 80, containerPort: 80 }] }] } } });
});

it('drops when a Job is forgotten, and refuses it of a CronJob, before what is wrong with its pods', () => {
  const spec = { ttlSecondsAfterFinished: 1, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } };
  const job = ask('POST', '/apis/batch/v1/namespaces/default/jobs', { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec });
  expect(job['spec']).not.toHaveProperty('ttlSecondsAfterFinished');
  const refused = ask('POST', '/apis/batch/v1beta1/namespaces/default/cronjobs', {
    apiVersion: 'batch/v1beta1',
    kind: 'CronJob',
    metadata: { name: 'c' },
    spec: {
      schedule: 'TZ=UTC * * * *',
      jobTemplate: { spec: { ...spec, ttlSecondsAfterFinished: -1, template: { spec: { restartPolicy: 'Never' } } } },
    },
  });
  expect(causesOf(refused)).toEqual([
    'spec.schedule',
    'spec.jobTemplate.spec.ttlSecondsAfterFinished',
    'spec.jobTemplate.spec.template.spec.containers',
  ]);
  expect(refused.message).toContain('Failed to parse int from TZ=UTC: strconv.Atoi: parsing "TZ=UTC": invalid syntax');
});

it('tells all that is wrong with a definition together', () => {
  const path = '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions';
  ask('POST', path, {
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'samples.a.example.com' },
    spec: {
      group: 'a.example.com',
      version: 'v1',
      scope: 'Cluster',
      names: { plural: 'samples', singular: 'sample', kind: 'Sample', listKind: 'SampleList' },
      versions: [{ name: 'v1', served: true, storage: true }],
    },
  });
  const changed = patch(`${path}/samples.a.example.com`, [
      { op: 'replace', path: '/spec/group', value: 'a.b' },
      { op: 'replace', path: '/spec/versions/0/name', value: '$' },
    ], json); // biome-ignore format: a list
  expect(causesOf(changed)).toEqual(['spec.versions[0].name', 'spec.version', 'spec.group', 'status.storedVersions[0]']);
});

it('stores a volume anew with its first write, and no more', () => {
  const path = '/api/v1/persistentvolumes';
  const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv' } };
  const made = ask('POST', path, { ...volume, spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } });
  const once = patch(`${path}/pv`, {});
  expect(once.metadata?.resourceVersion).not.toBe(made.metadata?.resourceVersion);
  expect(patch(`${path}/pv`, {}).metadata?.resourceVersion).toBe(once.metadata?.resourceVersion);
});

it('sets the time of a deletion anew with each deletion of what finalizers hold', async () => {
  const path = `${core}/configmaps`;
  ask('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held', finalizers: ['example.com/held'] } });
  const at = (): unknown => (ask('DELETE', `${path}/held`).metadata as { readonly deletionTimestamp?: string } | undefined)?.deletionTimestamp;
  const first = at();
  await tank.advance(5000);
  expect(at()).not.toBe(first);
});

it('takes an item whose key is null for one that says nothing', () => {
  const path = `${core}/replicationcontrollers`;
  ask('POST', path, { apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'rc' }, spec: { selector: labels, template } });
  const changed = patch(
    `${path}/rc`,
    { spec: { template: { spec: { containers: [{ name: null, image: 'x' }] } } } },
    'application/strategic-merge-patch+json',
  );
  expect(causesOf(changed)).toContain('spec.template.spec.containers[0].name');
});

it('forgets in operations what came later, of whatever type it is', () => {
  const path = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
  ask('POST', path, { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'np' }, spec: { podSelector: {} } });
  const ingress = [{ ports: [{ protocol: 'TCP', port: 80, endPort: 1.5 }] }];
  expect(patch(`${path}/np`, [{ op: 'add', path: '/spec/ingress', value: ingress }], json)['spec']).toMatchObject({
    ingress: [{ ports: [{ protocol: 'TCP', port: 80 }] }],
  });
});

it('names no service that is refused an address before what else is wrong with it', () => {
  const refused = ask('POST', `${core}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { clusterIP: 'kubernetes.io/x', ports: [{ port: 80 }], type: 'Resource' },
  });
  expect(causesOf(refused)).toEqual(['spec.clusterIP', 'spec.type']);
});

it('names the types of lists that have names, where a body fits none', () => {
  const review = ask('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { extra: { key: {} } },
  });
  expect(review.message).toContain('v1.SubjectAccessReviewSpec.Extra: v1.ExtraValue: decode slice: expect [ or n, but found {');
});

function tableOf(path: string): string {
  const headers = { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' };
  const identity = { name: 'u', groups: ['system:masters'] };
  const answer = tank.door.serveAtOnce({ method: 'GET', path, query: '', headers, body: new Uint8Array(), identity });
  if (!('body' in answer)) throw new Error('no Table');
  return [...(typeof answer.body === 'string' ? [answer.body] : answer.body)].map((chunk) => Buffer.from(chunk as string).toString()).join('');
}

it('counts texts of a ConfigMap and no bytes', () => {
  ask('POST', `${core}/configmaps`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'bytes' },
    data: { a: '1', b: '2' },
    binaryData: { c: 'AAEC' },
  });
  expect(JSON.parse(tableOf(`${core}/configmaps/bytes`))).toMatchObject({ rows: [{ cells: ['bytes', 2, expect.any(String)] }] });
});

it('shows in rows of Tables no annotations that stand for fields', () => {
  const path = '/apis/apps/v1beta2/namespaces/default/daemonsets';
  ask('POST', path, {
    apiVersion: 'apps/v1beta2',
    kind: 'DaemonSet',
    metadata: { name: 'rows' },
    spec: { selector: { matchLabels: labels }, template },
  });
  const text = tableOf(`${path}/rows`);
  expect(JSON.parse(text)).toMatchObject({ rows: [{ object: { metadata: { name: 'rows' } } }] });
  expect(text).not.toContain('annotations');
});

it('asks of pods for no field that came later, and of who changes the type of a service that its ports go', () => {
  expect(ask('GET', `${core}/pods?fieldSelector=spec.hostNetwork%3Dfalse`).message).toBe('field label not supported: spec.hostNetwork');
  ask('POST', `${core}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'lb' },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  });
  expect(causesOf(patch(`${core}/services/lb`, { spec: { type: 'ClusterIP' } }))).toEqual(['spec.ports[0].nodePort']);
});

it('begins what is wrong with a schedule with a capital', () => {
  const refused = ask('POST', '/apis/batch/v1beta1/namespaces/default/cronjobs', {
    apiVersion: 'batch/v1beta1',
    kind: 'CronJob',
    metadata: { name: 'minutes' },
    spec: { schedule: '60 * * * *', jobTemplate: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } } },
  });
  expect(refused.message).toContain('Invalid value: "60 * * * *": End of range (60) above maximum (59): 60');
});

it('takes operations whose paths go deeper than anything, and as many as there may be', () => {
  const path = '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions/samples.a.example.com';
  const deep = `/spec/validation/openAPIV3Schema${'/properties/a'.repeat(100_000)}`;
  expect(patch(path, [{ op: 'add', path: deep, value: {} }], json)['code']).toBe(422);
  ask('POST', `${core}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'many' }, data: {} });
  const many = Array.from({ length: 9_999 }, (_, index) => ({ op: 'add', path: `/data/k${index}`, value: 'x' }));
  const filled = patch(`${core}/configmaps/many`, [{ op: 'add', path: '/data', value: {} }, ...many], json);
  expect(Object.keys(filled['data'] as object)).toHaveLength(9_999);
});

it('counts what a version of a definition says as a change, though its gate drops it', () => {
  const path = '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions';
  const definition = (more: object, resourceVersion?: string): object => ({
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boats.sea.example.com', ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: { group: 'sea.example.com', names: { plural: 'boats', kind: 'Boat' }, versions: [{ name: 'v1', served: true, storage: true, ...more }] },
  });
  const schema = { openAPIV3Schema: { type: 'object' } };
  const made = ask('POST', path, definition({ schema }));
  expect(made).toMatchObject({ metadata: { generation: 1 }, spec: { versions: [{ name: 'v1', served: true, storage: true }] } });
  expect((made['spec'] as { readonly versions: readonly object[] }).versions[0]).not.toHaveProperty('schema');
  const put = (more: object): Answer => ask('PUT', `${path}/boats.sea.example.com`, definition(more, versionOf('boats.sea.example.com')));
  const versionOf = (name: string): string | undefined => ask('GET', `${path}/${name}`).metadata?.resourceVersion;
  expect(put({ schema })).toMatchObject({ metadata: { generation: 2 } });
  expect(put({ subresources: { status: {} } })).toMatchObject({ metadata: { generation: 3 } });
  const dry = definition({ schema }, versionOf('boats.sea.example.com'));
  expect(ask('PUT', `${path}/boats.sea.example.com?dryRun=All`, dry)).toMatchObject({ metadata: { generation: 4 } });
  for (const more of [{}, { additionalPrinterColumns: [] }]) expect(put(more)).toMatchObject({ metadata: { generation: 3 } });
});

it('stores an autoscaler of the last version as it was sent: each that says less, and the first that says all after it, is a write', () => {
  const path = '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers';
  const scaler = (more: object = {}): object => ({
    apiVersion: 'autoscaling/v2beta2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'short' },
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, ...more },
  });
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }];
  const versions = [
    ask('POST', path, scaler()),
    ask('PUT', `${path}/short`, scaler()),
    ask('PUT', `${path}/short`, scaler({ minReplicas: 1 })),
    ask('PUT', `${path}/short`, scaler({ minReplicas: 1, metrics })),
    ask('PUT', `${path}/short`, scaler({ minReplicas: 1, metrics })),
    ask('PUT', `${path}/short`, scaler()),
    ask('PUT', `${path}/short/status`, scaler()),
    ask('PUT', `${path}/short/status`, scaler()),
  ].map(({ metadata }) => metadata?.resourceVersion);
  expect(versions.map((version) => versions.indexOf(version))).toEqual([0, 1, 2, 3, 3, 5, 6, 6]);
  expect(JSON.stringify(ask('GET', `${path}/short`))).not.toContain('left-to-defaults');
});

it('answers what deleted nothing with a list that is null, but for the older network policies', () => {
  const gone = (path: string): unknown => ask('DELETE', `${path}?labelSelector=no%3Dsuch`)['items'];
  expect(gone('/apis/networking.k8s.io/v1/namespaces/kube-public/networkpolicies')).toBeNull();
  expect(gone('/apis/extensions/v1beta1/namespaces/kube-public/networkpolicies')).toEqual([]);
});

it.each([
  ['1ns', '1ns'],
  ['20us', '20µs'],
  ['1ms', '1ms'],
])('tells who gives a write %s that it did not complete, and stores nothing', (timeout, told) => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `soon-${timeout}` } };
  const message = `Timeout: request did not complete within requested timeout ${told}`;
  expect(ask('POST', `${core}/configmaps?timeout=${timeout}`, map)).toMatchObject({ code: 504, reason: 'Timeout', message });
  expect(ask('DELETE', `${core}/configmaps/soon-${timeout}?timeout=${timeout}`)).toMatchObject({ code: 504, message });
  expect(ask('GET', `${core}/configmaps/soon-${timeout}?timeout=${timeout}`)).toMatchObject({ code: 404 });
});

it.each([
  ['0', '0s'],
  ['-1s', '-1s'],
])('a write that is given %s is over before it is judged, and after what is asked first', (timeout, told) => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `never-${timeout}` } };
  const path = `${core}/configmaps`;
  const message = `Timeout: request did not complete within requested timeout ${told}`;
  const late = { code: 504, reason: 'Timeout', message };
  expect(ask('POST', `${path}?timeout=${timeout}`, map)).toMatchObject(late);
  expect(ask('GET', `${path}/never-${timeout}?timeout=${timeout}`)).toMatchObject({ code: 404 });
  expect(ask('POST', `${path}?timeout=${timeout}`, { ...map, metadata: { name: 'no_name' } })).toMatchObject(late);
  expect(ask('PUT', `${path}/never-${timeout}?timeout=${timeout}`, map)).toMatchObject(late);
  expect(ask('DELETE', `${path}/never-${timeout}?timeout=${timeout}`)).toMatchObject(late);
  expect(ask('DELETE', `${path}?labelSelector=no%3Dsuch&timeout=${timeout}`)).toMatchObject(late);
  expect(ask('POST', `${path}?timeout=${timeout}`, { kind: 'Wrong', apiVersion: 'v9' })).toMatchObject({ code: 400 });
  expect(ask('POST', `/api/v1/namespaces/no-such/configmaps?timeout=${timeout}`, map)).toMatchObject({ code: 404 });
});
