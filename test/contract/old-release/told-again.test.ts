/** What a real 1.13.12 answered where `npm run differential -- --release 1.13` had found another answer here. */
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { janesRequest } from '../../support/certificate-requests.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

let tank: TestCluster;
beforeAll(async () => {
  tank = await aCluster({ nodes: 0, release: '1.13' });
});

interface Answer {
  readonly message?: string;
  readonly metadata?: { readonly [field: string]: unknown };
  readonly series?: object;
}

const merge = 'application/merge-patch+json';
const ask = (method: string, path: string, body?: object, type?: string): readonly [number, Answer] => {
  const { status, object } = tank.ask<Answer>(method, path, body, type);
  return [status, object];
};
const refusal = (method: string, path: string, body: object, type?: string): string => ask(method, path, body, type)[1].message ?? '';
const at = (group: string, plural: string): string => `/${group === 'v1' ? 'api' : 'apis'}/${group}/namespaces/default/${plural}`;
const container = { name: 'c', image: 'i' };

describe('selectors', () => {
  it('of a controller that can be none are no selector', () => {
    const spec = { selector: { a: '-a' }, template: { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } } };
    const message = 'ReplicationController "r" is invalid: spec.selector: Required value';
    expect(refusal('POST', at('v1', 'replicationcontrollers'), { metadata: { name: 'r' }, spec })).toBe(message);
  });

  it.each([
    ['daemonsets', 'daemonset'],
    ['replicasets', 'deployment'],
    ['deployments', 'deployment'],
  ])('of %s that say of their pods that they have no labels select nothing', (plural, owner) => {
    const spec = { template: { metadata: { labels: {} }, spec: { containers: [container] } } };
    const empty = 'v1.LabelSelector{MatchLabels:map[string]string{}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}';
    const message = refusal('POST', at('extensions/v1beta1', plural), { metadata: { name: 'x' }, spec });
    expect(message).toContain(` is invalid: spec.selector: Invalid value: ${empty}: empty selector is invalid for ${owner}`);
    expect(message).not.toContain('does not match');
  });
});

describe('the order of faults', () => {
  const pods = at('v1', 'pods');
  const places = (message: string, ...parts: readonly string[]): readonly number[] => parts.map((part) => message.indexOf(part));

  it('names of variables stand with their container', () => {
    const spec = { nodeName: 'Bad_Name!', containers: [{ ...container, env: [{ name: 'a/b/c' }] }] };
    const [variable = -1, node = -1] = places(refusal('POST', pods, { metadata: { name: 'p' }, spec }), 'env[0].name', 'spec.nodeName');
    expect([variable > 0, node > variable]).toEqual([true, true]);
  });

  it('an init container with the name of another is found when it was looked at, and ports of the host behind the pod has its policies', () => {
    const init = { ...container, imagePullPolicy: 'x', readinessProbe: { tcpSocket: { port: 1 } } };
    const own = { ...container, ports: [{ containerPort: 1, hostPort: 2 }] };
    const spec = { hostNetwork: true, dnsPolicy: 'x', containers: [own], initContainers: [init] };
    const message = refusal('POST', pods, { metadata: { name: 'p' }, spec });
    const found = places(message, 'imagePullPolicy', 'Duplicate value: "c"', 'must not be set for init', 'spec.dnsPolicy', 'must match `hostPort`');
    expect(found.every((place) => place > 0)).toBe(true);
    expect(found).toEqual([...found].sort((a, b) => a - b));
  });
});

describe('what is refused', () => {
  it('of what a claim is filled from, no more than that its gate is off', () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, dataSource: { apiGroup: 'A B', name: 'n' } };
    expect(refusal('POST', at('v1', 'persistentvolumeclaims'), { metadata: { name: 'c' }, spec })).toBe(
      'PersistentVolumeClaim "c" is invalid: spec.dataSource: Forbidden: VolumeSnapshotDataSource is disabled by feature-gate',
    );
  });

  it('all ranges of a balancer together', () => {
    const spec = { type: 'LoadBalancer', ports: [{ port: 80 }], loadBalancerSourceRanges: ['10.0.0.0/8', 'Bad_Name!'] };
    expect(refusal('POST', at('v1', 'services'), { metadata: { name: 'ranges' }, spec })).toContain(
      'Invalid value: "[10.0.0.0/8 Bad_Name!]": must be a list',
    );
  });

  it('names of Services in the words of their form', () => {
    expect(refusal('POST', at('v1', 'services'), { metadata: { name: '10.0.0.1' }, spec: { ports: [{ port: 80 }] } })).toContain(
      'metadata.name: Invalid value: "10.0.0.1": a DNS-1035 label must consist of',
    );
  });

  it('the whole of a toleration', () => {
    const spec = { containers: [container], tolerations: [{ key: 'k', operator: 'Exists', value: 'v' }] };
    expect(refusal('POST', at('v1', 'pods'), { metadata: { name: 'p' }, spec })).toContain(
      'spec.tolerations[0].operator: Invalid value: core.Toleration{Key:"k", Operator:"Exists", Value:"v", Effect:"", TolerationSeconds:(*int64)(nil)}',
    );
  });

  it('scales of StatefulSets by the name of what is not there', () => {
    expect(refusal('PATCH', `${at('apps/v1', 'statefulsets')}/no/scale`, { spec: { replicas: 1 } }, merge)).toBe('statefulsets.apps "no" not found');
    expect(refusal('PATCH', `${at('apps/v1', 'deployments')}/no/scale`, { spec: { replicas: 1 } }, merge)).toBe(
      'deployments/scale.apps "no" not found',
    );
  });

  it('a patch that cannot be read, with the object as it lies in storage', () => {
    ask('POST', at('v1', 'pods'), { metadata: { name: 'read' }, spec: { containers: [container] } });
    const [status, { message = '' }] = ask('PATCH', `${at('v1', 'pods')}/read`, { metadata: { labels: 'str' } }, merge);
    expect([status, message]).toEqual([
      500,
      expect.stringMatching(/Timestamp":"[^"]*","labels":"str","name":"read","namespace":"default","resource\|/),
    ]);
  });
});

describe('what is told', () => {
  it('a Service is made by a write of its status, and by no other', () => {
    const service = (name: string): object => ({ metadata: { name }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } });
    expect(ask('PUT', `${at('v1', 'services')}/s`, service('s'))[0]).toBe(404);
    expect(ask('PUT', `${at('v1', 'services')}/s/status`, service('s'))[0]).toBe(201);
  });

  it('a review says of itself what was sent', () => {
    const [, { metadata }] = ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { metadata: { namespace: 'a b' }, spec: { token: 't' } });
    expect(metadata?.['namespace']).toBe('a b');
  });

  it('an autoscaler of the last version is written anew by its first write, though that changes nothing', () => {
    const path = at('autoscaling/v2beta2', 'horizontalpodautoscalers');
    const revisionOf = ([, { metadata }]: readonly [number, Answer]): number => Number(metadata?.['resourceVersion']);
    const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } };
    const made = revisionOf(ask('POST', path, { metadata: { name: 'h' }, spec }));
    const first = revisionOf(ask('PATCH', `${path}/h`, {}, merge));
    expect(first).toBeGreaterThan(made);
    expect(revisionOf(ask('PATCH', `${path}/h`, {}, merge))).toBe(first);
  });

  it('a status of a signing request holds what approvals say, and no other conditions', () => {
    const path = '/apis/certificates.k8s.io/v1beta1/certificatesigningrequests';
    const spec = { request: Buffer.from(janesRequest).toString('base64'), usages: ['client auth'] };
    expect(ask('POST', path, { metadata: { name: 'r' }, spec })[0]).toBe(201);
    const status = { certificate: 'YQ==', conditions: [{ type: 'Other' }] };
    const [code, answer] = ask('PATCH', `${path}/r/status`, { status }, merge);
    expect([code, (answer as { readonly status?: object }).status]).toEqual([200, { certificate: 'YQ==' }]);
  });

  it('series of events have a state', () => {
    const event = {
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'c.example.com/x',
      reportingInstance: 'i',
      action: 'A',
      reason: 'R',
    };
    const more = { type: 'Normal', regarding: { namespace: 'default' }, series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' } };
    const [, { series }] = ask('POST', at('events.k8s.io/v1beta1', 'events'), { metadata: { name: 'e' }, ...event, ...more });
    expect(series).toMatchObject({ count: 2, state: '' });
  });
});

describe('documents', () => {
  const identity = { name: 'u', groups: ['system:masters'] };
  interface Got {
    readonly status: number;
    readonly type: string;
    readonly bytes: Buffer;
    readonly location: string;
    readonly headers: { readonly [name: string]: string | readonly string[] };
  }
  const get = (path: string, asked: { readonly [name: string]: string } = {}): Got => {
    const answer = tank.door.serveAtOnce({ method: 'GET', path, query: '', headers: asked, body: new Uint8Array(), identity });
    if (!('body' in answer)) throw new Error('no document');
    const headers = answer.headers as { readonly [name: string]: string };
    const { body } = answer as { readonly body: string | Uint8Array };
    return {
      status: answer.status,
      type: headers['content-type'] ?? '',
      bytes: Buffer.from(body as string),
      location: headers['location'] ?? '',
      headers,
    };
  };

  it('OpenAPI is plain text to who takes anything, and lies compressed beside', () => {
    expect(get('/openapi/v2').type).toBe('text/plain; charset=utf-8');
    const { type, bytes } = get('/swagger-2.0.0.pb-v1.gz');
    expect(type).toBe('application/x-gzip');
    expect(gunzipSync(bytes).equals(get('/swagger-2.0.0.pb-v1').bytes)).toBe(true);
  });

  it('each of its forms at a path of its own is told once, and in parts', () => {
    const paths = ['/openapi/v2', '/swagger.json', '/swagger-2.0.0.json', '/swagger-2.0.0.pb-v1', '/swagger-2.0.0.pb-v1.gz'];
    const tags = paths.map((path) => {
      const { headers } = get(path);
      const tag = headers['etag'] as string;
      const time = headers['last-modified'] as string;
      expect(get(path, { 'if-none-match': tag })).toMatchObject({ status: 304, type: '', headers: { etag: tag } });
      expect(get(path, { 'if-none-match': '"x"' }).status).toBe(200);
      expect(get(path, { 'if-modified-since': time }).status).toBe(304);
      expect(get(path, { 'if-match': '"x"' })).toMatchObject({ status: 412, type: '', headers: { etag: tag, 'last-modified': time } });
      expect(get(path, { range: 'bytes=5-9' })).toMatchObject({ status: 206, bytes: get(path).bytes.subarray(5, 10) });
      expect(get(path, { range: 'bytes=99999999-' })).toMatchObject({ status: 416, headers: { etag: tag, 'last-modified': time } });
      return tag;
    });
    expect(tags.map((tag) => tags.indexOf(tag))).toEqual([0, 0, 0, 3, 4]);
    expect(get('/swagger.json').headers).toMatchObject({ vary: 'Accept-Encoding', 'accept-ranges': 'bytes' });
    const asProtobuf = { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' };
    expect(get('/openapi/v2', asProtobuf).headers['etag']).toBe(tags[3]);
  });

  it('logs of the machine are a folder', () => {
    expect(get('/logs')).toMatchObject({ status: 301, location: 'logs/' });
    expect(get('/logs/')).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    expect(get('/logs/x').status).toBe(404);
  });
});
