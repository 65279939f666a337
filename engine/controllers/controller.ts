/** The controllers of kube-controller-manager: the runtime's contract with the controller manager's options. */
import {
  checkController,
  type Controller,
  type ControllerDefinition as Definition,
  type ControllerEnvironment as Environment,
} from '../controller-runtime/controller.ts';

import type { GoForms } from '../apimachinery/go-print.ts';
import type { CertificateReader } from '../contracts/certificates.ts';
import type { CloudProvider } from '../contracts/cloud.ts';
import type { SecretTokenClaims } from '../contracts/tokens.ts';

export type ControllerEnvironment = Environment<ControllerOptions>;
export type ControllerDefinition<C extends Controller = Controller> = Definition<C, ControllerOptions>;

export function defineController<C extends Controller>(definition: ControllerDefinition<C>): ControllerDefinition {
  return checkController(definition);
}

/** Who signs the tokens that Secrets hold, and whether every account has one. */
export interface TokenSecretOptions {
  sign(claims: SecretTokenClaims): string;
  readonly forEveryAccount: boolean;
}

/** How long a pod that empties a volume may take: so many seconds for each GiB, and never less than the minimum. */
export interface RecyclerOptions {
  readonly minimumSeconds: number;
  readonly secondsPerGib: number;
}

/** `--horizontal-pod-autoscaler-*`, in milliseconds. */
export interface HorizontalPodAutoscalerOptions {
  readonly concurrentSyncs: number;
  readonly syncPeriodMs: number;
  readonly downscaleStabilizationMs: number;
  /** Of a ratio that would otherwise change the replicas. */
  readonly tolerance: number;
  /** After a start CPU of pods that are not ready does not count for so long. */
  readonly cpuInitializationMs: number;
  readonly initialReadinessDelayMs: number;
  /** Autoscalers may say how tolerant they are. */
  readonly hasOwnTolerance: boolean;
}

/** Options of the controller manager in force, all durations in milliseconds; `cluster/settings.ts` makes them. */
export interface ControllerOptions {
  readonly concurrentDaemonSetSyncs: number;
  readonly concurrentStatefulSetSyncs: number;
  readonly concurrentDeploymentSyncs: number;
  readonly concurrentRcSyncs: number;
  readonly concurrentResourceQuotaSyncs: number;
  readonly concurrentReplicaSetSyncs: number;
  readonly concurrentJobSyncs: number;
  readonly concurrentCronJobSyncs: number;
  readonly concurrentEndpointSyncs: number;
  readonly concurrentServiceEndpointSyncs: number;
  readonly concurrentGcSyncs: number;
  readonly concurrentNamespaceSyncs: number;
  readonly concurrentServiceAccountSyncs: number;
  readonly concurrentTtlAfterFinishedSyncs: number;
  readonly horizontalPodAutoscaler: HorizontalPodAutoscalerOptions;
  readonly nodeMonitorPeriodMs: number;
  readonly nodeMonitorGracePeriodMs: number;
  readonly nodeStartupGracePeriodMs: number;
  readonly nodeEvictionRate: number;
  readonly secondaryNodeEvictionRate: number;
  readonly unhealthyZoneThreshold: number;
  readonly largeClusterSizeThreshold: number;
  readonly terminatedPodGcThreshold: number;
  readonly maxEndpointsPerSlice: number;
  /** How often claims and volumes that are not where they should be are looked at again. */
  readonly volumeBinderSyncPeriodMs: number;
  readonly enableDynamicProvisioning: boolean;
  readonly recyclerHostPath: RecyclerOptions;
  readonly recyclerNfs: RecyclerOptions;
  readonly concurrentEphemeralVolumeSyncs: number;
  /** A node that does not let go of a volume keeps it for good, unless it is marked out of service. */
  readonly disableForceDetachOnTimeout: boolean;
  /** In hexadecimal digits; names of objects are made with it. */
  readonly sha256: (text: string) => string;
  readonly mirroringConcurrentServiceEndpointSyncs: number;
  readonly mirroringMaxEndpointsPerSubset: number;
  readonly mirroringUpdatesBatchMs: number;
  /** The longest wait before a Job replaces a failed pod. */
  readonly jobBackoffMaxMs: number;
  /** Feature gate MaxUnavailableStatefulSet: a StatefulSet may update several pods at once. */
  readonly maxUnavailableStatefulSet: boolean;
  /** How the release prints pod templates, whose hash names ReplicaSets and the revisions of DaemonSets. */
  readonly podTemplateForms: GoForms;
  /** PEM of the CA that clients in pods trust; a placeholder in digests. */
  readonly rootCaPem: string;
  /** The cloud that the cluster is in; absent where there is none. */
  readonly cloud?: CloudProvider;
  readonly concurrentServiceSyncs: number;
  readonly configureCloudRoutes: boolean;
  readonly allocateNodeCidrs: boolean;
  /** Addresses of pods, and the size of a node's part of them. */
  readonly clusterCidr: string;
  readonly nodeCidrMaskSize: number;
  /** Addresses of Services. */
  readonly serviceClusterIpRange: string;
  /** Reads certificates, and signs them where somebody does. */
  readonly certificates?: CertificateReader;
  /** The longest that a signed certificate is good. */
  readonly clusterSigningDurationMs: number;
  /** How long tokens in Secrets stay unused before they are marked, and marked before they are deleted. */
  readonly legacyTokenCleanUpMs: number;
  /** In base64url; what the host computes. */
  readonly hmacSha256?: (key: string, text: string) => string;
  /** Absent where nobody signs. */
  readonly tokenSecrets?: TokenSecretOptions;
}
