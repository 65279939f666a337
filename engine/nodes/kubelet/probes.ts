/**
 * Probes of a running container: ticks counted from the pod's arrival, thresholds, what a result leads to. Mirrors
 * pkg/kubelet/prober/worker.go.
 */
import { assert } from '../../base/assert.ts';
import type { Probe } from '../../api/core/v1/types.gen.ts';
import { changed, containerSpec, shouldRestart, type KubeletEnvironment } from './environment.ts';
import { runProbe } from './probe-actions.ts';
import { killContainer } from './stop-pod.ts';
import type { ContainerRun, PodWorker, ProbeRun, ProbeType } from './worker.ts';

const types: readonly ProbeType[] = ['startup', 'liveness', 'readiness'];
const titles: Readonly<Record<ProbeType, string>> = { startup: 'Startup', liveness: 'Liveness', readiness: 'Readiness' };

export function makeProbes(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): ContainerRun['probes'] {
  let probes: Partial<Record<ProbeType, ProbeRun>> | null = null;
  for (const type of types) {
    const probe = probeSpec(worker, run, type);
    if (probe === undefined) continue;
    const earliestMs = Math.max(env.nowMs, run.startedMs + (probe.initialDelaySeconds ?? 0) * 1000);
    probes ??= {};
    probes[type] = { dueMs: nextTick(worker, probe, earliestMs), run: 0, last: null, value: null, hold: false, answer: null, answerMs: 0 };
  }
  return probes;
}

/** As if the container had just begun: no probe has said anything yet, and each comes first after a part of its period. */
export function forgetProbes(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  if (run.state !== 'running' || run.probes === null) return;
  const probes = makeProbes(worker, run, env) ?? {};
  for (const type of types) {
    const [probe, state] = [probeSpec(worker, run, type), probes[type]];
    if (probe !== undefined && state !== undefined)
      state.dueMs = env.nowMs + Math.round(env.random.between(0, 1) * (probe.periodSeconds ?? 10) * 1000);
  }
  run.probes = probes;
  run.started = probes.startup === undefined;
  run.ready = run.started && probes.readiness === undefined;
  changed(worker, env);
}

export function probesWakeMs(run: ContainerRun): number {
  let wake = Number.POSITIVE_INFINITY;
  for (const type of types) {
    const probe = run.probes?.[type];
    if (probe === undefined) continue;
    if (probe.answer !== null) wake = Math.min(wake, probe.answerMs);
    else if (isActive(run, type, probe)) wake = Math.min(wake, probe.dueMs);
  }
  return wake;
}

export function advanceProbes(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  for (const type of types) {
    const state = run.probes?.[type];
    const probe = state === undefined ? undefined : probeSpec(worker, run, type);
    if (state === undefined || probe === undefined) continue;
    hearAnswer(worker, run, type, probe, state, env);
    if (run.state !== 'running') return;
    if (state.answer !== null || !isActive(run, type, state) || state.dueMs > env.nowMs) continue;
    const { answer, tookMs } = runProbe(worker, run, probe, env);
    state.dueMs = nextTick(worker, probe, env.nowMs + 1);
    state.answer = answer;
    state.answerMs = env.nowMs + tookMs;
    hearAnswer(worker, run, type, probe, state, env);
    if (run.state !== 'running') return;
  }
}

/** Startup probes run until they have an answer, the others from then on. */
function isActive(run: ContainerRun, type: ProbeType, state: ProbeRun): boolean {
  return !state.hold && (type === 'startup') === !run.started;
}

/** What was asked is answered by now. A tick that came meanwhile is made up for at once, others are lost. */
function hearAnswer(worker: PodWorker, run: ContainerRun, type: ProbeType, probe: Probe, state: ProbeRun, env: KubeletEnvironment): void {
  assert(run.state === 'running', 'only what runs is probed');
  const { answer } = state;
  if (answer === null || state.answerMs > env.nowMs) return;
  state.answer = null;
  const { ok, output, isError, isWarning } = answer;
  if (isError === true) {
    env.event(worker, 'Warning', 'Unhealthy', `${titles[type]} probe errored and resulted in unknown state: ${output}`, run);
    return;
  }
  if (isWarning === true) env.event(worker, 'Warning', 'ProbeWarning', `${titles[type]} probe warning: ${output}`, run);
  if (!ok) env.event(worker, 'Warning', 'Unhealthy', `${titles[type]} probe failed: ${output}`, run);
  if (state.last === ok) state.run++;
  else state.run = 1;
  state.last = ok;
  if (state.run < (ok ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3))) return;
  const before = state.value;
  state.value = ok;
  if (type === 'readiness') {
    if (before !== ok) setReady(worker, run, ok, env);
    return;
  }
  if (ok && type === 'startup') {
    state.hold = true;
    markStarted(worker, run, env);
  }
  if (!ok) {
    state.hold = true;
    state.run = 0;
    restartFor(worker, run, type, probe, env);
  }
}

function markStarted(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  run.started = true;
  const readiness = run.probes?.readiness;
  if (readiness === undefined) run.ready = true;
  else readiness.dueMs = env.nowMs;
  changed(worker, env);
}

function setReady(worker: PodWorker, run: ContainerRun, ready: boolean, env: KubeletEnvironment): void {
  if (run.ready === ready) return;
  run.ready = ready;
  changed(worker, env);
}

function restartFor(worker: PodWorker, run: ContainerRun, type: ProbeType, probe: Probe, env: KubeletEnvironment): void {
  const grace = probe.terminationGracePeriodSeconds ?? worker.pod.spec?.terminationGracePeriodSeconds ?? 30;
  const suffix = shouldRestart(worker, run, 1) ? ', will be restarted' : '';
  killContainer(
    worker,
    run,
    Number(grace) * 1000,
    `${run.role === 'main' ? 'Container' : 'Init container'} ${run.name} failed ${type} probe${suffix}`,
    env,
  );
}

function probeSpec(worker: PodWorker, run: ContainerRun, type: ProbeType): Probe | undefined {
  const spec = containerSpec(worker.pod, run);
  return type === 'startup' ? spec.startupProbe : type === 'liveness' ? spec.livenessProbe : spec.readinessProbe;
}

/** Ticks come every period from the pod's arrival on. */
function nextTick(worker: PodWorker, probe: Probe, earliestMs: number): number {
  const period = (probe.periodSeconds ?? 10) * 1000;
  return worker.addedMs + Math.ceil((earliestMs - worker.addedMs) / period) * period;
}
