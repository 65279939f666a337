/**
 * Volumes and what belongs to them as the scheduler sees them, with what it has assumed of them. An assumption lives between a
 * reservation and the news of the write that makes it true, so there is none whenever the loop is quiet.
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../api/core/v1/types.gen.ts';
import type { CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment } from '../api/storage/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Cause } from '../base/causes.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { Informer, InformerFactory } from '../client/informer.ts';
import {
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
  volumeAttachments,
} from '../client/resources.ts';
import { volumeClass } from '../component-helpers/storage.ts';
import { AssumeCache, changeOf } from './assume-cache.ts';
import type { ClusterChange, EventResource } from './framework/cluster-events.ts';
import type { Volumes } from './framework/volumes.ts';

const classIndex = 'class';
const nodeIndex = 'node';

export interface VolumeCacheOptions {
  readonly informers: InformerFactory;
  readonly client: Client;
  causesOf(pod: Pod): readonly Cause[];
  /** Something happened that may help pods that wait. */
  onChange(change: ClusterChange, causes: readonly Cause[]): void;
}

export class VolumeCache implements Volumes {
  readonly #options: VolumeCacheOptions;
  readonly #claims: AssumeCache<PersistentVolumeClaim>;
  readonly #volumes: AssumeCache<PersistentVolume>;
  readonly #classes: Informer<StorageClass>;
  readonly #csiNodes: Informer<CSINode>;
  readonly #drivers: Informer<CSIDriver>;
  readonly #capacities: Informer<CSIStorageCapacity>;
  readonly #attachments: Informer<VolumeAttachment>;

  constructor(options: VolumeCacheOptions) {
    this.#options = options;
    this.#claims = new AssumeCache(this.#informer(persistentVolumeClaims));
    const volumes = this.#informer(persistentVolumes);
    volumes.addIndex(classIndex, (volume) => [volumeClass(volume)]);
    this.#volumes = new AssumeCache(volumes);
    this.#classes = this.#informer(storageClasses);
    this.#csiNodes = this.#informer(csiNodes);
    this.#drivers = this.#informer(csiDrivers);
    this.#capacities = this.#informer(csiStorageCapacities);
    this.#capacities.addIndex(classIndex, ({ storageClassName }) => [storageClassName]);
    this.#attachments = this.#informer(volumeAttachments);
    this.#attachments.addIndex(nodeIndex, ({ spec }) => [spec.nodeName]);
    this.#tell(this.#claims.informer, 'PersistentVolumeClaim');
    this.#tell(volumes, 'PersistentVolume');
    this.#tell(this.#classes, 'StorageClass');
    this.#tell(this.#csiNodes, 'CSINode');
    this.#tell(this.#drivers, 'CSIDriver');
    this.#tell(this.#capacities, 'CSIStorageCapacity');
    this.#tell(this.#attachments, 'VolumeAttachment');
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#claims.get(namespace, name);
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#volumes.get(undefined, name);
  }

  knownClaim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#claims.informer.get(namespace, name);
  }

  knownVolume(name: string): PersistentVolume | undefined {
    return this.#volumes.informer.get(undefined, name);
  }

  volumesOfClass(storageClass: string): readonly PersistentVolume[] {
    return this.#volumes.informer.byIndex(classIndex, storageClass).map((volume) => this.#volumes.newest(volume));
  }

  storageClass(name: string): StorageClass | undefined {
    return this.#classes.get(undefined, name);
  }

  csiNode(node: string): CSINode | undefined {
    return this.#csiNodes.get(undefined, node);
  }

  csiDriver(name: string): CSIDriver | undefined {
    return this.#drivers.get(undefined, name);
  }

  capacitiesOfClass(storageClass: string): readonly CSIStorageCapacity[] {
    return this.#capacities.byIndex(classIndex, storageClass);
  }

  attachmentsOn(node: string): readonly VolumeAttachment[] {
    return this.#attachments.byIndex(nodeIndex, node);
  }

  assumeClaim(claim: PersistentVolumeClaim): void {
    this.#claims.assume(claim);
  }

  assumeVolume(volume: PersistentVolume): void {
    this.#volumes.assume(volume);
  }

  restoreClaim(claim: PersistentVolumeClaim): void {
    this.#claims.restore(claim);
  }

  restoreVolume(volume: PersistentVolume): void {
    this.#volumes.restore(volume);
  }

  async updateClaim(claim: PersistentVolumeClaim, pod: Pod): Promise<PersistentVolumeClaim> {
    return this.#claims.assume(await this.#client(pod).update(persistentVolumeClaims, claim));
  }

  async updateVolume(volume: PersistentVolume, pod: Pod): Promise<PersistentVolume> {
    return this.#volumes.assume(await this.#client(pod).update(persistentVolumes, volume));
  }

  #client(pod: Pod): Client {
    return this.#options.client.because(this.#options.causesOf(pod));
  }

  #informer<T extends KubeObject>(type: ResourceType<T>): Informer<T> {
    return this.#options.informers.informer(type);
  }

  #tell<T extends KubeObject>(informer: Informer<T>, resource: EventResource): void {
    informer.addHandler((event) => this.#options.onChange(changeOf(event, resource), event.causes));
  }
}
