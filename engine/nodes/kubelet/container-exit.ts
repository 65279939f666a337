/** A container ends: by itself, by SIGTERM, by SIGKILL. And the back-off before it starts again (kuberuntime doBackOff). */
import { assert } from '../../base/assert.ts';
import { backoffResetMs } from '../physics.ts';
import { cpuNanos } from '../metrics/usage.ts';
import { advanceProgram, programEndReason, terminateProgram } from '../runtime/program.ts';
import { changed, nextRelistMs, noticed, type KubeletEnvironment } from './environment.ts';
import { terminationMessage } from './termination-message.ts';
import { definitionOf, programHost } from './program-host.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/** Of SIGKILL. */
const killedExitCode = 137;
const outOfMemory = 'OOMKilled';

/** Moves a running container's program on, and its end if it is being stopped. */
export function advanceContainer(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  const program = run.program;
  if (run.state !== 'running' || program === null) return;
  if (run.preStopMs !== null && run.preStopMs <= env.nowMs) {
    run.preStopMs = null;
    terminateProgram(program, definitionOf(worker, run, env), env.nowMs);
  }
  const code = advanceProgram(program, programHost(worker, run, env));
  if (code !== undefined) endContainer(worker, run, code, env, programEndReason(program));
  else if (run.oomMs !== null && run.oomMs <= env.nowMs) endContainer(worker, run, killedExitCode, env, outOfMemory);
  else if (run.killMs !== null && run.killMs <= env.nowMs) endContainer(worker, run, killedExitCode, env);
}

export function endContainer(worker: PodWorker, run: ContainerRun, exitCode: number, env: KubeletEnvironment, reason = '', message = ''): void {
  assert(run.ended === null, 'a container ends once');
  env.machine.endedCpuNanos += cpuNanos(worker, run, run.startedMs, env.nowMs, env);
  run.state = 'terminated';
  run.ended = {
    exitCode,
    reason: reason !== '' ? reason : exitCode === 0 ? 'Completed' : 'Error',
    message: message !== '' ? message : terminationMessage(worker, run, exitCode),
    startedMs: run.startedMs,
    finishedMs: env.nowMs,
    id: run.id,
  };
  run.program = null;
  run.oomMs = null;
  run.probes = null;
  run.killMs = null;
  run.preStopMs = null;
  run.started = false;
  run.ready = false;
  run.retryMs = nextRelistMs(env);
  noticed(worker, env);
  changed(worker, env);
}

export function inBackoff(run: ContainerRun, nowMs: number): boolean {
  const { ended, backoffMs, backoffSetMs } = run;
  if (ended === null || backoffMs === 0) return false;
  if (ended.finishedMs - backoffSetMs > backoffResetMs) return false;
  return nowMs - ended.finishedMs < backoffMs;
}

export function backoffEndMs({ ended, backoffMs }: ContainerRun): number {
  return (ended?.finishedMs ?? 0) + backoffMs;
}

/** The next back-off of a container that starts again. */
export function raiseBackoff(
  run: ContainerRun,
  { nowMs, crashBackoff: { baseMs, maxMs } }: Pick<KubeletEnvironment, 'nowMs' | 'crashBackoff'>,
): void {
  assert(run.state !== 'running', 'what runs does not start again');
  const forgotten = run.ended !== null && run.ended.finishedMs - run.backoffSetMs > backoffResetMs;
  run.backoffMs = run.backoffMs === 0 || forgotten ? baseMs : Math.min(maxMs, run.backoffMs * 2);
  run.backoffSetMs = nowMs;
}
