/**
 * File systems grow where their volume is mounted, once the disk has grown; in old releases when it is mounted the next time. Mirrors NodeExpandVolume of
 * pkg/volume/util/operationexecutor (node_expander.go).
 */
import type { PersistentVolumeClaim, Pod } from '../api/core/v1/types.gen.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Cause } from '../base/causes.ts';
import type { Slots } from '../base/slots.ts';
import { type Informer, keyOf, splitKey } from '../client/informer.ts';
import { persistentVolumeClaims, pods } from '../client/resources.ts';
import { podClaimNames } from '../component-helpers/pod-references.ts';
import { withClaimStatus } from '../component-helpers/storage.ts';
import { KeyedWorkers } from '../controller-runtime/keyed-workers.ts';
import { componentName, type NodesContext, usualVolumeRules } from './context.ts';
import type { PodWorker } from './kubelet/worker.ts';
import { isHeard } from './machine.ts';
import { growMs } from './physics.ts';

/** Timers of file systems that grow. */
export const growthTimer = 'volume-growth';
const claimIndex = 'pod-pvc-index';
const retryMs = 1_000;
const retryMaxMs = 122_000;

export class VolumeGrowth {
  readonly #context: NodesContext;
  readonly #pods: Informer<Pod>;
  readonly #workers: KeyedWorkers;

  constructor(context: NodesContext, slots: Slots) {
    this.#context = context;
    this.#pods = context.informers.informer(pods);
    this.#pods.addIndex(claimIndex, (pod) => podClaimNames(pod).map((name) => `${pod.metadata.namespace ?? ''}/${name}`), { ignoresStatus: true });
    this.#workers = new KeyedWorkers({
      loop: context.loop,
      component: componentName,
      timer: growthTimer,
      slots,
      backoff: { baseMs: retryMs, maxMs: retryMaxMs },
      work: (key, causes) => this.#grow(key, causes),
      describe: (key) => `file system of claim ${key}`,
    });
    context.volumes.claims.addHandler(({ type, object, causes }) => {
      if (type !== 'delete' && isPending(object) && (context.options?.volumes ?? usualVolumeRules).growsInUse)
        this.#workers.queue.addAfter(keyOf(object), growMs, causes);
    });
  }

  onTimer(key: string | null): void {
    this.#workers.onTimer(key);
  }

  /** What a pod has mounted now can grow. */
  mounted(worker: PodWorker): void {
    for (const { claim } of this.#context.volumes.ofPod(worker.pod))
      if (claim !== undefined && isPending(claim)) this.#workers.queue.addAfter(keyOf(claim), growMs, worker.causes);
  }

  async #grow(key: string, causes: readonly Cause[]): Promise<void> {
    const { namespace, name } = splitKey(key);
    const claim = this.#context.volumes.claims.get(namespace, name);
    const worker = claim === undefined || !isPending(claim) ? undefined : this.#user(key);
    if (claim === undefined || worker === undefined) return;
    const storage = claim.spec?.resources?.requests?.['storage'] ?? '0';
    const conditions = (claim.status?.conditions ?? []).filter(({ type }) => type !== 'FileSystemResizePending' && type !== 'Resizing');
    const grown = withClaimStatus(claim, {
      capacity: { ...claim.status?.capacity, storage },
      conditions: conditions.length === 0 ? undefined : conditions,
      allocatedResourceStatuses: undefined,
    });
    try {
      await this.#context.clientFor(worker.node).because(causes).updateStatus(persistentVolumeClaims, grown);
    } catch (error) {
      // Changed meanwhile: its own event comes.
      if (error instanceof StatusError && (error.status.code === 404 || error.status.code === 409)) return;
      throw error;
    }
    const message = `MountVolume.NodeExpandVolume succeeded for volume "${claim.spec?.volumeName ?? ''}" ${worker.node}`;
    this.#context.recorderFor(worker.node).event(worker.pod, 'Normal', 'FileSystemResizeSuccessful', message, causes);
  }

  /** A pod on a machine that is heard and has it mounted. */
  #user(claimKey: string): PodWorker | undefined {
    for (const pod of this.#pods.byIndex(claimIndex, claimKey)) {
      const worker = this.#context.workers.get(pod.metadata.uid ?? '');
      const machine = worker === undefined ? undefined : this.#context.machines.get(worker.node);
      if (worker !== undefined && machine !== undefined && isHeard(machine) && (worker.stage === 'sandbox' || worker.stage === 'active'))
        return worker;
    }
    return undefined;
  }
}

function isPending({ status }: PersistentVolumeClaim): boolean {
  return status?.allocatedResourceStatuses?.['storage'] === 'NodeResizePending';
}
