/** Gates that decide which protocols clients may speak over WebSockets, over real sockets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { defaultConfig, documentedStartMs } from '../../../engine/cluster/config.ts';
import { Branch } from '../../../engine/host/branch.ts';
import { Endpoint } from '../../../engine/host/endpoint.ts';
import { type Keys, loadKeys } from '../../../engine/host/home.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';

const home = mkdtempSync(join(tmpdir(), 'wavetank-websockets-'));
const closers: (() => Promise<void>)[] = [];
let keys: Keys;

beforeAll(() => {
  keys = loadKeys(home);
});

afterAll(async () => {
  for (const close of closers) await close();
  rmSync(home, { recursive: true });
});

/** A server with a pod that is on a node. */
async function aServer(gates: string, release?: string): Promise<Endpoint> {
  const options = { 'feature-gates': gates, 'disable-admission-plugins': 'ServiceAccount' };
  const config = { ...defaultConfig, seed: 7, nodes: 1, startMs: documentedStartMs, options, ...(release === undefined ? {} : { release }) };
  const branch = await Branch.start({ config, keys, speed: 'paused', onFailure: () => undefined });
  const endpoint = new Endpoint(keys, 'main', branch);
  await endpoint.listen([0]);
  closers.push(
    () => endpoint.close(),
    () => branch.close(),
  );
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { nodeName: 'node-0', containers: [{ name: 'c', image: 'i' }] } };
  const body = new TextEncoder().encode(JSON.stringify(pod));
  const headers = { 'content-type': 'application/json' };
  branch.handleAtOnce({ method: 'POST', path: '/api/v1/namespaces/default/pods', query: '', headers, body, identity: adminIdentity });
  branch.run();
  return endpoint;
}

/** The protocol that was agreed on, or the code of the refusal. */
function agreed({ server }: Endpoint, path: string, ...protocols: readonly string[]): Promise<string | number> {
  const url = `${server.replace('https', 'wss')}/api/v1/namespaces/default/pods/p/${path}`;
  // What has a slash in it is no protocol to the client's library.
  const headers = { authorization: `Bearer ${keys.adminToken}`, 'sec-websocket-protocol': protocols.join(', ') };
  const socket = new WebSocket(url, { ca: keys.authority.certificatePem, headers });
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => {
      socket.on('error', () => undefined);
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
    socket.on('upgrade', (response) => {
      socket.on('error', () => undefined);
      socket.terminate();
      resolve(String(response.headers['sec-websocket-protocol']));
    });
    socket.on('error', reject);
  });
}

const exec = 'exec?command=a&stdout=true';
const [v5, v4] = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const tunnel = 'SPDY/3.1+portforward.k8s.io';
const none = 'TranslateStreamCloseWebsocketRequests=false,PortForwardWebsockets=false';
const neither = `${none},ExtendWebSocketsToKubelet=false`;

it.each([
  ['as they are', '', undefined, v5, tunnel],
  ['off, while kubelets translate', none, undefined, v5, tunnel],
  ['off', neither, undefined, 403, 403],
  [
    'off but for the first',
    'TranslateStreamCloseWebsocketRequests=true,PortForwardWebsockets=false,ExtendWebSocketsToKubelet=false',
    undefined,
    v5,
    403,
  ],
  [
    'off but for the second',
    'TranslateStreamCloseWebsocketRequests=false,PortForwardWebsockets=true,ExtendWebSocketsToKubelet=false',
    undefined,
    403,
    tunnel,
  ],
  ['of a release that has none of them', '', '1.13', 403, 403],
] as const)(
  'TranslateStreamCloseWebsocketRequests, PortForwardWebsockets, ExtendWebSocketsToKubelet %s',
  async (_state, gates, release, toProcess, toPort) => {
    const server = await aServer(gates, release);
    expect([await agreed(server, exec, v5), await agreed(server, 'portforward?ports=80&port=80', tunnel)]).toEqual([toProcess, toPort]);
    // What is older stays.
    expect(await agreed(server, 'portforward?ports=80&port=80', v4)).toBe(v4);
  },
);
