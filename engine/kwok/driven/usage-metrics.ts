/** What driven nodes and their pods use, as metrics.k8s.io, `/stats/summary` and `/metrics/resource` tell it. */
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import type { MetricConfig } from '../../api/kwok/v1alpha1/target.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { canonicalQuantity } from '../../apimachinery/quantity-text.ts';
import { formatQuantity, newQuantity } from '../../apimachinery/quantity.ts';
import { formatTime, parseTime } from '../../apimachinery/time.ts';
import type { JsonObject } from '../../base/json.ts';
import { type DrivenWorld, startedMs } from './world.ts';

/** metrics-server asks so often, and leaves out containers that are younger than this. */
export const scrapeMs = 15_000;
const freshMs = 10_000;
const apiVersion = 'metrics.k8s.io/v1beta1';

/** When all kubelets were asked last. */
export function lastScrapeMs(nowMs: number): number {
  return Math.floor(nowMs / scrapeMs) * scrapeMs;
}

/** Undefined for a pod that is not running, is too young, or of which nothing is said: metrics-server drops what uses nothing. */
export function podMetrics(world: DrivenWorld, node: Node, pod: Pod, nowMs: number): KubeObject | undefined {
  if (pod.status?.phase !== 'Running' || startedMs(pod) > world.nowMs - freshMs) return undefined;
  const containers = (pod.spec?.containers ?? []).map((container) => {
    const subject = { node, pod, container };
    return { name: container.name, cpu: world.usageOf('cpu', subject), memory: world.usageOf('memory', subject) };
  });
  if (containers.length === 0 || containers.some(({ cpu, memory }) => cpu <= 0 || memory <= 0)) return undefined;
  const { name = '', namespace = '', labels } = pod.metadata;
  return {
    kind: 'PodMetrics',
    apiVersion,
    metadata: { name, namespace, creationTimestamp: formatTime(nowMs), ...(labels === undefined ? {} : { labels }) },
    timestamp: formatTime(world.nowMs),
    window: `${scrapeMs / 1000}s`,
    containers: containers.map((each) => ({ name: each.name, usage: amounts(each.cpu, each.memory) })),
  } as unknown as KubeObject;
}

export function nodeMetrics(world: DrivenWorld, node: Node, nowMs: number): KubeObject | undefined {
  const { name = '', labels, creationTimestamp = '' } = node.metadata;
  if ((parseTime(creationTimestamp) ?? 0) > world.nowMs - scrapeMs) return undefined;
  const [cpu, memory] = [world.usageOfNode('cpu', node), world.usageOfNode('memory', node)];
  if (cpu <= 0 || memory <= 0) return undefined;
  return {
    kind: 'NodeMetrics',
    apiVersion,
    metadata: { name, creationTimestamp: formatTime(nowMs), ...(labels === undefined ? {} : { labels }) },
    timestamp: formatTime(world.nowMs),
    window: `${scrapeMs / 1000}s`,
    usage: amounts(cpu, memory),
  } as unknown as KubeObject;
}

function amounts(cores: number, bytes: number): { readonly cpu: string; readonly memory: string } {
  const whole = (amount: number): number => Math.min(Math.round(amount), Number.MAX_SAFE_INTEGER);
  return { cpu: canonicalQuantity(`${whole(cores * 1e9)}n`), memory: formatQuantity(newQuantity(whole(bytes), 'BinarySI')) };
}

export function statsSummary(world: DrivenWorld, node: Node): JsonObject {
  const time = formatTime(world.nowMs);
  const cpu = (cores: number, seconds: number): JsonObject => ({
    time,
    usageNanoCores: Math.round(cores * 1e9),
    usageCoreNanoSeconds: Math.round(seconds * 1e9),
  });
  const memory = (bytes: number): JsonObject => ({ time, usageBytes: Math.round(bytes), workingSetBytes: Math.round(bytes) });
  const { name = '', creationTimestamp = time } = node.metadata;
  return {
    node: {
      nodeName: name,
      startTime: creationTimestamp,
      cpu: cpu(world.usageOfNode('cpu', node), world.cumulativeOfNode('cpu', node)),
      memory: memory(world.usageOfNode('memory', node)),
    },
    pods: world.podsOn(name).map((pod) => ({
      podRef: { name: pod.metadata.name ?? '', namespace: pod.metadata.namespace ?? '', uid: pod.metadata.uid ?? '' },
      startTime: formatTime(startedMs(pod)),
      containers: (pod.spec?.containers ?? []).map((container) => ({
        name: container.name,
        startTime: formatTime(startedMs(pod)),
        cpu: cpu(world.usageOf('cpu', { node, pod, container }), world.cumulativeOfPod('cpu', node, pod, container)),
        memory: memory(world.usageOf('memory', { node, pod, container })),
      })),
      cpu: cpu(world.usageOfPod('cpu', node, pod), world.cumulativeOfPod('cpu', node, pod)),
      memory: memory(world.usageOfPod('memory', node, pod)),
    })),
  };
}

const ofPod = [
  { name: 'namespace', value: 'pod.metadata.namespace' },
  { name: 'pod', value: 'pod.metadata.name' },
];
const ofContainer = [{ name: 'container', value: 'container.name' }, ...ofPod];

/** What a kubelet's own `/metrics/resource` has. */
export const resourceMetrics: readonly MetricConfig[] = [
  {
    name: 'container_cpu_usage_seconds_total',
    kind: 'counter',
    dimension: 'container',
    help: '[STABLE] Cumulative cpu time consumed by the container in core-seconds',
    labels: ofContainer,
    value: 'pod.CumulativeUsage("cpu", container.name)',
  },
  {
    name: 'container_memory_working_set_bytes',
    kind: 'gauge',
    dimension: 'container',
    help: '[STABLE] Current working set of the container in bytes',
    labels: ofContainer,
    value: 'pod.Usage("memory", container.name)',
  },
  {
    name: 'container_start_time_seconds',
    kind: 'gauge',
    dimension: 'container',
    help: '[STABLE] Start time of the container since unix epoch in seconds',
    labels: ofContainer,
    value: 'UnixSecond(pod.status.startTime)',
  },
  {
    name: 'pod_cpu_usage_seconds_total',
    kind: 'counter',
    dimension: 'pod',
    help: '[STABLE] Cumulative cpu time consumed by the pod in core-seconds',
    labels: ofPod,
    value: 'pod.CumulativeUsage("cpu")',
  },
  {
    name: 'pod_memory_working_set_bytes',
    kind: 'gauge',
    dimension: 'pod',
    help: '[STABLE] Current working set of the pod in bytes',
    labels: ofPod,
    value: 'pod.Usage("memory")',
  },
  {
    name: 'node_cpu_usage_seconds_total',
    kind: 'counter',
    help: '[STABLE] Cumulative cpu time consumed by the node in core-seconds',
    value: 'node.CumulativeUsage("cpu")',
  },
  {
    name: 'node_memory_working_set_bytes',
    kind: 'gauge',
    help: '[STABLE] Current working set of the node in bytes',
    value: 'node.Usage("memory")',
  },
  {
    name: 'resource_scrape_error',
    kind: 'gauge',
    help: '[STABLE] 1 if there was an error while getting container metrics, 0 otherwise',
    value: '0',
  },
];
