/**
 * Attaching and detaching one volume, step by step: each step is short, and when the next is due is remembered. Mirrors
 * operation_generator.go (GenerateAttachVolumeFunc, GenerateDetachVolumeFunc) and pkg/volume/csi/csi_attacher.go.
 */
import type { Node, PersistentVolume, Pod } from '../../api/core/v1/types.gen.ts';
import type { VolumeAttachment } from '../../api/storage/v1/types.gen.ts';
import { isAlreadyExists, isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Cause } from '../../base/causes.ts';
import type { Informer } from '../../client/informer.ts';
import { nodes, volumeAttachments } from '../../client/resources.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import type { ControllerEnvironment } from '../controller.ts';
import type { Attachment, Attachments } from './attachments.ts';
import { backoffFirstMs, backoffLastMs, firstStepMs, lastStepMs, operationTimeoutMs, stepFactor, stepJitter } from './timing.ts';

export class Operations {
  readonly #environment: ControllerEnvironment;
  readonly #attachments: Attachments;
  readonly #objects: Informer<VolumeAttachment>;
  /** Nodes whose status does not say yet what is attached. */
  readonly #stale: Set<string>;

  constructor(environment: ControllerEnvironment, attachments: Attachments) {
    this.#environment = environment;
    this.#attachments = attachments;
    this.#objects = environment.informer(volumeAttachments);
    this.#stale = environment.slots.set('nodesToReport');
  }

  /** Asks the attacher for it. */
  async beginAttach(context: ReconcileContext, one: Attachment, volume: PersistentVolume, pods: readonly Pod[]): Promise<void> {
    const name = this.#nameOf(one);
    one.state = 'attaching';
    this.#beginSteps(one, context.causes);
    if (this.#objects.get(undefined, name) !== undefined) return;
    try {
      await context.client.create(volumeAttachments, {
        kind: 'VolumeAttachment',
        apiVersion: 'storage.k8s.io/v1',
        metadata: { name },
        spec: { attacher: one.driver, source: { persistentVolumeName: volume.metadata.name ?? '' }, nodeName: one.node },
      });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (!isAlreadyExists(error)) this.#attachFailed(one, pods, `kubernetes.io/csi: attacher.Attach failed: ${error.message}`, context.causes);
    }
  }

  /** Looks whether it is attached. */
  async continueAttach(context: ReconcileContext, one: Attachment, pods: readonly Pod[]): Promise<void> {
    const { causes } = context;
    if (!this.#isDue(one, causes)) return;
    const object = this.#objects.get(undefined, this.#nameOf(one));
    if (object?.status?.attached === true && object.metadata.deletionTimestamp === undefined) {
      Object.assign(one, { state: 'attached', reported: true, failures: 0, retryMs: 0, detachRequestedMs: null });
      for (const pod of pods)
        this.#environment.recorder.event(
          pod,
          'Normal',
          'SuccessfulAttachVolume',
          `AttachVolume.Attach succeeded for volume "${one.volume}" `,
          causes,
        );
      await this.reportNode(context, one.node);
      return;
    }
    const fault = attachFault(object) ?? this.#timeout(one, one.driver, 'attach');
    if (fault === undefined) this.#nextStep(one, causes);
    else this.#attachFailed(one, pods, fault, causes);
  }

  /** Takes it out of the node's status, then asks the attacher to let it go. */
  async beginDetach(context: ReconcileContext, one: Attachment, verify: boolean): Promise<void> {
    if (one.reported) {
      one.reported = false;
      try {
        await this.reportNode(context, one.node);
      } catch (error) {
        one.reported = true;
        throw error;
      }
    }
    if (verify && (await this.#isInUse(context, one))) {
      this.#failed(one, context.causes);
      return;
    }
    one.state = 'detaching';
    this.#beginSteps(one, context.causes);
    try {
      await context.client.delete(volumeAttachments, undefined, this.#nameOf(one));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (!isNotFound(error)) this.#failed(one, context.causes);
    }
  }

  /** Looks whether it is gone. */
  continueDetach({ causes }: ReconcileContext, one: Attachment): void {
    if (!this.#isDue(one, causes)) return;
    const object = this.#objects.get(undefined, this.#nameOf(one));
    if (object === undefined) {
      this.#attachments.delete(one);
      return;
    }
    if (object.status?.detachError === undefined && this.#timeout(one, 'unknown', 'detach') === undefined) this.#nextStep(one, causes);
    else this.#failed(one, causes);
  }

  /** What could not be told is told now. */
  async reportStale(context: ReconcileContext): Promise<void> {
    for (const node of this.#stale) await this.reportNode(context, node);
  }

  /** Tells a node's kubelet what it may mount. */
  async reportNode({ client }: ReconcileContext, node: string): Promise<void> {
    this.#stale.add(node);
    const reported = this.#attachments.ofNode(node).filter((one) => one.reported);
    const volumesAttached = reported.map(({ unique }) => ({ name: unique, devicePath: '' }));
    try {
      await client.patch(
        nodes,
        undefined,
        node,
        'strategic',
        { status: { volumesAttached: volumesAttached.length === 0 ? null : volumesAttached } },
        { subresource: 'status' },
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#stale.delete(node);
  }

  /** False while a failure is waited out; then the key comes back. */
  mayTry(one: Attachment, causes: readonly Cause[]): boolean {
    const leftMs = one.retryMs - this.#environment.nowMs();
    if (leftMs <= 0) return true;
    this.#environment.enqueueAfter(one.unique, leftMs, causes);
    return false;
  }

  async #isInUse({ client }: ReconcileContext, one: Attachment): Promise<boolean> {
    try {
      const node: Node = await client.get(nodes, undefined, one.node);
      return node.status?.volumesInUse?.includes(one.unique) === true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  #nameOf({ handle, driver, node }: Attachment): string {
    return `csi-${this.#environment.options.sha256(`${handle}${driver}${node}`)}`;
  }

  #beginSteps(one: Attachment, causes: readonly Cause[]): void {
    one.deadlineMs = this.#environment.nowMs() + operationTimeoutMs;
    one.stepMs = firstStepMs / stepFactor;
    this.#nextStep(one, causes);
  }

  #nextStep(one: Attachment, causes: readonly Cause[]): void {
    const { nowMs, random, enqueueAfter } = this.#environment;
    one.stepMs = Math.min(lastStepMs, one.stepMs * stepFactor);
    const waitMs = one.stepMs * random.between(1, 1 + stepJitter);
    one.nextMs = nowMs() + waitMs;
    enqueueAfter(one.unique, waitMs, causes);
  }

  #isDue(one: Attachment, causes: readonly Cause[]): boolean {
    const leftMs = one.nextMs - this.#environment.nowMs();
    if (leftMs <= 0) return true;
    this.#environment.enqueueAfter(one.unique, leftMs, causes);
    return false;
  }

  #timeout(one: Attachment, driver: string, what: string): string | undefined {
    if (this.#environment.nowMs() < one.deadlineMs) return undefined;
    return `timed out waiting for external-attacher of ${driver} CSI driver to ${what} volume ${one.handle}`;
  }

  #attachFailed(one: Attachment, pods: readonly Pod[], why: string, causes: readonly Cause[]): void {
    for (const pod of pods)
      this.#environment.recorder.event(
        pod,
        'Warning',
        'FailedAttachVolume',
        `AttachVolume.Attach failed for volume "${one.volume}" : ${why}`,
        causes,
      );
    this.#failed(one, causes);
  }

  /** Nobody knows now whether it is attached. */
  #failed(one: Attachment, causes: readonly Cause[]): void {
    const { nowMs, enqueueAfter } = this.#environment;
    const waitMs = Math.min(backoffLastMs, backoffFirstMs * 2 ** Math.min(one.failures, 30));
    one.state = 'uncertain';
    one.failures++;
    one.retryMs = nowMs() + waitMs;
    enqueueAfter(one.unique, waitMs, causes);
  }
}

function attachFault(object: VolumeAttachment | undefined): string | undefined {
  if (object === undefined) return 'volume attachment has been deleted';
  if (object.metadata.deletionTimestamp !== undefined) return 'volume attachment is being deleted';
  return object.status?.attachError?.message;
}
