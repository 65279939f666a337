/** Names, marks and states of snapshots. Mirrors external-snapshotter pkg/utils/util.go. */
import type { PersistentVolume } from '../api/core/v1/types.gen.ts';
import type { VolumeSnapshot, VolumeSnapshotClass, VolumeSnapshotContent } from '../api/snapshot/v1/types.ts';
import { getOwn } from '../base/dictionary.ts';
import { resourceType } from '../client/resources.ts';

export const volumeSnapshots = resourceType<VolumeSnapshot>('snapshot.storage.k8s.io', 'v1', 'volumesnapshots', 'VolumeSnapshot');
export const volumeSnapshotContents = resourceType<VolumeSnapshotContent>(
  'snapshot.storage.k8s.io',
  'v1',
  'volumesnapshotcontents',
  'VolumeSnapshotContent',
  false,
);
export const volumeSnapshotClasses = resourceType<VolumeSnapshotClass>(
  'snapshot.storage.k8s.io',
  'v1',
  'volumesnapshotclasses',
  'VolumeSnapshotClass',
  false,
);

const domain = 'snapshot.storage.kubernetes.io';
export const contentFinalizer = `${domain}/volumesnapshotcontent-bound-protection`;
export const boundFinalizer = `${domain}/volumesnapshot-bound-protection`;
export const sourceFinalizer = `${domain}/volumesnapshot-as-source-protection`;
export const claimFinalizer = `${domain}/pvc-as-source-protection`;
export const beingCreated = `${domain}/volumesnapshot-being-created`;
export const beingDeleted = `${domain}/volumesnapshot-being-deleted`;
const defaultMark = `${domain}/is-default-class`;

export function isDefaultClass({ metadata }: VolumeSnapshotClass): boolean {
  return getOwn(metadata.annotations, defaultMark) === 'true';
}

export function contentNameOf({ metadata }: VolumeSnapshot): string {
  return `snapcontent-${metadata.uid ?? ''}`;
}

export function keyOfSnapshot({ metadata }: Pick<VolumeSnapshot, 'metadata'>): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** Whether the content points back to the snapshot. */
export function isOfSnapshot({ spec }: VolumeSnapshotContent, { metadata }: VolumeSnapshot): boolean {
  const ref = spec?.volumeSnapshotRef;
  return ref?.name === metadata.name && ref?.namespace === metadata.namespace && (!ref?.uid || ref.uid === metadata.uid);
}

/** What the driver is asked to take a snapshot of. */
export function newContent(snapshot: VolumeSnapshot, volume: PersistentVolume, snapshotClass: VolumeSnapshotClass): VolumeSnapshotContent {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = snapshot.metadata;
  const { volumeMode } = volume.spec ?? {};
  return {
    kind: 'VolumeSnapshotContent',
    apiVersion: 'snapshot.storage.k8s.io/v1',
    metadata: { name: contentNameOf(snapshot) },
    spec: {
      volumeSnapshotRef: { kind: 'VolumeSnapshot', namespace, name, uid, apiVersion: 'snapshot.storage.k8s.io/v1', resourceVersion },
      source: { volumeHandle: volume.spec?.csi?.volumeHandle ?? '' },
      volumeSnapshotClassName: snapshotClass.metadata.name ?? '',
      deletionPolicy: snapshotClass.deletionPolicy ?? 'Delete',
      driver: snapshotClass.driver ?? '',
      ...(volumeMode === undefined ? {} : { sourceVolumeMode: volumeMode }),
    },
  };
}
