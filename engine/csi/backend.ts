/**
 * Where the driver's disks are: a store of the simulation whose work takes time as data, so that it goes on over a restore, or the
 * disks of the simulated cloud. What fails does so with a text as a driver's answer has it.
 */
import { number } from '../base/codecs.ts';
import {
  type FaultPoint,
  volumeDisk,
  volumeAttachFailures,
  volumeAttachSlowness,
  volumeProvisionFailures,
  volumeProvisionSlowness,
} from '../base/fault-points.ts';
import { type Cause, mergeCauses } from '../base/causes.ts';
import { CloudError } from '../contracts/cloud.ts';
import type { CsiEnvironment } from './driver.ts';
import { type Work, workMs } from './physics.ts';

/** What the driver answers when it cannot do something. */
export class DriverError extends Error {
  /** Without a code it is the sidecar that refuses. */
  constructor(code: 'Internal' | 'ResourceExhausted' | 'NotFound' | 'FailedPrecondition' | 'InvalidArgument' | undefined, text: string) {
    super(code === undefined ? text : `rpc error: code = ${code} desc = ${text}`);
    this.name = 'DriverError';
  }
}

/** Snapshots are the driver's own: the simulated cloud knows none. */
const contentMark = 'snapcontent-';

export interface Task {
  readonly work: Work;
  /** Key of the queue that comes back when the work is done. */
  readonly key: string;
  readonly disk: string;
  /** Where it is attached to or detached from. */
  readonly node?: string;
  readonly zone?: string;
  readonly bytes?: number;
}

interface Seam {
  readonly slowness: FaultPoint<number>;
  readonly failures: FaultPoint<number>;
}

const provisioning: Seam = { slowness: volumeProvisionSlowness, failures: volumeProvisionFailures };
const attaching: Seam = { slowness: volumeAttachSlowness, failures: volumeAttachFailures };
const seams: { readonly [work in Work]: Seam } = {
  create: provisioning,
  delete: provisioning,
  resize: provisioning,
  modify: provisioning,
  snapshot: provisioning,
  attach: attaching,
  detach: attaching,
};

/** What cannot be done without the disk: one that is gone is detached and deleted all the same (CSI says so). */
const needsDisk: ReadonlySet<Work> = new Set<Work>(['attach', 'resize', 'modify', 'snapshot']);

export class Backend {
  readonly #environment: CsiEnvironment;
  /** When work that was begun is done, by what it is. */
  readonly #untilMs: Map<string, number>;

  constructor(environment: CsiEnvironment) {
    this.#environment = environment;
    this.#untilMs = environment.slots.map('work', number);
  }

  /**
   * True when the work is done; else the key comes back for it. Throws DriverError when it failed. `causes` gets those of faults in
   * force.
   */
  async isDone(task: Task, causes: readonly Cause[]): Promise<boolean> {
    const { points } = this.#environment.options;
    const { slowness, failures } = seams[task.work];
    if (!this.#hasPassed(task, points.value(slowness), causes)) return false;
    if (needsDisk.has(task.work) && points.value(volumeDisk, task.disk) === 'gone') throw new DriverError('NotFound', `disk ${task.disk} not found`);
    const share = points.value(failures);
    if (share > 0 && this.#environment.random.next() < share)
      throw new DriverError('Internal', `${task.work} of ${task.disk} failed by a fault of the simulation`);
    if (this.#environment.options.cloud !== undefined) await this.#ask(task, causes);
    return true;
  }

  /** The causes of what is done about a task: faults that slow it down or fail it among them. */
  causesOf(work: Work, causes: readonly Cause[], disk = ''): readonly Cause[] {
    const { points } = this.#environment.options;
    if (points.calm) return causes;
    const { slowness, failures } = seams[work];
    const known = mergeCauses(mergeCauses(causes, points.causes(slowness)), points.causes(failures));
    return needsDisk.has(work) ? mergeCauses(known, points.causesFor(volumeDisk, disk)) : known;
  }

  isBegun(work: Work, key: string): boolean {
    return this.#untilMs.has(`${work} ${key}`);
  }

  /** Work on something that has gone is not waited for any more. */
  forget(key: string): void {
    for (const id of this.#untilMs.keys()) if (id.endsWith(` ${key}`)) this.#untilMs.delete(id);
  }

  /** Nothing is done twice in one attempt: a failure begins anew. */
  #hasPassed({ work, key }: Task, slowness: number, causes: readonly Cause[]): boolean {
    const { nowMs, random, enqueueAfter, options } = this.#environment;
    const id = `${work} ${key}`;
    const known = this.#untilMs.get(id);
    if (known !== undefined && known <= nowMs()) {
      this.#untilMs.delete(id);
      return true;
    }
    const [min, max] = workMs[work];
    // The cloud takes its own time; what a fault adds is added here.
    const tookMs = options.cloud === undefined ? random.between(min, max) * slowness : min * (slowness - 1);
    if (known === undefined && tookMs <= 0) return true;
    const untilMs = known ?? nowMs() + tookMs;
    this.#untilMs.set(id, untilMs);
    enqueueAfter(key, Math.max(untilMs - nowMs(), 0.01), causes);
    return false;
  }

  async #ask({ work, disk, node = '', zone = '', bytes = 0 }: Task, causes: readonly Cause[]): Promise<void> {
    const calls = this.#environment.options.cloud?.calls('csi', causes);
    if (calls === undefined) return;
    try {
      if (work === 'create') await calls.createDisk({ name: disk, zone, sizeBytes: bytes });
      else if (work === 'delete' && !disk.startsWith(contentMark)) await calls.deleteDisk(disk);
      else if (work === 'attach') await calls.attachDisk(disk, node);
      else if (work === 'detach') await calls.detachDisk(disk, node);
      else if (work === 'resize') await calls.resizeDisk(disk, bytes);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      throw new DriverError(error.reason === 'QuotaExceeded' ? 'ResourceExhausted' : 'Internal', error.message);
    }
  }
}
