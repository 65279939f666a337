/** A simulated machine: plain data. What survives a loss of power is its disk: images, and the containers that were on it. */
import { assert } from '../base/assert.ts';
import type { Lease } from '../api/coordination/v1/types.gen.ts';
import type { Cause } from '../base/causes.ts';
import type { SystemDiskFault } from '../base/fault-points.ts';
import type { JsonObject } from '../base/json.ts';
import { hostAddress, hostOf, lastHost } from './pod-ranges.ts';
import type { ClockStep } from './machine-clock.ts';

export interface MachineImage {
  readonly names: readonly string[];
  readonly sizeBytes: number;
  readonly id: string;
  readonly pulledMs: number;
  /** When a container of it was last seen. */
  readonly lastUsedMs: number;
}

export interface Since {
  readonly key: string;
  readonly atMs: number;
}

/** What the eviction manager of its kubelet remembers. */
export interface Pressure {
  /** Thresholds that are passed, since when. */
  since: readonly Since[];
  /** Those passed for long enough. */
  met: readonly string[];
  /** When each condition was last observed. */
  seen: readonly Since[];
  /** Conditions in force. */
  conditions: readonly string[];
  /** The pod that is on its way out. */
  evicting: { readonly uid: string; readonly sinceMs: number } | null;
  timer: number;
}

/** Pods of this priority and above, up to the next group. */
export interface ShutdownGroup {
  readonly priority: number;
  readonly graceMs: number;
}

/** A shutdown in order. */
export interface Shutdown {
  /** The group of pods that ends. */
  readonly at: number;
  readonly untilMs: number;
  readonly isOff: boolean;
  readonly timer: number;
}

export function noPressure(): Pressure {
  return { since: [], met: [], seen: [], conditions: [], evicting: null, timer: 0 };
}

export interface Machine {
  readonly name: string;
  readonly pool: string;
  readonly poolIndex: number;
  /** Number of its pod range among all machines. */
  readonly slot: number;
  readonly zone: string;
  readonly region: string;
  readonly address: string;
  readonly podCidr: string;
  /** Of the other family, where pods have addresses of both. */
  readonly otherCidr?: string | undefined;
  readonly capacity: { readonly [resource: string]: string };
  readonly labels: { readonly [key: string]: string };
  readonly taints: readonly JsonObject[];
  readonly kubeletVersion: string;
  readonly instanceType: string;
  readonly machineId: string;
  bootId: string;
  power: boolean;
  /** What it sends arrives. */
  connected: boolean;
  /** What is sent to it arrives. */
  hears: boolean;
  /** The kubelet's process is stopped. */
  stopped: boolean;
  /** Nothing moves on it, and nothing is lost. */
  hung: boolean;
  /** The container runtime does not answer since then. */
  runtimeDownMs: number | null;
  /** Faults that strike once and have struck: a reset, a crash of the kubelet. */
  struck: readonly string[];
  diskFull: boolean;
  /** What is wrong with the disk that it runs from. */
  systemDisk: SystemDiskFault | null;
  diskSlowness: number;
  memoryShort: boolean;
  pidsShort: boolean;
  pressure: Pressure;
  imagesCollectedMs: number;
  /** The last look at images did not free enough. */
  imagesUncollected: boolean;
  shutdown: Shutdown | null;
  /** How its clock went wrong and was put right, in order of time. */
  clockSteps: readonly ClockStep[];
  /** Faults that came or went and have not been reported since. */
  faultCauses: readonly Cause[];
  /** The kubelet runs since then; null while the machine boots or is off. */
  kubeletSinceMs: number | null;
  registered: boolean;
  /** The Node has the labels of the pool that its kubelet may not give itself. */
  labelled: boolean;
  /** The container runtime answers, so the node is Ready. */
  runtimeUp: boolean;
  /** That it came up has not been told. */
  runtimeNews: boolean;
  rebooted: boolean;
  /** Within the second, when this machine's kubelet looks at its runtime. */
  readonly relistPhaseMs: number;
  lastReportMs: number;
  /** When the status was last computed. */
  lastStatusMs: number;
  imagesChanged: boolean;
  /** Attachable volumes of its pods, as its status is to say, and as it said last. */
  volumesInUse: readonly string[];
  volumesReported: readonly string[];
  images: Map<string, MachineImage>;
  /** Files and folders that pods had made on it, and which of both each is. */
  madePaths: { readonly [path: string]: string };
  /** What containers wrote below paths of it that they mount, by its own paths. */
  hostFiles: Record<string, string>;
  /** Pulls run one at a time. */
  pullsBusyUntilMs: number;
  nextHost: number;
  usedHosts: Set<number>;
  /** uids of pods on it, in the order of their arrival. */
  pods: Set<string>;
  /** Pending step of its life (`register`, `runtime`), and its heartbeat. */
  timer: number;
  heartbeatTimer: number;
  nodeUid: string;
  /** As last written. */
  lease: Lease | null;
  leaseRenewedMs: number;
  /** Since then CPU time is counted. */
  bootedMs: number;
  /** CPU time of containers that have ended since. */
  endedCpuNanos: number;
}

/** Whether the kubelet runs and the API server hears it. */
export function isHeard(machine: Machine): boolean {
  return machine.power && machine.connected && machine.kubeletSinceMs !== null;
}

/** Whether its kubelet works on pods: without a runtime it skips all of them. */
export function worksOnPods({ kubeletSinceMs, hung, runtimeDownMs }: Machine): boolean {
  return kubeletSinceMs !== null && !hung && runtimeDownMs === null;
}

/** Whether it learns what the API server tells. */
export function hearsApi(machine: Machine): boolean {
  return machine.power && machine.hears && machine.kubeletSinceMs !== null;
}

/** The next free address of its range, or undefined when all are taken. */
export function takePodAddress(machine: Machine): string | undefined {
  const last = lastHost(machine.podCidr);
  for (let tried = 2; tried <= last; tried++) {
    const host = machine.nextHost;
    machine.nextHost = host >= last ? 2 : host + 1;
    if (machine.usedHosts.has(host)) continue;
    assert(host >= 2 && host <= last, 'an address lies in the range of its machine');
    machine.usedHosts.add(host);
    return hostAddress(machine.podCidr, host);
  }
  return undefined;
}

export function releasePodAddress(machine: Machine, address: string): void {
  if (address === machine.address || address === '') return;
  machine.usedHosts.delete(hostOf(machine.podCidr, address));
}
