/**
 * How many replicas a metric asks for, as pure arithmetic over what was measured. Amounts are thousandths, as upstream counts them.
 * Mirrors pkg/controller/podautoscaler/replica_calculator.go and metrics/utilization.go.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { Container, Pod } from '../../api/core/v1/types.gen.ts';
import { milliAmount } from '../../component-helpers/quantity-amount.ts';
import { isPodLevelResource, podRequests } from '../../component-helpers/resources.ts';
import { parseTime } from '../lib/time.ts';
import { MetricError } from './metric-error.ts';

export interface PodMetric {
  readonly value: number;
  readonly atMs: number;
  readonly windowMs: number;
}

/** By pod's name. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

export interface Tolerances {
  readonly down: number;
  readonly up: number;
}

export interface CalculatorOptions {
  readonly nowMs: number;
  readonly cpuInitializationMs: number;
  readonly initialReadinessDelayMs: number;
}

export interface Proposal {
  readonly replicas: number;
  /** In percent of what was asked for. */
  readonly utilization?: number;
  /** On average by pod, or of the whole where the metric is of one object. */
  readonly usage: number;
}

/** One resource, its target as a percentage of requests. `container`: of that one alone. */
export function utilizationReplicas(
  pods: readonly Pod[],
  measured: PodMetrics,
  target: { readonly percent: number; readonly resource: string; readonly container?: string | undefined },
  currentReplicas: number,
  tolerances: Tolerances,
  options: CalculatorOptions,
): Proposal {
  const groups = groupPods(pods, measured, target.resource, options);
  const metrics = usable(measured, groups);
  const requests = requestsOf(pods, target.container, target.resource);
  const found = utilizationOf(metrics, requests, target.percent);
  const told = { utilization: found.utilization, usage: found.usage };
  const ratio = found.ratio;
  const hasUnready = groups.unready.size > 0 && ratio > 1;
  if (!hasUnready && groups.missing.size === 0) {
    return { ...told, replicas: isWithin(tolerances, ratio) ? currentReplicas : ceilReplicas(ratio * groups.readyCount) };
  }
  // Pods that say nothing are taken to slow down whatever would happen.
  const most = Math.max(100, target.percent);
  for (const name of groups.missing) {
    if (ratio < 1) metrics.set(name, amount(Math.trunc(((requests.get(name) ?? 0) * most) / 100)));
    else if (ratio > 1) metrics.set(name, amount(0));
  }
  if (hasUnready) for (const name of groups.unready) metrics.set(name, amount(0));
  const next = utilizationOf(metrics, requests, target.percent).ratio;
  return { ...told, replicas: settled(ratio, next, metrics.size, currentReplicas, tolerances) };
}

/** A metric of each pod, its target an amount. */
export function averageReplicas(
  pods: readonly Pod[],
  measured: PodMetrics,
  target: { readonly amount: number; readonly resource: string },
  currentReplicas: number,
  tolerances: Tolerances,
  options: CalculatorOptions,
): Proposal {
  const groups = groupPods(pods, measured, target.resource, options);
  const metrics = usable(measured, groups);
  const { ratio, usage } = averageOf(metrics, target.amount);
  const hasUnready = groups.unready.size > 0 && ratio > 1;
  if (!hasUnready && groups.missing.size === 0) {
    return { usage, replicas: isWithin(tolerances, ratio) ? currentReplicas : ceilReplicas(ratio * groups.readyCount) };
  }
  for (const name of groups.missing) {
    if (ratio < 1) metrics.set(name, amount(target.amount));
    else if (ratio > 1) metrics.set(name, amount(0));
  }
  if (hasUnready) for (const name of groups.unready) metrics.set(name, amount(0));
  return { usage, replicas: settled(ratio, averageOf(metrics, target.amount).ratio, metrics.size, currentReplicas, tolerances) };
}

/** What comes out once silent pods are counted in: never the other direction. */
function settled(ratio: number, next: number, count: number, currentReplicas: number, tolerances: Tolerances): number {
  if (isWithin(tolerances, next) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) return currentReplicas;
  const replicas = ceilReplicas(next * count);
  return (next < 1 && replicas > currentReplicas) || (next > 1 && replicas < currentReplicas) ? currentReplicas : replicas;
}

export function isWithin({ down, up }: Tolerances, ratio: number): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

const replicasMax = 2 ** 31 - 1;

/** What is too much for 32 bits is the least there is, as upstream's machines convert it. */
export function ceilReplicas(replicas: number): number {
  const whole = Math.ceil(replicas);
  return Math.abs(whole) <= replicasMax ? whole : -(2 ** 31);
}

/** The same where upstream looks at the bound. */
export function cappedReplicas(replicas: number): number {
  return replicas > replicasMax ? replicasMax : ceilReplicas(replicas);
}

function amount(value: number): PodMetric {
  return { value, atMs: 0, windowMs: 0 };
}

interface Groups {
  readonly readyCount: number;
  readonly unready: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

function groupPods(pods: readonly Pod[], metrics: PodMetrics, resource: string, options: CalculatorOptions): Groups {
  if (pods.length === 0) throw new MetricError('no pods returned by selector while calculating replica count');
  const unready = new Set<string>();
  const missing = new Set<string>();
  const ignored = new Set<string>();
  let readyCount = 0;
  for (const pod of pods) {
    const { name = '' } = pod.metadata;
    const metric = metrics.get(name);
    if (pod.metadata.deletionTimestamp !== undefined || pod.status?.phase === 'Failed') ignored.add(name);
    else if (pod.status?.phase === 'Pending') unready.add(name);
    else if (metric === undefined) missing.add(name);
    else if (resource === 'cpu' && isUnready(pod, metric, options)) unready.add(name);
    else readyCount++;
  }
  return { readyCount, unready, missing, ignored };
}

/** CPU says little about a pod that is still starting. */
function isUnready(pod: Pod, metric: PodMetric, { nowMs, cpuInitializationMs, initialReadinessDelayMs }: CalculatorOptions): boolean {
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const startedMs = parseTime(pod.status?.startTime);
  if (ready === undefined || startedMs === undefined) return true;
  const sinceMs = parseTime(ready.lastTransitionTime) ?? 0;
  if (startedMs + cpuInitializationMs > nowMs) return ready.status === 'False' || metric.atMs < sinceMs + metric.windowMs;
  return ready.status === 'False' && startedMs + initialReadinessDelayMs > sinceMs;
}

function usable(measured: PodMetrics, { ignored, unready }: Groups): Map<string, PodMetric> {
  const metrics = new Map([...measured].filter(([name]) => !ignored.has(name) && !unready.has(name)));
  if (metrics.size === 0) throw new MetricError('did not receive metrics for targeted pods (pods might be unready)');
  return metrics;
}

function utilizationOf(
  metrics: PodMetrics,
  requests: ReadonlyMap<string, number>,
  percent: number,
): { readonly ratio: number; readonly utilization: number; readonly usage: number } {
  let used = 0;
  let requested = 0;
  let count = 0;
  for (const [name, { value }] of metrics) {
    const request = requests.get(name);
    if (request === undefined) continue;
    used += value;
    requested += request;
    count++;
  }
  if (requested === 0) throw new MetricError('no metrics returned matched known pods');
  const utilization = Math.trunc((used * 100) / requested);
  return { ratio: utilization / percent, utilization, usage: Math.trunc(used / count) };
}

function averageOf(metrics: PodMetrics, target: number): { readonly ratio: number; readonly usage: number } {
  let total = 0;
  for (const { value } of metrics.values()) total += value;
  const usage = Math.trunc(total / metrics.size);
  return { ratio: usage / target, usage };
}

function requestsOf(pods: readonly Pod[], container: string | undefined, resource: string): ReadonlyMap<string, number> {
  const requests = new Map<string, number>();
  for (const pod of pods) {
    const { name = '' } = pod.metadata;
    const own = pod.spec?.resources?.requests ?? {};
    const isPodLevel = container === undefined && Object.keys(own).some(isPodLevelResource);
    requests.set(name, isPodLevel ? podLevelRequest(pod, resource) : containersRequest(pod, container, resource));
  }
  return requests;
}

function podLevelRequest(pod: Pod, resource: string): number {
  const found = getOwn(podRequests(pod), resource);
  if (found === undefined) throw new MetricError(`missing pod-level request for ${resource} in Pod ${pod.metadata.name}`);
  return resource === 'cpu' ? found : found * 1000;
}

function containersRequest(pod: Pod, container: string | undefined, resource: string): number {
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const all: readonly Container[] = [...(pod.spec?.containers ?? []), ...sidecars];
  const asked = container === undefined ? all : all.filter(({ name }) => name === container);
  if (container !== undefined && asked.length === 0) throw new MetricError(`container ${container} not found in Pod ${pod.metadata.name}`);
  let request = 0;
  for (const { name, resources } of asked) {
    const text = getOwn(resources?.requests, resource);
    if (text === undefined) throw new MetricError(`missing request for ${resource} in container ${name} of Pod ${pod.metadata.name}`);
    request += milliAmount(text);
  }
  return request;
}
