/** snapshot.storage.k8s.io/v1, as the external-snapshotter's custom resources have it. */
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { Int64 } from '../../../base/int64.ts';

export interface VolumeSnapshotError {
  readonly time?: string;
  readonly message?: string;
}

export interface VolumeSnapshot extends KubeObject {
  readonly spec?: {
    readonly source?: { readonly persistentVolumeClaimName?: string; readonly volumeSnapshotContentName?: string };
    readonly volumeSnapshotClassName?: string;
  };
  readonly status?: {
    readonly boundVolumeSnapshotContentName?: string;
    readonly creationTime?: string;
    readonly readyToUse?: boolean;
    readonly restoreSize?: string;
    readonly error?: VolumeSnapshotError;
  };
}

export interface VolumeSnapshotContent extends KubeObject {
  readonly spec?: {
    readonly volumeSnapshotRef?: {
      readonly kind?: string;
      readonly namespace?: string;
      readonly name?: string;
      readonly uid?: string;
      readonly apiVersion?: string;
      readonly resourceVersion?: string;
    };
    readonly deletionPolicy?: string;
    readonly driver?: string;
    readonly volumeSnapshotClassName?: string;
    readonly source?: { readonly volumeHandle?: string; readonly snapshotHandle?: string };
    readonly sourceVolumeMode?: string;
  };
  readonly status?: {
    readonly snapshotHandle?: string;
    /** Nanoseconds. */
    readonly creationTime?: Int64;
    readonly restoreSize?: Int64;
    readonly readyToUse?: boolean;
    readonly error?: VolumeSnapshotError;
  };
}

export interface VolumeSnapshotClass extends KubeObject {
  readonly driver?: string;
  readonly parameters?: { readonly [name: string]: string };
  readonly deletionPolicy?: string;
}
