/** Watches over real sockets for clients that offer another protocol with their request. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { defaultConfig, documentedStartMs } from '../cluster/config.ts';
import { adminIdentity } from '../cluster/identities.ts';
import { Branch } from './branch.ts';
import { Endpoint } from './endpoint.ts';
import { type Keys, loadKeys } from './home.ts';

const home = mkdtempSync(join(tmpdir(), 'wavetank-upgraded-'));
const path = '/api/v1/namespaces/default/configmaps?watch=1&fieldSelector=metadata.name%3Dx';
let [keys, branch, endpoint]: [Keys?, Branch?, Endpoint?] = [];

beforeAll(async () => {
  keys = loadKeys(home);
  const config = { ...defaultConfig, seed: 7, nodes: 1, startMs: documentedStartMs };
  branch = await Branch.start({ config, keys, speed: 'paused', onFailure: () => undefined });
  endpoint = new Endpoint(keys, 'main', branch);
  await endpoint.listen([0]);
});

afterAll(async () => {
  await endpoint?.close();
  await branch?.close();
  rmSync(home, { recursive: true });
});

function write(method: string, name: string): void {
  const body = new TextEncoder().encode(method === 'DELETE' ? '' : JSON.stringify({ metadata: { name } }));
  const at = `/api/v1/namespaces/default/configmaps${method === 'DELETE' ? `/${name}` : ''}`;
  branch?.handleAtOnce({ method, path: at, query: '', headers: { 'content-type': 'application/json' }, body, identity: adminIdentity });
}

function authorization(): string {
  return `Bearer ${keys?.adminToken ?? ''}`;
}

it('over a WebSocket each event is a message', async () => {
  const url = `${endpoint?.server.replace('https', 'wss') ?? ''}${path}`;
  const headers = { authorization: authorization(), origin: 'https://client' };
  const socket = new WebSocket(url, { ca: keys?.authority.certificatePem, headers });
  await once(socket, 'open');
  const seen: unknown[] = [];
  for (const [method, type] of [
    ['POST', 'ADDED'],
    ['DELETE', 'DELETED'],
  ] as const) {
    const told = once(socket, 'message');
    write(method, 'x');
    const [data, isBinary] = (await told) as [Buffer, boolean];
    const event = JSON.parse(data.toString()) as { type: string; object: { metadata: { name: string } } };
    seen.push([isBinary, event.type === type, event.object.metadata.name]);
  }
  expect(seen).toEqual([[false, true, 'x'], [false, true, 'x']]); // biome-ignore format: one line
  socket.terminate();
});

it('a refusal is answered as any other', async () => {
  const url = `${endpoint?.server.replace('https', 'wss') ?? ''}${path}&resourceVersion=x`;
  const socket = new WebSocket(url, { ca: keys?.authority.certificatePem, headers: { authorization: authorization(), origin: 'https://client' } });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(response.statusCode).toBe(500);
  socket.terminate();
});

it('who offers HTTP/2 in the clear is answered in the protocol it speaks', async () => {
  const headers = { authorization: authorization(), connection: 'Upgrade', upgrade: 'h2c' };
  const call = request(`${endpoint?.server ?? ''}${path}&timeoutSeconds=1`, { ca: keys?.authority.certificatePem, headers });
  call.end();
  const [response] = (await once(call, 'response')) as [{ statusCode: number; headers: Record<string, string>; destroy(): void }];
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json']);
  response.destroy();
});
