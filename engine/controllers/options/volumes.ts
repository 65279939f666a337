import { defineOptions, idleManagerFlag, managerFlag } from './family.ts';

/** How long a pod that empties a volume may take: so many seconds for each GiB, and never less than the minimum. */
export interface RecyclerOptions {
  readonly minimumSeconds: number;
  readonly secondsPerGib: number;
}

export interface VolumeOptions {
  readonly concurrentEphemeralVolumeSyncs: number;
  /** A node that does not let go of a volume keeps it for good, unless it is marked out of service. */
  readonly disableForceDetachOnTimeout: boolean;
  readonly enableDynamicProvisioning: boolean;
  /** Feature gate StorageObjectInUseProtection: volumes and claims that come without their finalizer get it. */
  readonly protectsStorage: boolean;
  /** Feature gate PersistentVolumeClaimUnusedSinceTime: a condition of claims says since when no pod uses them. */
  readonly tellsUnusedClaims: boolean;
  readonly recyclerHostPath: RecyclerOptions;
  readonly recyclerNfs: RecyclerOptions;
  /** How often claims and volumes that are not where they should be are looked at again. */
  readonly volumeBinderSyncPeriodMs: number;
}

export const volumeOptions = defineOptions<VolumeOptions>({
  flags: [
    managerFlag('concurrent-ephemeralvolume-syncs', 'integer', '5', 'Pods whose ephemeral volumes are synced at the same time', 1),
    managerFlag('disable-force-detach-on-timeout', 'boolean', 'false', 'Leave volumes attached to lost nodes'),
    managerFlag('enable-dynamic-provisioning', 'boolean', 'true', 'Make volumes for claims'),
    managerFlag('pv-recycler-increment-timeout-nfs', 'integer', '30', 'Seconds added for each Gi of a recycled NFS volume', 0),
    managerFlag('pv-recycler-minimum-timeout-hostpath', 'integer', '60', 'Least seconds to recycle a host path volume', 0),
    managerFlag('pv-recycler-minimum-timeout-nfs', 'integer', '300', 'Least seconds to recycle an NFS volume', 0),
    managerFlag('pv-recycler-timeout-increment-hostpath', 'integer', '30', 'Seconds added for each Gi of a recycled host path volume', 0),
    managerFlag('pvclaimbinder-sync-period', 'duration', '15s', 'Resync of volumes and claims'),
    idleManagerFlag(
      'attachments are looked at when something changes; less than a second is refused, as upstream does',
      'attach-detach-reconcile-sync-period',
      'duration',
      '1m0s',
      'Resync of attached volumes; more than one second',
    ),
  ],
  read: (source) => ({
    concurrentEphemeralVolumeSyncs: source.number('concurrent-ephemeralvolume-syncs'),
    disableForceDetachOnTimeout: source.boolean('disable-force-detach-on-timeout'),
    enableDynamicProvisioning: source.boolean('enable-dynamic-provisioning'),
    protectsStorage: source.hasGate('StorageObjectInUseProtection'),
    tellsUnusedClaims: source.hasGate('PersistentVolumeClaimUnusedSinceTime'),
    recyclerHostPath: {
      minimumSeconds: source.number('pv-recycler-minimum-timeout-hostpath'),
      secondsPerGib: source.number('pv-recycler-timeout-increment-hostpath'),
    },
    recyclerNfs: {
      minimumSeconds: source.number('pv-recycler-minimum-timeout-nfs'),
      secondsPerGib: source.number('pv-recycler-increment-timeout-nfs'),
    },
    volumeBinderSyncPeriodMs: source.milliseconds('pvclaimbinder-sync-period'),
  }),
});
