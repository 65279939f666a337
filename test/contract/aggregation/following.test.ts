/** When servers of other APIs are looked at again: as their Services and EndpointSlices change, and by five calls at once. */
import { expect, test } from 'vitest';
import type { AggregatedCall } from '../../../engine/apiserver/aggregation/backend.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, madeCluster, type TestCluster } from '../../support/cluster.ts';

const config = { nodes: 1, seed: 5 };
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const services = '/api/v1/namespaces/default/services';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const apiService = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.sample.example.com' },
  spec: {
    group: 'sample.example.com',
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 15,
    insecureSkipTLSVerify: true,
    service: { name: 'sample', namespace: 'default' },
  },
};
const annotated = { metadata: { annotations: { 'sim.wavetank.dev/host-port': '9443' } } };
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'sample' },
  spec: { ports: [{ name: 'https', port: 443, targetPort: 8443 }] },
};

function slice(name: string, port: string): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, labels: { 'kubernetes.io/service-name': 'sample' } },
    addressType: 'IPv4',
    ports: [{ name: port, port: 8443, protocol: 'TCP' }],
    endpoints: [{ addresses: ['10.244.0.9'], conditions: { ready: true } }],
  };
}

/** A server that answers well each so many calls; 0: never. */
class Server {
  goodEach: number;
  readonly asked: string[] = [];

  constructor(goodEach: number) {
    this.goodEach = goodEach;
  }

  readonly ask = ({ body }: Question): Promise<Answer> => {
    this.asked.push((body as unknown as AggregatedCall).path);
    const code = this.goodEach > 0 && this.asked.length % this.goodEach === 0 ? 200 : 500;
    return Promise.resolve({ outcome: 'answered', body: { code, headers: {}, body: btoa('{}') } });
  };
}

async function reasonAfter(tank: TestCluster, ms: number): Promise<string | undefined> {
  for (let passed = 0; passed < ms; passed += 250) {
    await tank.advance(250);
    // Answers come in macrotasks of their own.
    for (let i = 0; i < 8; i++) await new Promise((resolve) => void setImmediate(resolve));
  }
  const { object } = tank.ask<{ readonly status?: { readonly conditions?: readonly { readonly reason: string }[] } }>(
    'GET',
    `${apiServices}/v1.sample.example.com`,
  );
  return object.status?.conditions?.[0]?.reason;
}

/** What `/metrics` says of it. */
async function unavailable(tank: TestCluster): Promise<readonly string[]> {
  const request = { method: 'GET', path: '/metrics', query: '', headers: {}, body: new Uint8Array(), identity: adminIdentity };
  const { body } = (await tank.door.serve(request)) as { readonly body: string };
  return body.split('\n').filter((line) => line.startsWith('aggregator_unavailable') && line.includes('v1.sample'));
}

test('a verdict follows the Service and its EndpointSlices within a second', async () => {
  const { asked, ask } = new Server(1);
  const tank = await aCluster(config, { ask });
  tank.call('POST', apiServices, apiService);
  expect(await reasonAfter(tank, 1_000)).toBe('ServiceNotFound');
  tank.call('POST', services, service);
  // The address of a Service without a selector is nobody's.
  expect(await reasonAfter(tank, 1_000)).toBe('EndpointsNotFound');
  tank.call('POST', slices, slice('a', 'other'));
  expect(await reasonAfter(tank, 1_000)).toBe('MissingEndpoints');
  tank.call('DELETE', `${slices}/a`);
  expect(await reasonAfter(tank, 1_000)).toBe('EndpointsNotFound');
  tank.call('POST', slices, slice('b', 'https'));
  expect(asked).toEqual([]);
  expect(await reasonAfter(tank, 1_000)).toBe('Passed');
  expect(await unavailable(tank)).toEqual(['aggregator_unavailable_apiservice{name="v1.sample.example.com"} 0']);
  expect(new Set(asked)).toEqual(new Set(['/apis/sample.example.com/v1']));
  tank.call('DELETE', `${services}/sample`);
  expect(await reasonAfter(tank, 1_000)).toBe('ServiceNotFound');
  // Of the first verdict it is not said that anything stopped.
  expect(await unavailable(tank)).toEqual([
    'aggregator_unavailable_apiservice{name="v1.sample.example.com"} 1',
    'aggregator_unavailable_apiservice_total{name="v1.sample.example.com",reason="ServiceNotFound"} 1',
  ]);
});

test('one good answer of five is enough; where there is none it is asked again ever later, and every half minute', async () => {
  const server = new Server(5);
  const { asked, ask } = server;
  const tank = await aCluster(config, { ask });
  tank.call('POST', services, { ...service, metadata: { ...service.metadata, ...annotated.metadata } });
  tank.call('POST', apiServices, apiService);
  expect(await reasonAfter(tank, 40_000)).toBe('Passed');
  server.goodEach = 0;
  const before = asked.length;
  expect(await reasonAfter(tank, 31_000)).toBe('FailedDiscoveryCheck');
  expect(asked.length - before).toBeGreaterThan(25);
  await reasonAfter(tank, 60_000);
  const late = asked.length;
  await reasonAfter(tank, 60_000);
  expect((asked.length - late) / 5).toBeLessThanOrEqual(4);
  server.goodEach = 1;
  expect(await reasonAfter(tank, 31_000)).toBe('Passed');
});

test('a cluster that goes on from what was saved follows them as before, and has come to the same', async () => {
  const { ask } = new Server(1);
  const tank = await aCluster(config, { ask });
  tank.call('POST', services, { ...service, metadata: { ...service.metadata, ...annotated.metadata } });
  tank.call('POST', apiServices, apiService);
  expect(await reasonAfter(tank, 2_000)).toBe('Passed');
  await tank.quiet();
  const again = madeCluster(config, { ask });
  again.cluster.restore(tank.cluster.save());
  for (const one of [tank, again]) {
    expect(await reasonAfter(one, 40_000)).toBe('Passed');
    one.call('DELETE', `${services}/sample`);
    expect(await reasonAfter(one, 1_000)).toBe('ServiceNotFound');
  }
  // Digests tell inputs by their numbers, which a session goes on with and a state alone does not.
  expect(again.cluster.store.currentRevision()).toBe(tank.cluster.store.currentRevision());
  expect(again.cluster.loop.tasksRun).toBe(tank.cluster.loop.tasksRun);
});
