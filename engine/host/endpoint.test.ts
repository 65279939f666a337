/** Two clusters behind one endpoint, and a client that knows nothing of it: over HTTPS, as kubectl would. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { defaultConfig, documentedStartMs } from '../cluster/cluster.ts';
import { adminIdentity } from '../cluster/identities.ts';
import { Branch } from './branch.ts';
import { Endpoint } from './endpoint.ts';
import { type Keys, loadKeys } from './home.ts';

const home = mkdtempSync(join(tmpdir(), 'wavetank-endpoint-'));
const maps = '/api/v1/namespaces/default/configmaps';
const agent = new Agent({ keepAlive: true });
let keys: Keys;
let endpoint: Endpoint;

interface Answer {
  readonly code: number;
  readonly body: Readonly<Record<string, unknown>> & {
    readonly metadata?: { readonly resourceVersion: string };
    readonly message?: string;
    readonly items?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

beforeAll(() => {
  keys = loadKeys(home);
});

afterEach(async () => {
  await endpoint.close();
  await Promise.all(endpoint.listBranches().map(({ branch }) => branch.close()));
});

afterAll(() => {
  agent.destroy();
  rmSync(home, { recursive: true });
});

async function startBranch(seed: number, nodes = 0): Promise<Branch> {
  const config = { ...defaultConfig, seed, nodes, startMs: documentedStartMs };
  const branch = await Branch.start({ config, keys, speed: 'paused', onFailure: () => undefined });
  branch.run();
  return branch;
}

async function startBoth(nodes = 0): Promise<{ readonly first: Branch; readonly second: Branch }> {
  const [first, second] = [await startBranch(1, nodes), await startBranch(2)];
  endpoint = new Endpoint(keys, 'first', first);
  endpoint.addBranch('second', second);
  await endpoint.listen([0]);
  return { first, second };
}

function options(method: string): RequestOptions {
  const headers = { authorization: `Bearer ${keys.adminToken}`, 'content-type': 'application/json', accept: 'application/json' };
  return { method, agent, ca: keys.authority.certificatePem, headers };
}

function call(method: string, path: string, body?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${endpoint.server}${path}`, options(method), (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] }));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Opens a watch; `lines` resolves with all that came when the server has ended it. */
function watch(path: string): Promise<{ readonly lines: Promise<readonly { readonly type: string; readonly object: Answer['body'] }[]> }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${endpoint.server}${path}`, options('GET'), (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const lines = new Promise<readonly { type: string; object: Answer['body'] }[]>((done) => {
        response.on('end', () =>
          done(
            text
              .split('\n')
              .filter((line) => line !== '')
              .map((line) => JSON.parse(line) as { type: string; object: Answer['body'] }),
          ),
        );
      });
      resolve({ lines });
    });
    sent.on('error', reject);
    sent.end();
  });
}

function plain(path: string): Promise<readonly [number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(`${endpoint.server}${path}`, options('GET'), (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve([response.statusCode, text]));
    });
    sent.on('error', reject);
    sent.end();
  });
}

function configMap(name: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

function names({ body }: Answer): readonly string[] {
  return (body.items ?? []).map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
}

test('a switch ends the watches of clients with 410 and what they ask next is answered by the other cluster', async () => {
  await startBoth();
  await call('POST', maps, configMap('one'));
  const before = await call('GET', maps);
  const old = await watch(`${maps}?watch=true&resourceVersion=${before.body.metadata?.resourceVersion}`);
  await call('POST', maps, configMap('two'));

  endpoint.switchTo('second');

  const lines = await old.lines;
  expect(lines.map(({ type, object }) => [type, object['code'] ?? 200, object['reason'] ?? ''])).toEqual([
    ['ADDED', 200, ''],
    ['ERROR', 410, 'Expired'],
  ]);
  const after = await call('GET', maps);
  expect(names(after)).toEqual([]);
  // No revision that a client has seen is given out again, and none of them can be watched from.
  expect(Number(after.body.metadata?.resourceVersion)).toBeGreaterThan(Number(before.body.metadata?.resourceVersion) + 1);
  const stale = await watch(`${maps}?watch=true&resourceVersion=${before.body.metadata?.resourceVersion}`);
  expect((await stale.lines).map(({ type, object }) => [type, object['code']])).toEqual([['ERROR', 410]]);

  endpoint.switchTo('first');
  expect(names(await call('GET', maps))).toEqual(['one', 'two']);
});

test('the switch is an input: a session that had one runs again with the same digest', async () => {
  const { first, second } = await startBoth();
  await call('POST', maps, configMap('one'));
  endpoint.switchTo('second');
  await call('POST', maps, configMap('three'));
  const replayed = await startBranch(2);
  replayed.cluster.door.replay({ input: 1, what: { startAnew: first.cluster.store.currentRevision() } });
  const body = JSON.stringify(configMap('three'));
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  replayed.cluster.door.replay({ input: 2, what: { method: 'POST', path: maps, query: '', headers, body, identity: adminIdentity as never } });
  expect({ revision: replayed.cluster.store.currentRevision(), digest: replayed.cluster.digest }).toEqual({
    revision: second.cluster.store.currentRevision(),
    digest: second.cluster.digest,
  });
  await replayed.close();
});

test('forwarded ports of a branch that clients leave are closed', async () => {
  const { first } = await startBoth(1);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  await call('POST', '/api/v1/namespaces/default/pods', pod);
  await first.pacer.runUntil(first.cluster.loop.nowMs() + 60_000);
  const { headers, ...rest } = options('POST');
  const upgrade = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'portforward.k8s.io' };
  const sent = request(`${endpoint.server}/api/v1/namespaces/default/pods/web/portforward`, {
    ...rest,
    agent: false,
    headers: { ...(headers as Record<string, string>), ...upgrade },
  });
  const closed = new Promise<number | undefined>((resolve, reject) => {
    sent.on('upgrade', (response, socket) => {
      socket.on('close', () => resolve(response.statusCode));
      socket.resume();
      endpoint.switchTo('second');
    });
    sent.on('response', ({ statusCode }) => reject(new Error(`answered ${statusCode}`)));
    sent.on('error', reject);
  });
  sent.end();
  expect(await closed).toBe(101);
});

test('every branch is reached under its own name, also while another is shown', async () => {
  await startBoth();
  await call('POST', `/branches/second${maps}`, configMap('beside'));
  expect(names(await call('GET', maps))).toEqual([]);
  expect(names(await call('GET', `/branches/second${maps}`))).toEqual(['beside']);
  expect(endpoint.listBranches().map(({ name }) => name)).toEqual(['first', 'second']);
  expect(await call('GET', `/branches/third${maps}`)).toMatchObject({ code: 404, body: { message: 'branches.sim.wavetank.dev "third" not found' } });
});

test('a branch that is taken away ends its watches and is not found again', async () => {
  await startBoth();
  const beside = await watch(`/branches/second${maps}?watch=true&resourceVersion=0`);
  const removed = endpoint.removeBranch('second');
  expect((await beside.lines).at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  await removed.close();
  expect((await call('GET', `/branches/second${maps}`)).code).toBe(404);
});

test('a cluster that has stopped says why to whoever asks or watches', async () => {
  const { first } = await startBoth();
  const watching = await watch(`${maps}?watch=true&resourceVersion=0`);
  vi.spyOn(first.cluster.loop, 'run').mockRejectedValue(new Error('an instant that never ends'));
  first.pacer.wake();
  expect((await watching.lines).at(-1)).toMatchObject({ type: 'ERROR', object: { code: 500, reason: 'InternalError' } });
  const answer = await call('GET', maps);
  expect(answer).toMatchObject({ code: 500, body: { kind: 'Status', reason: 'InternalError' } });
  expect(answer.body.message).toContain('the cluster has stopped: an instant that never ends');
  expect((await call('GET', `/branches/second${maps}`)).code).toBe(200);
  expect(await plain('/readyz?verbose')).toEqual([500, '[-]cluster failed: an instant that never ends\nreadyz check failed\n']);
});
