import { defineOptions, idleManagerFlag, managerFlag } from './family.ts';

/** Garbage, namespaces that go, and quotas. */
export interface CleaningOptions {
  readonly concurrentGcSyncs: number;
  readonly concurrentNamespaceSyncs: number;
  readonly concurrentResourceQuotaSyncs: number;
}

export const cleaningOptions = defineOptions<CleaningOptions>({
  flags: [
    managerFlag('concurrent-gc-syncs', 'integer', '20', 'Garbage collector workers', 1),
    managerFlag('concurrent-namespace-syncs', 'integer', '10', 'Namespaces synced at the same time', 1),
    managerFlag('concurrent-resource-quota-syncs', 'integer', '5', 'ResourceQuotas synced at the same time', 1),
    managerFlag('enable-garbage-collector', 'boolean', 'true', 'Delete dependents of deleted owners'),
    idleManagerFlag(
      'informers miss nothing, and a second look at the same writes nothing',
      'namespace-sync-period',
      'duration',
      '5m0s',
      'Resync of namespaces',
    ),
  ],
  read: (source) => ({
    concurrentGcSyncs: source.number('concurrent-gc-syncs'),
    concurrentNamespaceSyncs: source.number('concurrent-namespace-syncs'),
    concurrentResourceQuotaSyncs: source.number('concurrent-resource-quota-syncs'),
  }),
});
