/**
 * Sums over all nodes that follow the nodes' changes: each node contributes a value worked out from it alone, and only nodes that
 * changed since the last look are asked again. Plugins whose verdict on one node depends on the others keep their counts in one.
 */
import { assert } from '../../base/assert.ts';
import type { NodeInfo } from './node-info.ts';

/** The nodes of the cluster at the instant of a cycle. Nothing changes while a cycle runs, so it is the live cache. */
export interface Snapshot {
  /** In the order in which nodes are tried: one per zone in turn. */
  readonly nodes: readonly NodeInfo[];
  readonly slots: number;
  readonly podsWithAffinity: number;
  readonly podsWithRequiredAntiAffinity: number;
  get(name: string): NodeInfo | undefined;
  /** How often pods on nodes name a claim. */
  claimUses(claim: string): number;
  /** How many changes there have been; the position to ask from next time. */
  readonly changes: number;
  /** Slots changed since, with repetitions; undefined when that is too long ago. */
  changesSince(position: number): readonly number[] | undefined;
  bySlot(slot: number): NodeInfo | undefined;
  /** Another one when nodes came, went or moved between zones: slots mean something within one. */
  readonly topologyVersion: number;
}

export class NodeTally<T> {
  readonly #contribute: (node: NodeInfo, old: T | undefined) => T | undefined;
  readonly #apply: (contribution: T, sign: 1 | -1) => void;
  readonly #contributions: (T | undefined)[] = [];
  /** Of the NodeInfo that each contribution was worked out from. */
  readonly #generations: number[] = [];
  #position = -1;

  /** `contribute` must depend on this node only, and may return `old` where it is as it was; `apply` with -1 must undo `apply` with 1. */
  constructor(contribute: (node: NodeInfo, old: T | undefined) => T | undefined, apply: (contribution: T, sign: 1 | -1) => void) {
    this.#contribute = contribute;
    this.#apply = apply;
  }

  /** Brings the sums to the snapshot. */
  sync(snapshot: Snapshot): void {
    assert(this.#position <= snapshot.changes, 'changes are counted up');
    const changed = this.#position < 0 ? undefined : snapshot.changesSince(this.#position);
    if (changed === undefined) for (const node of snapshot.nodes) this.put(node);
    else for (let i = 0; i < changed.length; i++) this.#follow(snapshot.bySlot(changed[i] as number) as NodeInfo);
    this.#position = snapshot.changes;
  }

  /** Counts this NodeInfo instead of the one in its slot: a node as it would be without some pods, and back. */
  put(node: NodeInfo): void {
    const { slot } = node;
    const old = this.#contributions[slot];
    const next = this.#contribute(node, old);
    for (let hole = this.#generations.length; hole < slot; hole++) this.#generations[hole] = -1;
    this.#generations[slot] = node.generation;
    if (next === old) return;
    if (old !== undefined) this.#apply(old, -1);
    this.#contributions[slot] = next;
    if (next !== undefined) this.#apply(next, 1);
  }

  /** A node that changed twice since the last look stands twice in the log. */
  #follow(node: NodeInfo): void {
    if (this.#generations[node.slot] !== node.generation) this.put(node);
  }

  of(slot: number): T | undefined {
    return this.#contributions[slot];
  }
}
