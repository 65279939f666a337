/**
 * A large cluster at full speed: nodes until Ready, Deployments until every replica is Ready, how long a GET takes meanwhile, memory.
 * Run: npm run bench -- scale [nodes deployments replicas] [options of up]
 */
import { aDeployment } from '../support/cluster.ts';
import { percentile, print, sleep, spawnCluster } from './spawned.ts';

const given = process.argv.slice(2);
const numbers = given.filter((argument) => /^\d+$/.test(argument)).slice(0, 3);
const [nodes = 1000, deployments = 10, replicas = 1000] = numbers.map(Number);
const options = given.slice(numbers.length);
const patienceMs = 300_000;
const deploymentsPath = '/apis/apps/v1/namespaces/default/deployments';

interface Deployments {
  readonly items: readonly { readonly status?: { readonly readyReplicas?: number } }[];
}

const cluster = await spawnCluster(['--nodes', String(nodes), '--speed', 'max', ...options]);
print('scale/nodes-ready', { nodes, wallMs: Math.round(cluster.startMs), options, ...cluster.memory() });

const startedMs = performance.now();
for (let index = 0; index < deployments; index++) await cluster.call('POST', deploymentsPath, aDeployment(`web-${index}`, replicas));
const waits: number[] = [];
let ready = 0;
while (ready < deployments * replicas && performance.now() - startedMs < patienceMs) {
  const sentMs = performance.now();
  const list = await cluster.call<Deployments>('GET', deploymentsPath);
  waits.push(performance.now() - sentMs);
  ready = list.items.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0);
  await sleep(20);
}
print('scale/pods-ready', { pods: ready, wallMs: Math.round(performance.now() - startedMs), options, ...cluster.memory() });
print('scale/get-meanwhile', { times: waits.length, p50Ms: percentile(waits, 0.5), p99Ms: percentile(waits, 0.99), maxMs: percentile(waits, 1) });
await cluster.stop();
