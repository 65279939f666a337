/** What a real 1.13.12 said of selectors, rules, drivers and owners that are wrong, asked with the same writes. */
import { beforeAll, expect, it } from 'vitest';
import { aCluster, ask as askDoor, type TestCluster } from '../support/cluster.ts';

let tank: TestCluster;
interface Answer {
  readonly metadata?: { readonly ownerReferences?: readonly object[]; readonly generation?: number };
  readonly code?: number;
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
}
const ask = (method: string, path: string, body?: unknown, type?: string): Answer => askDoor<Answer>(tank.door, method, path, body, type).object;
const fieldsOf = ({ details }: Answer): readonly string[] => (details?.causes ?? []).map(({ field }) => field);
const json = 'application/json-patch+json';

beforeAll(async () => {
  tank = await aCluster({ nodes: 0, release: '1.13' });
});

const core = '/api/v1/namespaces/default';
const containers = [{ name: 'c', image: 'nginx' }];

it('takes a selector that a template fills in for none, where a label of it can be none', () => {
  const template = { metadata: { labels: { app: '-a' } }, spec: { containers } };
  const made = ask('POST', `${core}/replicationcontrollers`, {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name: 'rc' },
    spec: { template },
  });
  expect(fieldsOf(made)).toEqual(['metadata.labels', 'spec.selector', 'spec.template.labels']);
});

it('tells what is wrong with any rule of an Ingress of its first', () => {
  const made = ask('POST', '/apis/extensions/v1beta1/namespaces/default/ingresses', {
    apiVersion: 'extensions/v1beta1',
    kind: 'Ingress',
    metadata: { name: 'i' },
    spec: {
      rules: [
        { http: { paths: [{ backend: { serviceName: 's', servicePort: 80 } }] } },
        { http: { paths: [{ path: 'Bogus', backend: { serviceName: 's', servicePort: 80 } }] } },
      ],
    },
  });
  expect(fieldsOf(made)).toEqual(['spec.rules[0].http.paths[0].path']);
});

it('says of a driver whose name is too long that it has no form either, in the stable version alone', () => {
  const attach = (version: string, attacher: string): Answer =>
    ask('POST', `/apis/storage.k8s.io/${version}/volumeattachments?dryRun=All`, {
      apiVersion: `storage.k8s.io/${version}`,
      kind: 'VolumeAttachment',
      metadata: { name: 'a' },
      spec: { attacher, nodeName: 'n', source: { persistentVolumeName: 'p' } },
    });
  for (const name of ['x'.repeat(64), 'x'.repeat(300), '_'.repeat(300)]) {
    const [long, form, ...more] = (attach('v1', name).details?.causes ?? []).map(({ message }) => message);
    expect(long).toBe('Too long: must have at most 63 characters');
    expect(form).toMatch(/": must consist of alphanumeric characters, '-', '_' or '\.', and must start and end /);
    expect(more).toEqual([]);
    expect(attach('v1beta1', name).code).toBeUndefined();
  }
  expect(attach('v1', 'A_b').code).toBeUndefined();
  expect(attach('v1', '_a').code).toBe(422);
});

it('judges a service as it was sent, with the uid that it names', () => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'u' }, spec: { ports: [{ port: 80 }] } };
  ask('POST', `${core}/services`, service);
  const other = { ...service, metadata: { name: 'u', uid: 'other' } };
  const refused = ask('PUT', `${core}/services/u`, other);
  expect(refused.code).toBe(422);
  expect(new Set(fieldsOf(refused))).toEqual(new Set(['metadata.resourceVersion', 'metadata.uid', 'spec.clusterIP']));
  expect(ask('PUT', `${core}/services/u/status`, other).code).toBe(409);
});

it('keeps an owner as often as it was sent', () => {
  const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u1' };
  const made = ask('POST', `${core}/configmaps`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'owned', ownerReferences: [owner, owner] },
  });
  expect(made.metadata?.ownerReferences).toHaveLength(2);
});

it('asks what a Job makes of its template once, and judges the rest of a change twice', () => {
  const path = '/apis/batch/v1/namespaces/default/jobs';
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j' },
    spec: { template: { spec: { restartPolicy: 'Never', containers } } },
  };
  ask('POST', path, job);
  const refused = fieldsOf(ask('PUT', `${path}/j`, { ...job, spec: { ...job.spec, selector: {} } }));
  expect(refused.filter((field) => field.startsWith('spec.template.metadata.labels['))).toHaveLength(2);
});

it('fills in no least of an autoscaler that a patch of the last version has taken away', () => {
  const path = '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers';
  ask('POST', path, {
    apiVersion: 'autoscaling/v2beta2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
  });
  const refused = ask('PATCH', `${path}/h`, { spec: null }, 'application/strategic-merge-patch+json');
  const told = (refused.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
  expect(told).toContain('spec.maxReplicas: Invalid value: 0: must be greater than 0');
  expect(told.join()).not.toContain('`minReplicas`');
});

it('tells of a changed claim its mode before what it may be filled from, each time that it is judged', () => {
  ask('POST', `${core}/persistentvolumeclaims`, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c' },
    spec: { storageClassName: 'manual', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } } },
  });
  const operations = [
    { op: 'add', path: '/spec/dataSource', value: { apiGroup: 'example.com', kind: 'x' } },
    { op: 'add', path: '/spec/volumeMode', value: 'Odd' },
  ];
  const [mode, source] = ['spec.volumeMode', 'spec.dataSource'];
  expect(fieldsOf(ask('PATCH', `${core}/persistentvolumeclaims/c`, operations, json))).toEqual([mode, source, mode, source, 'spec', 'volumeMode']);
});

it('takes an operation that sets what came later for one that sets nothing', () => {
  const path = '/apis/apps/v1beta1/namespaces/default/deployments';
  const labels = { app: 'a' };
  ask('POST', path, {
    apiVersion: 'apps/v1beta1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  const overhead = [{ op: 'add', path: '/spec/template/spec/overhead', value: { '-a': '1x' } }];
  expect(ask('PATCH', `${path}/d`, overhead, json).metadata?.generation).toBe(1);
});

it('asks what annotations of a policy say of profiles, whenever it is written', () => {
  const path = '/apis/policy/v1beta1/podsecuritypolicies';
  const policy = (annotations: { readonly [key: string]: string }): object => ({
    apiVersion: 'policy/v1beta1',
    kind: 'PodSecurityPolicy',
    metadata: { name: 'p', annotations },
    spec: Object.fromEntries(['runAsUser', 'seLinux', 'supplementalGroups', 'fsGroup'].map((field) => [field, { rule: 'RunAsAny' }])),
  });
  const [seccomp, appArmor] = ['seccomp.security.alpha.kubernetes.io', 'apparmor.security.beta.kubernetes.io'];
  ask('POST', path, policy({ [`${seccomp}/allowedProfileNames`]: '*', [`${appArmor}/defaultProfileName`]: '' }));
  const refused = ask(
    'PUT',
    `${path}/p`,
    policy({ [`${seccomp}/defaultProfileName`]: '*', [`${appArmor}/allowedProfileNames`]: 'runtime/default,x' }),
  );
  expect((refused.details?.causes ?? []).map(({ message }) => message)).toEqual([
    'Invalid value: "runtime/default,x": invalid AppArmor profile name: "x"',
    'Invalid value: "*": must be a valid seccomp profile',
  ]);
});

it('takes huge pages that are no whole pages', () => {
  const template = { spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { 'hugepages-2Mi': '500m', cpu: '1' } } }] } };
  const made = ask('POST', `${core}/podtemplates`, { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'pages' }, template });
  expect(made.code).toBeUndefined();
});

it('takes a volume without a name for none, and asks the stable version for two characters of a driver', () => {
  const refused = ask('POST', '/apis/storage.k8s.io/v1/volumeattachments', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'short' },
    spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: '' } },
  });
  expect(fieldsOf(refused)).toEqual(['spec.source', 'spec.attacher', 'spec.source.persistentVolumeName']);
});

it('comes upon a protocol that came later where it stands', () => {
  const service = { ports: [{ protocol: 'SCTP', port: 80, targetPort: 'a_' }], selector: { app: 'ü' } };
  const made = ask('POST', `${core}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'sctp' }, spec: service });
  expect(fieldsOf(made)).toEqual(['spec.ports[0].protocol', 'spec.ports[0].targetPort', 'spec.selector']);
  const path = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
  const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'sctp' }, spec: { podSelector: {} } };
  ask('POST', path, policy);
  const ports = [{ port: 0 }, { protocol: 'SCTP' }];
  const refused = ask('PUT', `${path}/sctp`, { ...policy, spec: { podSelector: {}, ingress: [{ ports }], egress: [{ ports: [{ port: 0 }] }] } });
  const once = ['spec.ingress[0].ports[0].port', 'spec.ingress[0].ports[1].protocol', 'spec.egress[0].ports[0].port'];
  expect(fieldsOf(refused)).toEqual([...once, ...once]);
});

it('looks at no port of a backend that names no service', () => {
  const made = ask('POST', '/apis/extensions/v1beta1/namespaces/default/ingresses', {
    apiVersion: 'extensions/v1beta1',
    kind: 'Ingress',
    metadata: { name: 'nameless' },
    spec: { backend: { servicePort: 'servicePortValue' } },
  });
  expect(fieldsOf(made)).toEqual(['spec.backend.serviceName']);
});

it('keeps the address of a service that its status alone has made, and tells of another that it is none and that it stays', () => {
  const spec = { selector: { app: 'a' }, ports: [{ port: 80 }], clusterIP: 'None' };
  ask('PUT', `${core}/services/by-status/status`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'by-status' }, spec });
  const change = (patch: object): Answer => ask('PATCH', `${core}/services/by-status`, patch, 'application/merge-patch+json');
  expect(change({ metadata: { labels: { app: 'a' } } }).code).toBeUndefined();
  const told = (change({ spec: { clusterIP: 'a/b' } }).details?.causes ?? []).map(({ message }) => message);
  expect(told).toEqual(['Invalid value: "a/b": field is immutable', `Invalid value: "a/b": must be empty, 'None', or a valid IP address`]);
});

it('refuses a claim for less than nothing twice', () => {
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '-1' } } };
  const made = ask('POST', `${core}/persistentvolumeclaims`, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'less' },
    spec: claim,
  });
  expect((made.details?.causes ?? []).map(({ message }) => message)).toEqual([
    'Invalid value: "-1": must be greater than or equal to 0',
    'Invalid value: "-1": must be greater than zero',
  ]);
});

it('lets nobody change how many revisions a StatefulSet keeps', () => {
  const path = '/apis/apps/v1/namespaces/default/statefulsets';
  const labels = { app: 'a' };
  const spec = { serviceName: 's', selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
  ask('POST', path, { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'kept' }, spec });
  const change = (patch: object): readonly string[] =>
    (ask('PATCH', `${path}/kept`, { spec: patch }, 'application/merge-patch+json').details?.causes ?? []).map(({ message }) => message);
  expect(change({ revisionHistoryLimit: 3 })).toEqual([
    "Forbidden: updates to statefulset spec for fields other than 'replicas', 'template', and 'updateStrategy' are forbidden",
  ]);
  expect(change({ replicas: 2 })).toEqual([]);
});

it('answers who is wrong in more ways than anybody reads', () => {
  const ports = Array.from({ length: 20_000 }, () => ({ protocol: 'SCTP', port: 0, targetPort: 'A_' }));
  const made = ask('POST', `${core}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'wrong' }, spec: { ports } });
  expect(made.code).toBe(422);
  expect(fieldsOf(made).slice(0, 3)).toEqual(['spec.ports[0].name', 'spec.ports[0].port', 'spec.ports[0].targetPort']);
});
