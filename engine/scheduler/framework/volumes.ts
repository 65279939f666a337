/**
 * What plugins may ask about volumes, and how they reserve them. Claims and volumes are as the scheduler assumes them to be; the
 * `known` ones as the API told last (framework/plugins/volumebinding assume_cache.go).
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import type { CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment } from '../../api/storage/v1/types.gen.ts';

export interface Volumes {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  knownClaim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  knownVolume(name: string): PersistentVolume | undefined;
  /** In the order of their names. */
  volumesOfClass(storageClass: string): readonly PersistentVolume[];
  storageClass(name: string): StorageClass | undefined;
  csiNode(node: string): CSINode | undefined;
  csiDriver(name: string): CSIDriver | undefined;
  capacitiesOfClass(storageClass: string): readonly CSIStorageCapacity[];
  attachmentsOn(node: string): readonly VolumeAttachment[];
  /** From now on the object is taken to be this, until the API tells of a newer one or it is restored. */
  assumeClaim(claim: PersistentVolumeClaim): void;
  assumeVolume(volume: PersistentVolume): void;
  restoreClaim(claim: PersistentVolumeClaim): void;
  restoreVolume(volume: PersistentVolume): void;
  /** Writes for a pod, in the name of what caused its scheduling. The answer is assumed. */
  updateClaim(claim: PersistentVolumeClaim, pod: Pod): Promise<PersistentVolumeClaim>;
  updateVolume(volume: PersistentVolume, pod: Pod): Promise<PersistentVolume>;
}
