/**
 * How long a light client waits beside others that list 5,000 pods in a loop from 32 connections, over TLS: p50 and p99 of a get of one
 * pod and of the creation of a ConfigMap, alone, beside plain lists and beside lists that leave as gzip. Lists are taken by a process of
 * their own. With a kubeconfig it asks that server, for example the real one, where it makes the pods in a namespace that it deletes again.
 * Run: npm run bench -- light [pods connections seconds] [--kubeconfig FILE]
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, type AgentOptions, request } from 'node:https';
import { loadavg } from 'node:os';
import { parse } from 'yaml';
import { percentile, print, sleep, spawnCluster } from './spawned.ts';

const namespace = '/api/v1/namespaces/light';
const pods = `${namespace}/pods`;
/** Between two requests of the light client. */
const pauseMs = 5;
const makersAtATime = 16;

interface Target {
  readonly server: string;
  readonly tls: AgentOptions;
  readonly headers: { readonly [name: string]: string };
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly [field: string]: string | undefined } }[];
}

if (process.argv[2] === 'lists') await listForEver(JSON.parse(process.argv[3] ?? '{}') as Target, Number(process.argv[4]), process.argv[5] ?? '');
else await main();

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const at = args.indexOf('--kubeconfig');
  const [count = 5000, connections = 32, seconds = 15] = args.filter((_, index) => at < 0 || (index !== at && index !== at + 1)).map(Number);
  const file = at < 0 ? undefined : args[at + 1];
  if (file !== undefined) return measure(targetOf(file), count, connections, seconds);
  const cluster = await spawnCluster([]);
  try {
    await sleep(8000);
    await measure(
      { server: cluster.server, tls: { rejectUnauthorized: false }, headers: { authorization: `Bearer ${cluster.token}` } },
      count,
      connections,
      seconds,
    );
  } finally {
    await cluster.stop();
  }
}

function targetOf(file: string): Target {
  const { clusters, users } = parse(readFileSync(file, 'utf8')) as Kubeconfig;
  const user = users[0]?.user ?? {};
  const held = (name: string): string | undefined => {
    const [data, path] = [user[`${name}-data`], user[name]];
    return data === undefined ? path && readFileSync(path, 'utf8') : Buffer.from(data, 'base64').toString();
  };
  const [cert, key] = [held('client-certificate'), held('client-key')];
  return {
    server: clusters[0]?.cluster.server ?? '',
    tls: { rejectUnauthorized: false, ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
    headers: user['token'] === undefined ? {} : { authorization: `Bearer ${user['token']}` },
  };
}

async function measure(target: Target, count: number, connections: number, seconds: number): Promise<void> {
  const agent = new Agent({ ...target.tls, keepAlive: true });
  await ask(agent, target, 'POST', '/api/v1/namespaces', { metadata: { name: 'light' } });
  await accountOf(agent, target);
  let made = 0;
  const makePods = async (): Promise<void> => {
    while (made < count) await ask(agent, target, 'POST', pods, pod(`p${made++}`));
  };
  await Promise.all(Array.from({ length: makersAtATime }, makePods));
  await light('alone', target, seconds / 3);
  for (const encoding of ['', 'gzip']) {
    const args = [import.meta.filename, 'lists', JSON.stringify(target), String(connections), encoding];
    const lists = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let taken = 0;
    lists.stdout.on('data', (dots: Buffer) => (taken += dots.length));
    await sleep(4000);
    const before = taken;
    await light(encoding === '' ? 'beside-lists' : 'beside-gzip-lists', target, seconds, () => ({
      connections,
      listsASecond: rounded((taken - before) / seconds),
    }));
    lists.kill('SIGKILL');
    await sleep(1000);
  }
  await ask(agent, target, 'DELETE', namespace);
  agent.destroy();
}

/** A get and a creation in turns, on one connection. */
async function light(where: string, target: Target, seconds: number, more: () => object = () => ({})): Promise<void> {
  const agent = new Agent({ ...target.tls, keepAlive: true, maxSockets: 1 });
  const waits: { readonly get: number[]; readonly create: number[] } = { get: [], create: [] };
  const name = `${where}-${process.pid}`;
  for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; await sleep(pauseMs)) {
    waits.get.push(await ask(agent, target, 'GET', `${pods}/p${waits.get.length % 100}`));
    await sleep(pauseMs);
    waits.create.push(
      await ask(agent, target, 'POST', `${namespace}/configmaps`, { metadata: { name: `${name}-${waits.create.length}` }, data: { k: 'v' } }),
    );
  }
  for (const [what, times] of Object.entries(waits) as [string, number[]][]) {
    const [p50Ms, p99Ms, maxMs] = [percentile(times, 0.5), percentile(times, 0.99), percentile(times, 1)];
    print(`light/${what}-${where}`, { times: times.length, p50Ms, p99Ms, maxMs, ...more(), load: rounded(loadavg()[0] ?? 0) });
  }
  agent.destroy();
}

async function listForEver(target: Target, connections: number, encoding: string): Promise<void> {
  const headers = { ...target.headers, ...(encoding === '' ? {} : { 'accept-encoding': encoding }) };
  const list = async (): Promise<void> => {
    const agent = new Agent({ ...target.tls, keepAlive: true, maxSockets: 1 });
    for (;;) {
      await ask(agent, { ...target, headers }, 'GET', pods);
      process.stdout.write('.');
    }
  };
  await Promise.all(Array.from({ length: connections }, list));
}

/** Milliseconds until the last byte. */
function ask(agent: Agent, { server, headers }: Target, method: string, path: string, body?: object): Promise<number> {
  const sentMs = performance.now();
  return new Promise((resolve, reject) => {
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(`${server}${path}`, { agent, method, headers: { ...headers, accept: 'application/json', ...content } }, (response) => {
      response.resume();
      response.on('end', () => {
        if ((response.statusCode ?? 500) < 400) resolve(performance.now() - sentMs);
        else reject(new Error(`${method} ${path}: ${response.statusCode ?? 0}`));
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Pods are refused until their namespace has one. */
async function accountOf(agent: Agent, target: Target): Promise<void> {
  for (let tries = 100; tries > 0; tries--) {
    const found = await ask(agent, target, 'GET', `${namespace}/serviceaccounts/default`).catch(() => undefined);
    if (found !== undefined) return;
    await sleep(100);
  }
  throw new Error('the namespace has no default service account');
}

/** As the peers' `apiload` makes them, and as long as a pod that runs. */
function pod(name: string): object {
  const resources = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m', memory: '128Mi' } };
  const env = ['A', 'B'].map((letter) => ({ name: letter, value: letter.repeat(3) }));
  const containers = [{ name: 'c', image: 'nginx:1.27', ports: [{ containerPort: 80 }], env, resources }];
  return {
    metadata: { name, labels: { app: 'light', tier: 'web' }, annotations: { note: 'x'.repeat(800) } },
    spec: { schedulerName: 'none', containers },
  };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
