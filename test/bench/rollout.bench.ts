/**
 * What the engine alone needs for a rollout, in process and without sockets: processor time (other work on the machine leaves it alone
 * more than wall time), tasks and revisions for each pod, and the live heap that each keeps. Events and the timeline are part of it.
 * Run: npm run bench -- rollout [nodes deployments replicas]
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { aCluster, aDeployment } from '../support/cluster.ts';
import { print } from './spawned.ts';

const [nodes = 200, deployments = 2, replicas = 1000] = process.argv.slice(2).map(Number);
const stepMs = 1000;
const virtualPatienceMs = 3_600_000;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function liveKb(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1024;
}

interface Deployments {
  readonly items: readonly { readonly status?: { readonly readyReplicas?: number } }[];
}

const begunMs = cpuMs();
// As long as a real certificate: the digest looks for its lines.
const lines = Array.from({ length: 10 }, (_, line) => String.fromCharCode(65 + line).repeat(64));
const rootCaPem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
const { cluster, call, advance } = await aCluster({ nodes }, { rootCaPem });
print('rollout/nodes-ready', { nodes, cpuMs: Math.round(cpuMs() - begunMs) });

const before = { cpuMs: cpuMs(), kb: liveKb(), tasks: cluster.loop.tasksRun, revision: cluster.store.currentRevision(), ms: cluster.loop.nowMs() };
const path = '/apis/apps/v1/namespaces/default/deployments';
const startMs = cpuMs();
for (let index = 0; index < deployments; index++) call('POST', path, aDeployment(`web-${index}`, replicas));
const pods = deployments * replicas;
let ready = 0;
while (ready < pods && cluster.loop.nowMs() - before.ms < virtualPatienceMs) {
  await advance(stepMs);
  ready = call<Deployments>('GET', path).items.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0);
}
const totalMs = cpuMs() - startMs;
const each = (total: number): number => Number((total / pods).toFixed(2));
print('rollout/pods-ready', {
  pods: ready,
  cpuMs: Math.round(totalMs),
  cpuMsPerPod: each(totalMs),
  virtualSeconds: Math.round((cluster.loop.nowMs() - before.ms) / 1000),
  tasksPerPod: each(cluster.loop.tasksRun - before.tasks),
  revisionsPerPod: each(cluster.store.currentRevision() - before.revision),
});
print('rollout/heap', { liveKbPerPod: each(liveKb() - before.kb), digest: cluster.digest.slice(0, 12) });
