/** Fault: something breaks, by wish. Creating the object injects it; deleting it, or the end of its duration, heals it. */
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface FaultTarget {
  /** A node by name. */
  readonly node?: string;
  /** Every node with this `topology.kubernetes.io/zone`. */
  readonly zone?: string;
  /** An image registry host; empty or absent means every registry. */
  readonly host?: string;
}

export interface FaultSpec {
  /** Name of a registered fault: `node-power-loss`, `node-partition`, `image-registry-down`. */
  readonly type: string;
  readonly target?: FaultTarget;
  /** Go duration; absent means until the object is deleted. */
  readonly duration?: string;
}

export interface FaultStatus {
  readonly phase?: 'Pending' | 'Active' | 'Healed' | 'Failed';
  readonly injectedAt?: string;
  readonly healsAt?: string;
  readonly healedAt?: string;
  /** What it hit, e.g. node names. */
  readonly affected?: readonly string[];
  readonly message?: string;
}

export interface Fault extends KubeObject {
  readonly kind: 'Fault';
  readonly spec: FaultSpec;
  readonly status?: FaultStatus;
}
