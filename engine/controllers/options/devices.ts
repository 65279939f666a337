import { defineOptions, managerFlag } from './family.ts';

/** Devices of dynamic allocation. */
export interface DeviceOptions {
  readonly concurrentDeviceTaintSyncs: number;
  readonly concurrentResourceClaimSyncs: number;
  /** Feature gate DRADeviceTaintRules: rules put taints on devices, beside their drivers. */
  readonly deviceTaintRules: boolean;
  /** Feature gate DRAWorkloadResourceClaims: pods of a group share claims that are the group's. */
  readonly workloadClaims: boolean;
}

export const deviceOptions = defineOptions<DeviceOptions>({
  flags: [
    managerFlag('concurrent-device-taint-eviction-syncs', 'integer', '8', 'Pods on tainted devices evicted at the same time', 1),
    managerFlag('concurrent-resourceclaim-syncs', 'integer', '50', 'Claims for devices, and pods with them, synced at the same time', 1),
  ],
  read: (source) => ({
    concurrentDeviceTaintSyncs: source.number('concurrent-device-taint-eviction-syncs'),
    concurrentResourceClaimSyncs: source.number('concurrent-resourceclaim-syncs'),
    workloadClaims: source.hasGate('DRAWorkloadResourceClaims'),
    deviceTaintRules: source.hasGate('DRADeviceTaintRules'),
  }),
});
