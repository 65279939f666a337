/** What release 1.13 let through that is refused now, and refused that is taken now: as a real 1.13.12 answered. */
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

let tank: TestCluster;
beforeAll(async () => {
  tank = await aCluster({ nodes: 0, release: '1.13' });
});

interface Refusal {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
}

const send = (method: string, path: string, body?: object, type?: string): readonly [number, string] => {
  const { status, object } = tank.ask<Refusal>(method, path, body, type);
  return [status, object.message ?? ''];
};

describe('what nobody looked for', () => {
  it.each<[string, string, object]>([
    [
      'values of expressions',
      '/apis/extensions/v1beta1/namespaces/default/networkpolicies',
      {
        apiVersion: 'extensions/v1beta1',
        kind: 'NetworkPolicy',
        spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['-a'] }] } },
      },
    ],
    [
      'names of secrets',
      '/apis/extensions/v1beta1/namespaces/default/ingresses',
      { apiVersion: 'extensions/v1beta1', kind: 'Ingress', spec: { backend: { serviceName: 's', servicePort: 80 }, tls: [{ secretName: 'a\nb' }] } },
    ],
    [
      'finalizers of leases',
      '/apis/coordination.k8s.io/v1beta1/namespaces/default/leases',
      { apiVersion: 'coordination.k8s.io/v1beta1', kind: 'Lease', metadata: { finalizers: ['bare'] }, spec: {} },
    ],
    [
      'names of volumes in the old version',
      '/apis/storage.k8s.io/v1beta1/volumeattachments',
      {
        apiVersion: 'storage.k8s.io/v1beta1',
        kind: 'VolumeAttachment',
        spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'A_b' } },
      },
    ],
  ])('%s', (name, path, body) => {
    const metadata = { ...(body as { metadata?: object }).metadata, name: name.replaceAll(' ', '-') };
    expect(send('POST', path, { ...body, metadata })).toEqual([201, '']);
  });

  it('is looked for in the stable version of an attachment, when it is made', () => {
    const attachment = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'v' },
      spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'A_b' } },
    };
    expect(send('POST', '/apis/storage.k8s.io/v1/volumeattachments', attachment)[0]).toBe(422);
  });

  it('leaves bare finalizers of other kinds refused', () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', finalizers: ['bare'] } };
    expect(send('POST', '/api/v1/namespaces/default/configmaps', map)[0]).toBe(422);
  });
});

it.each([
  ['extensions/v1beta1', 'daemonsets', 'DaemonSet', 200],
  ['apps/v1', 'daemonsets', 'DaemonSet', 422],
  ['apps/v1beta1', 'deployments', 'Deployment', 200],
  ['apps/v1beta2', 'deployments', 'Deployment', 422],
])('the selector of what is written in %s (%s) may change, or not', (apiVersion, plural, kind, code) => {
  const path = `/apis/${apiVersion}/namespaces/default/${plural}`;
  const template = { metadata: { labels: { a: 'b', c: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const name = apiVersion.replace('/', '-');
  tank.call('POST', path, { apiVersion, kind, metadata: { name }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
  const patch = { spec: { selector: { matchLabels: { a: null, c: 'd' } } } };
  expect(send('PATCH', `${path}/${name}`, patch, 'application/merge-patch+json')[0]).toBe(code);
});

describe('a service', () => {
  const path = '/api/v1/namespaces/default/services';
  const service = (spec: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }], ...spec } });

  it('does not keep an address that is not written', () => {
    const made = tank.call<{ readonly metadata: { readonly resourceVersion: string }; readonly spec: { readonly clusterIP: string } }>(
      'POST',
      path,
      service({}),
    );
    const { resourceVersion } = made.metadata;
    const written = { ...service({}), metadata: { name: 's', resourceVersion } };
    expect(send('PUT', `${path}/s`, written)).toEqual([422, 'Service "s" is invalid: spec.clusterIP: Invalid value: "": field is immutable']);
    expect(send('PUT', `${path}/s`, { ...written, spec: { ...service({}).spec, clusterIP: made.spec.clusterIP } })[0]).toBe(200);
    expect(send('PUT', `${path}/s`, service({ clusterIP: made.spec.clusterIP }))).toEqual([
      422,
      'Service "s" is invalid: metadata.resourceVersion: Invalid value: "": must be specified for an update',
    ]);
  });
});

describe('a namespace', () => {
  it('that is being emptied is not deleted again, and no policy of dependents is noted', () => {
    tank.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    const first = tank.ask('DELETE', '/api/v1/namespaces/n', { propagationPolicy: 'Foreground' });
    expect([first.status, first.object.metadata.finalizers]).toEqual([200, undefined]);
    expect(send('DELETE', '/api/v1/namespaces/n')).toEqual([
      409,
      'Operation cannot be fulfilled on namespaces "n": The system is ensuring all content is removed from this namespace.  Upon completion, this namespace will automatically be purged by the system.',
    ]);
  });

  it('is in itself', () => {
    const patch = { metadata: { namespace: 'other', labels: { a: '-' } } };
    expect(send('PATCH', '/api/v1/namespaces/default', patch, 'application/merge-patch+json')).toEqual([
      400,
      'the namespace of the object (other) does not match the namespace on the request (default)',
    ]);
  });
});

it('a Scale names its namespace', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const path = '/apis/apps/v1/namespaces/default/replicasets';
  tank.call('POST', path, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'r' },
    spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
  });
  const scale = (metadata: object) => ({ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'r', ...metadata }, spec: { replicas: 0 } });
  expect(send('PUT', `${path}/r/scale`, scale({ resourceVersion: '0' }))).toEqual([
    422,
    'Scale.autoscaling "r" is invalid: metadata.namespace: Required value',
  ]);
  expect(send('PUT', `${path}/r/scale`, scale({ namespace: 'default' }))[0]).toBe(200);
});

it('a policy of the old version is changed by each write that leaves a list out', () => {
  const path = '/apis/extensions/v1beta1/namespaces/default/networkpolicies';
  tank.call('POST', path, { apiVersion: 'extensions/v1beta1', kind: 'NetworkPolicy', metadata: { name: 'p' }, spec: { podSelector: {} } });
  const generationBy = (at: string): number | undefined =>
    tank.call('PATCH', `${at}/p`, { spec: { podSelector: {} } }, 'application/merge-patch+json').metadata.generation;
  expect([path, path, path.replace('extensions/v1beta1', 'networking.k8s.io/v1')].map(generationBy)).toEqual([2, 3, 3]);
});

it('init containers are judged as others are before they are refused', () => {
  const probe = { httpGet: { port: 80 }, tcpSocket: { port: 1 }, successThreshold: 5 };
  const spec = { containers: [{ name: 'c', image: 'i' }], initContainers: [{ name: 'init', image: 'i', lifecycle: {}, livenessProbe: probe }] };
  const { details } = tank.ask<Refusal>('POST', '/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec,
  }).object;
  const at = 'spec.initContainers[0]';
  expect(details?.causes?.map(({ field, message }) => `${field}: ${message.replaceAll(/0x[0-9a-f]{6,}/g, '<address>')}`)).toEqual([
    `${at}.livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`,
    `${at}.livenessProbe.successThreshold: Invalid value: 5: must be 1`,
    `${at}.lifecycle: Invalid value: core.Lifecycle{PostStart:(*core.Handler)(nil), PreStop:(*core.Handler)(nil)}: must not be set for init containers`,
    `${at}.livenessProbe: Invalid value: core.Probe{Handler:core.Handler{Exec:(*core.ExecAction)(nil), HTTPGet:(*core.HTTPGetAction)(<address>), TCPSocket:(*core.TCPSocketAction)(<address>)}, InitialDelaySeconds:0, TimeoutSeconds:1, PeriodSeconds:10, SuccessThreshold:5, FailureThreshold:3}: must not be set for init containers`,
  ]);
});
