import { defineOptions, managerFlag } from './family.ts';

export interface EndpointOptions {
  readonly concurrentEndpointSyncs: number;
  readonly concurrentServiceEndpointSyncs: number;
  readonly maxEndpointsPerSlice: number;
  readonly mirroringConcurrentServiceEndpointSyncs: number;
  readonly mirroringMaxEndpointsPerSubset: number;
  readonly mirroringUpdatesBatchMs: number;
}

export const endpointOptions = defineOptions<EndpointOptions>({
  flags: [
    managerFlag('concurrent-endpoint-syncs', 'integer', '5', 'Endpoints synced at the same time', 1),
    managerFlag('concurrent-service-endpoint-syncs', 'integer', '5', 'Services whose endpoint slices are synced at the same time', 1),
    managerFlag('max-endpoints-per-slice', 'integer', '100', 'Endpoints in one EndpointSlice', 1),
    { ...managerFlag('mirroring-concurrent-service-endpoint-syncs', 'integer', '5', 'Endpoints mirrored at the same time', 1), max: 50 },
    managerFlag('mirroring-endpointslice-updates-batch-period', 'duration', '0s', 'How long changes of mirrored slices are gathered'),
    { ...managerFlag('mirroring-max-endpoints-per-subset', 'integer', '1000', 'Addresses mirrored of one subset', 1), max: 1000 },
  ],
  read: (source) => ({
    concurrentEndpointSyncs: source.number('concurrent-endpoint-syncs'),
    concurrentServiceEndpointSyncs: source.number('concurrent-service-endpoint-syncs'),
    maxEndpointsPerSlice: source.number('max-endpoints-per-slice'),
    mirroringConcurrentServiceEndpointSyncs: source.number('mirroring-concurrent-service-endpoint-syncs'),
    mirroringMaxEndpointsPerSubset: source.number('mirroring-max-endpoints-per-subset'),
    mirroringUpdatesBatchMs: source.milliseconds('mirroring-endpointslice-updates-batch-period'),
  }),
});
