/** A kubelet's `/metrics/resource`, in Prometheus' text form. Mirrors pkg/kubelet/metrics/collectors/resource_metrics.go. */
import { compareLabels, metricHead, type MetricLabels, metricLine } from '../../base/prometheus-text.ts';
import type { NodesContext } from '../context.ts';
import type { PodWorker } from '../kubelet/worker.ts';
import type { Machine } from '../machine.ts';
import { containerUsage, cpuNanos, machineCpuNanos, machineUsage } from './usage.ts';

const nanosPerSecond = 1e9;

export function resourceMetrics(machine: Machine, workers: readonly PodWorker[], context: NodesContext): string {
  const nowMs = context.loop.nowMs();
  const families = new Families(Math.floor(nowMs));
  for (const worker of workers) {
    const running = worker.containers.filter((run) => run.state === 'running');
    if (running.length === 0) continue;
    const pod = { namespace: worker.namespace, pod: worker.name };
    let podNanos = 0;
    let podBytes = 0;
    for (const run of running) {
      const labels = { container: run.name, ...pod };
      const nanos = cpuNanos(worker, run, run.startedMs, nowMs, context);
      const { memoryBytes } = containerUsage(worker, run, nowMs, context);
      podNanos += nanos;
      podBytes += memoryBytes;
      families.add('container_cpu_usage_seconds_total', labels, nanos / nanosPerSecond);
      families.add('container_memory_working_set_bytes', labels, memoryBytes);
      families.add('container_start_time_seconds', labels, run.startedMs / 1000);
    }
    families.add('pod_cpu_usage_seconds_total', pod, podNanos / nanosPerSecond);
    families.add('pod_memory_working_set_bytes', pod, podBytes);
  }
  families.add('node_cpu_usage_seconds_total', {}, Math.round(machineCpuNanos(machine, workers, machine.bootedMs, nowMs, context)) / nanosPerSecond);
  families.add('node_memory_working_set_bytes', {}, machineUsage(machine, workers, nowMs, context).memoryBytes);
  families.add('resource_scrape_error', {}, 0);
  families.add('scrape_error', {}, 0);
  return families.text();
}

const descriptions: readonly (readonly [name: string, type: 'counter' | 'gauge', help: string])[] = [
  ['container_cpu_usage_seconds_total', 'counter', '[STABLE] Cumulative cpu time consumed by the container in core-seconds'],
  ['container_memory_working_set_bytes', 'gauge', '[STABLE] Current working set of the container in bytes'],
  ['container_start_time_seconds', 'gauge', '[STABLE] Start time of the container since unix epoch in seconds'],
  ['node_cpu_usage_seconds_total', 'counter', '[STABLE] Cumulative cpu time consumed by the node in core-seconds'],
  ['node_memory_working_set_bytes', 'gauge', '[STABLE] Current working set of the node in bytes'],
  ['pod_cpu_usage_seconds_total', 'counter', '[STABLE] Cumulative cpu time consumed by the pod in core-seconds'],
  ['pod_memory_working_set_bytes', 'gauge', '[STABLE] Current working set of the pod in bytes'],
  ['resource_scrape_error', 'gauge', '[STABLE] 1 if there was an error while getting container metrics, 0 otherwise'],
  ['scrape_error', 'gauge', '[ALPHA] (Deprecated since 1.29.0) 1 if there was an error while getting container metrics, 0 otherwise'],
];
/** These do not say when they were measured. */
const timeless: ReadonlySet<string> = new Set(['container_start_time_seconds', 'resource_scrape_error', 'scrape_error']);

/** Samples by metric. */
class Families {
  readonly #samples = new Map<string, [labels: MetricLabels, line: string][]>();
  readonly #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  add(name: string, labels: MetricLabels, value: number): void {
    const samples = this.#samples.get(name) ?? [];
    this.#samples.set(name, samples);
    samples.push([labels, metricLine(name, labels, value, timeless.has(name) ? {} : { timeMs: this.#nowMs })]);
  }

  text(): string {
    return descriptions
      .map(([name, type, help]) => {
        const samples = this.#samples.get(name)?.sort(([a], [b]) => compareLabels(a, b));
        return samples === undefined ? '' : metricHead(name, type, help) + samples.map(([, line]) => line).join('');
      })
      .join('');
  }
}
