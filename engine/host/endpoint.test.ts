/** Two clusters behind one endpoint, and a client that knows nothing of it: over HTTPS, as kubectl would. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { defaultConfig, documentedStartMs } from '../cluster/config.ts';
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
  await runWeb(first);
  const { code, socket } = await forward().answered;
  expect(code).toBe(101);
  const closed = new Promise((resolve) => socket?.on('close', resolve));
  socket?.resume();
  endpoint.switchTo('second');
  await closed;
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

/** Stands in for an authority outside: what asks for one of the paths is answered when it has said yes. `begun`: all of them are asked for. */
function askedBy(branch: Branch, ...asked: readonly string[]): { readonly answer: () => void; readonly begun: Promise<void> } {
  const { door } = branch.cluster;
  const serve = door.serve.bind(door);
  let answer = (): void => undefined;
  let begin = (): void => undefined;
  const word = new Promise<void>((resolve) => (answer = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const waiting = new Set(asked);
  vi.spyOn(door, 'serve').mockImplementation((asking) => {
    const path = asked.find((one) => asking.path.endsWith(one));
    if (path === undefined) return serve(asking);
    waiting.delete(path);
    if (waiting.size === 0) begin();
    return word.then(() => serve(asking));
  });
  return { answer, begun };
}

const podPath = '/api/v1/namespaces/default/pods';

async function runWeb(branch: Branch): Promise<void> {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  await call('POST', podPath, pod);
  await branch.pacer.runUntil(branch.cluster.loop.nowMs() + 60_000);
}

/** Asks for a port-forward; resolves with the code of the answer, and with the socket where it is upgraded. */
function forward(): {
  readonly sent: ReturnType<typeof request>;
  readonly answered: Promise<{ code: number | undefined; body: string; socket?: Duplex }>;
} {
  const { headers, ...rest } = options('POST');
  const upgrade = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'portforward.k8s.io' };
  const sent = request(`${endpoint.server}${podPath}/web/portforward`, {
    ...rest,
    agent: false,
    headers: { ...(headers as Record<string, string>), ...upgrade },
  });
  const answered = new Promise<{ code: number | undefined; body: string; socket?: Duplex }>((resolve, reject) => {
    sent.on('upgrade', (response, socket) => resolve({ code: response.statusCode, body: '', socket }));
    sent.on('response', (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ code: response.statusCode, body }));
    });
    sent.on('error', reject);
  });
  sent.end();
  return { sent, answered };
}

test('a port-forward waits for who has to be asked about it', async () => {
  const { first } = await startBoth(1);
  await runWeb(first);
  const { answer, begun } = askedBy(first, '/portforward');
  const { answered } = forward();
  await begun;
  expect((await call('GET', `${podPath}/web`)).code).toBe(200);
  answer();
  const { code, socket } = await answered;
  expect(code).toBe(101);
  socket?.destroy();
});

test('a port-forward whose client leaves while somebody is asked opens nothing', async () => {
  const { first } = await startBoth(1);
  await runWeb(first);
  const { answer, begun } = askedBy(first, '/portforward');
  const opened = vi.spyOn(first, 'openPort');
  const { sent, answered } = forward();
  await begun;
  const gone = expect(answered).rejects.toThrow('socket hang up');
  sent.destroy();
  await gone;
  answer();
  expect((await call('GET', `${podPath}/web`)).code).toBe(200);
  expect(opened).not.toHaveBeenCalled();
});

test('streams for which somebody is asked while clients are led to another branch do not begin', async () => {
  const { first } = await startBoth(1);
  await runWeb(first);
  const { answer, begun } = askedBy(first, '/portforward', '/configmaps');
  const { answered } = forward();
  const watch = call('GET', `${maps}?watch=true`);
  await begun;
  endpoint.switchTo('second');
  answer();
  const refused = await answered;
  expect([refused.code, (JSON.parse(refused.body) as Answer['body'])['reason']]).toEqual([410, 'Expired']);
  expect(await watch).toMatchObject({ code: 410, body: { reason: 'Expired' } });
});

test('a defect while a port-forward is asked about is answered, and the process goes on', async () => {
  const { first } = await startBoth(1);
  const { door } = first.cluster;
  vi.spyOn(door, 'serve').mockImplementationOnce(() => Promise.reject(new Error('a wheel came off')));
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await forward().answered).toMatchObject({ code: 500, body: expect.stringContaining('a wheel came off') as string });
  expect(told).toHaveBeenCalledWith(expect.stringContaining('a wheel came off'));
  told.mockRestore();
  expect((await call('GET', podPath)).code).toBe(200);
});
