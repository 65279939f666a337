/** NodePool: how many simulated machines of one make there are. The pool's machines join and leave as its count changes. */
import type { Pod, Taint } from '../../core/v1/types.gen.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface NodePoolSpec {
  /** Default 1. */
  readonly count?: number;
  /** Machines are spread over them in turn. */
  readonly zones?: readonly string[];
  readonly region?: string;
  /** Default the pool's name and a dash: `pool-0`, `pool-1` … */
  readonly namePrefix?: string;
  /** Default 4 CPUs, 16Gi memory, 110 pods, 100Gi of disk. */
  readonly capacity?: { readonly [resource: string]: string };
  readonly labels?: { readonly [key: string]: string };
  readonly taints?: readonly Taint[];
  readonly kubeletVersion?: string;
  readonly instanceType?: string;
  /** Manifests of pods that every machine runs by itself, whatever the API server says. */
  readonly staticPods?: readonly Pod[];
}

export interface NodePoolStatus {
  /** Machines that exist. */
  readonly machines?: number;
}

export interface NodePool extends KubeObject {
  readonly kind: 'NodePool';
  readonly spec?: NodePoolSpec;
  readonly status?: NodePoolStatus;
}
