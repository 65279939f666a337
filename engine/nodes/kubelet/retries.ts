/**
 * When a kubelet tries again what failed. It looks at a pod as a whole: when its runtime says that something of it began or ended, and,
 * after a look at which something failed, when a queue says so. What a look finds is told with the next one. Mirrors
 * pkg/kubelet/pod_workers.go (completeWork), kuberuntime_manager.go (doBackOff) and reason_cache.go.
 */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { assert } from '../../base/assert.ts';
import { secondsToMs } from '../../base/int64.ts';
import { relistMs, syncBackoffMs, syncJitter, syncPeriodMs } from '../physics.ts';
import { durationText } from '../timestamps.ts';
import { backoffEndMs, inBackoff } from './container-exit.ts';
import { changed, containerSpec, type KubeletEnvironment, nextRelistMs, podText, shouldRestart } from './environment.ts';
import { killContainer } from './stop-pod.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/** Of what failed at the look that goes on. */
const notBeforeNextLook = Number.MAX_SAFE_INTEGER;

/** The kubelet looks at the pod now, whatever it waited for. */
export function lookAgain(worker: PodWorker, env: KubeletEnvironment): void {
  for (const run of worker.containers) if (run.state !== 'running') run.retryMs = Math.min(run.retryMs, env.nowMs);
}

/** Its spec says something else: it is looked at at once, and what has another image is another container. */
export function noticeUpdate(worker: PodWorker, before: Pod, env: KubeletEnvironment): void {
  for (const run of worker.containers) {
    if (run.role === 'ephemeral' || containerSpec(worker.pod, run).image === containerSpec(before, run).image) continue;
    run.backoffMs = 0;
    run.pullBackoffMs = 0;
    run.pullRetryMs = 0;
    run.pullError = '';
    if (run.state !== 'running' || run.killMs !== null || !shouldRestart(worker, run, 1)) continue;
    const graceMs = secondsToMs(worker.pod.spec?.terminationGracePeriodSeconds ?? 30);
    killContainer(worker, run, graceMs, `Container ${run.name} definition changed, will be restarted`, env);
  }
  lookAgain(worker, env);
}

export function beginLook(worker: PodWorker, env: KubeletEnvironment): void {
  if (worker.lookMs === null || env.nowMs < worker.lookMs) return;
  worker.lookMs = null;
  lookAgain(worker, env);
}

/** When what the runtime says matters: something waits for a later look. */
export function lookWakeMs({ lookMs, containers }: PodWorker): number {
  if (lookMs === null) return Number.POSITIVE_INFINITY;
  return containers.some(({ state, retryMs }) => state !== 'running' && retryMs > lookMs) ? lookMs : Number.POSITIVE_INFINITY;
}

/** This container could not be started. */
export function failed(run: ContainerRun, reason: string, message: string): void {
  assert(run.state !== 'running', 'what runs did not fail to start');
  run.untold = { reason, message };
  run.retryMs = notBeforeNextLook;
}

export function tell(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  if (run.untold === null) return;
  const isNews = run.state !== 'waiting' || run.reason !== run.untold.reason || run.message !== run.untold.message;
  run.state = 'waiting';
  run.reason = run.untold.reason;
  run.message = run.untold.message;
  run.untold = null;
  if (isNews) changed(worker, env, env.nowMs);
}

export function backOff(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  env.event(worker, 'Warning', 'BackOff', `Back-off restarting failed container ${run.name} in pod ${podText(worker)}`, run);
  failed(run, 'CrashLoopBackOff', `back-off ${durationText(run.backoffMs)} restarting failed container=${run.name} pod=${podText(worker)}`);
}

/** The look is over: one queue entry of the pod says when the next one is, unless the runtime said something meanwhile. */
export function endLook(worker: PodWorker, env: KubeletEnvironment): void {
  if (worker.lookMs !== null && worker.lookMs <= env.nowMs) worker.lookMs = nextRelistMs(env);
  const failures = worker.containers.filter(({ retryMs }) => retryMs === notBeforeNextLook);
  if (failures.length === 0) return;
  const ends = env.waitsForBackoffs ? failures.filter((run) => inBackoff(run, env.nowMs)).map(backoffEndMs) : [];
  const waitMs = ends.length === 0 ? syncBackoffMs : Math.min(syncPeriodMs, Math.max(0, Math.min(...ends) - env.nowMs));
  const dueMs = nextTickMs(env.nowMs + waitMs * env.random.between(1, 1 + syncJitter), env);
  for (const run of worker.containers) if (run.state !== 'running' && run.retryMs > env.nowMs) run.retryMs = dueMs;
}

/** The queue is asked once a second. */
function nextTickMs(atMs: number, { machine: { relistPhaseMs } }: KubeletEnvironment): number {
  return Math.ceil((atMs - relistPhaseMs) / relistMs) * relistMs + relistPhaseMs;
}
