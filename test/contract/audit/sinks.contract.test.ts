/**
 * AuditSinks of release 1.13. `recorded-sinks.json` holds what a real 1.13.12 sent to three of them for the same requests: verb, stage,
 * level, whether the objects of the request and of the answer were there, and the code.
 */
import { expect, test } from 'vitest';
import type { AuditOptions } from '../../../engine/apiserver/audit/auditor.ts';
import { readPolicy } from '../../../engine/apiserver/audit/policy-file.ts';
import type { SinkTarget } from '../../../engine/apiserver/audit/sinks.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, callDoor, type TestCluster } from '../../support/cluster.ts';
import recorded from './recorded-sinks.json' with { type: 'json' };

interface Sent {
  readonly verb: string;
  readonly stage: string;
  readonly level: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly requestObject?: object;
  readonly responseObject?: object;
  readonly responseStatus?: { readonly code?: number };
}

function sinksInMemory() {
  const opened: { target: SinkTarget; events: Sent[]; isClosed: boolean }[] = [];
  const openSink: AuditOptions['openSink'] = (target) => {
    const sink = { target, events: [] as Sent[], isClosed: false };
    opened.push(sink);
    return {
      write: (line) => sink.events.push(JSON.parse(line) as Sent) > 0,
      close: async () => void (sink.isClosed = true),
    };
  };
  return { opened, openSink };
}

const all = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];
const sinks = '/apis/auditregistration.k8s.io/v1alpha1/auditsinks';
const configMaps = '/api/v1/namespaces/default/configmaps';
const options = { 'runtime-config': 'auditregistration.k8s.io/v1alpha1=true', 'feature-gates': 'DynamicAuditing=true' };

const aSink = (name: string, level: string, stages: readonly string[], webhook: object = {}): object => ({
  metadata: { name },
  spec: { policy: { level, stages }, webhook: { clientConfig: { url: 'https://127.0.0.1:1/', caBundle: 'Q0E=' }, ...webhook } },
});

const call = ({ door }: TestCluster, method: string, path: string, body?: object): unknown => callDoor(door, method, path, body, 'application/json');

function watchBriefly({ door }: TestCluster): void {
  const answer = door.serveAtOnce({
    method: 'GET',
    path: configMaps,
    query: 'watch=true',
    headers: {},
    body: new Uint8Array(),
    identity: adminIdentity,
  });
  if ('open' in answer) answer.open({ write: () => undefined, end: () => undefined })();
}

test('sinks get the events that a real 1.13 sends them', async () => {
  const { opened, openSink } = sinksInMemory();
  const tank = await aCluster({ nodes: 1, release: '1.13', options }, { audit: { backends: [], openSink } });
  call(tank, 'POST', sinks, aSink('full', 'RequestResponse', all));
  call(tank, 'POST', sinks, aSink('req', 'Request', ['ResponseComplete']));
  call(tank, 'POST', sinks, aSink('meta', 'Metadata', ['ResponseComplete'], { throttle: { qps: 1, burst: 2 } }));
  call(tank, 'POST', configMaps, { metadata: { name: 'audited' }, data: { a: 'b' } });
  call(tank, 'GET', `${configMaps}/audited`);
  expect(() => call(tank, 'GET', `${configMaps}/nope`)).toThrow('not found');
  watchBriefly(tank);
  call(tank, 'DELETE', `${configMaps}/audited`);
  const told = opened.map(({ target, events }) => [
    target.name,
    events
      .filter(({ requestURI, user }) => requestURI.startsWith(configMaps) && user.username === 'kubernetes-admin')
      .map((event) => [event.verb, event.stage, event.level, 'requestObject' in event, 'responseObject' in event, event.responseStatus?.code ?? 0]),
  ]);
  expect(Object.fromEntries(told)).toEqual(recorded);
  expect(opened.map(({ target }) => target.throttle)).toEqual([
    { qps: 10, burst: 15 },
    { qps: 10, burst: 15 },
    { qps: 1, burst: 2 },
  ]);
});

test('of refusals reason and code are told, of deletions what was asked for, in the group that was asked', async () => {
  const { opened, openSink } = sinksInMemory();
  const tank = await aCluster({ nodes: 1, release: '1.13', options }, { audit: { backends: [], openSink } });
  call(tank, 'POST', sinks, aSink('full', 'RequestResponse', ['ResponseComplete']));
  call(tank, 'POST', configMaps, { metadata: { name: 'audited' } });
  expect(() => call(tank, 'GET', `${configMaps}/nope`)).toThrow('not found');
  call(tank, 'DELETE', `${configMaps}/audited`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' });
  call(tank, 'DELETE', `${configMaps}?labelSelector=q%3Dr`);
  const told = (opened[0]?.events ?? []).filter(({ requestURI, user }) => requestURI.startsWith(configMaps) && user.username === 'kubernetes-admin');
  expect(told.slice(1).map(({ responseStatus }) => responseStatus)).toEqual([
    { metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 },
    { metadata: {}, status: 'Success', code: 200 },
    { metadata: {}, code: 200 },
  ]);
  expect(told[2]?.requestObject).toEqual({ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' });
  expect(told[3]?.responseObject).toMatchObject({ kind: 'ConfigMapList', items: null });
});

test('a sink that changes or goes gets no more; a change of its labels leaves it as it is', async () => {
  const { opened, openSink } = sinksInMemory();
  const tank = await aCluster({ nodes: 1, release: '1.13', options }, { audit: { backends: [], openSink } });
  const sink = aSink('one', 'Metadata', ['ResponseComplete']);
  call(tank, 'POST', sinks, sink);
  call(tank, 'GET', configMaps);
  const labelled = { ...sink, metadata: { name: 'one', labels: { a: 'b' } } };
  const change = (object: object): void => {
    const { metadata } = call(tank, 'GET', `${sinks}/one`) as { metadata: { resourceVersion: string } };
    const next = object as { metadata: object };
    call(tank, 'PUT', `${sinks}/one`, { ...next, metadata: { ...next.metadata, resourceVersion: metadata.resourceVersion } });
    call(tank, 'GET', configMaps);
  };
  change(labelled);
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([false]);
  change(aSink('one', 'Request', ['ResponseComplete']));
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  call(tank, 'DELETE', `${sinks}/one`);
  const before = opened.map(({ events }) => events.length);
  call(tank, 'GET', configMaps);
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  expect(opened.map(({ events }) => events.length)).toEqual(before);
});

test('what goes to the log stays as its policy says, whatever sinks ask for', async () => {
  const lines: Sent[] = [];
  const write = (line: string): boolean => lines.push(JSON.parse(line) as Sent) > 0;
  const { policy } = readPolicy(
    JSON.stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [{ level: 'Metadata', users: ['kubernetes-admin'], resources: [{ group: '', resources: ['configmaps'] }] }],
    }),
    'policy.yaml',
  );
  const { openSink } = sinksInMemory();
  const audit: AuditOptions = { policy, backends: [{ format: 'json', sink: { write } }], openSink };
  const tank = await aCluster({ nodes: 1, release: '1.13', options }, { audit });
  call(tank, 'POST', sinks, aSink('full', 'RequestResponse', all));
  call(tank, 'POST', configMaps, { metadata: { name: 'audited' }, data: { a: 'b' } });
  call(tank, 'GET', '/api/v1/namespaces/default/secrets');
  expect(lines.map(({ verb, stage, level, requestObject }) => [verb, stage, level, requestObject])).toEqual([
    ['create', 'ResponseComplete', 'Metadata', undefined],
  ]);
});

test('a sink behind a Service is looked for when a batch leaves', async () => {
  const { opened, openSink } = sinksInMemory();
  const tank = await aCluster({ nodes: 1, release: '1.13', options }, { audit: { backends: [], openSink } });
  const clientConfig = { service: { namespace: 'default', name: 'sink', path: '/events' }, caBundle: 'Q0E=' };
  call(tank, 'POST', sinks, aSink('behind', 'Metadata', ['ResponseComplete'], { clientConfig }));
  call(tank, 'GET', configMaps);
  const [sink] = opened;
  expect(() => sink?.target.call('{}')).toThrow('service "sink" not found');
  call(tank, 'POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'sink', annotations: { 'sim.wavetank.dev/host-port': '8443' } },
    spec: { ports: [{ port: 443 }] },
  });
  expect(sink?.target.call('{}')).toMatchObject({
    url: 'https://sink.default.svc:443/events?timeout=30s',
    serverName: 'sink.default.svc',
    host: '127.0.0.1',
    port: 8443,
  });
});
