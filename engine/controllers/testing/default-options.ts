/** Upstream's default options of the controller manager, for unit tests. */
import { podTemplateForms } from '../../releases/1.36/go-forms.gen.ts';
import type { ControllerOptions } from '../controller.ts';

export const defaultOptions: ControllerOptions = {
  concurrentDeploymentSyncs: 5,
  concurrentRcSyncs: 5,
  concurrentResourceQuotaSyncs: 5,
  concurrentReplicaSetSyncs: 5,
  concurrentJobSyncs: 5,
  concurrentCronJobSyncs: 5,
  concurrentEndpointSyncs: 5,
  concurrentServiceEndpointSyncs: 5,
  concurrentGcSyncs: 20,
  concurrentNamespaceSyncs: 10,
  concurrentServiceAccountSyncs: 5,
  concurrentTtlAfterFinishedSyncs: 5,
  nodeMonitorPeriodMs: 5_000,
  nodeMonitorGracePeriodMs: 50_000,
  nodeStartupGracePeriodMs: 60_000,
  nodeEvictionRate: 0.1,
  secondaryNodeEvictionRate: 0.01,
  unhealthyZoneThreshold: 0.55,
  largeClusterSizeThreshold: 50,
  terminatedPodGcThreshold: 12_500,
  maxEndpointsPerSlice: 100,
  volumeBinderSyncPeriodMs: 15_000,
  enableDynamicProvisioning: true,
  recyclerHostPath: { minimumSeconds: 60, secondsPerGib: 30 },
  recyclerNfs: { minimumSeconds: 300, secondsPerGib: 30 },
  jobBackoffMaxMs: 600_000,
  podTemplateForms,
  rootCaPem: '-----BEGIN CERTIFICATE-----\ntest\n-----END CERTIFICATE-----\n',
};
