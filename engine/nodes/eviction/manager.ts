/**
 * A kubelet's eviction manager: looks at its machine with every beat, says which pressure there is, frees what nobody needs, and ends
 * pods one by one until there is enough again. Mirrors pkg/kubelet/eviction/eviction_manager.go.
 */
import type { Node } from '../../api/core/v1/types.gen.ts';
import { mergeCauses, timerCause } from '../../base/causes.ts';
import { podLimits } from '../../component-helpers/resources.ts';
import { defaultHardThresholds, type EvictionThreshold, parseThresholds } from '../../component-helpers/eviction-thresholds.ts';
import { getOwn } from '../../base/dictionary.ts';
import { unitAmount } from '../../component-helpers/quantity-amount.ts';
import { formatQuantity, newQuantity } from '../../apimachinery/quantity.ts';
import { componentName, type EvictionOptions, type NodesContext } from '../context.ts';
import { containerSpec } from '../kubelet/environment.ts';
import { isCritical, isTerminal, type PodWorker } from '../kubelet/worker.ts';
import { isHeard, type Machine } from '../machine.ts';
import { containerUsage, machineUsage, mayPress, podUsage } from '../metrics/usage.ts';
import { diskOf } from '../metrics/stats-summary.ts';
import { imageGcPeriodMs } from '../physics.ts';
import { freeImages, markUsedImages } from './image-gc.ts';
import { evictionMessage, type EvictionTold, rank } from './ranking.ts';
import { conditionOf, isMet, type Observations, observe, type PressureCondition, resourceOf } from './signals.ts';

/** While an evicted pod is on its way out its kubelet looks again every second. */
export const evictionTimer = 'eviction';
const pollMs = 1_000;
const cleanupMaxMs = 30_000;
const immediateGraceSeconds = 1;
const causes = [timerCause(componentName, 'eviction')];

export const defaultEviction: EvictionOptions = {
  hard: defaultHardThresholds,
  soft: '',
  softGracePeriod: '',
  minimumReclaim: '',
  maxPodGraceSeconds: 0,
  pressureTransitionMs: 300_000,
  imageGcHighPercent: 85,
  imageGcLowPercent: 80,
  imageMinAgeMs: 120_000,
};

export interface EvictionHooks {
  workersOn(machine: Machine): readonly PodWorker[];
  /** Ends the pod for good. */
  evict(worker: PodWorker, machine: Machine, told: EvictionTold, graceSeconds: number, isDisruption: boolean): void;
  /** The node has something new to say. */
  conditionsChanged(machine: Machine): void;
}

export class Evictions {
  readonly #context: NodesContext;
  readonly #hooks: EvictionHooks;
  readonly #options: EvictionOptions;
  readonly #thresholds: readonly EvictionThreshold[];
  /** Machines on which nothing could press anything when they were looked at, and nothing has moved since: what can be found out again is not kept. */
  readonly #calm = new WeakSet<Machine>();

  constructor(context: NodesContext, hooks: EvictionHooks) {
    this.#context = context;
    this.#hooks = hooks;
    this.#options = context.options?.eviction ?? defaultEviction;
    this.#thresholds = parseThresholds(this.#options);
  }

  beat(machine: Machine): void {
    const nowMs = this.#context.loop.nowMs();
    if (nowMs - machine.imagesCollectedMs >= imageGcPeriodMs) {
      machine.imagesCollectedMs = nowMs;
      this.#collectImages(machine);
    }
    this.synchronize(machine);
  }

  /** A pod of the machine is about to make a step, or programs use other things from now on. */
  moved(machine: Machine): void {
    this.#calm.delete(machine);
  }

  /** With every beat of the kubelet, and every second while a pod is being evicted. */
  synchronize(machine: Machine): void {
    if (machine.kubeletSinceMs === null || !machine.runtimeUp) return;
    if (this.#isWaiting(machine)) return;
    // Most machines run what cannot press them, and are passed by.
    if (this.#isWell(machine)) return;
    const workers = this.#hooks.workersOn(machine);
    const nowMs = this.#context.loop.nowMs();
    const observations = this.#observe(machine, workers);
    const thresholds = this.#judge(machine, observations, nowMs);
    if (this.#evictOverLimit(machine, workers) || thresholds.length === 0) return;
    this.#reclaim(machine, workers, thresholds, observations);
  }

  #isWell(machine: Machine): boolean {
    const { pressure, memoryShort, diskFull, pidsShort } = machine;
    if (memoryShort || diskFull || pidsShort || pressure.conditions.length > 0 || pressure.since.length > 0) return false;
    if (this.#calm.has(machine)) return true;
    if (mayPress(machine, this.#hooks.workersOn(machine), this.#context)) return false;
    this.#calm.add(machine);
    return true;
  }

  /** Images are looked at every five minutes. */
  #collectImages(machine: Machine): void {
    const { images } = machine;
    if (images.size === 0) return;
    const nowMs = this.#context.loop.nowMs();
    const workers = this.#hooks.workersOn(machine);
    const { imageGcHighPercent, imageMinAgeMs } = this.#options;
    const used = markUsedImages(machine, workers, this.#context.catalog, nowMs);
    // Of a machine that nothing presses half the disk is free.
    const isRoomy = imageGcHighPercent > 50 && this.#isWell(machine);
    const { usedPercent, wanted } = isRoomy ? { usedPercent: 0, wanted: 0 } : this.#imageRoom(machine, workers);
    const isFull = usedPercent >= imageGcHighPercent;
    const freed = isFull ? Math.trunc(freeImages(machine, used, wanted, nowMs, imageMinAgeMs)) : 0;
    const hadFailed = machine.imagesUncollected;
    machine.imagesUncollected = isFull && freed < wanted;
    if (!machine.imagesUncollected) return;
    const message = `Insufficient free disk space on the node's image filesystem (${usedPercent}% of ${sizeText(diskOf(machine).capacityBytes)} used). Failed to free sufficient space by deleting unused images (freed ${freed} bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.`;
    this.#tell(machine, 'Warning', 'FreeDiskSpaceFailed', message);
    // What fails once may be a start: it is told from the second time on.
    if (hadFailed) this.#tell(machine, 'Warning', 'ImageGCFailed', message);
  }

  /** How full the disk of images is, and how much of it is to be freed. */
  #imageRoom(machine: Machine, workers: readonly PodWorker[]): { readonly usedPercent: number; readonly wanted: number } {
    const { capacityBytes } = diskOf(machine);
    const {
      'imagefs.available': { available },
    } = this.#observe(machine, workers);
    return {
      usedPercent: 100 - Math.trunc((available * 100) / Math.max(1, capacityBytes)),
      wanted: Math.trunc((capacityBytes * (100 - this.#options.imageGcLowPercent)) / 100 - available),
    };
  }

  /** Whether the last evicted pod is still on its way out. */
  #isWaiting(machine: Machine): boolean {
    const { evicting } = machine.pressure;
    if (evicting === null) return false;
    const { loop, workers } = this.#context;
    const worker = workers.get(evicting.uid);
    if (worker !== undefined && !isTerminal(worker) && loop.nowMs() - evicting.sinceMs < cleanupMaxMs) {
      this.#pollSoon(machine);
      return true;
    }
    machine.pressure.evicting = null;
    return false;
  }

  #pollSoon(machine: Machine): void {
    const { loop } = this.#context;
    loop.cancelTimer(machine.pressure.timer);
    machine.pressure.timer = loop.setTimer(componentName, loop.nowMs() + pollMs, evictionTimer, machine.name);
  }

  #observe(machine: Machine, workers: readonly PodWorker[]): Observations {
    return observe(machine, machineUsage(machine, workers, this.#context.loop.nowMs(), this.#context));
  }

  /** Thresholds passed for long enough; what the node says of itself follows. */
  #judge(machine: Machine, observations: Observations, nowMs: number): readonly EvictionThreshold[] {
    const { pressure } = machine;
    const passed = this.#thresholds.filter(
      (threshold) => isMet(threshold, observations, false) || (pressure.met.includes(keyOf(threshold)) && isMet(threshold, observations, true)),
    );
    pressure.since = passed.map((threshold) => {
      const key = keyOf(threshold);
      return { key, atMs: pressure.since.find((one) => one.key === key)?.atMs ?? nowMs };
    });
    const observed = new Set(passed.map(({ signal }) => conditionOf[resourceOf[signal]]));
    this.#setConditions(machine, observed, nowMs);
    const met = passed.filter((threshold) => {
      const sinceMs = pressure.since.find((one) => one.key === keyOf(threshold))?.atMs ?? nowMs;
      return nowMs - sinceMs >= threshold.graceMs;
    });
    pressure.met = met.map(keyOf);
    // Memory before everything else; of one kind hard ones stand first.
    return [...met.filter(({ signal }) => signal === 'memory.available'), ...met.filter(({ signal }) => signal !== 'memory.available')];
  }

  #setConditions(machine: Machine, observed: ReadonlySet<PressureCondition>, nowMs: number): void {
    const { pressure } = machine;
    const before = pressure.conditions;
    const seenMs = (type: PressureCondition): number | undefined =>
      observed.has(type) ? nowMs : pressure.seen.find((one) => one.key === type)?.atMs;
    pressure.seen = conditionTypes.flatMap((key) => {
      const atMs = seenMs(key);
      return atMs === undefined || nowMs - atMs >= this.#options.pressureTransitionMs ? [] : [{ key, atMs }];
    });
    pressure.conditions = pressure.seen.map(({ key }) => key);
    for (const type of conditionTypes) {
      const [was, is] = [before.includes(type), pressure.conditions.includes(type)];
      if (was !== is)
        this.#tell(machine, 'Normal', transitions[type][is ? 0 : 1], `Node ${machine.name} status is now: ${transitions[type][is ? 0 : 1]}`);
    }
    if (before.join() !== pressure.conditions.join()) this.#hooks.conditionsChanged(machine);
  }

  #reclaim(machine: Machine, workers: readonly PodWorker[], thresholds: readonly EvictionThreshold[], observations: Observations): void {
    const [first] = thresholds;
    if (first === undefined) return;
    const nowMs = this.#context.loop.nowMs();
    const resource = resourceOf[first.signal];
    this.#tell(machine, 'Warning', 'EvictionThresholdMet', `Attempting to reclaim ${resource}`);
    if (resource === 'ephemeral-storage' || resource === 'inodes') {
      const used = markUsedImages(machine, workers, this.#context.catalog, nowMs);
      freeImages(machine, used, Number.POSITIVE_INFINITY, nowMs, 0);
      const after = this.#observe(machine, workers);
      if (!this.#thresholds.some((threshold) => isMet(threshold, after, true))) return;
    }
    const active = workers.filter((worker) => !isTerminal(worker) && worker.verdict === null && !worker.gone);
    for (const worker of rank(active, resource, nowMs, this.#context)) {
      const asked = Number(worker.pod.spec?.terminationGracePeriodSeconds ?? this.#options.maxPodGraceSeconds);
      const graceSeconds = first.isHard ? immediateGraceSeconds : Math.min(this.#options.maxPodGraceSeconds, asked);
      const told = evictionMessage(worker, resource, thresholds, observations, nowMs, this.#context);
      if (this.#evict(machine, worker, told, graceSeconds, true)) return;
    }
  }

  /** Pods that have written more than they may. */
  #evictOverLimit(machine: Machine, workers: readonly PodWorker[]): boolean {
    let hasEvicted = false;
    for (const worker of workers) {
      if (isTerminal(worker) || worker.verdict !== null || worker.gone) continue;
      const message = this.#overLimit(worker);
      if (message !== undefined) hasEvicted = this.#evict(machine, worker, { message }, immediateGraceSeconds, false) || hasEvicted;
    }
    return hasEvicted;
  }

  #overLimit(worker: PodWorker): string | undefined {
    const nowMs = this.#context.loop.nowMs();
    const limit = getOwn(podLimits(worker.pod), storage);
    if (limit === undefined) return undefined;
    const pod = podUsage(worker, nowMs, this.#context);
    if (pod.diskBytes + pod.logBytes > limit) {
      const text = formatQuantity(newQuantity(limit, 'BinarySI'));
      return `Pod ephemeral local storage usage exceeds the total limit of containers ${text}. `;
    }
    for (const run of worker.containers) {
      const text = run.role === 'main' ? getOwn(containerSpec(worker.pod, run).resources?.limits, storage) : undefined;
      if (text === undefined) continue;
      const { diskBytes, logBytes } = containerUsage(worker, run, nowMs, this.#context);
      if (unitAmount(text) > 0 && diskBytes + logBytes > unitAmount(text))
        return `Container ${run.name} exceeded its local ephemeral storage limit ${JSON.stringify(text)}. `;
    }
    return undefined;
  }

  #evict(machine: Machine, worker: PodWorker, told: EvictionTold, graceSeconds: number, isDisruption: boolean): boolean {
    if (isCritical(worker)) return false;
    this.#hooks.evict(worker, machine, told, graceSeconds, isDisruption);
    machine.pressure.evicting = { uid: worker.uid, sinceMs: this.#context.loop.nowMs() };
    this.#pollSoon(machine);
    return true;
  }

  #tell(machine: Machine, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const node: Node | undefined = this.#context.nodeInformer.get(undefined, machine.name);
    if (node === undefined || !isHeard(machine)) return;
    this.#context.recorderFor(machine.name).event(node, type, reason, message, mergeCauses(machine.faultCauses, causes));
  }
}

const sizeUnits = ['KiB', 'MiB', 'GiB', 'TiB'];

/** As upstream's image manager writes sizes. */
function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let power = 1;
  while (power < sizeUnits.length && bytes >= 1024 ** (power + 1)) power++;
  return `${(bytes / 1024 ** power).toFixed(1)} ${sizeUnits[power - 1]}`;
}

const storage = 'ephemeral-storage';
const conditionTypes: readonly PressureCondition[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];
const transitions: { readonly [type in PressureCondition]: readonly [pressed: string, relieved: string] } = {
  MemoryPressure: ['NodeHasInsufficientMemory', 'NodeHasSufficientMemory'],
  DiskPressure: ['NodeHasDiskPressure', 'NodeHasNoDiskPressure'],
  PIDPressure: ['NodeHasInsufficientPID', 'NodeHasSufficientPID'],
};

function keyOf({ signal, isHard }: EvictionThreshold): string {
  return `${isHard ? 'hard' : 'soft'} ${signal}`;
}
