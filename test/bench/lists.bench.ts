/**
 * Whether long lists hold up others: how long a GET of one pod takes while eight clients list all pods in a loop, five as JSON and
 * one each as Table, YAML and protobuf. The clients that list are a process of their own.
 * Run: npm run bench -- lists [pods nodes seconds]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:https';
import { aDeployment } from '../support/cluster.ts';
import { percentile, print, sleep, type SpawnedCluster, spawnCluster } from './spawned.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const forms = {
  json: 'application/json',
  pretty: 'application/json;pretty=1',
  table,
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
} as const;
const beside = ['json', 'json', 'json', 'json', 'json', 'table', 'yaml', 'protobuf'] as const;
const pods = '/api/v1/namespaces/default/pods';

interface Target {
  readonly server: string;
  readonly token: string;
}

interface Answer {
  readonly bytes: number;
  readonly ms: number;
}

if (process.argv[2] === 'client') await listForEver(JSON.parse(process.argv[3] ?? '{}') as Target);
else await measure(...(process.argv.slice(2).map(Number) as [number?, number?, number?]));

async function measure(count = 5000, nodes = 500, seconds = 20): Promise<void> {
  const cluster = await spawnCluster(['--nodes', String(nodes), '--speed', 'max', '--kube-api-qps', '0', '--scheduler-kube-api-qps', '0']);
  await start(cluster, count);
  const target = { server: cluster.server, token: cluster.token };
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  for (const [form, accept] of Object.entries(forms)) {
    const first = await get(agent, target, pods, accept);
    const again = await get(agent, target, pods, accept);
    print('lists/alone', { form, pods: count, mb: round(first.bytes / 1e6), firstMs: round(first.ms), againMs: round(again.ms) });
  }
  const name = (await cluster.call<{ readonly items: readonly { readonly metadata: { readonly name: string } }[] }>('GET', `${pods}?limit=1`))
    .items[0]?.metadata.name;
  await probe('lists/get-alone', agent, target, `${pods}/${name ?? ''}`, 3);
  const clients = spawn(process.execPath, [import.meta.filename, 'client', JSON.stringify(target)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await sleep(3000);
  const taken = countLists(clients);
  await probe('lists/get-beside-eight', agent, target, `${pods}/${name ?? ''}`, seconds);
  print('lists/taken-meanwhile', { seconds, ...taken(), ...cluster.memory() });
  clients.kill('SIGKILL');
  agent.destroy();
  await cluster.stop();
}

/** As many pods as asked for, all running, and a cluster that has nothing more to do. */
async function start(cluster: SpawnedCluster, count: number): Promise<void> {
  await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', count));
  for (;;) {
    const { status } = await cluster.call<{ status?: { readyReplicas?: number } }>('GET', '/apis/apps/v1/namespaces/default/deployments/web');
    if (status?.readyReplicas === count) break;
    await sleep(100);
  }
  await cluster.call('PUT', '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster', { metadata: { name: 'cluster' }, spec: { speed: '1' } });
}

async function probe(bench: string, agent: Agent, target: Target, path: string, seconds: number): Promise<void> {
  const waits: number[] = [];
  for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; await sleep(5)) {
    waits.push((await get(agent, target, path, forms.json)).ms);
  }
  print(bench, { times: waits.length, p50Ms: percentile(waits, 0.5), p99Ms: percentile(waits, 0.99), maxMs: percentile(waits, 1) });
}

function countLists(clients: ChildProcess): () => object {
  const taken: { [form: string]: number } = {};
  clients.stdout?.on('data', (chunk: Buffer) => {
    for (const form of chunk.toString().trim().split('\n')) taken[form] = (taken[form] ?? 0) + 1;
  });
  return () => taken;
}

/** Tells the form of each list that has arrived. */
async function listForEver(target: Target): Promise<void> {
  await Promise.all(
    beside.map(async (form) => {
      const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
      for (;;) {
        await get(agent, target, pods, forms[form]);
        process.stdout.write(`${form}\n`);
      }
    }),
  );
}

function get(agent: Agent, { server, token }: Target, path: string, accept: string): Promise<Answer> {
  const sentMs = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(`${server}${path}`, { agent, headers: { authorization: `Bearer ${token}`, accept } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ bytes, ms: performance.now() - sentMs });
        else reject(new Error(`${path}: ${response.statusCode ?? 0}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
