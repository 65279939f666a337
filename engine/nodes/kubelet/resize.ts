/**
 * In-place resize: what a pod asks for anew is first allocated, if the node has it, and then put into force, container by container.
 * Mirrors handlePodResourcesResize of pkg/kubelet/allocation/allocation_manager.go and doPodResizeAction of
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go.
 */
import type { Container, Node, Pod, ResourceRequirements } from '../../api/core/v1/types.gen.ts';
import { assert } from '../../base/assert.ts';
import { getOwn } from '../../base/dictionary.ts';
import { deepEqual } from '../../base/equal.ts';
import type { JsonValue } from '../../base/json.ts';
import { unitAmount } from '../../component-helpers/quantity-amount.ts';
import { podRequests, type ResourceAmounts } from '../../component-helpers/resources.ts';
import { containerUsage, outOfMemoryMs } from '../metrics/usage.ts';
import { resizeMaxMs, resizeMinMs, resizeRetryMs } from '../physics.ts';
import { missingResource } from './admission.ts';
import { actualResources, allocatedResources, isWhole, limitInForce, type Sized, wantedResources } from './container-resources.ts';
import { changed, containerSpec, type KubeletEnvironment } from './environment.ts';
import { killContainer } from './stop-pod.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/** Whether the pod asks for something else than before: what its containers had so far is remembered. */
export function noticeResize(worker: PodWorker, before: Pod): boolean {
  let isResized = false;
  for (const part of resizable(worker)) {
    const old = (isWhole(part) ? before.spec?.resources : containerSpec(before, part).resources) ?? none;
    if (same(old, wantedResources(worker, part))) continue;
    isResized = true;
    part.allocated ??= old;
    part.actual ??= old;
  }
  return isResized;
}

/** What the pod holds of its node: what was allocated, until it gets what it asks for. */
export function heldRequests(worker: PodWorker): ResourceAmounts {
  if (resizable(worker).every(({ allocated }) => allocated === null)) return podRequests(worker.pod);
  return podRequests(allocatedPod(worker));
}

/** The pod as its node holds it. */
export function allocatedPod(worker: PodWorker): Pod {
  const held = (role: 'main' | 'init', list: readonly Container[] | null | undefined): readonly Container[] | undefined =>
    list?.map((container, index) => {
      const run = worker.containers.find((one) => one.index === index && (role === 'main') === (one.role === 'main') && one.role !== 'ephemeral');
      return run?.allocated ? { ...container, resources: run.allocated } : container;
    });
  const { spec } = worker.pod;
  const containers = held('main', spec?.containers);
  const initContainers = held('init', spec?.initContainers);
  const whole = worker.allocated === null ? undefined : { resources: worker.allocated };
  return { ...worker.pod, spec: { ...spec, ...(containers && { containers }), ...(initContainers && { initContainers }), ...whole } } as Pod;
}

/** Allocates what is asked for if the node has it; else it is tried again later. */
export function allocate(worker: PodWorker, others: readonly PodWorker[], node: Node | undefined, env: KubeletEnvironment): void {
  const { resize } = worker;
  const generation = Number(worker.pod.metadata.generation ?? 0);
  if (resizable(worker).every((part) => same(allocatedResources(worker, part), wantedResources(worker, part)))) {
    worker.resize = { ...resize, pending: null, retryMs: null };
    settle(worker, env);
    return;
  }
  const refused = missingResource(podRequests(worker.pod), others, env.machine, node);
  if (refused === undefined) {
    for (const part of resizable(worker)) if (part.allocated !== null) part.allocated = wantedResources(worker, part);
    worker.requests = heldRequests(worker);
    const dueMs = env.nowMs + env.random.between(resizeMinMs, resizeMaxMs);
    worker.resize = { pending: null, retryMs: null, progress: { reason: '', message: '', generation, sinceMs: env.nowMs }, dueMs };
    env.event(worker, 'Normal', 'ResizeStarted', `Pod resize started: ${summary(worker, generation, '')}`);
  } else {
    const isNews = resize.pending?.generation !== generation;
    const pending = { reason: 'Deferred', message: refused.message, generation, sinceMs: resize.pending?.sinceMs ?? env.nowMs };
    worker.resize = { ...resize, pending, retryMs: env.nowMs + resizeRetryMs };
    if (isNews) env.event(worker, 'Warning', 'ResizeDeferred', `Pod resize Deferred: ${summary(worker, generation, refused.message)}`);
  }
  changed(worker, env);
}

/** Puts into force what was allocated, once it is time. */
export function advanceResize(worker: PodWorker, env: KubeletEnvironment): void {
  const { dueMs, progress } = worker.resize;
  assert(worker.stopping === null, 'what ends is not resized any more');
  if (dueMs === null || env.nowMs < dueMs || progress === null) return;
  const errors = resizable(worker).flatMap((part) => tooSmall(worker, part, env));
  if (errors.length > 0) {
    const message = `cannot decrease memory limits: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`;
    if (progress.reason === '') env.event(worker, 'Warning', 'ResizeError', `Pod resize error: ${summary(worker, progress.generation, message)}`);
    worker.resize = { ...worker.resize, progress: { ...progress, reason: 'Error', message }, dueMs: env.nowMs + resizeRetryMs };
    changed(worker, env);
    return;
  }
  worker.resize = { ...worker.resize, dueMs: null };
  put(worker, env);
  settle(worker, env);
}

/** A container that ends for it comes back with what was allocated. */
function put(worker: PodWorker, env: KubeletEnvironment): void {
  const running = worker.containers.filter(({ role, state }) => state === 'running' && (role === 'main' || role === 'sidecar'));
  const before = running.map((run) => inForce(worker, run));
  for (const part of resizable(worker)) {
    if (part.actual === null) continue;
    assert(part.allocated !== null, 'only what was allocated is put into force');
    part.actual = part.allocated;
  }
  for (const [index, run] of running.entries()) {
    const [old, now] = [before[index] as Force, inForce(worker, run)];
    if (deepEqual(old, now)) continue;
    run.oomMs = outOfMemoryMs(worker, run, env);
    const policies = containerSpec(worker.pod, run).resizePolicy ?? [];
    if (!policies.some(({ resourceName = '', restartPolicy }) => restartPolicy === 'RestartContainer' && differs(old, now, resourceName))) continue;
    const graceMs = Number(worker.pod.spec?.terminationGracePeriodSeconds ?? 30) * 1000;
    killContainer(worker, run, graceMs, `Container ${run.name} resize requires restart`, env);
  }
}

/** By resource. */
interface Force {
  readonly [resource: string]: readonly [request: string | null, limit: string | null];
}

function inForce(worker: PodWorker, run: ContainerRun): Force {
  const { requests } = actualResources(worker, run);
  return Object.fromEntries(
    ['cpu', 'memory'].map((name) => [name, [getOwn(requests, name) ?? null, limitInForce(worker, run, name) ?? null] as const]),
  );
}

/** All is as the pod asks for: nothing has to be remembered. */
function settle(worker: PodWorker, env: KubeletEnvironment): void {
  const parts = resizable(worker);
  const { progress } = worker.resize;
  if (!parts.every((part) => same(actualResources(worker, part), allocatedResources(worker, part)))) return;
  if (progress !== null) {
    env.event(worker, 'Normal', 'ResizeCompleted', `Pod resize completed: ${summary(worker, progress.generation, '')}`);
    worker.resize = { ...worker.resize, progress: null };
  }
  if (parts.every((part) => same(allocatedResources(worker, part), wantedResources(worker, part)))) {
    for (const part of parts) {
      part.allocated = null;
      part.actual = null;
    }
  }
  worker.requests = heldRequests(worker);
  changed(worker, env);
}

function tooSmall(worker: PodWorker, part: Sized, env: KubeletEnvironment): readonly string[] {
  const limit = (resources: ResourceRequirements): number | undefined => {
    const text = getOwn(resources.limits, 'memory');
    return text === undefined ? undefined : unitAmount(text);
  };
  const next = limit(allocatedResources(worker, part));
  const now = limit(actualResources(worker, part));
  const users = (isWhole(part) ? part.containers : [part]).filter(({ state }) => state === 'running');
  if (users.length === 0 || next === undefined || (now !== undefined && next >= now)) return [];
  const memoryBytes = users.reduce((sum, run) => sum + containerUsage(worker, run, env.nowMs, env).memoryBytes, 0);
  const what = isWhole(part) ? 'pod' : `container ${JSON.stringify(part.name)}`;
  return memoryBytes < next ? [] : [`attempting to set ${what} memory limit (${next}) below current usage (${memoryBytes})`];
}

/** As the event tells it: what is asked for, container by container. */
function summary({ pod }: PodWorker, generation: number, error: string): string {
  const list = (containers: readonly Container[] | null | undefined): JsonValue =>
    (containers ?? []).map(({ name = '', resources = none }) => ({ name, resources: asPrinted(resources) }));
  const inits = pod.spec?.initContainers ?? [];
  return JSON.stringify({
    ...(inits.length === 0 ? undefined : { initContainers: list(inits) }),
    containers: list(pod.spec?.containers),
    generation,
    ...(error === '' ? undefined : { error }),
  });
}

/** Go prints maps by their keys. */
function asPrinted({ limits, requests, claims }: ResourceRequirements): JsonValue {
  const sorted = (amounts: { readonly [name: string]: string }): JsonValue =>
    Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    ...(limits && { limits: sorted(limits) }),
    ...(requests && { requests: sorted(requests) }),
    ...(claims && { claims: claims as unknown as JsonValue }),
  };
}

const none: ResourceRequirements = Object.freeze({});

function resizable(worker: PodWorker): readonly Sized[] {
  return [worker, ...worker.containers.filter(({ role }) => role === 'main' || role === 'sidecar')];
}

function same(a: ResourceRequirements, b: ResourceRequirements): boolean {
  return deepEqual(a as JsonValue, b as JsonValue);
}

function differs(a: Force, b: Force, resource: string): boolean {
  const [before, after] = [getOwn(a, resource), getOwn(b, resource)];
  return before?.[0] !== after?.[0] || before?.[1] !== after?.[1];
}
