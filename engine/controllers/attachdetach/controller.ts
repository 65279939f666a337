/**
 * Has volumes attached to the nodes whose pods want them, and detached when they do not any more; by force where a node is lost.
 * Mirrors pkg/controller/volume/attachdetach (reconciler.go). Each volume is a key; the loop of upstream runs ten times a second, so
 * what it would find then is found here when it happens.
 */
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import type { VolumeAttachment } from '../../api/storage/v1/types.gen.ts';
import { deepEqual } from '../../base/equal.ts';
import type { Cause } from '../../base/causes.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { csiDrivers, nodes, persistentVolumeClaims, persistentVolumes, pods, volumeAttachments } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { type Attachment, Attachments } from './attachments.ts';
import { DesiredAttachments, uniqueNameOf } from './desired.ts';
import { Operations } from './operations.ts';
import { maxWaitForUnmountMs } from './timing.ts';

const outOfServiceTaint = 'node.kubernetes.io/out-of-service';
const csiPrefix = 'kubernetes.io/csi/';

class AttachDetachController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #attachments: Attachments;
  readonly #desired: DesiredAttachments;
  readonly #operations: Operations;
  readonly #nodes: Informer<Node>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #objects: Informer<VolumeAttachment>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#attachments = new Attachments(environment.slots);
    this.#desired = new DesiredAttachments(environment);
    this.#operations = new Operations(environment, this.#attachments);
    this.#nodes = environment.informer(nodes);
    this.#volumes = environment.informer(persistentVolumes);
    this.#objects = environment.informer(volumeAttachments);
  }

  /** What another controller manager has left: nodes say what is attached, attachments what may be. */
  start(): void {
    for (const node of this.#nodes.list()) {
      const { name = '' } = node.metadata;
      for (const { name: unique } of node.status?.volumesAttached ?? []) this.#find(unique, name, 'attached', node);
    }
    for (const { spec } of this.#objects.list()) {
      const volume = this.#volumes.get(undefined, spec.source.persistentVolumeName ?? '');
      const [unique] = volume === undefined ? [] : (uniqueNameOf(volume) ?? []);
      if (unique !== undefined) this.#find(unique, spec.nodeName, 'uncertain', this.#nodes.get(undefined, spec.nodeName));
    }
  }

  #find(unique: string, node: string, state: 'attached' | 'uncertain', object: Node | undefined): void {
    const cut = unique.indexOf('^');
    if (!unique.startsWith(csiPrefix) || cut < 0 || this.#attachments.get(unique, node) !== undefined) return;
    const volume = this.#desired.volume(unique)?.metadata.name ?? '';
    const place = { unique, node, driver: unique.slice(csiPrefix.length, cut), handle: unique.slice(cut + 1), volume };
    this.#attachments.add(place, state).mounted = object?.status?.volumesInUse?.includes(unique) === true;
    this.#environment.enqueue(unique, []);
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    return event.object.spec?.nodeName ? this.#desired.ofPod(event.object) : [];
  }

  keysOfClaim({ object }: InformerEvent<PersistentVolumeClaim>): readonly string[] {
    return this.#desired.ofClaim(object);
  }

  keysOfAttachment({ object }: InformerEvent<VolumeAttachment>): readonly string[] {
    return this.#desired.ofVolume(object.spec.source.persistentVolumeName ?? '');
  }

  /** Volumes of a node that says another thing of them, or that became lost or was found. */
  keysOfNode(event: InformerEvent<Node>): readonly string[] {
    const { name = '' } = event.object.metadata;
    const known = this.#attachments.ofNode(name);
    if (known.length === 0 && event.type === 'update') return [];
    const { volumesInUse = [] } = event.object.status ?? {};
    for (const one of known) one.mounted = volumesInUse.includes(one.unique);
    if (event.type === 'update' && deepEqual(factsOf(event.old), factsOf(event.object))) return [];
    return known.map(({ unique }) => unique);
  }

  async reconcile(context: ReconcileContext, unique: string): Promise<void> {
    await this.#operations.reportStale(context);
    const volume = this.#desired.volume(unique);
    const wanted = volume === undefined ? new Map<string, readonly Pod[]>() : this.#desired.podsByNode(volume);
    for (const one of this.#attachments.ofVolume(unique)) {
      const pods = wanted.get(one.node) ?? [];
      if (one.state === 'attaching') await this.#operations.continueAttach(context, one, pods);
      else if (one.state === 'detaching') this.#operations.continueDetach(context, one);
    }
    for (const one of this.#attachments.ofVolume(unique)) if (!wanted.has(one.node)) await this.#letGo(context, one);
    this.#attachments.untellAllBut(unique, new Set(wanted.keys()));
    if (volume !== undefined) for (const [node, pods] of wanted) await this.#attach(context, unique, volume, node, pods, wanted);
  }

  async #letGo(context: ReconcileContext, one: Attachment): Promise<void> {
    if (one.state === 'attaching' || one.state === 'detaching' || !this.#operations.mayTry(one, context.causes)) return;
    const nowMs = this.#environment.nowMs();
    one.detachRequestedMs ??= nowMs;
    const expired = nowMs - one.detachRequestedMs > maxWaitForUnmountMs && !this.#environment.options.disableForceDetachOnTimeout;
    const node = this.#nodes.get(undefined, one.node);
    const isLost = node?.spec?.taints?.some(({ key }) => key === outOfServiceTaint) === true;
    if (one.mounted && !isLost && (isReady(node) || !expired)) {
      this.#comeBack(one, context.causes);
      return;
    }
    await this.#operations.beginDetach(context, one, !expired && !isLost);
  }

  /** When the wait for the node is over. */
  #comeBack({ unique, detachRequestedMs }: Attachment, causes: readonly Cause[]): void {
    const leftMs = (detachRequestedMs ?? 0) + maxWaitForUnmountMs + 1 - this.#environment.nowMs();
    if (leftMs > 0) this.#environment.enqueueAfter(unique, leftMs, causes);
  }

  async #attach(
    context: ReconcileContext,
    unique: string,
    volume: PersistentVolume,
    node: string,
    pods: readonly Pod[],
    wanted: ReadonlyMap<string, readonly Pod[]>,
  ): Promise<void> {
    const known = this.#attachments.get(unique, node);
    if (known?.state === 'attached') {
      known.detachRequestedMs = null;
      return;
    }
    if (known?.state === 'attaching' || known?.state === 'detaching') return;
    const others = isSharable(volume) ? [] : this.#attachments.ofVolume(unique).filter((one) => one.node !== node);
    if (others.length > 0) {
      // An operation that is under way is waited for in silence.
      const isBusy = others.some(({ state }) => state === 'attaching' || state === 'detaching');
      if (!isBusy && this.#attachments.tell(unique, node)) this.#tellMultiAttach(volume, pods, others, wanted, context.causes);
      return;
    }
    if (known !== undefined && !this.#operations.mayTry(known, context.causes)) return;
    this.#attachments.untell(unique, node);
    const { driver = '', volumeHandle: handle = '' } = volume.spec?.csi ?? {};
    const one = known ?? this.#attachments.add({ unique, node, driver, handle, volume: volume.metadata.name ?? '' }, 'uncertain');
    await this.#operations.beginAttach(context, one, volume, pods);
  }

  #tellMultiAttach(
    { metadata }: PersistentVolume,
    pods: readonly Pod[],
    others: readonly Attachment[],
    wanted: ReadonlyMap<string, readonly Pod[]>,
    causes: readonly Cause[],
  ): void {
    const users = others.flatMap(({ node }) => wanted.get(node) ?? []);
    for (const pod of pods) {
      const near = users.filter((user) => user.metadata.namespace === pod.metadata.namespace).map((user) => user.metadata.name ?? '');
      const far = users.length - near.length;
      const why =
        users.length === 0
          ? "Volume is already exclusively attached to one node and can't be attached to another"
          : near.length === 0
            ? `Volume is already used by ${far} pod(s) in different namespaces`
            : `Volume is already used by pod(s) ${near.join(', ')}${far > 0 ? ` and ${far} pod(s) in different namespaces` : ''}`;
      this.#environment.recorder.event(pod, 'Warning', 'FailedAttachVolume', `Multi-Attach error for volume "${metadata.name ?? ''}" ${why}`, causes);
    }
  }
}

/** What of a node decides about detaching. */
function factsOf(node: Node): readonly unknown[] {
  const taints = (node.spec?.taints ?? []).filter(({ key }) => key === outOfServiceTaint);
  return [node.status?.volumesInUse ?? [], isReady(node), taints.length];
}

function isReady(node: Node | undefined): boolean {
  return node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}

/** Several nodes may have it at a time. */
function isSharable({ spec }: PersistentVolume): boolean {
  const { accessModes = [] } = spec ?? {};
  return accessModes.length === 0 || accessModes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
}

export const attachDetachController = defineController<AttachDetachController>({
  name: 'persistentvolume-attach-detach-controller',
  aliases: ['attachdetach'],
  serviceAccount: 'attachdetach-controller',
  eventSource: 'attachdetach-controller',
  workers: () => 1,
  watches: [
    watchOf(pods, (event, controller: AttachDetachController) => controller.keysOfPod(event)),
    watchOf(persistentVolumeClaims, (event, controller: AttachDetachController) => controller.keysOfClaim(event)),
    watchOf(volumeAttachments, (event, controller: AttachDetachController) => controller.keysOfAttachment(event)),
    watchOf(nodes, (event, controller: AttachDetachController) => controller.keysOfNode(event)),
    watchOf(persistentVolumes, ({ object }) => uniqueNameOf(object) ?? []),
    watchOf(csiDrivers, () => []),
  ],
  create: (environment) => new AttachDetachController(environment),
});
