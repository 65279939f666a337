/**
 * What all filters of a cycle say of one node (schedule_one.go RunFilterPluginsWithNominatedPods): with the pods that were promised the
 * node, where there are any, and without them.
 */
import type { SchedulerCache } from './cache.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { errorAt, type Status } from './framework/status.ts';
import type { Nominator } from './nominator.ts';
import type { PodClass } from './pod-class.ts';
import type { ProfileEntry } from './profile.ts';

interface PromisedVerdict {
  readonly generation: number;
  readonly version: number;
  readonly verdict: Status | undefined;
}

export class Filters {
  readonly #cache: SchedulerCache;
  readonly #nominator: Nominator;
  /** Those with something to say in this cycle: of one node alone, and of all. */
  readonly #local: ProfileEntry[] = [];
  readonly #cross: ProfileEntry[] = [];
  /** What nodes were found to be with the pods promised to them, by slot, for the class and priority of this cycle. */
  #promises: (PromisedVerdict | undefined)[] = [];
  #class: PodClass | undefined;
  #pod: PodInfo | undefined;

  constructor(cache: SchedulerCache, nominator: Nominator) {
    this.#cache = cache;
    this.#nominator = nominator;
  }

  /** A cycle whose PreFilters have run. */
  begin(pod: PodInfo, podClass: PodClass): void {
    if (this.#class !== podClass || this.#pod?.priority !== pod.priority) this.#promises = [];
    this.#pod = pod;
    this.#class = podClass;
    this.#local.length = this.#cross.length = 0;
    for (const entry of podClass.profile.at.filter)
      if (!podClass.filterSkipped[entry.index]) (entry.plugin.crossNode === true ? this.#cross : this.#local).push(entry);
  }

  /** Whether what is kept of a node is all there is to say, but for what it was promised for. */
  get areLocal(): boolean {
    return this.#cross.length === 0;
  }

  /** A node of the cache. */
  ask(node: NodeInfo): Status | undefined {
    const status = this.#nominator.isEmpty ? undefined : this.#askPromised(node);
    return status ?? this.#askLocalOnce(node) ?? this.#askCross(node);
  }

  /** A NodeInfo that is not the cache's. */
  askHypothetical(node: NodeInfo): Status | undefined {
    const nominated = this.#withNominated(node);
    if (nominated !== undefined) {
      const status = this.#askSubstituted(nominated);
      if (status !== undefined) return status;
    }
    return this.#askSubstituted(node);
  }

  /** Whether what `askHypothetical` says depends on this node and the class of the pod alone. */
  dependOnNodeAlone(name: string): boolean {
    return this.areLocal && this.#nominator.on(name) === undefined;
  }

  /** With the pods that were promised the node; what was said for one of a class holds for the next, until the node or a promise changes. */
  #askPromised(node: NodeInfo): Status | undefined {
    const promised = this.#nominator.on(node.name);
    if (promised === undefined) return undefined;
    const isKept = this.areLocal && !promised.pods.has((this.#pod as PodInfo).uid);
    const kept = isKept ? this.#promises[node.slot] : undefined;
    if (kept?.generation === node.generation && kept.version === promised.version) return kept.verdict;
    const nominated = this.#withNominated(node);
    const verdict = nominated === undefined ? undefined : this.#askSubstituted(nominated);
    if (isKept) this.#promises[node.slot] = { generation: node.generation, version: promised.version, verdict };
    return verdict;
  }

  /** The node with the pods promised to it, of the same or higher priority; undefined without any. */
  #withNominated(node: NodeInfo): NodeInfo | undefined {
    const promised = this.#nominator.on(node.name);
    if (promised === undefined) return undefined;
    const pod = this.#pod as PodInfo;
    let copy: NodeInfo | undefined;
    for (const other of promised.pods.values()) {
      if (other.priority < pod.priority || other.uid === pod.uid) continue;
      copy ??= node.clone();
      copy.addPod(other);
    }
    return copy;
  }

  #askSubstituted(node: NodeInfo): Status | undefined {
    const local = this.#askLocal(node);
    if (local !== undefined || this.#cross.length === 0) return local;
    const { states } = this.#class as PodClass;
    for (const { plugin, index } of this.#cross) plugin.substitute?.(states[index], node);
    const status = this.#askCross(node);
    const real = this.#cache.bySlot(node.slot);
    if (real !== undefined) this.#restore(real);
    return status;
  }

  #restore(real: NodeInfo): void {
    const { states } = this.#class as PodClass;
    for (const { plugin, index } of this.#cross) plugin.substitute?.(states[index], real);
  }

  /** What was said holds until the node changes. */
  #askLocalOnce(node: NodeInfo): Status | undefined {
    const { slot, generation } = node;
    const { filterGenerations, verdicts } = this.#class as PodClass;
    if (filterGenerations[slot] === generation) return verdicts[slot];
    const verdict = this.#askLocal(node);
    filterGenerations[slot] = generation;
    verdicts[slot] = verdict;
    return verdict;
  }

  #askLocal(node: NodeInfo): Status | undefined {
    const { states } = this.#class as PodClass;
    const filters = this.#local;
    for (let at = 0; at < filters.length; at++) {
      const { plugin, index } = filters[at] as ProfileEntry;
      const status = plugin.filter?.(states[index], node);
      if (status !== undefined) return status;
    }
    return undefined;
  }

  #askCross(node: NodeInfo): Status | undefined {
    const { states } = this.#class as PodClass;
    const filters = this.#cross;
    let at = 0;
    try {
      for (; at < filters.length; at++) {
        const { plugin, index } = filters[at] as ProfileEntry;
        const status = plugin.filter?.(states[index], node);
        if (status !== undefined) return status;
      }
    } catch (error) {
      throw errorAt(`running "${filters[at]?.name ?? ''}" filter plugin`, error);
    }
    return undefined;
  }
}
