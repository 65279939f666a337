import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { httpsBench } from '../../../test/support/transports.ts';
import { clientContract } from '../../client/testing/client.contract.ts';
import { loadKeys } from '../home.ts';
import { configMaps, resourceType } from '../../client/resources.ts';
import { TaskLoop } from '../../base/task-loop.ts';
import { Arrivals, Connection } from './connection.ts';
import { createHttpsClient } from './https-client.ts';
import { protobufType, WireForms } from './wire-forms.ts';

describe('the client over HTTPS', () => clientContract(() => httpsBench()));
describe('the client over HTTPS in protobuf', () => clientContract(() => httpsBench(new WireForms(protobufType))));

const silence = { callMs: 100, watchMs: 100 };

/** A server that takes requests and does with them what the test says. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Connection> {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-silent-'));
  const { authority, server: keys } = loadKeys(home);
  const server = createServer({ cert: keys.certificatePem, key: keys.keyPem }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connection = new Connection({ server: `https://127.0.0.1:${port}`, ca: authority.certificatePem }, 'test', silence);
  onTestFinished(() => {
    connection.close();
    server.closeAllConnections();
    server.close();
    rmSync(home, { recursive: true });
  });
  return connection;
}

const unreachable = { status: { code: 503, reason: 'ServiceUnavailable' } };

test('a server that takes a request and never answers is given up', async () => {
  const connection = await serve(() => undefined);
  await expect(connection.call('GET', '/api')).rejects.toMatchObject({
    status: { ...unreachable.status, message: 'the API server cannot be reached: nothing arrived for 100 ms' },
  });
});

test('an answer that stops in the middle, and one that is no JSON, are no answers', async () => {
  const cut = await serve((_request, response) => {
    response.write('{"kind":');
    setImmediate(() => response.destroy());
  });
  await expect(cut.call('GET', '/api')).rejects.toMatchObject(unreachable);
  const text = await serve((_request, response) => void response.end('hello'));
  await expect(text.call('GET', '/api')).rejects.toMatchObject(unreachable);
});

test('calls under way end when the connection is closed', async () => {
  const connection = await serve(() => setImmediate(() => connection.close()));
  await expect(connection.call('GET', '/api')).rejects.toMatchObject(unreachable);
});

/** Answers `{ kind: 'ConfigMap' }` in JSON to all but bodies of protobuf, and tells what it was sent. */
async function serveJsonAlone(): Promise<{ readonly connection: Connection; readonly sent: readonly string[] }> {
  const sent: string[] = [];
  const connection = await serve((request, response) => {
    const { 'content-type': type = '', accept = '' } = request.headers;
    sent.push(`${request.method} ${type} ${accept}`.replaceAll(protobufType, 'protobuf').replaceAll('application/', ''));
    const isRefused = type === protobufType;
    request.resume().on('end', () => {
      response.writeHead(isRefused ? 415 : 200, { 'content-type': 'application/json' });
      response.end(isRefused ? '{}' : '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c"}}');
    });
  });
  return { connection, sent };
}

test('a server that takes no protobuf of a resource is sent JSON of it from then on, and custom kinds are JSON always', async () => {
  const { connection, sent } = await serveJsonAlone();
  const loop = new TaskLoop(Date.now(), { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => performance.now() });
  const pacer = { catchUp: () => undefined, wake: () => setImmediate(() => void loop.run(loop.nowMs())) };
  const client = createHttpsClient({ connection, arrivals: new Arrivals(loop, pacer), component: 'test', forms: new WireForms(protobufType) });
  const configMap = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c', namespace: 'n' } };
  await client.create(configMaps, configMap);
  expect(await client.create(configMaps, configMap)).toMatchObject({ metadata: { name: 'c' } });
  await client.patch(configMaps, 'n', 'c', 'merge', { data: { a: 'b' } });
  await client.update(resourceType('example.com', 'v1', 'widgets', 'Widget'), { ...configMap, kind: 'Widget', apiVersion: 'example.com/v1' });
  expect(sent).toEqual([
    'POST protobuf protobuf,json',
    'POST json protobuf,json',
    'POST json protobuf,json',
    'PATCH merge-patch+json protobuf,json',
    'PUT json json',
  ]);
});

test('what is refused without a Status is told in the words of client-go', async () => {
  const connection = await serve((_request, response) => void response.writeHead(503, { 'content-type': 'text/plain' }).end('busy'));
  const loop = new TaskLoop(Date.now(), { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => performance.now() });
  const pacer = { catchUp: () => undefined, wake: () => setImmediate(() => void loop.run(loop.nowMs())) };
  const client = createHttpsClient({ connection, arrivals: new Arrivals(loop, pacer), component: 'test' });
  const message = 'the server is currently unable to handle the request (get configmaps c)';
  await expect(client.get(configMaps, 'n', 'c')).rejects.toMatchObject({ status: { code: 503, reason: 'ServiceUnavailable', message } });
});
