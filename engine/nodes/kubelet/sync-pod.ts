/**
 * One step of a pod worker: everything that is due now happens, effects go through the environment, and what comes next is said by
 * `wakeMs`. Mirrors pkg/kubelet/kubelet.go (SyncPod, SyncTerminatingPod) and kuberuntime_manager.go (computePodActions).
 */
import { assert } from '../../base/assert.ts';
import { secondsToMs } from '../../base/int64.ts';
import { takePodAddress, releasePodAddress } from '../machine.ts';
import { attachTimeoutMs, mountBackoffBaseMs, mountBackoffMaxMs, retryMaxMs, retryMinMs, sandboxMaxMs, sandboxMinMs } from '../physics.ts';
import { programWakeMs } from '../runtime/program.ts';
import { advanceContainer, inBackoff } from './container-exit.ts';
import { changed, noticed, shouldRestart, type KubeletEnvironment } from './environment.ts';
import { usesDevices } from './pod-facts.ts';
import { advanceProbes, probesWakeMs } from './probes.ts';
import { advanceResize } from './resize.ts';
import { advanceRestartAll, noticeEnd } from './restart-all.ts';
import { backOff, beginLook, endLook, lookWakeMs, tell } from './retries.ts';
import { beginStart, finishStep } from './start-container.ts';
import { beginStop, continueStop } from './stop-pod.ts';
import { mountClaims } from './claims.ts';
import { podFoldersFault } from './system-disk.ts';
import { tokenAccount } from './service-account-token.ts';
import { failedVolumes } from './volumes.ts';
import { type ContainerRun, type PodWorker, ranHere } from './worker.ts';

const deadlineReason = 'DeadlineExceeded';
const deadlineMessage = 'Pod was active on the node longer than the specified deadline';

export function syncPod(worker: PodWorker, env: KubeletEnvironment): void {
  if (worker.stage === 'finished' || worker.stage === 'rejected') return;
  for (const run of worker.containers) {
    const { ended } = run;
    advanceContainer(worker, run, env);
    if (ended === null) noticeEnd(worker, run, env);
    if (run.state === 'running' && run.probes !== null) advanceProbes(worker, run, env);
  }
  if (worker.stopping === null) checkDeadline(worker, env);
  if (worker.stopping === null) advanceResize(worker, env);
  advanceRestartAll(worker, env);
  if (worker.stopping !== null) {
    continueStop(worker, env);
    return;
  }
  if (worker.stage === 'volumes' && env.nowMs >= worker.stageMs) mountVolumes(worker, env);
  if (worker.stage === 'sandbox' && env.nowMs >= worker.stageMs) startSandbox(worker, env);
  if (worker.stage === 'active' && worker.restartAllMs === null) startContainers(worker, env);
}

/** The next instant at which `syncPod` has something to do, or a status to report if the kubelet may speak. */
export function wakeMs(worker: PodWorker, nowMs: number, maySpeak: boolean): number | undefined {
  const flushMs = maySpeak ? (worker.flushMs ?? worker.takeBackMs) : null;
  if (worker.stage === 'finished' || worker.stage === 'rejected') return flushMs ?? undefined;
  let wake = flushMs ?? Number.POSITIVE_INFINITY;
  if (worker.teardownMs !== null) wake = Math.min(wake, worker.teardownMs);
  if (worker.restartAllMs !== null) wake = Math.min(wake, worker.restartAllMs);
  if (worker.stopping === null) {
    if (worker.stage !== 'active') wake = Math.min(wake, worker.stageMs);
    if (worker.busy !== null) wake = Math.min(wake, worker.busy.untilMs);
    else if (worker.stage === 'active') wake = Math.min(wake, lookWakeMs(worker));
    wake = Math.min(wake, worker.resize.retryMs ?? wake, worker.resize.dueMs ?? wake);
    const deadline = worker.pod.spec?.activeDeadlineSeconds;
    if (deadline !== undefined) wake = Math.min(wake, worker.addedMs + secondsToMs(deadline));
  }
  for (const run of worker.containers) wake = Math.min(wake, containerWakeMs(worker, run, nowMs));
  return wake === Number.POSITIVE_INFINITY ? undefined : wake;
}

/** What may be tried at an instant that has passed has been tried by now. */
function containerWakeMs(worker: PodWorker, run: ContainerRun, nowMs: number): number {
  if (run.state !== 'running') {
    const waits = worker.stage === 'active' && worker.stopping === null && worker.busy === null;
    return waits && run.retryMs > nowMs ? run.retryMs : Number.POSITIVE_INFINITY;
  }
  let wake = run.program === null ? Number.POSITIVE_INFINITY : (programWakeMs(run.program) ?? Number.POSITIVE_INFINITY);
  if (run.oomMs !== null) wake = Math.min(wake, run.oomMs);
  if (run.preStopMs !== null) wake = Math.min(wake, run.preStopMs);
  if (run.killMs !== null) wake = Math.min(wake, run.killMs);
  if (run.probes !== null) wake = Math.min(wake, probesWakeMs(run));
  return wake;
}

function checkDeadline(worker: PodWorker, env: KubeletEnvironment): void {
  const seconds = worker.pod.spec?.activeDeadlineSeconds;
  if (seconds === undefined || env.nowMs < worker.addedMs + secondsToMs(seconds)) return;
  worker.verdict = { reason: deadlineReason, message: deadlineMessage, disruption: null };
  env.event(worker, 'Normal', deadlineReason, deadlineMessage);
  beginStop(worker, secondsToMs(worker.pod.spec?.terminationGracePeriodSeconds ?? 30), env);
}

function mountVolumes(worker: PodWorker, env: KubeletEnvironment): void {
  const fault = podFoldersFault(worker, env.machine);
  if (fault !== undefined) {
    env.event(worker, 'Warning', 'Failed', fault);
    worker.stageMs = env.nowMs + env.random.between(retryMinMs, retryMaxMs);
    return;
  }
  if (!setUpVolumes(worker, env)) return;
  const claims = mountClaims(worker, env);
  if (claims === 'waiting') return;
  if (claims === 'failed') {
    worker.stageMs = env.nowMs + raiseMountBackoff(worker);
    return;
  }
  worker.mountBackoffMs = 0;
  worker.accountUid = tokenAccount(worker, env);
  worker.stage = 'sandbox';
  worker.stageMs = env.nowMs + env.random.between(sandboxMinMs, sandboxMaxMs);
}

/**
 * Volumes of ConfigMaps and Secrets: each tries by itself, with a back-off; the pod is told every two minutes which it still waits for.
 * False while one fails.
 */
function setUpVolumes(worker: PodWorker, env: KubeletEnvironment): boolean {
  const { nowMs } = env;
  const failed = failedVolumes(worker, env);
  if (failed.length === 0 && nowMs >= worker.setUpRetryMs) {
    worker.setUpSinceMs = null;
    return true;
  }
  worker.setUpSinceMs ??= nowMs;
  if (nowMs >= worker.setUpRetryMs) {
    for (const { name, why } of failed) env.event(worker, 'Warning', 'FailedMount', `MountVolume.SetUp failed for volume "${name}" : ${why}`);
    worker.setUpRetryMs = nowMs + raiseMountBackoff(worker);
  }
  if (nowMs >= worker.setUpSinceMs + attachTimeoutMs) {
    tellUnmounted(worker, env, failed.map(({ name }) => name).sort());
    worker.setUpSinceMs = nowMs;
  }
  worker.stageMs = Math.min(worker.setUpRetryMs, worker.setUpSinceMs + attachTimeoutMs);
  return false;
}

function raiseMountBackoff(worker: PodWorker): number {
  worker.mountBackoffMs = Math.min(mountBackoffMaxMs, worker.mountBackoffMs === 0 ? mountBackoffBaseMs : worker.mountBackoffMs * 2);
  return worker.mountBackoffMs;
}

function tellUnmounted(worker: PodWorker, env: KubeletEnvironment, names: readonly string[]): void {
  if (names.length === 0) return;
  const rest = 'unattached volumes=[], failed to process volumes=[]: context deadline exceeded';
  env.event(worker, 'Warning', 'FailedMount', `Unable to attach or mount volumes: unmounted volumes=[${names.join(' ')}], ${rest}`);
}

function startSandbox(worker: PodWorker, env: KubeletEnvironment): void {
  if (!worker.hasDevices && usesDevices(worker.pod)) {
    env.prepareDevices(worker);
    worker.stageMs = env.nowMs + env.random.between(retryMinMs, retryMaxMs);
    return;
  }
  const address = worker.pod.spec?.hostNetwork === true ? env.machine.address : takePodAddress(env.machine);
  if (address === undefined) {
    const range = env.machine.podCidr;
    env.event(
      worker,
      'Warning',
      'FailedCreatePodSandBox',
      `Failed to create pod sandbox: plugin type="wavetank" failed (add): no IP addresses available in range set: ${range}`,
    );
    worker.stageMs = env.nowMs + env.random.between(10_000, 15_000);
    return;
  }
  assert(worker.ip === '', 'a pod has one address');
  worker.ip = address;
  worker.sandboxMs = env.nowMs;
  worker.stage = 'active';
  noticed(worker, env);
}

/** Starts what may start, one container at a time, until something takes time or nothing is left to do. */
function startContainers(worker: PodWorker, env: KubeletEnvironment): void {
  // Where all is over no sandbox has anything to begin.
  if (worker.busy === null && isComplete(worker)) {
    beginStop(worker, 30_000, env);
    return;
  }
  if (worker.busy === null) beginLook(worker, env);
  if (!lookThrough(worker, env)) return;
  endLook(worker, env);
  if (isComplete(worker)) beginStop(worker, 30_000, env);
}

/** False while something takes time. */
function lookThrough(worker: PodWorker, env: KubeletEnvironment): boolean {
  for (;;) {
    if (worker.busy !== null) {
      if (env.nowMs < worker.busy.untilMs) return false;
      finishStep(worker, env);
      continue;
    }
    const run = nextToStart(worker, env);
    if (run === undefined) return true;
    beginStart(worker, run, env);
  }
}

function nextToStart(worker: PodWorker, env: KubeletEnvironment): ContainerRun | undefined {
  // Whoever looks into a pod does not wait for its init containers.
  const looking = worker.containers.find((run) => run.role === 'ephemeral' && run.state === 'waiting' && mayStart(worker, run, env));
  if (looking !== undefined) return looking;
  const mainStarted = worker.containers.some((run) => run.role === 'main' && ranHere(worker, run));
  for (const run of worker.containers) {
    if (run.role === 'init') {
      if (mainStarted || (ranHere(worker, run) && run.state === 'terminated' && run.ended?.exitCode === 0)) continue;
      if (run.state === 'running' || !mayStart(worker, run, env)) return undefined;
      return run;
    }
    if (run.role === 'ephemeral') continue;
    if (run.state === 'running') {
      if (run.role === 'sidecar' && !run.started && !mainStarted) return undefined;
      continue;
    }
    if (mayStart(worker, run, env)) return run;
    if (run.role === 'sidecar' && !mainStarted) return undefined;
  }
  return undefined;
}

function mayStart(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): boolean {
  if (run.ended !== null && !isToRunAgain(worker, run) && !shouldRestart(worker, run, run.ended.exitCode)) return false;
  if (env.nowMs < run.retryMs) return false;
  tell(worker, run, env);
  if (!inBackoff(run, env.nowMs)) return true;
  backOff(worker, run, env);
  return false;
}

/** What prepared another sandbox has not prepared this one. */
function isToRunAgain(worker: PodWorker, run: ContainerRun): boolean {
  return run.role === 'init' && run.ended?.exitCode === 0 && !ranHere(worker, run);
}

/** All ended for good: an init container failed for good, or every main container is done. */
function isComplete(worker: PodWorker): boolean {
  const isOver = (run: ContainerRun): boolean => run.state === 'terminated' && run.ended !== null && !shouldRestart(worker, run, run.ended.exitCode);
  const mains = worker.containers.filter((run) => run.role === 'main');
  if (mains.length > 0 && mains.every(isOver)) return true;
  return worker.containers.some((run) => run.role === 'init' && isOver(run) && run.ended?.exitCode !== 0);
}

/** The sandbox is gone: its address can be given away. The status keeps it. */
export function releaseSandbox(worker: PodWorker, env: KubeletEnvironment): void {
  assert(
    worker.containers.every((run) => run.state !== 'running'),
    'the sandbox goes last',
  );
  releasePodAddress(env.machine, worker.ip);
  worker.stage = 'finished';
  worker.teardownMs = null;
  changed(worker, env);
}
