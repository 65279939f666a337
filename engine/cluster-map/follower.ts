/**
 * Facts of all pods and nodes, kept while somebody looks: the first who asks pays for the whole (or `prepare` does, in slices), afterwards what
 * changed is looked at when it is asked for again. Derived from the store alone and never saved; who asks no more costs a list of names, which is given up
 * when it grows too long.
 */
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Change, Store, StoredValue, Watcher } from '../store/store.ts';
import { type NodeFacts, nodeFacts, type PodFacts, podFacts, type Shared } from './facts.ts';

export interface NodeEntry {
  readonly name: string;
  /** Undefined while only pods speak of it. */
  facts: NodeFacts | undefined;
  readonly pods: Map<string, PodFacts>;
  /** What was made of it, for as long as nothing of it changes; whoever keeps something here says what for. */
  kept: { readonly what: string; readonly untilMs: number; readonly value: object } | undefined;
}

export interface FollowedPlaces {
  /** Where pods and nodes are stored; each ends in `/`. */
  readonly pods: string;
  readonly nodes: string;
}

const waitingMax = 100_000;
/** So many are looked at in a few milliseconds when somebody asks, and a pod that changes often is looked at once then. */
const restMax = 2_000;

export class ClusterFollower {
  readonly #store: Store<KubeObject>;
  readonly #places: FollowedPlaces;
  readonly #shared: Shared;
  #watchers: readonly Watcher[] = [];
  /** What was there when following began and has not been looked at; it comes before what changed since. */
  #waiting: StoredValue<KubeObject>[] = [];
  /** Keys that changed since somebody looked last, with what is there now. */
  readonly #changed = new Map<string, StoredValue<KubeObject> | undefined>();
  readonly #pods = new Map<string, PodFacts>();
  /** '' is where pods without a node are. */
  readonly #nodes = new Map<string, NodeEntry>();

  constructor(store: Store<KubeObject>, places: FollowedPlaces, ownerOf: Shared['ownerOf']) {
    this.#store = store;
    this.#places = places;
    this.#shared = { ownerOf, tolerated: new WeakMap(), instants: new Map() };
  }

  /** As it was when they were looked at last, by name of the node. */
  get known(): ReadonlyMap<string, NodeEntry> {
    return this.#nodes;
  }

  /** As it is now, by name of the node. */
  nodes(): ReadonlyMap<string, NodeEntry> {
    this.prepare(Number.POSITIVE_INFINITY);
    this.#takeChanged(Number.POSITIVE_INFINITY);
    return this.#nodes;
  }

  /** Looks at so much of what was there at the beginning and of what changed since; tells whether there is little left. */
  prepare(most: number): boolean {
    if (this.#watchers.length === 0) this.#begin();
    let left = most;
    while (left > 0) {
      const stored = this.#waiting.pop();
      if (stored === undefined) break;
      this.#take(stored.key, stored.value);
      left--;
    }
    // What was there comes first, or it would be taken for newer.
    if (this.#waiting.length > 0) return false;
    if (this.#changed.size > restMax) this.#takeChanged(left);
    return this.#changed.size <= restMax;
  }

  #takeChanged(most: number): void {
    let left = most;
    for (const [key, stored] of this.#changed) {
      if (left-- <= 0) return;
      this.#changed.delete(key);
      this.#take(key, stored?.value);
    }
  }

  pods(): IterableIterator<PodFacts> {
    this.nodes();
    return this.#pods.values();
  }

  #begin(): void {
    const { pods, nodes } = this.#places;
    const onChanges = (changes: readonly Change<KubeObject>[]): void => this.#onChanges(changes);
    this.#watchers = [pods, nodes].map((prefix) => this.#store.watch({ prefix, onChanges }));
    this.#waiting = [nodes, pods].flatMap((prefix) => [...this.#store.range({ prefix }).items]).reverse();
  }

  #onChanges(changes: readonly Change<KubeObject>[]): void {
    for (const { key, current } of changes) this.#changed.set(key, current);
    if (this.#store.isLoading || this.#changed.size > waitingMax) this.#giveUp();
  }

  #giveUp(): void {
    for (const watcher of this.#watchers) watcher.cancel();
    this.#watchers = [];
    this.#waiting = [];
    this.#changed.clear();
    this.#pods.clear();
    this.#nodes.clear();
  }

  #take(key: string, object: KubeObject | undefined): void {
    if (key.startsWith(this.#places.pods)) this.#takePod(key, object as Pod | undefined);
    else this.#takeNode(key.slice(this.#places.nodes.length), object as Node | undefined);
  }

  #takePod(key: string, pod: Pod | undefined): void {
    const before = this.#pods.get(key);
    const after = pod === undefined ? undefined : podFacts(pod, this.#shared);
    if (before !== undefined && before.node !== after?.node) this.#leave(before.node, key);
    if (after === undefined) this.#pods.delete(key);
    else {
      this.#pods.set(key, after);
      const entry = this.#entry(after.node);
      entry.pods.set(key, after);
      entry.kept = undefined;
    }
  }

  #leave(node: string, key: string): void {
    const entry = this.#entry(node);
    entry.pods.delete(key);
    entry.kept = undefined;
    if (entry.facts === undefined && entry.pods.size === 0) this.#nodes.delete(node);
  }

  #takeNode(name: string, node: Node | undefined): void {
    const entry = this.#entry(name);
    entry.facts = node === undefined ? undefined : nodeFacts(node);
    entry.kept = undefined;
    if (node === undefined && entry.pods.size === 0) this.#nodes.delete(name);
  }

  #entry(name: string): NodeEntry {
    let entry = this.#nodes.get(name);
    if (entry === undefined) this.#nodes.set(name, (entry = newEntry(name)));
    return entry;
  }
}

export function newEntry(name: string): NodeEntry {
  return { name, facts: undefined, pods: new Map(), kept: undefined };
}
