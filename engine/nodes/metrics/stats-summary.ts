/** A kubelet's `/stats/summary`. Mirrors k8s.io/kubelet pkg/apis/stats/v1alpha1 and pkg/kubelet/server/stats/summary.go. */
import { formatTime } from '../../apimachinery/time.ts';
import type { JsonObject } from '../../base/json.ts';
import { unitAmount } from '../../component-helpers/quantity-amount.ts';
import type { NodesContext } from '../context.ts';
import type { ContainerRun, PodWorker } from '../kubelet/worker.ts';
import type { Machine } from '../machine.ts';
import { bytesPerInode, processesMax } from '../physics.ts';
import { actualResources } from '../kubelet/container-resources.ts';
import { containerUsage, cpuNanos, imageBytes, machineCpuNanos, machineUsage, podUsage, type Usage } from './usage.ts';

/** The machine's file system, which holds images, containers and volumes. */
export interface Disk {
  readonly capacityBytes: number;
  readonly inodes: number;
}

export function diskOf({ capacity }: Machine): Disk {
  const capacityBytes = unitAmount(capacity['ephemeral-storage'] ?? '0');
  return { capacityBytes, inodes: Math.floor(capacityBytes / bytesPerInode) };
}

export function statsSummary(machine: Machine, workers: readonly PodWorker[], context: NodesContext): JsonObject {
  const nowMs = context.loop.nowMs();
  const usage = machineUsage(machine, workers, nowMs, context);
  const time = formatTime(nowMs);
  const disk = diskOf(machine);
  const fs = fsStats(time, disk, usage.diskBytes + usage.logBytes, usage.inodes);
  return {
    node: {
      nodeName: machine.name,
      startTime: formatTime(machine.bootedMs),
      cpu: cpuStats(time, usage, machineCpuNanos(machine, workers, machine.bootedMs, nowMs, context)),
      memory: memoryStats(time, usage, unitAmount(machine.capacity['memory'] ?? '0')),
      fs: { ...fs, usedBytes: Math.round(usage.diskBytes + usage.logBytes) },
      runtime: { imageFs: { ...fs, usedBytes: Math.round(imageBytes(machine)) }, containerFs: fs },
      rlimit: { time, maxpid: processesMax, curproc: usage.processes },
    },
    pods: workers.filter((worker) => worker.containers.some((run) => run.state === 'running')).map((worker) => podStats(worker, context, disk)),
  };
}

function podStats(worker: PodWorker, context: NodesContext, disk: Disk): JsonObject {
  const nowMs = context.loop.nowMs();
  const time = formatTime(nowMs);
  const usage = podUsage(worker, nowMs, context);
  const running = worker.containers.filter((run) => run.state === 'running');
  let nanos = 0;
  for (const run of running) nanos += cpuNanos(worker, run, run.startedMs, nowMs, context);
  return {
    podRef: { name: worker.name, namespace: worker.namespace, uid: worker.uid },
    startTime: formatTime(worker.addedMs),
    containers: running.map((run) => containerStats(worker, run, context, disk)),
    cpu: cpuStats(time, usage, nanos),
    memory: memoryStats(time, usage, undefined),
    'ephemeral-storage': fsStats(time, disk, usage.diskBytes + usage.logBytes, usage.inodes),
    process_stats: { process_count: usage.processes },
  };
}

function containerStats(worker: PodWorker, run: ContainerRun, context: NodesContext, disk: Disk): JsonObject {
  const nowMs = context.loop.nowMs();
  const time = formatTime(nowMs);
  const usage = containerUsage(worker, run, nowMs, context);
  const limit = actualResources(worker, run).limits?.['memory'];
  return {
    name: run.name,
    startTime: formatTime(run.startedMs),
    cpu: cpuStats(time, usage, cpuNanos(worker, run, run.startedMs, nowMs, context)),
    memory: memoryStats(time, usage, limit === undefined ? undefined : unitAmount(limit)),
    rootfs: fsStats(time, disk, usage.diskBytes, usage.inodes),
    logs: fsStats(time, disk, usage.logBytes, 1),
  };
}

function cpuStats(time: string, { milliCpu }: Usage, coreNanos: number): JsonObject {
  return { time, usageNanoCores: Math.round(milliCpu * 1_000_000), usageCoreNanoSeconds: Math.round(coreNanos) };
}

function memoryStats(time: string, { memoryBytes }: Usage, limitBytes: number | undefined): JsonObject {
  const available = limitBytes === undefined ? undefined : { availableBytes: Math.max(0, limitBytes - memoryBytes) };
  return { time, ...available, usageBytes: memoryBytes, workingSetBytes: memoryBytes, rssBytes: memoryBytes, pageFaults: 0, majorPageFaults: 0 };
}

function fsStats(time: string, { capacityBytes, inodes }: Disk, usedBytes: number, inodesUsed: number): JsonObject {
  return {
    time,
    availableBytes: Math.max(0, Math.floor(capacityBytes - usedBytes)),
    capacityBytes,
    usedBytes: Math.round(usedBytes),
    inodesFree: Math.max(0, inodes - inodesUsed),
    inodes,
    inodesUsed,
  };
}
