import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { httpsInformerBench } from '../../../test/support/transports.ts';
import { configMaps } from '../../client/resources.ts';
import { informerContract } from '../../client/testing/informer.contract.ts';
import { Connection } from './connection.ts';
import { HttpsInformers } from './https-informers.ts';
import { RemoteRuntime } from './runtime.ts';
import { protobufType, WireForms } from './wire-forms.ts';

describe('informers over HTTPS', () => informerContract(() => httpsInformerBench()));
describe('informers over HTTPS in protobuf', () => informerContract(() => httpsInformerBench(new WireForms(protobufType))));

test('a watch on which nothing ever arrives is opened anew where it was, and nobody hears of an error', async () => {
  const asked: string[] = [];
  const types = {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [{ name: 'configmaps', namespaced: true, kind: 'ConfigMap', verbs: ['list', 'watch'] }],
  };
  const server = createServer((request, response: ServerResponse) => {
    const url = request.url ?? '';
    asked.push(url);
    if (url.includes('watch=true')) return response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '7' }, items: [] };
    response.end(JSON.stringify(url.includes('configmaps') ? list : types));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const connection = new Connection(at, 'test', { callMs: 5_000, watchMs: 50 });
  const errors: string[] = [];
  const told = (line: string): void => void errors.push(line);
  const runtime = new RemoteRuntime({ server: at, userAgent: 'test', seed: 1, log: told, onFailure: (error) => told(error.message) });
  const { arrivals } = runtime;
  const informers = new HttpsInformers({ connection, arrivals, component: 'test', onError: (_resource, error) => told(error.message) });
  informers.informer(configMaps);
  const started = informers.start();
  const watches = (): readonly string[] => asked.filter((url) => url.includes('watch=true'));
  await expect.poll(() => watches().length, { timeout: 20_000 }).toBeGreaterThan(1);
  informers.close();
  connection.close();
  server.closeAllConnections();
  server.close();
  await Promise.all([started, runtime.close()]);
  expect([errors, asked.filter((url) => url.startsWith('/api/v1/configmaps') && !url.includes('watch')).length]).toEqual([[], 1]);
  expect(new Set(watches())).toHaveLength(1);
});
