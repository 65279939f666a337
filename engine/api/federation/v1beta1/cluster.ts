/** Member clusters of a federation, as the federation's API server of release 1.8 published them. */
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface Cluster extends KubeObject {
  readonly spec?: ClusterSpec;
  readonly status?: ClusterStatus;
}

export interface ClusterSpec {
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[] | null;
  readonly secretRef?: { readonly name?: string };
}

export interface ServerAddressByClientCIDR {
  readonly clientCIDR: string;
  readonly serverAddress: string;
}

export interface ClusterStatus {
  readonly conditions?: readonly ClusterCondition[];
  readonly zones?: readonly string[];
  readonly region?: string;
}

export interface ClusterCondition {
  /** Ready or Offline. */
  readonly type: string;
  readonly status: string;
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}
