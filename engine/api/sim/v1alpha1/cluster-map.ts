/**
 * `clustermaps/cluster`: where every pod is and how it is, as much of it as a picture of the cluster can show; `clustermaps/<node>`: one node with its pods.
 * All times are virtual milliseconds since the epoch.
 */
import type { KubeObject } from '../../../apimachinery/object.ts';

/** What pods are counted by. */
export const mapColours = ['state', 'ready', 'owner', 'age', 'priority', 'request', 'use'] as const;
export type MapColour = (typeof mapColours)[number];

/** How a pod is, in one word of few. */
export const podLooks = [
  'Ready',
  'Starting',
  'NotReady',
  'Creating',
  'Pulling',
  'Volume',
  'CrashLoop',
  'PullFailed',
  'Error',
  'Terminating',
  'Lost',
  'Succeeded',
  'Failed',
  'Gated',
  'Waiting',
  'Unschedulable',
] as const;
export type PodLook = (typeof podLooks)[number];

/** Something that will happen by itself unless something else comes before it. */
export interface MapCountdown {
  readonly what: 'unreachable' | 'eviction' | 'restart' | 'kill';
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface MapPod {
  readonly namespace: string;
  readonly name: string;
  readonly look: PodLook;
  /** Its class: place in `classes`. */
  readonly place: number;
  readonly ready?: true;
  /** What kubectl would say of it, where the look does not. */
  readonly reason?: string;
  /** Row id of the controller that owns it; absent: nobody does. */
  readonly owner?: string;
  readonly createdMs: number;
  readonly priority: number;
  /** What it asks for. Absent in the past. */
  readonly milliCpu?: number;
  /** What it uses, where its kubelet says so. */
  readonly useMilliCpu?: number;
  readonly countdown?: MapCountdown;
}

export interface MapNode {
  readonly name: string;
  /** Place in `zones`. */
  readonly zone: number;
  readonly ready: 'True' | 'False' | 'Unknown' | 'Gone';
  /** Since when it is not ready. */
  readonly sinceMs?: number;
  /** The last renewal of its lease, where there are few nodes or it is late. */
  readonly renewedMs?: number;
  readonly cordoned?: true;
  readonly pressures?: readonly string[];
  readonly taints?: readonly string[];
  readonly countdown?: MapCountdown;
  readonly podCount: number;
  /** How many pods it may have, and how much CPU. Absent in the past and of a node that is gone. */
  readonly room?: number;
  readonly milliCpu?: number;
  readonly requestedMilliCpu?: number;
  readonly useMilliCpu?: number;
  /** Class, count, class, count …: places in `classes`. */
  readonly counts: readonly number[];
  /** Where they are few, or the node was asked for. */
  readonly pods?: readonly MapPod[];
}

/** Pods without a node, for one reason. */
export interface MapWaiting {
  readonly reason: PodLook;
  readonly message: string;
  readonly count: number;
  readonly sinceMs: number;
  /** The first of them, as row ids. */
  readonly pods: readonly string[];
}

export interface ClusterMapStatus {
  /** The instant that is shown; `isPast` when it is not the present. */
  readonly atMs: number;
  readonly isPast: boolean;
  readonly by: MapColour;
  readonly classes: readonly string[];
  readonly zones: readonly { readonly name: string; readonly nodes: number }[];
  readonly nodes: readonly MapNode[];
  readonly podCount: number;
  readonly waiting: readonly MapWaiting[];
  /** Of this cluster's flags. */
  readonly graceMs: number;
  readonly unreachableMs: number;
  readonly notReadyMs: number;
}

/** `?by=COLOUR&pods=N&at=MS`: with `pods`, pods one by one where there are no more than so many. */
export interface ClusterMap extends KubeObject {
  readonly status: ClusterMapStatus;
}
