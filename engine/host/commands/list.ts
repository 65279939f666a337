/** `wavetank list`, `status` and `stop`. */
import type { Clock } from '../../api/sim/v1alpha1/clock.ts';
import { CommandError } from '../command-error.ts';
import { callCluster } from '../local-client.ts';
import { isRunning, markOf } from '../processes.ts';
import { findCluster, listClusters, type RunningCluster } from '../registry-file.ts';
import { type Given, isJson } from './given.ts';

const stopPollMs = 50;
const stopTimeoutMs = 30_000;

export async function runList(given: Given): Promise<number> {
  const clusters = (await listClusters()).map(shown);
  if (isJson(given)) process.stdout.write(`${JSON.stringify(clusters)}\n`);
  else if (clusters.length === 0) process.stdout.write('no cluster is running\n');
  else for (const { name, server, pid, ui } of clusters) process.stdout.write(`${name}\t${server}\tpid ${pid}\t${ui ?? '-'}\n`);
  return 0;
}

export async function runStatus(name: string | undefined, given: Given): Promise<number> {
  const cluster = await findCluster(name);
  const clock = await readClock(cluster);
  if (isJson(given)) {
    process.stdout.write(`${JSON.stringify({ ...shown(cluster), clock })}\n`);
    return 0;
  }
  const { status, spec } = clock;
  process.stdout.write(
    [
      `name        ${cluster.name}`,
      `server      ${cluster.server}`,
      `kubeconfig  ${cluster.kubeconfig}`,
      `page        ${cluster.ui ?? '-'}`,
      `seed        ${cluster.seed}`,
      `speed       ${spec.speed}`,
      `time        ${status.virtualTime}`,
      `revision    ${status.revision}`,
      `digest      ${status.digest}`,
      '',
    ].join('\n'),
  );
  return 0;
}

export async function runStop(name: string | undefined): Promise<number> {
  const cluster = await findCluster(name);
  const mark = markOf(cluster.pid);
  process.kill(cluster.pid, 'SIGTERM');
  for (let waited = 0; isRunning(mark); waited += stopPollMs) {
    if (waited > stopTimeoutMs) throw new CommandError(`${cluster.name} (pid ${cluster.pid}) does not stop; end the process by hand`);
    await new Promise((resolve) => setTimeout(resolve, stopPollMs));
  }
  process.stdout.write(`stopped ${cluster.name}\n`);
  return 0;
}

/** What may be shown to whoever looks on: no more than how to find it. */
function shown({ name, server, kubeconfig, ui, seed, pid }: RunningCluster): RunningCluster {
  return { name, server, kubeconfig, ui, seed, pid };
}

export function readClock(cluster: RunningCluster): Promise<Clock> {
  return callCluster<Clock>(cluster, 'GET', '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster');
}
