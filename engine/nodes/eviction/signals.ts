/** What a kubelet sees of its machine's resources, and which thresholds that passes. Mirrors pkg/kubelet/eviction/helpers.go. */
import { unitAmount } from '../../component-helpers/quantity-amount.ts';
import type { EvictionSignal, EvictionThreshold, ThresholdValue } from '../../component-helpers/eviction-thresholds.ts';
import type { Machine } from '../machine.ts';
import type { Usage } from '../metrics/usage.ts';
import { diskOf } from '../metrics/stats-summary.ts';
import { processesMax, starvedMemoryBytes, starvedProcesses } from '../physics.ts';

export interface Observation {
  readonly capacity: number;
  readonly available: number;
}

export type Observations = { readonly [signal in EvictionSignal]: Observation };

export type EvictedResource = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids';
export type PressureCondition = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

export const resourceOf: { readonly [signal in EvictionSignal]: EvictedResource } = {
  'memory.available': 'memory',
  'nodefs.available': 'ephemeral-storage',
  'nodefs.inodesFree': 'inodes',
  'imagefs.available': 'ephemeral-storage',
  'imagefs.inodesFree': 'inodes',
  'pid.available': 'pids',
};

export const conditionOf: { readonly [resource in EvictedResource]: PressureCondition } = {
  memory: 'MemoryPressure',
  'ephemeral-storage': 'DiskPressure',
  inodes: 'DiskPressure',
  pids: 'PIDPressure',
};

/** What faults leave is all there is, whatever pods give back: it is not them who take it. */
export function observe(machine: Machine, usage: Usage): Observations {
  const memory = unitAmount(machine.capacity['memory'] ?? '0');
  const { capacityBytes, inodes } = diskOf(machine);
  const left = (capacity: number, used: number, starved: number | undefined): Observation => ({
    capacity,
    available: Math.max(0, Math.min(capacity - Math.round(used), starved ?? capacity)),
  });
  const disk = left(capacityBytes, usage.diskBytes + usage.logBytes, machine.diskFull ? 0 : undefined);
  const files = left(inodes, usage.inodes, undefined);
  return {
    'memory.available': left(memory, usage.memoryBytes, machine.memoryShort ? starvedMemoryBytes : undefined),
    'nodefs.available': disk,
    'nodefs.inodesFree': files,
    // Images lie on the same file system.
    'imagefs.available': disk,
    'imagefs.inodesFree': files,
    'pid.available': left(processesMax, usage.processes, machine.pidsShort ? starvedProcesses : undefined),
  };
}

/** `withReclaim`: a threshold is passed until the minimum to reclaim is there too. */
export function isMet({ signal, value, minReclaim }: EvictionThreshold, observations: Observations, withReclaim: boolean): boolean {
  const { capacity, available } = observations[signal];
  const more = withReclaim && minReclaim !== undefined ? amountOf(minReclaim, capacity) : 0;
  return available < amountOf(value, capacity) + more;
}

export function amountOf(value: ThresholdValue, capacity: number): number {
  return value.amount ?? Math.trunc(capacity * value.share);
}
