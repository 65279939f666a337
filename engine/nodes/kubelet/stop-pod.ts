/**
 * Ending a pod: preStop, SIGTERM, SIGKILL when the grace is over; sidecars after the others, last one first; then the sandbox.
 * Mirrors kuberuntime_container.go (killContainer, killContainersWithSyncResult).
 */
import { assert } from '../../base/assert.ts';
import { teardownMaxMs, teardownMinMs } from '../physics.ts';
import { terminateProgram } from '../runtime/program.ts';
import { containerSpec, type KubeletEnvironment } from './environment.ts';
import { endContainer } from './container-exit.ts';
import { runHook } from './hooks.ts';
import { definitionOf } from './program-host.ts';
import { releaseSandbox } from './sync-pod.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/** A killed container has at least so long for its end after preStop. */
const afterPreStopMinMs = 2_000;

export function beginStop(worker: PodWorker, graceMs: number, env: KubeletEnvironment): void {
  if (worker.stopping !== null) {
    shorten(worker, graceMs, env);
    return;
  }
  assert(graceMs >= 0, 'a grace period is not negative');
  worker.stopping = { sinceMs: env.nowMs, graceMs };
  worker.busy = null;
  worker.restartAllMs = null;
  continueStop(worker, env);
}

/** Goes on until nothing runs, then takes the sandbox down. */
export function continueStop(worker: PodWorker, env: KubeletEnvironment): void {
  const stopping = worker.stopping;
  if (stopping === null) return;
  const running = worker.containers.filter((run) => run.state === 'running');
  const others = running.filter((run) => run.role !== 'sidecar');
  for (const run of others) if (run.killMs === null) killContainer(worker, run, remaining(worker, env), `Stopping container ${run.name}`, env);
  const sidecar = others.some((run) => run.state === 'running')
    ? undefined
    : running.findLast((run) => run.role === 'sidecar' && run.state === 'running');
  if (sidecar !== undefined && sidecar.killMs === null)
    killContainer(worker, sidecar, remaining(worker, env), `Stopping container ${sidecar.name}`, env);
  if (worker.containers.some((run) => run.state === 'running')) return;
  if (worker.ip === '') {
    releaseSandbox(worker, env);
    return;
  }
  worker.teardownMs ??= env.nowMs + env.random.between(teardownMinMs, teardownMaxMs);
  if (env.nowMs >= worker.teardownMs) releaseSandbox(worker, env);
}

export function killContainer(worker: PodWorker, run: ContainerRun, graceMs: number, message: string, env: KubeletEnvironment): void {
  assert(run.state === 'running', 'only what runs is killed');
  env.event(worker, 'Normal', 'Killing', message, run);
  run.probes = null;
  run.killMs = env.nowMs + graceMs;
  const preStop = containerSpec(worker.pod, run).lifecycle?.preStop;
  if (preStop !== undefined && graceMs > 0) {
    const result = runHook(worker, run, preStop, env);
    if (!result.ok) env.event(worker, 'Warning', 'FailedPreStopHook', 'PreStopHook failed', run);
    run.preStopMs = Math.min(env.nowMs + result.tookMs, run.killMs);
    run.killMs = Math.max(run.killMs, run.preStopMs + afterPreStopMinMs);
    if (result.tookMs > 0) return;
    run.preStopMs = null;
  }
  if (graceMs <= 0) endContainer(worker, run, 137, env);
  else if (run.program !== null) terminateProgram(run.program, definitionOf(worker, run, env), env.nowMs);
}

function remaining(worker: PodWorker, env: KubeletEnvironment): number {
  const stopping = worker.stopping;
  return stopping === null ? 0 : Math.max(0, stopping.sinceMs + stopping.graceMs - env.nowMs);
}

/** A second, more impatient deletion. */
function shorten(worker: PodWorker, graceMs: number, env: KubeletEnvironment): void {
  const stopping = worker.stopping;
  if (stopping === null || env.nowMs + graceMs >= stopping.sinceMs + stopping.graceMs) return;
  worker.stopping = { sinceMs: env.nowMs, graceMs };
  for (const run of worker.containers) if (run.killMs !== null) run.killMs = Math.min(run.killMs, env.nowMs + graceMs);
}
