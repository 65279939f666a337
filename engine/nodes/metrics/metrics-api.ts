/**
 * metrics.k8s.io/v1beta1 as metrics-server serves it: what containers used in the window before the last scrape, computed when it is
 * read. Mirrors sigs.k8s.io/metrics-server (pkg/api, pkg/storage).
 */
import { newNotFound } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { canonicalQuantity } from '../../apimachinery/quantity-text.ts';
import { addQuantity, formatQuantity, newQuantity, parseQuantity, type Quantity } from '../../apimachinery/quantity.ts';
import type { FieldSchema, ScalarType } from '../../apimachinery/schema.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { ComputedResource } from '../../contracts/computed-resource.ts';
import { defineKind, type KindDefinition } from '../../contracts/kind.ts';
import type { NodesContext } from '../context.ts';
import type { ContainerRun, PodWorker } from '../kubelet/worker.ts';
import { isHeard, type Machine } from '../machine.ts';
import { freshContainerMs, scrapeMs, systemMilliCpu } from '../physics.ts';
import { durationText } from '../timestamps.ts';
import { containerUsage, cpuNanos, machineUsage } from './usage.ts';

const group = 'metrics.k8s.io';
const version = 'v1beta1';

export interface ResourceUsage {
  readonly cpu: string;
  readonly memory: string;
}

export interface NodeMetrics extends KubeObject {
  readonly timestamp: string;
  readonly window: string;
  readonly usage: ResourceUsage;
}

export interface PodMetrics extends KubeObject {
  readonly timestamp: string;
  readonly window: string;
  readonly containers: readonly { readonly name: string; readonly usage: ResourceUsage }[];
}

export interface MetricsSources {
  readonly context: NodesContext;
  workersOn(machine: Machine): readonly PodWorker[];
}

/** `sources` may be something that is there only when the first request comes. */
export function createMetricsResources(sources: MetricsSources): readonly ComputedResource[] {
  const missing = (plural: string, name: string): Error => newNotFound({ group, resource: plural }, name);
  return [
    {
      kind: nodeMetricsKind,
      hasProtobuf: true,
      get: (name) => {
        const machine = sources.context.machines.get(name);
        if (machine === undefined) throw newNotFound({ group: '', resource: 'nodes' }, name);
        const found = nodeMetrics(sources, machine);
        if (found === undefined) throw missing('nodemetrics', name);
        return found;
      },
      list: () => [...sources.context.machines.values()].map((machine) => nodeMetrics(sources, machine)).filter((found) => found !== undefined),
    },
    {
      kind: podMetricsKind,
      hasProtobuf: true,
      get: (name, _query, namespace = '') => {
        const worker = [...sources.context.workers.values()].find((one) => one.name === name && one.namespace === namespace && !one.gone);
        if (worker === undefined) throw newNotFound({ group: '', resource: 'pods' }, `${namespace}/${name}`);
        const found = podMetrics(sources, worker);
        if (found === undefined) throw missing('podmetrics', `${namespace}/${name}`);
        return found;
      },
      list: (_query, namespace) =>
        [...sources.context.workers.values()]
          .filter((worker) => (namespace === undefined || worker.namespace === namespace) && !worker.gone)
          .map((worker) => podMetrics(sources, worker))
          .filter((found) => found !== undefined)
          .sort(byPlace),
    },
  ];
}

function byPlace(a: PodMetrics, b: PodMetrics): number {
  const left = `${a.metadata.namespace}/${a.metadata.name}`;
  const right = `${b.metadata.namespace}/${b.metadata.name}`;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** When all kubelets were asked last. */
function lastScrapeMs(nowMs: number): number {
  return Math.floor(nowMs / scrapeMs) * scrapeMs;
}

/** Undefined until a kubelet that answers has been asked twice. */
function nodeMetrics({ context, workersOn }: MetricsSources, machine: Machine): NodeMetrics | undefined {
  const nowMs = context.loop.nowMs();
  const atMs = lastScrapeMs(nowMs);
  const { kubeletSinceMs } = machine;
  if (!isHeard(machine) || !machine.hears || !machine.registered || kubeletSinceMs === null || kubeletSinceMs > atMs - scrapeMs) return undefined;
  const workers = workersOn(machine);
  let nanos = systemMilliCpu * scrapeMs * 1000;
  for (const worker of workers)
    for (const run of worker.containers) nanos += cpuNanos(worker, run, Math.max(run.startedMs, atMs - scrapeMs), atMs, context);
  return {
    kind: 'NodeMetrics',
    apiVersion: `${group}/${version}`,
    metadata: headOf(machine.name, context.nodeInformer.get(undefined, machine.name)?.metadata.labels, nowMs),
    timestamp: formatTime(atMs),
    window: durationText(scrapeMs),
    usage: { cpu: nanoCores(nanos, scrapeMs), memory: bytesText(machineUsage(machine, workers, atMs, context).memoryBytes) },
  } as NodeMetrics;
}

/** Undefined until all running containers have been measured. */
function podMetrics({ context }: MetricsSources, worker: PodWorker): PodMetrics | undefined {
  const machine = context.machines.get(worker.node);
  if (machine === undefined || !isHeard(machine) || !machine.hears) return undefined;
  const nowMs = context.loop.nowMs();
  const atMs = lastScrapeMs(nowMs);
  const running = worker.containers.filter((run) => run.state === 'running');
  if (running.length === 0 || running.some((run) => run.startedMs > atMs - freshContainerMs)) return undefined;
  const windowMs = Math.min(...running.map((run) => Math.min(scrapeMs, atMs - run.startedMs)));
  return {
    kind: 'PodMetrics',
    apiVersion: `${group}/${version}`,
    metadata: { ...headOf(worker.name, worker.pod.metadata.labels, nowMs), namespace: worker.namespace },
    timestamp: formatTime(atMs),
    window: durationText(windowMs),
    containers: running.map((run) => ({ name: run.name, usage: usageOf(worker, run, atMs, context) })),
  } as unknown as PodMetrics;
}

function usageOf(worker: PodWorker, run: ContainerRun, atMs: number, context: NodesContext): ResourceUsage {
  const fromMs = Math.max(run.startedMs, atMs - scrapeMs);
  return {
    cpu: nanoCores(cpuNanos(worker, run, fromMs, atMs, context), atMs - fromMs),
    memory: bytesText(containerUsage(worker, run, atMs, context).memoryBytes),
  };
}

function headOf(name: string, labels: { readonly [key: string]: string } | undefined, nowMs: number): KubeObject['metadata'] {
  return { name, creationTimestamp: formatTime(nowMs), ...(labels === undefined ? undefined : { labels }) };
}

function nanoCores(nanos: number, ms: number): string {
  return canonicalQuantity(`${Math.round((nanos * 1000) / ms)}n`);
}

function bytesText(bytes: number): string {
  return formatQuantity(newQuantity(bytes, 'BinarySI'));
}

const prefix = 'io.k8s.metrics.pkg.apis.metrics.v1beta1';

function field(name: string, number: number, type: FieldSchema['type'], card: FieldSchema['card'] = 'one'): FieldSchema {
  return { name, number, type, card, omitEmpty: false, pointer: false };
}

const scalar = (name: string, number: number, type: ScalarType, card?: FieldSchema['card']): FieldSchema => field(name, number, type, card);

function head(): readonly FieldSchema[] {
  return [
    { ...scalar('kind', 0, 'string'), omitEmpty: true },
    { ...scalar('apiVersion', 0, 'string'), omitEmpty: true },
    field('metadata', 1, { message: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }),
    scalar('timestamp', 2, 'time'),
    scalar('window', 3, 'duration'),
  ];
}

function metricsKind(
  definition: Pick<KindDefinition, 'kind' | 'plural' | 'namespaced' | 'schemas'> & { readonly fields: readonly FieldSchema[] },
  usageSum: (object: KubeObject) => ResourceUsage,
): KindDefinition {
  const { fields, ...rest } = definition;
  return defineKind({
    ...rest,
    group,
    version,
    // As metrics-server names it.
    singular: '',
    categories: [],
    schema: { name: `${prefix}.${rest.kind}`, fields: [...head(), ...fields] },
    storagePrefix: `${group}/${rest.plural}`,
    hasGeneration: false,
    verbs: ['get', 'list'],
    columns: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'cpu', type: 'string', format: 'quantity' },
      { name: 'memory', type: 'string', format: 'quantity' },
      { name: 'Window', type: 'string', format: 'duration' },
    ],
    row: (object) => {
      const { cpu, memory } = usageSum(object);
      return [object.metadata.name ?? '', cpu, memory, (object as NodeMetrics | PodMetrics).window];
    },
  });
}

const nodeMetricsKind = metricsKind(
  { kind: 'NodeMetrics', plural: 'nodes', namespaced: false, fields: [scalar('usage', 4, 'quantity', 'map')] },
  (object) => (object as NodeMetrics).usage,
);

export const podMetricsKind = metricsKind(
  {
    kind: 'PodMetrics',
    plural: 'pods',
    namespaced: true,
    fields: [field('containers', 4, { message: `${prefix}.ContainerMetrics` }, 'list')],
    schemas: [{ name: `${prefix}.ContainerMetrics`, fields: [scalar('name', 1, 'string'), scalar('usage', 2, 'quantity', 'map')] }],
  },
  (object) => {
    const { containers } = object as PodMetrics;
    const total = (name: keyof ResourceUsage, format: Quantity['format']): string => {
      const zero = newQuantity(0, format);
      return formatQuantity(containers.reduce((sum, { usage }) => addQuantity(sum, parseQuantity(usage[name])), zero));
    };
    return { cpu: total('cpu', 'DecimalSI'), memory: total('memory', 'BinarySI') };
  },
);
