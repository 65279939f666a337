/**
 * What containers, pods and machines use, computed from the load curves of what runs in them. The machine's own part and that of
 * idle programs are named numbers. Mirrors what cadvisor measures and pkg/kubelet/stats adds up.
 */
import { getOwn } from '../../base/dictionary.ts';
import { quantityAmount, unitAmount } from '../../component-helpers/quantity-amount.ts';
import { limitInForce } from '../kubelet/container-resources.ts';
import { containerSpec } from '../kubelet/environment.ts';
import { definitionOf } from '../kubelet/program-host.ts';
import type { ContainerRun, PodWorker } from '../kubelet/worker.ts';
import type { Machine } from '../machine.ts';
import {
  idleMemoryBytes,
  idleMilliCpu,
  inodesPerContainer,
  inodesPerImage,
  shellBaseBytes,
  systemDiskBytes,
  systemInodes,
  systemMemoryBytes,
  systemMilliCpu,
  systemProcesses,
  unpackedFactor,
} from '../physics.ts';
import type { ImageCatalog } from '../runtime/image-catalog.ts';
import { areaUpTo, clipped, type Curve, firstAbove, flatCurve, type LoadProfile, valueAt } from '../runtime/load.ts';
import { programDefinition } from '../runtime/program.ts';

export interface Usage {
  readonly milliCpu: number;
  readonly memoryBytes: number;
  /** In the container's own file system. */
  readonly diskBytes: number;
  readonly logBytes: number;
  readonly inodes: number;
  readonly processes: number;
}

const nothing: Usage = { milliCpu: 0, memoryBytes: 0, diskBytes: 0, logBytes: 0, inodes: 0, processes: 0 };

type Images = { readonly catalog: ImageCatalog };

/** Of a running container at an instant; of any other, nothing. */
export function containerUsage(worker: PodWorker, run: ContainerRun, nowMs: number, images: Images): Usage {
  const load = run.program === null ? undefined : loadOf(worker, run, images);
  const logBytes = textBytes(run.log) + textBytes(run.previousLog);
  let diskBytes = 0;
  for (const [path, text] of Object.entries(run.files)) diskBytes += path.length + text.length;
  if (load === undefined || run.state !== 'running') return { ...nothing, logBytes, diskBytes };
  const ms = Math.max(0, nowMs - run.startedMs);
  return {
    milliCpu: valueAt(cpuCurve(worker, run, load), ms),
    memoryBytes: Math.floor(valueAt(memoryCurve(worker, run, load), ms)),
    diskBytes: diskBytes + Math.floor(valueAt(curveOf(load.diskBytes, load, 0), ms)),
    logBytes,
    inodes: inodesPerContainer + Object.keys(run.files).length,
    processes: load.processes ?? 1,
  };
}

/** CPU that a running container has had between two instants, in nanoseconds of one core. */
export function cpuNanos(worker: PodWorker, run: ContainerRun, fromMs: number, untilMs: number, images: Images): number {
  if (run.state !== 'running' || run.program === null) return 0;
  const curve = cpuCurve(worker, run, loadOf(worker, run, images));
  // Thousandths of a core times milliseconds are microseconds of a core.
  return Math.round((areaUpTo(curve, untilMs - run.startedMs) - areaUpTo(curve, fromMs - run.startedMs)) * 1000);
}

/** When a running container will want more memory than it may have; null when it never does. */
export function outOfMemoryMs(worker: PodWorker, run: ContainerRun, images: Images): number | null {
  if (run.program === null) return null;
  const limit = limitOf(worker, run, 'memory');
  const load = loadOf(worker, run, images);
  if (limit === undefined || load.memoryBytes === undefined) return null;
  const afterMs = firstAbove(curveOf(load.memoryBytes, load, 0), limit);
  return afterMs === undefined ? null : run.startedMs + afterMs;
}

/** An image uses something else from now on: when its containers are killed for it. Whether the pod has one. */
export function reconsiderLoad(worker: PodWorker, repository: string, images: Images): boolean {
  const concerned = worker.containers.filter((run) => {
    const name = run.state === 'running' ? images.catalog.parse(containerSpec(worker.pod, run).image ?? '') : '';
    return typeof name !== 'string' && name.repository === repository;
  });
  for (const run of concerned) run.oomMs = outOfMemoryMs(worker, run, images);
  return concerned.length > 0;
}

/** Whether what runs on a machine could ever use up something of it: a quick look, for the many machines where nothing can. */
export function mayPress(machine: Machine, workers: readonly PodWorker[], images: Images): boolean {
  const idleBytes = systemMemoryBytes + workers.length * idleContainersMax * idleMemoryBytes;
  if (idleBytes > unitAmount(machine.capacity['memory'] ?? '0') / 2) return true;
  if (systemDiskBytes + imageBytes(machine) > unitAmount(machine.capacity['ephemeral-storage'] ?? '0') / 2) return true;
  for (const worker of workers) {
    for (const run of worker.containers) {
      if (getOwn(containerSpec(worker.pod, run).resources?.limits, 'ephemeral-storage') !== undefined) return true;
      const { program } = run;
      if (run.state !== 'running' || program === null || program.type === 'shell') continue;
      const { memoryBytes, diskBytes, processes } = loadOf(worker, run, images);
      if (memoryBytes !== undefined || diskBytes !== undefined || processes !== undefined) return true;
    }
  }
  return false;
}

/** A pod of more containers is not looked at any quicker. */
const idleContainersMax = 4;

export function podUsage(worker: PodWorker, nowMs: number, images: Images): Usage {
  return sum(worker.containers.map((run) => containerUsage(worker, run, nowMs, images)));
}

/** Of the whole machine: its pods, its own services, its images. */
export function machineUsage(machine: Machine, workers: readonly PodWorker[], nowMs: number, images: Images): Usage {
  return sum([systemUsage(machine), ...workers.map((worker) => podUsage(worker, nowMs, images))]);
}

/** What the machine needs before any pod runs on it. */
function systemUsage(machine: Machine): Usage {
  return {
    ...nothing,
    milliCpu: systemMilliCpu,
    memoryBytes: systemMemoryBytes,
    diskBytes: systemDiskBytes + imageBytes(machine),
    inodes: systemInodes + machine.images.size * inodesPerImage,
    processes: systemProcesses,
  };
}

/** Unpacked, as they lie on the disk. */
export function imageBytes(machine: Machine): number {
  let bytes = 0;
  for (const { sizeBytes } of machine.images.values()) bytes += sizeBytes * unpackedFactor;
  return bytes;
}

/** CPU time of a machine since it booted; what ended is counted too. */
export function machineCpuNanos(machine: Machine, workers: readonly PodWorker[], sinceMs: number, nowMs: number, images: Images): number {
  let nanos = machine.endedCpuNanos + (nowMs - sinceMs) * systemMilliCpu * 1000;
  for (const worker of workers) for (const run of worker.containers) nanos += cpuNanos(worker, run, run.startedMs, nowMs, images);
  return nanos;
}

function sum(parts: readonly Usage[]): Usage {
  const total = { ...nothing };
  for (const part of parts) for (const name of usageNames) total[name] += part[name];
  return total;
}

const usageNames = ['milliCpu', 'memoryBytes', 'diskBytes', 'logBytes', 'inodes', 'processes'] as const;

function loadOf(worker: PodWorker, run: ContainerRun, images: Images): LoadProfile {
  const { program } = run;
  if (program === null) return {};
  if (program.type === 'shell') return { memoryBytes: [{ atMs: 0, value: shellBaseBytes + program.shell.held }] };
  return program.load ?? programDefinition(program, definitionOf(worker, run, images))?.load ?? {};
}

function curveOf(points: LoadProfile['milliCpu'], { periodMs }: LoadProfile, idle: number): Curve {
  return points === undefined || points.length === 0 ? flatCurve(idle) : { points, periodMs };
}

/** Throttled at its limit. */
function cpuCurve(worker: PodWorker, run: ContainerRun, load: LoadProfile): Curve {
  const curve = curveOf(load.milliCpu, load, idleMilliCpu);
  const limit = limitOf(worker, run, 'cpu');
  return limit === undefined ? curve : clipped(curve, limit);
}

/** Programs that nobody has described stay within what they may have. */
function memoryCurve(worker: PodWorker, run: ContainerRun, load: LoadProfile): Curve {
  const limit = limitOf(worker, run, 'memory') ?? Number.POSITIVE_INFINITY;
  return clipped(curveOf(load.memoryBytes, load, Math.min(idleMemoryBytes, limit / 2)), limit);
}

function limitOf(worker: PodWorker, run: ContainerRun, resource: 'cpu' | 'memory'): number | undefined {
  const text = limitInForce(worker, run, resource);
  return text === undefined ? undefined : quantityAmount(resource, text);
}

function textBytes(lines: ContainerRun['log']): number {
  let bytes = 0;
  for (const { text } of lines ?? []) bytes += text.length + logLineOverhead;
  return bytes;
}

/** Time, stream and newline of a line on the disk. */
const logLineOverhead = 46;
