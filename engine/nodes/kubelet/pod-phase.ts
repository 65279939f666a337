/** The phase of a pod from its containers. Mirrors pkg/kubelet/kubelet_pods.go (getPhase). */
import { shouldRestart } from './environment.ts';
import { restartingReason } from './restart-all.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

export function isLastPhase(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** `isOver`: the kubelet will start nothing any more. */
export function podPhase(worker: PodWorker, isOver: boolean): PodPhase {
  if (worker.verdict !== null && (worker.stage === 'rejected' || worker.stopping !== null)) return 'Failed';
  const mains = worker.containers.filter((run) => run.role === 'main');
  const initialized = mains.some((run) => run.id !== '');
  const inits = worker.containers.filter((run) => run.role === 'init');
  if (inits.some((run) => failedForGood(worker, run))) return 'Failed';
  const pendingInit =
    !initialized && worker.containers.some((run) => (run.role === 'init' && !isDone(run)) || (run.role === 'sidecar' && !run.started));
  if (pendingInit && !isOver) return 'Pending';
  const waiting = mains.filter((run) => run.state === 'waiting' && run.ended === null && run.previous === null).length;
  if (waiting > 0) return 'Pending';
  if (mains.some((run) => run.state === 'running') || worker.containers.some((run) => run.role === 'sidecar' && run.state === 'running'))
    return 'Running';
  const succeeded = mains.every((run) => run.ended?.exitCode === 0);
  // What waits after all were removed begins anew; the others are judged by their last end, also where that is only inferred.
  const goesOn = mains.some((run) => isRemoved(run) || shouldRestart(worker, run, (run.ended ?? run.previous)?.exitCode ?? 1));
  if (goesOn && !isOver) return 'Running';
  return succeeded ? 'Succeeded' : 'Failed';
}

function isDone(run: ContainerRun): boolean {
  return run.state === 'terminated' && run.ended?.exitCode === 0;
}

function failedForGood(worker: PodWorker, run: ContainerRun): boolean {
  const last = run.state === 'running' || isRemoved(run) ? run.ended : (run.ended ?? run.previous);
  return last !== null && last.exitCode !== 0 && !shouldRestart(worker, run, last.exitCode);
}

function isRemoved({ ended, previous }: ContainerRun): boolean {
  return ended === null && previous?.reason === restartingReason;
}
