/**
 * A container whose end starts its whole pod over, in place: all containers are killed and removed, and begin again with the init
 * containers; volumes, address and node stay. Mirrors RestartAllContainers of pkg/kubelet/kuberuntime and pkg/kubelet/kubelet_pods.go.
 */
import { assert } from '../../base/assert.ts';
import { containerStartMaxMs, containerStartMinMs } from '../physics.ts';
import { changed, containerSpec, type KubeletEnvironment, nextRelistMs } from './environment.ts';
import { endContainer } from './container-exit.ts';
import { ruleFor } from './restart-rules.ts';
import { type ContainerRun, noFiles, type PodWorker } from './worker.ts';

export const allRestarting = 'AllContainersRestarting';
export const restartingReason = 'RestartingAllContainers';
const removedMessage = 'The container is removed because RestartAllContainers in place';
const killedExitCode = 137;

/** A container has ended: what its rules say is seen when the kubelet looks, and done a little later. */
export function noticeEnd(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  if (run.role === 'ephemeral' || run.ended === null || worker.stopping !== null || worker.restartAllMs !== null) return;
  if (ruleFor(containerSpec(worker.pod, run), run.ended.exitCode)?.action !== 'RestartAllContainers') return;
  worker.restartAllMs = nextRelistMs(env) + env.random.between(containerStartMinMs, containerStartMaxMs);
}

export function advanceRestartAll(worker: PodWorker, env: KubeletEnvironment): void {
  if (worker.restartAllMs === null || env.nowMs < worker.restartAllMs) return;
  assert(worker.stopping === null, 'a pod that ends does not start over');
  worker.busy = null;
  const own = worker.containers.filter(({ role }) => role !== 'ephemeral');
  for (const run of [...own.filter(({ role }) => role === 'main'), ...own.filter(({ role }) => role !== 'main')]) remove(worker, run, env);
  worker.restartAllMs = null;
  changed(worker, env);
}

function remove(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  if (run.state === 'running') {
    env.event(worker, 'Normal', 'Killing', 'killing', run);
    endContainer(worker, run, killedExitCode, env);
  }
  if (run.id !== '') {
    run.previous = { exitCode: killedExitCode, reason: restartingReason, message: removedMessage, startedMs: 0, finishedMs: 0, id: '' };
    run.restarts++;
    run.previousLog = run.log;
  }
  run.state = 'waiting';
  run.reason = restartingReason;
  run.message = removedMessage;
  run.ended = null;
  run.log = null;
  run.files = noFiles;
  run.id = '';
  run.retryMs = env.nowMs;
  run.untold = null;
  run.backoffMs = 0;
}
