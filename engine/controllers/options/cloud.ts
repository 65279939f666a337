import type { CloudProvider } from '../../contracts/cloud.ts';
import { defineOptions, managerFlag } from './family.ts';

export interface CloudOptions {
  /** The cloud that the cluster is in; absent where there is none. */
  readonly cloud?: CloudProvider;
  readonly concurrentServiceSyncs: number;
  readonly configureCloudRoutes: boolean;
  /** Routes follow changes of Nodes (CloudControllerManagerWatchBasedRoutesReconciliation); else they are looked at all the time. */
  readonly watchesRoutes: boolean;
  /** A label keeps load balancers of release 1.13 from a node (ServiceNodeExclusion). */
  readonly heedsBalancerExclusion: boolean;
}

export const cloudOptions = defineOptions<CloudOptions>({
  flags: [
    managerFlag('concurrent-service-syncs', 'integer', '1', 'Services synced with load balancers at the same time', 1),
    managerFlag('configure-cloud-routes', 'boolean', 'true', 'Configure routes of the cloud'),
  ],
  read: (source) => ({
    ...(source.host.cloud && { cloud: source.host.cloud }),
    concurrentServiceSyncs: source.number('concurrent-service-syncs'),
    configureCloudRoutes: source.boolean('configure-cloud-routes'),
    watchesRoutes: source.hasGate('CloudControllerManagerWatchBasedRoutesReconciliation'),
    heedsBalancerExclusion: source.hasGate('ServiceNodeExclusion'),
  }),
});
