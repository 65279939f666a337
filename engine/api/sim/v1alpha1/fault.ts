/** Fault: something breaks, by wish. Creating the object injects it; deleting it, or the end of its duration, heals it. */
import type { JsonValue } from '../../../base/json.ts';
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
  /** Name of a fault type, e.g. `node-power-loss`; `kubectl get faulttypes` lists them. */
  readonly type: string;
  readonly target?: FaultTarget;
  /** RFC 3339: it strikes then; absent, or past, means at once. */
  readonly startAt?: string;
  /** Go duration, from when it strikes; absent means until the object is deleted. */
  readonly duration?: string;
  /** What this type of fault asks for; the rest stands at its defaults. */
  readonly parameters?: { readonly [name: string]: JsonValue };
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
