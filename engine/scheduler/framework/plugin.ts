/**
 * The contract of a scheduler plugin (kube-scheduler/framework interface.go). A plugin is a folder with one `definePlugin` value.
 *
 * What a plugin works out for a pod holds for every pod of its class (equal in all that scheduling looks at), so it lives in a class
 * state, made once by `classState` and brought up to date by `preFilter` and `preScore` before each cycle.
 * P1  A `filter` or `score` that is not `crossNode` depends on the class and on this NodeInfo only; its result is kept until the
 *     node's generation changes.
 * P2  A `crossNode` one may depend on all nodes; it is asked anew in each cycle. Its state must follow `substitute`, which puts a
 *     hypothetical NodeInfo (preemption, nominated pods) in the place of the real one, and back.
 * P3  No plugin changes a NodeInfo or draws chance, but through its handle.
 * P4  What is wrong with objects of the user ends the attempt: the plugin throws PluginError.
 */
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import type { PodDisruptionBudget } from '../../api/policy/v1/types.gen.ts';
import type { LabelSet, Selector } from '../../apimachinery/labels.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Claims } from './claims.ts';
import type { EventHint } from './cluster-events.ts';
import type { PodGroups } from './groups.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';
import type { Snapshot } from './tally.ts';
import type { Volumes } from './volumes.ts';

export const nodeScoreMax = 100;

export type ExtensionPoint =
  | 'PreEnqueue'
  | 'QueueSort'
  | 'PreFilter'
  | 'Filter'
  | 'PostFilter'
  | 'PreScore'
  | 'Score'
  | 'NormalizeScore'
  | 'Reserve'
  | 'Permit'
  | 'PreBind'
  | 'Bind'
  | 'PostBind';

/** What the queue knows of a pod when it sorts. */
export interface Sortable {
  readonly priority: number;
  readonly timestampMs: number;
}

export interface PreFilterResult {
  /** The plugin's filter has nothing to say about this pod. */
  readonly skip?: boolean;
  /** Only these nodes need a look. */
  readonly nodeNames?: ReadonlySet<string>;
  readonly status?: Status;
}

/** Nodes that turned the pod away, by slot. Nodes absent from `explicit` carry `absent`. */
export interface NodeStatuses {
  readonly explicit: readonly (Status | undefined)[];
  readonly absent: Status | undefined;
  /** Plugins whose PreFilter was not reached, because one before them turned the pod away. */
  readonly notReached: ReadonlySet<string>;
}

export interface Victims {
  readonly node: string;
  readonly pods: readonly PodInfo[];
  readonly pdbViolations: number;
}

export interface PostFilterResult {
  readonly status?: Status;
  /** Overrides the pod's nomination; `''` clears it, undefined leaves it. */
  readonly nominatedNodeName?: string;
  readonly victims?: Victims;
  /** All that `victims` were chosen from, at most one of a node, and how; extenders may narrow them. */
  readonly candidates?: readonly Victims[];
  choose?(candidates: readonly Victims[]): Victims;
  /** What plugins before this one said, which could not help. */
  readonly before?: readonly string[];
}

/** What plugins may ask of the scheduler. */
export interface Handle {
  readonly snapshot: Snapshot;
  namespaceLabels(namespace: string): LabelSet;
  namespacesMatching(selector: Selector): readonly string[];
  /** What the services and controllers of this pod select by; undefined when that is nothing. */
  defaultSelector(pod: Pod): Selector | undefined;
  /** What each of the services, and each of the controllers, that match the pod selects by. */
  servicesOf(pod: Pod): readonly Selector[];
  controllersOf(pod: Pod): readonly Selector[];
  images(): ImageIndex;
  disruptionBudgets(): readonly PodDisruptionBudget[];
  /** An integer in [0, bound), from the scheduler's stream. */
  randomInteger(bound: number): number;
  /** Runs all filters for the pod of the cycle on a hypothetical NodeInfo, with and without nominated pods. */
  filterHypothetical(node: NodeInfo): Status | undefined;
  /** Whether that depends on this node and the class of the pod alone. */
  dependsOnNodeAlone(node: string): boolean;
  readonly volumes: Volumes;
  readonly claims: Claims;
  readonly groups: PodGroups;
  isPreempting(uid: string): boolean;
  /** Lets a pod go on that waits for the permit of a plugin. */
  allow(uid: string, plugin: string): void;
  bind(pod: Pod, node: string): Promise<void>;
}

export interface ImageIndex {
  /** Size, and on how many nodes the image is. */
  get(name: string): { readonly size: number; readonly nodes: number } | undefined;
  has(node: NodeInfo, name: string): boolean;
}

/** A pod has a place, and waits there for a plugin to let it go on. */
export interface PermitWait {
  readonly code: 'Wait';
  readonly plugin: string;
  readonly reasons: readonly string[];
  readonly timeoutMs: number;
}

/** `error` ends the attempt; upstream's text without the plugin's name. */
export type Bindable = { readonly state: 'ready' | 'waiting' } | { readonly state: 'failed'; readonly error: string };

export interface Plugin<S = unknown> {
  readonly events?: readonly EventHint[];
  readonly crossNode?: boolean;
  preEnqueue?(pod: Pod): Status | undefined;
  less?(a: Sortable, b: Sortable): number;
  classState?(pod: PodInfo): S;
  preFilter?(state: S, pod: PodInfo): PreFilterResult | undefined;
  filter?(state: S, node: NodeInfo): Status | undefined;
  substitute?(state: S, node: NodeInfo): void;
  postFilter?(pod: PodInfo, statuses: NodeStatuses, state: S): PostFilterResult;
  /** False when the plugin's score would be the same for all these nodes. */
  preScore?(state: S, pod: PodInfo, nodes: readonly NodeInfo[], slots: Int32Array): boolean;
  score?(state: S, node: NodeInfo): number;
  /** The same as `score` for the node in each of these slots, where what is kept by slot is all that it takes. */
  scoreSlots?(state: S, slots: Int32Array, scores: Float64Array): void;
  /** Of a place with these nodes that took these pods of a group. */
  scorePlacement?(nodes: readonly NodeInfo[], pods: readonly PodInfo[]): number;
  normalize?(state: S, scores: Float64Array, nodes: readonly NodeInfo[]): void;
  reserve?(pod: PodInfo, node: Node): Status | undefined;
  unreserve?(pod: PodInfo, node: Node): void;
  /** May throw PluginError; a pod that has to wait is bound once the plugin has allowed it (`groups.allow`), or turned back after the time it gives. */
  permit?(pod: PodInfo, node: Node): Status | PermitWait | undefined;
  /** Whether `preBind` has something to do for a pod that was reserved: then others are told where it is about to go. */
  preBindPreFlight?(pod: Pod, node: string): boolean;
  /** What it waits for, as plain data, when it has to wait; the pod is bound once `isBindable` says so. */
  preBind?(pod: Pod, node: string): Promise<JsonValue | undefined>;
  /** Asked each second while it waits. */
  isBindable?(pod: Pod, node: Node, waitsFor: JsonValue): Bindable;
  /** How long it waits at most, and what is said then. */
  readonly bindTimeoutMs?: number;
  readonly bindTimeoutText?: string;
  bind?(pod: Pod, node: string): Promise<void>;
  postBind?(pod: Pod, node: string): void;
}

/** Upstream's text without the point and the plugin, and the points that say it. */
export interface MissingState {
  readonly text: string;
  readonly points: readonly ('Filter' | 'Score' | 'Reserve' | 'PreBind')[];
}

export interface PluginDefinition {
  readonly name: string;
  /** Place in the default profile: plugins run in this order. */
  readonly order: number;
  /** 0 for plugins that do not score, and for those that do behind a gate: then 1 counts. */
  readonly defaultWeight: number;
  readonly points: readonly ExtensionPoint[];
  /** Among the default plugins only where this option of the scheduler is on. */
  readonly gate?: 'gangs' | 'declaredFeatures';
  readonly args: JsonObject;
  /** Arguments that it has besides where an option of the scheduler is on. */
  readonly gatedArgs?: { readonly gate: 'capacityScoring'; readonly args: JsonObject };
  /** What it says where a point of its own needs what PreFilter or PreScore works out, and that one is switched off; absent where it does without. */
  readonly needs?: { readonly preFilter?: MissingState; readonly preScore?: MissingState };
  /** The texts that its statuses can carry. */
  readonly reasons: readonly string[];
  readonly create: (handle: Handle, args: JsonObject) => Plugin;
}

/** Checks one definition and hides its own state type. */
export function definePlugin<S>(
  definition: Omit<PluginDefinition, 'create'> & { readonly create: (handle: Handle, args: JsonObject) => Plugin<S> },
): PluginDefinition {
  if (definition.name === '') throw new Error('a plugin has a name');
  if (definition.points.includes('Score') !== (definition.defaultWeight > 0 || definition.gatedArgs !== undefined))
    throw new Error(`plugin ${definition.name} scores and has a weight, or neither`);
  return definition as unknown as PluginDefinition;
}

/** Stretches scores to 0..100 by the highest; `reverse` makes the lowest the best (framework/plugins/helper). */
export function normalizeByMax(scores: Float64Array, reverse: boolean): void {
  let max = 0;
  for (const score of scores) if (score > max) max = score;
  if (max === 0) {
    if (reverse) scores.fill(nodeScoreMax);
    return;
  }
  for (let i = 0; i < scores.length; i++) {
    const score = Math.trunc((nodeScoreMax * (scores[i] as number)) / max);
    scores[i] = reverse ? nodeScoreMax - score : score;
  }
}
