/**
 * Makes volumes for claims and deletes what is behind released ones. Mirrors external-provisioner and
 * sigs.k8s.io/sig-storage-lib-external-provisioner (controller.go): names, annotations, finalizer, events.
 */
import type { Node, PersistentVolume, PersistentVolumeClaim } from '../api/core/v1/types.gen.ts';
import type { VolumeSnapshot, VolumeSnapshotContent } from '../api/snapshot/v1/types.ts';
import type { CSINode, StorageClass, VolumeAttachment } from '../api/storage/v1/types.gen.ts';
import { isAlreadyExists, isNotFound } from '../apimachinery/errors.ts';
import { parseQuantity, quantityValue } from '../apimachinery/quantity.ts';
import { getOwn } from '../base/dictionary.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';
import { csiNodes, nodes, persistentVolumeClaims, persistentVolumes, storageClasses, volumeAttachments } from '../client/resources.ts';
import {
  betaStorageProvisioner,
  claimClass,
  claimReference,
  diskDriver,
  diskTopologyKey,
  externalProvisionerFinalizer,
  matchesTopology,
  provisionedBy,
  requestedStorage,
  selectedNode,
  storageProvisioner,
  waitsForConsumer,
  withAnnotations,
} from '../component-helpers/storage.ts';
import { type Controller, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';
import { RetryError } from '../controller-runtime/retry-error.ts';
import { Backend, DriverError } from './backend.ts';
import { type CsiEnvironment, defineSidecar } from './driver.ts';
import { volumeSnapshotContents, volumeSnapshots } from './snapshot-objects.ts';

const claimPrefix = 'claim/';
const volumePrefix = 'volume/';
const attachmentIndex = 'volume';

class Provisioner implements Controller {
  readonly #environment: CsiEnvironment;
  readonly #backend: Backend;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #classes: Informer<StorageClass>;
  readonly #nodes: Informer<Node>;
  readonly #csiNodes: Informer<CSINode>;
  readonly #attachments: Informer<VolumeAttachment>;
  readonly #snapshots: Informer<VolumeSnapshot>;
  readonly #contents: Informer<VolumeSnapshotContent>;

  constructor(environment: CsiEnvironment) {
    this.#environment = environment;
    this.#backend = new Backend(environment);
    this.#claims = environment.informer(persistentVolumeClaims);
    this.#volumes = environment.informer(persistentVolumes);
    this.#classes = environment.informer(storageClasses);
    this.#nodes = environment.informer(nodes);
    this.#csiNodes = environment.informer(csiNodes);
    this.#attachments = environment.informer(volumeAttachments);
    this.#snapshots = environment.informer(volumeSnapshots);
    this.#contents = environment.informer(volumeSnapshotContents);
    this.#attachments.addIndex(attachmentIndex, ({ spec }) => (spec.source.persistentVolumeName ? [spec.source.persistentVolumeName] : []));
  }

  keysOfClaim({ type, object }: InformerEvent<PersistentVolumeClaim>): readonly string[] {
    const key = `${claimPrefix}${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
    if (type !== 'delete') return this.#shouldProvision(object) ? [key] : [];
    this.#backend.forget(key);
    return [];
  }

  keysOfVolume({ type, object }: InformerEvent<PersistentVolume>): readonly string[] {
    return type !== 'delete' && isOurs(object) ? [`${volumePrefix}${object.metadata.name ?? ''}`] : [];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith(volumePrefix)) {
      const volume = this.#volumes.get(undefined, key.slice(volumePrefix.length));
      if (volume !== undefined && isOurs(volume)) await this.#syncVolume(context, key, volume);
      return;
    }
    const slash = key.indexOf('/', claimPrefix.length);
    const claim = this.#claims.get(key.slice(claimPrefix.length, slash), key.slice(slash + 1));
    if (claim !== undefined && this.#shouldProvision(claim)) await this.#provision(context, key, claim);
  }

  #classOf(claim: PersistentVolumeClaim): StorageClass | undefined {
    const found = this.#classes.get(undefined, claimClass(claim));
    return found?.provisioner === diskDriver ? found : undefined;
  }

  #shouldProvision(claim: PersistentVolumeClaim): boolean {
    const { annotations } = claim.metadata;
    if (claim.spec?.volumeName || claim.metadata.deletionTimestamp !== undefined) return false;
    if ((getOwn(annotations, storageProvisioner) ?? getOwn(annotations, betaStorageProvisioner)) !== diskDriver) return false;
    const storageClass = this.#classOf(claim);
    if (storageClass === undefined) return false;
    return !waitsForConsumer(storageClass) || Boolean(getOwn(annotations, selectedNode));
  }

  async #provision(context: ReconcileContext, key: string, claim: PersistentVolumeClaim): Promise<void> {
    const storageClass = this.#classOf(claim);
    const name = `pvc-${claim.metadata.uid ?? ''}`;
    if (storageClass === undefined || this.#volumes.get(undefined, name) !== undefined) return;
    const causes = this.#backend.causesOf('create', context.causes);
    const { recorder } = this.#environment;
    try {
      const source = claim.spec?.dataSource;
      if (source?.kind === 'VolumeSnapshot') this.#checkSnapshot(claim, source.name);
      const zone = this.#zoneFor(claim, storageClass);
      const { namespace = '', name: claimName = '' } = claim.metadata;
      if (!this.#backend.isBegun('create', key))
        recorder.event(claim, 'Normal', 'Provisioning', `External provisioner is provisioning volume for claim "${namespace}/${claimName}"`, causes);
      const bytes = quantityValue(requestedStorage(claim));
      const done = await this.#backend.isDone({ work: 'create', key, disk: name, bytes, zone: zone ?? '' }, causes);
      if (!done) return;
      await context.client.because(causes).create(persistentVolumes, volumeFor(claim, storageClass, name, zone));
      recorder.event(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`, causes);
    } catch (error) {
      if (isAlreadyExists(error as Error)) return;
      if (!(error instanceof DriverError)) throw error;
      const message = `failed to provision volume with StorageClass "${storageClass.metadata.name ?? ''}": ${error.message}`;
      recorder.event(claim, 'Warning', 'ProvisioningFailed', message, causes);
      await this.#chooseAgain(context, claim, error);
      throw new RetryError(message);
    }
  }

  /** Mirrors getSnapshotSource of external-provisioner pkg/controller/controller.go. */
  #checkSnapshot(claim: PersistentVolumeClaim, name: string): void {
    const refuse = (why: string): never => {
      throw new DriverError(undefined, `error getting handle for DataSource Type VolumeSnapshot by Name ${name}: ${why}`);
    };
    const snapshot = this.#snapshots.get(claim.metadata.namespace, name);
    if (snapshot === undefined)
      return refuse(`error getting snapshot ${name} from api server: volumesnapshots.snapshot.storage.k8s.io "${name}" not found`);
    if (snapshot.metadata.deletionTimestamp !== undefined) return refuse(`snapshot ${name} is currently being deleted`);
    const { boundVolumeSnapshotContentName: bound, readyToUse, restoreSize } = snapshot.status ?? {};
    if (!bound) return refuse(`snapshot ${name} not bound`);
    const content = this.#contents.get(undefined, bound);
    if (content?.spec?.driver !== diskDriver)
      return refuse(
        content === undefined
          ? `error getting snapshotcontent ${bound} for snapshot ${name} from api server: volumesnapshotcontents.snapshot.storage.k8s.io "${bound}" not found`
          : `requested volume driver ${diskDriver} does not match the driver ${content.spec?.driver ?? ''} of the source snapshot`,
      );
    if (readyToUse !== true) return refuse(`snapshot ${name} is not Ready`);
    const asked = requestedStorage(claim);
    if (restoreSize !== undefined && quantityValue(asked) < quantityValue(parseQuantity(restoreSize)))
      return refuse(
        `requested volume size ${quantityValue(asked)} is less than the size ${quantityValue(parseQuantity(restoreSize))} for the source snapshot ${name}`,
      );
  }

  /** Where there is no room, the scheduler looks for another node. */
  async #chooseAgain(context: ReconcileContext, claim: PersistentVolumeClaim, error: DriverError): Promise<void> {
    if (!error.message.includes('ResourceExhausted') || getOwn(claim.metadata.annotations, selectedNode) === undefined) return;
    await context.client.update(persistentVolumeClaims, withAnnotations(claim, { [selectedNode]: undefined }));
  }

  /** The zone of the chosen node; else one of those that there are, by the claim's name. Undefined in a cluster without zones. */
  #zoneFor(claim: PersistentVolumeClaim, { allowedTopologies }: StorageClass): string | undefined {
    const chosen = getOwn(claim.metadata.annotations, selectedNode);
    if (chosen) {
      const node = this.#nodes.get(undefined, chosen);
      if (node === undefined) throw new DriverError('NotFound', `error getting selected node: node "${chosen}" not found`);
      if (this.#csiNodes.get(undefined, chosen)?.spec.drivers?.some((driver) => driver.name === diskDriver) !== true)
        throw new DriverError('FailedPrecondition', `error generating accessibility requirements: no topology key found on CSINode ${chosen}`);
      return getOwn(node.metadata.labels, diskTopologyKey);
    }
    const candidates = this.#nodes.list().filter(({ metadata }) => matchesTopology(allowedTopologies, metadata.labels));
    if (candidates.length === 0)
      throw new DriverError('ResourceExhausted', 'error generating accessibility requirements: no available topology found');
    const zones = [...new Set(candidates.flatMap(({ metadata }) => getOwn(metadata.labels, diskTopologyKey) ?? []))].sort();
    return zones.length === 0 ? undefined : zones[spreadOf(claim.metadata.name ?? '') % zones.length];
  }

  async #syncVolume(context: ReconcileContext, key: string, volume: PersistentVolume): Promise<void> {
    const { name = '', finalizers = [] } = volume.metadata;
    const isDeleted = volume.spec?.persistentVolumeReclaimPolicy === 'Delete';
    const isHeld = finalizers.includes(externalProvisionerFinalizer);
    if (volume.metadata.deletionTimestamp === undefined && isDeleted !== isHeld) {
      const next = isDeleted ? [...finalizers, externalProvisionerFinalizer] : finalizers.filter((one) => one !== externalProvisionerFinalizer);
      await context.client.patch(persistentVolumes, undefined, name, 'merge', { metadata: { finalizers: next } });
      return;
    }
    if (volume.status?.phase !== 'Released' || !isDeleted || !isHeld) return;
    const causes = this.#backend.causesOf('delete', context.causes);
    try {
      const attachment = this.#attachments.byIndex(attachmentIndex, name)[0];
      if (attachment !== undefined)
        throw new DriverError('FailedPrecondition', `persistentvolume ${name} is still attached to node ${attachment.spec.nodeName}`);
      if (await this.#backend.isDone({ work: 'delete', key, disk: volume.spec?.csi?.volumeHandle ?? name }, causes)) await remove(context, volume);
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      this.#environment.recorder.event(volume, 'Warning', 'VolumeFailedDelete', error.message, causes);
      throw new RetryError(error.message);
    }
  }
}

/** The object goes first, then what kept it. */
async function remove({ client }: ReconcileContext, { metadata }: PersistentVolume): Promise<void> {
  const { name = '' } = metadata;
  try {
    if (metadata.deletionTimestamp === undefined) await client.delete(persistentVolumes, undefined, name);
    const { finalizers = [] } = (await client.get(persistentVolumes, undefined, name)).metadata;
    await client.patch(persistentVolumes, undefined, name, 'merge', {
      metadata: { finalizers: finalizers.filter((finalizer) => finalizer !== externalProvisionerFinalizer) },
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function isOurs(volume: PersistentVolume): boolean {
  return getOwn(volume.metadata.annotations, provisionedBy) === diskDriver && volume.spec?.csi?.driver === diskDriver;
}

function volumeFor(claim: PersistentVolumeClaim, storageClass: StorageClass, name: string, zone: string | undefined): PersistentVolume {
  const { reclaimPolicy = 'Delete', mountOptions, parameters = {} } = storageClass;
  const { accessModes, resources, volumeMode, volumeAttributesClassName } = claim.spec ?? {};
  const fsType = getOwn(parameters, 'csi.storage.k8s.io/fstype') ?? 'ext4';
  return {
    kind: 'PersistentVolume',
    apiVersion: 'v1',
    metadata: {
      name,
      annotations: {
        [provisionedBy]: diskDriver,
        'volume.kubernetes.io/provisioner-deletion-secret-name': '',
        'volume.kubernetes.io/provisioner-deletion-secret-namespace': '',
      },
      ...(reclaimPolicy === 'Delete' ? { finalizers: [externalProvisionerFinalizer] } : {}),
    },
    spec: {
      capacity: { storage: resources?.requests?.['storage'] ?? '0' },
      csi: { driver: diskDriver, volumeHandle: name, ...(volumeMode === 'Block' ? {} : { fsType }) },
      ...(accessModes === undefined ? {} : { accessModes }),
      claimRef: claimReference(claim),
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClass.metadata.name ?? '',
      ...(mountOptions === undefined ? {} : { mountOptions }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
      ...(zone === undefined
        ? {}
        : { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: diskTopologyKey, operator: 'In', values: [zone] }] }] } } }),
      ...(volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
    },
  };
}

/** Spreads claims over zones; those of one StatefulSet in turn (getPVCNameHashAndIndexOffset of external-provisioner). */
function spreadOf(claimName: string): number {
  const ordinal = /-(\d{1,9})$/.exec(claimName)?.[1];
  const name = ordinal === undefined ? claimName : claimName.slice(0, claimName.length - ordinal.length - 1);
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return (hash % 1_000_003) + Number(ordinal ?? 0);
}

export const provisioner = defineSidecar<Provisioner>('provisioner', {
  watches: [
    watchOf(persistentVolumeClaims, (event, controller: Provisioner) => controller.keysOfClaim(event)),
    watchOf(persistentVolumes, (event, controller: Provisioner) => controller.keysOfVolume(event)),
    watchOf(storageClasses, () => []),
  ],
  create: (environment) => new Provisioner(environment),
});
