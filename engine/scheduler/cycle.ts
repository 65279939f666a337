/**
 * One scheduling cycle: from a pod to a node, or to the reasons why not (schedule_one.go). Synchronous and pure but for the start
 * index and the draws of ties.
 */
import { assert } from '../base/assert.ts';
import type { RandomStream } from '../base/random.ts';
import type { SchedulerCache } from './cache.ts';
import { type Named, podKey, preemptionOf, scoreTable, summarizeFiltered, withColumns, type DecisionRecord, type ScoreTable } from './decision.ts';
import { type Asking, type Extender, extenderRejector } from './extenders/extender.ts';
import { narrowed, passing, prioritized } from './extenders/steps.ts';
import { Filters } from './filters.ts';
import { countEach, fitErrorText } from './framework/fit-error.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { NodeStatuses, PostFilterResult, Victims } from './framework/plugin.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { named, PluginError, type Status, unresolvable } from './framework/status.ts';
import type { Nominator } from './nominator.ts';
import type { PodClass } from './pod-class.ts';
import { behind, type Profile } from './profile.ts';
import { nodesToFind } from './sampling.ts';
import { highest, type Tally, tallyOf } from './totals.ts';

export interface CycleResult {
  readonly node?: string;
  /** Why it was not scheduled. */
  readonly message?: string;
  /** Plugins that turned the pod away; empty when nobody but the lack of nodes did. */
  readonly rejectors: readonly string[];
  readonly nominatedNodeName?: string;
  readonly victims?: Victims;
  readonly decision: Omit<DecisionRecord, 'virtualMs' | 'attempt'>;
  /** What became of each node, where nodes were looked at; nobody changes it afterwards. */
  readonly nodes?: CycleNodes;
}

export interface CycleNodes {
  readonly feasible: readonly Named[];
  readonly rejected: readonly Named[];
  readonly verdicts: readonly Status[];
}

const noNodesText = 'no nodes available to schedule pods';

interface Filtered {
  readonly feasible: readonly NodeInfo[];
  /** Of the feasible, in their order; good until the next cycle. */
  readonly slots: Int32Array;
  readonly rejected: readonly Named[];
  readonly verdicts: readonly Status[];
  /** It is the node that was promised to the pod. */
  readonly isPromised?: boolean;
}

/** Why nothing fits, before preemption was thought about. */
interface Unfit {
  readonly filtered: Filtered;
  /** Of nodes that nobody looked at. */
  readonly absent: Status | undefined;
  readonly preFilterText?: string;
  readonly namers: readonly string[];
  readonly notReached?: ReadonlySet<string>;
}

interface Scored {
  readonly active: readonly number[];
  readonly columns: readonly Float64Array[];
  readonly totals: Float64Array;
}

interface PreFiltered {
  readonly names?: ReadonlySet<string>;
  readonly namers: readonly string[];
  readonly notReached?: ReadonlySet<string>;
  readonly status?: Status;
}

const noneBehind: ReadonlySet<string> = new Set();
const noneFiltered: DecisionRecord['filtered'] = Object.freeze({});
const noSlots = new Int32Array(0);

export class Cycle {
  readonly #cache: SchedulerCache;
  readonly #nominator: Nominator;
  readonly #random: RandomStream;
  readonly #buffers: Float64Array[] = [];
  #totals = new Float64Array(0);
  #slots = noSlots;
  #class: PodClass | undefined;
  /** By profile and by which of its filters were skipped. */
  readonly #skippedNames = new Map<Profile, Map<number, readonly string[]>>();
  #pod: PodInfo | undefined;
  readonly filters: Filters;
  startIndex = 0;
  /** The only nodes that there are for the pods of a group, while one of its places is tried. */
  placement: readonly NodeInfo[] | undefined;
  /** Nobody is asked to make room. */
  skipsPostFilter = false;
  /** Counts choices where nodes that are equally good take turns; else chance decides. */
  turn: number | undefined;

  constructor(cache: SchedulerCache, nominator: Nominator, random: RandomStream) {
    this.#cache = cache;
    this.#nominator = nominator;
    this.#random = random;
    this.filters = new Filters(cache, nominator);
  }

  run(pod: PodInfo, podClass: PodClass): CycleResult {
    this.#begin(pod, podClass);
    if (this.#cache.nodes.length === 0) return this.#noNodes(pod);
    try {
      return this.#decide(pod, podClass);
    } catch (error) {
      return this.#broken(pod, error);
    }
  }

  /** The same for a pod that extenders are asked about. Nothing that it looks at may change until it has come to its end. */
  *runAsking(pod: PodInfo, podClass: PodClass, extenders: readonly Extender[]): Asking<CycleResult> {
    this.#begin(pod, podClass);
    if (this.#cache.nodes.length === 0) return this.#noNodes(pod);
    try {
      return yield* this.#decideAsking(pod, podClass, extenders);
    } catch (error) {
      return this.#broken(pod, error);
    }
  }

  #begin(pod: PodInfo, podClass: PodClass): void {
    assert(podClass.filterGenerations.length >= this.#cache.slots, 'a class has a place for every node');
    this.#pod = pod;
    this.#class = podClass;
  }

  #broken(pod: PodInfo, error: unknown): CycleResult {
    if (!(error instanceof PluginError)) throw error;
    const { message } = error;
    return {
      message,
      rejectors: [],
      nominatedNodeName: '',
      decision: { ...this.#head(pod), result: 'error', message, evaluatedNodes: 0, feasibleNodes: 0, filtered: {} },
    };
  }

  #decide(pod: PodInfo, podClass: PodClass): CycleResult {
    const pre = this.#preFilter(pod, podClass);
    this.filters.begin(pod, podClass);
    if (pre.status !== undefined) return this.#noFit(rejectedBefore(pre, pre.status));
    const filtered = this.#findFeasible(pod, podClass, pre);
    if (filtered.feasible.length === 0) return this.#noFit({ filtered, absent: absentFor(pre), namers: pre.namers });
    return this.#select(pod, podClass, filtered);
  }

  *#decideAsking(pod: PodInfo, podClass: PodClass, extenders: readonly Extender[]): Asking<CycleResult> {
    const pre = this.#preFilter(pod, podClass);
    this.filters.begin(pod, podClass);
    if (pre.status !== undefined) return yield* this.#noFitAsking(rejectedBefore(pre, pre.status), extenders);
    const statuses = new Map<string, Status>();
    const found = (yield* this.#promisedAsking(pod, podClass, extenders, statuses)) ?? this.#searchAll(podClass, pre);
    const passed = found.isPromised ? found.feasible : yield* passing(extenders, pod.pod, found.feasible, statuses);
    const filtered = withExtenders(found, passed, statuses, (name) => this.#cache.get(name));
    if (passed.length > 0) return yield* this.#selectAsking(pod, podClass, filtered, extenders);
    const namers = passed.length === found.feasible.length ? pre.namers : [...pre.namers, extenderRejector];
    return yield* this.#noFitAsking({ filtered, absent: absentFor(pre), namers }, extenders);
  }

  /** The node that was promised to the pod, where filters and extenders let it go there; what is wrong with extenders here is passed over. */
  *#promisedAsking(
    pod: PodInfo,
    podClass: PodClass,
    extenders: readonly Extender[],
    statuses: Map<string, Status>,
  ): Asking<(Filtered & { readonly isPromised: true }) | undefined> {
    const promised = this.#cache.get(pod.pod.status?.nominatedNodeName ?? '');
    if (promised === undefined || this.placement?.includes(promised) === false || this.filters.ask(promised) !== undefined) return undefined;
    try {
      const feasible = yield* passing(extenders, pod.pod, [promised], statuses);
      return feasible.length === 0 ? undefined : { feasible, slots: Int32Array.of(promised.slot), rejected: [], verdicts: [], isPromised: true };
    } catch (error) {
      if (error instanceof PluginError) return undefined;
      throw error;
    }
  }

  #noNodes(pod: PodInfo): CycleResult {
    return {
      message: noNodesText,
      rejectors: [],
      nominatedNodeName: '',
      decision: { ...this.#head(pod), result: 'unschedulable', message: noNodesText, evaluatedNodes: 0, feasibleNodes: 0, filtered: {} },
    };
  }

  #head(pod: PodInfo): Pick<DecisionRecord, 'pod' | 'uid' | 'schedulerName'> {
    return { pod: podKey(pod), uid: pod.uid, schedulerName: (this.#class as PodClass).profile.schedulerName };
  }

  /** Plugins whose filters have nothing to say of the pod of the cycle; equal lists are one. */
  #skipped(): readonly string[] {
    const { profile, filterSkipped } = this.#class as PodClass;
    let key = 0;
    for (const { index } of profile.at.filter) key = key * 2 + (filterSkipped[index] === true ? 1 : 0);
    const known = this.#skippedNames.get(profile)?.get(key);
    if (known !== undefined) return known;
    const names = profile.at.filter.filter(({ index }) => filterSkipped[index] === true).map(({ name }) => name);
    this.#skippedNames.set(profile, (this.#skippedNames.get(profile) ?? new Map<number, readonly string[]>()).set(key, names));
    return names;
  }

  #preFilter(pod: PodInfo, podClass: PodClass): PreFiltered {
    const { at } = podClass.profile;
    let names: ReadonlySet<string> | undefined;
    const namers: string[] = [];
    podClass.filterSkipped.fill(true);
    for (const { index } of at.filter) podClass.filterSkipped[index] = false;
    for (const { plugin, index } of podClass.profile.quiet) plugin.preFilter?.(podClass.states[index], pod);
    for (const { plugin, name, index: i } of at.preFilter) {
      const result = named(`running PreFilter plugin "${name}"`, () => plugin.preFilter?.(podClass.states[i], pod));
      if (result === undefined) continue;
      if (result.status !== undefined) return { namers, status: result.status, notReached: behind(at.preFilter, name) };
      if (result.skip === true) podClass.filterSkipped[i] = true;
      if (result.nodeNames === undefined) continue;
      const given = result.nodeNames;
      names = names === undefined ? given : new Set([...names].filter((node) => given.has(node)));
      namers.push(name);
      if (names.size > 0) continue;
      const all = namers.toSorted();
      const text = all.length === 1 ? `plugin ${all[0]}` : `plugin(s) [${all.join(' ')}] simultaneously`;
      return { namers, status: unresolvable(name, `node(s) didn't satisfy ${text}`), notReached: behind(at.preFilter, name) };
    }
    return names === undefined ? { namers } : { names, namers };
  }

  #findFeasible(pod: PodInfo, podClass: PodClass, pre: PreFiltered): Filtered {
    const promised = this.#cache.get(pod.pod.status?.nominatedNodeName ?? '');
    if (promised !== undefined && this.placement?.includes(promised) !== false && this.filters.ask(promised) === undefined)
      return { feasible: [promised], slots: Int32Array.of(promised.slot), rejected: [], verdicts: [] };
    return this.#searchAll(podClass, pre);
  }

  get #nodes(): readonly NodeInfo[] {
    return this.placement ?? this.#cache.nodes;
  }

  #searchAll(podClass: PodClass, { names }: PreFiltered): Filtered {
    const all = this.#nodes;
    const named = names === undefined ? all : [...names].sort().flatMap((name) => this.#cache.get(name) ?? []);
    const nodes = names === undefined || this.placement === undefined ? named : named.filter((node) => all.includes(node));
    const order = nodes === this.#cache.nodes ? this.#cache.order : Int32Array.from(nodes, ({ slot }) => slot);
    const filtered = this.#filterNodes(podClass, nodes, order);
    this.startIndex = (this.startIndex + filtered.feasible.length + filtered.rejected.length) % all.length;
    return filtered;
  }

  #filterNodes(podClass: PodClass, nodes: readonly NodeInfo[], order: Int32Array): Filtered {
    const feasible: NodeInfo[] = [];
    const rejected: NodeInfo[] = [];
    const verdicts: Status[] = [];
    const wanted = nodesToFind(nodes.length, podClass.profile.percentageOfNodesToScore);
    if (this.#slots.length < nodes.length) this.#slots = new Int32Array(nodes.length);
    const slots = this.#slots;
    const { generations } = this.#cache;
    const isLocal = this.#nominator.isEmpty && this.filters.areLocal;
    let at = nodes.length === 0 ? 0 : this.startIndex % nodes.length;
    for (let i = 0; i < nodes.length && feasible.length < wanted; i++) {
      const slot = order[at] as number;
      const node = nodes[at] as NodeInfo;
      if (++at === nodes.length) at = 0;
      const isKnown = isLocal && podClass.filterGenerations[slot] === generations[slot];
      const verdict = isKnown ? podClass.verdicts[slot] : this.filters.ask(node);
      if (verdict === undefined) {
        slots[feasible.length] = slot;
        feasible.push(node);
      } else {
        rejected.push(node);
        verdicts.push(verdict);
      }
    }
    return { feasible, slots: slots.subarray(0, feasible.length), rejected, verdicts };
  }

  #select(pod: PodInfo, podClass: PodClass, filtered: Filtered): CycleResult {
    const { feasible, slots } = filtered;
    if (feasible.length === 1) return this.#chosen(pod, filtered, 0);
    const { best, scores } = this.#score(pod, podClass, feasible, slots);
    return this.#chosen(pod, filtered, best, scores);
  }

  #chosen(pod: PodInfo, { feasible, rejected, verdicts }: Filtered, best: number, scores?: ScoreTable): CycleResult {
    const filtered = rejected.length === 0 ? noneFiltered : summarizeFiltered(rejected, verdicts);
    const counts = { evaluatedNodes: feasible.length + rejected.length, feasibleNodes: feasible.length };
    const node = (feasible[best] as NodeInfo).name;
    const decision = { ...this.#head(pod), result: 'scheduled' as const, node, ...counts, skipped: this.#skipped(), filtered };
    return { node, rejectors: [], decision: scores === undefined ? decision : { ...decision, scores }, nodes: { feasible, rejected, verdicts } };
  }

  /** An extender that gives no scores gives none: the others decide. */
  *#selectAsking(pod: PodInfo, podClass: PodClass, filtered: Filtered, extenders: readonly Extender[]): Asking<CycleResult> {
    const { feasible, slots } = filtered;
    if (feasible.length === 1) return this.#chosen(pod, filtered, 0);
    const { active, columns, totals } = this.#scoreAnew(pod, podClass, feasible, slots);
    const told = yield* prioritized(extenders, pod.pod, feasible);
    for (const { scores } of told) for (let n = 0; n < totals.length; n++) totals[n] = (totals[n] as number) + (scores[n] as number);
    const tally = tallyOf(totals);
    const best = this.#pick(totals, tally);
    const own = scoreTable(podClass.profile, active, columns, totals, tally, feasible, rawOf(podClass, feasible, false));
    return this.#chosen(pod, filtered, best, withColumns(own, feasible, told));
  }

  /** Scores of these very NodeInfos, which need not be the cache's. */
  #scoreAnew(pod: PodInfo, podClass: PodClass, nodes: readonly NodeInfo[], slots: Int32Array): Scored {
    const totals = new Float64Array(nodes.length);
    const active: number[] = [];
    const columns: Float64Array[] = [];
    for (const { plugin, weight, index: i } of podClass.profile.at.score) {
      if (plugin.score === undefined || plugin.preScore?.(podClass.states[i], pod, nodes, slots) === false) continue;
      const column = (columns[i] = new Float64Array(nodes.length));
      for (let n = 0; n < nodes.length; n++) column[n] = plugin.score(podClass.states[i], nodes[n] as NodeInfo);
      plugin.normalize?.(podClass.states[i], column, nodes);
      addWeighted(column, weight, totals);
      active.push(i);
    }
    return { active, columns, totals };
  }

  #score(pod: PodInfo, podClass: PodClass, nodes: readonly NodeInfo[], slots: Int32Array): { readonly best: number; readonly scores: ScoreTable } {
    if (this.#totals.length < nodes.length) this.#totals = new Float64Array(this.#cache.nodes.length);
    const totals = this.#totals.subarray(0, nodes.length).fill(0);
    const active: number[] = [];
    const columns: Float64Array[] = [];
    this.#refreshLocalScores(podClass, nodes, slots);
    for (const { plugin, weight, index: i } of podClass.profile.at.score) {
      if (plugin.score === undefined || plugin.preScore?.(podClass.states[i], pod, nodes, slots) === false) continue;
      const column = (columns[i] = this.#column(i, nodes.length));
      active.push(i);
      if (plugin.crossNode !== true && plugin.normalize === undefined) {
        gatherWeighted(podClass.scores[i] as Float64Array, slots, weight, column, totals);
        continue;
      }
      if (plugin.crossNode !== true) gather(podClass.scores[i] as Float64Array, slots, column);
      else if (plugin.scoreSlots !== undefined) plugin.scoreSlots(podClass.states[i], slots, column);
      else for (let n = 0; n < nodes.length; n++) column[n] = plugin.score(podClass.states[i], nodes[n] as NodeInfo);
      plugin.normalize?.(podClass.states[i], column, nodes);
      addWeighted(column, weight, totals);
    }
    const tally = tallyOf(totals);
    const scores = scoreTable(podClass.profile, active, columns, totals, tally, nodes, rawOf(podClass, nodes, true));
    return { best: this.#pick(totals, tally), scores };
  }

  #refreshLocalScores(podClass: PodClass, nodes: readonly NodeInfo[], slots: Int32Array): void {
    const scorers = podClass.profile.at.score;
    const { generations } = this.#cache;
    for (let n = 0; n < slots.length; n++) {
      const slot = slots[n] as number;
      const generation = generations[slot] as number;
      if (podClass.scoreGenerations[slot] === generation) continue;
      for (let at = 0; at < scorers.length; at++) {
        const { plugin, index: i } = scorers[at] as (typeof scorers)[number];
        if (plugin.score !== undefined && plugin.crossNode !== true)
          (podClass.scores[i] as Float64Array)[slot] = plugin.score(podClass.states[i], nodes[n] as NodeInfo);
      }
      podClass.scoreGenerations[slot] = generation;
    }
  }

  #column(index: number, length: number): Float64Array {
    let buffer = this.#buffers[index];
    if (buffer === undefined || buffer.length < length) this.#buffers[index] = buffer = new Float64Array(this.#cache.nodes.length);
    return buffer.subarray(0, length);
  }

  /** The best; among equals one by chance. */
  #pick(totals: Float64Array, tally: Tally): number {
    const { total, ties } = highest(totals, tally);
    let skip = this.turn !== undefined ? this.turn++ % ties : ties > 1 ? this.#random.integer(ties) : 0;
    for (let n = 0; n < totals.length; n++) if (totals[n] === total && skip-- === 0) return n;
    return 0;
  }

  #noFit(unfit: Unfit): CycleResult {
    return this.#explain(unfit, this.#postFilter(this.#pod as PodInfo, statusesOf(unfit, this.#cache.slots)));
  }

  *#noFitAsking(unfit: Unfit, extenders: readonly Extender[]): Asking<CycleResult> {
    const pod = this.#pod as PodInfo;
    const post = this.#postFilter(pod, statusesOf(unfit, this.#cache.slots));
    return this.#explain(unfit, yield* narrowed(extenders, pod.pod, post, (name) => this.#cache.get(name)));
  }

  #explain({ filtered: { rejected, verdicts }, absent, preFilterText, namers }: Unfit, post: PostFilterResult): CycleResult {
    const pod = this.#pod as PodInfo;
    const counts = countEach(verdicts);
    const rejectors = [...new Set([...namers, ...[...counts.keys()].map(({ plugin }) => plugin)])].filter((name) => name !== '');
    const texts = {
      ...(preFilterText === undefined ? {} : { preFilterText }),
      ...(post.status === undefined ? {} : { postFilterText: post.status.reasons.join(', ') }),
    };
    const total = this.#nodes.length;
    const message = fitErrorText(total, { counts, absent, ...texts });
    const filtered =
      preFilterText === undefined || absent === undefined
        ? summarizeFiltered(rejected, verdicts)
        : { [absent.plugin]: { [preFilterText]: { count: total, nodes: [] } } };
    const { victims } = post;
    const decision = {
      ...this.#head(pod),
      result: 'unschedulable' as const,
      message,
      evaluatedNodes: rejected.length,
      feasibleNodes: 0,
      skipped: this.#skipped(),
      filtered,
      ...(victims === undefined ? {} : { preemption: preemptionOf(victims, post.candidates ?? [victims]) }),
    };
    const nominated = post.nominatedNodeName === undefined ? {} : { nominatedNodeName: post.nominatedNodeName };
    const nodes = { feasible: [], rejected, verdicts };
    return { message, rejectors, decision, nodes, ...nominated, ...(victims === undefined ? {} : { victims }) };
  }

  #postFilter(pod: PodInfo, statuses: NodeStatuses): PostFilterResult {
    if (this.skipsPostFilter) return {};
    const reasons: string[] = [];
    let kept: PostFilterResult = {};
    const { profile, states } = this.#class as PodClass;
    for (const { plugin, index } of profile.at.postFilter) {
      const result = plugin.postFilter?.(pod, statuses, states[index]);
      if (result === undefined) continue;
      if (result.status === undefined) return reasons.length === 0 ? result : { ...result, before: reasons };
      if (result.status.code !== 'Unschedulable') return result;
      if (result.nominatedNodeName !== undefined) kept = result;
      reasons.push(...result.status.reasons);
    }
    return reasons.length === 0 ? kept : { ...kept, status: { code: 'Unschedulable', plugin: '', reasons } };
  }
}

function rejectedBefore({ notReached }: PreFiltered, status: Status): Unfit {
  const filtered = { feasible: [], slots: noSlots, rejected: [], verdicts: [] };
  const unfit = { filtered, absent: status, preFilterText: status.reasons.join(', '), namers: [status.plugin] };
  return notReached === undefined ? unfit : { ...unfit, notReached };
}

function absentFor({ names, namers }: PreFiltered): Status | undefined {
  return names === undefined ? undefined : unresolvable('', `node(s) didn't satisfy plugin(s) [${namers.join(' ')}]`);
}

function statusesOf({ filtered: { rejected, verdicts }, absent, notReached = noneBehind }: Unfit, slots: number): NodeStatuses {
  const explicit = new Array<Status | undefined>(slots);
  for (let i = 0; i < rejected.length; i++) {
    const { slot } = rejected[i] as Named;
    if (slot !== undefined) explicit[slot] = verdicts[i];
  }
  return { explicit, absent, notReached };
}

function byNode(rejected: readonly Named[], verdicts: readonly Status[]): ReadonlyMap<string, Status> {
  const explicit = new Map<string, Status>();
  for (let i = 0; i < rejected.length; i++) explicit.set((rejected[i] as Named).name, verdicts[i] as Status);
  return explicit;
}

/** With what extenders said of nodes, which counts for more. */
function withExtenders(
  found: Filtered,
  feasible: readonly NodeInfo[],
  statuses: ReadonlyMap<string, Status>,
  find: (name: string) => NodeInfo | undefined,
): Filtered {
  const all = new Map([...byNode(found.rejected, found.verdicts), ...statuses]);
  const rejected = [...all.keys()].map((name) => find(name) ?? { name });
  return { feasible, slots: Int32Array.from(feasible, ({ slot }) => slot), rejected, verdicts: [...all.values()] };
}

/** What plugins say of nodes themselves. Few are shown, so those that look at all nodes are asked again; of the others it is kept for nodes of the cache. */
function rawOf({ profile, states, scores }: PodClass, nodes: readonly NodeInfo[], areKept: boolean): (index: number, row: number) => number {
  return (index, row) => {
    const { plugin } = profile.entries[index] as Profile['entries'][number];
    const node = nodes[row] as NodeInfo;
    const kept = plugin.crossNode === true || !areKept ? undefined : scores[index]?.[node.slot];
    return kept ?? plugin.score?.(states[index], node) ?? 0;
  };
}

function gather(bySlot: Float64Array, slots: Int32Array, column: Float64Array): void {
  for (let n = 0; n < slots.length; n++) column[n] = bySlot[slots[n] as number] as number;
}

/** Of a plugin whose scores need no look at the others: gathered and added in one go. */
function gatherWeighted(bySlot: Float64Array, slots: Int32Array, weight: number, column: Float64Array, totals: Float64Array): void {
  for (let n = 0; n < slots.length; n++) {
    const score = (bySlot[slots[n] as number] as number) * weight;
    column[n] = score;
    totals[n] = (totals[n] as number) + score;
  }
}

function addWeighted(column: Float64Array, weight: number, totals: Float64Array): void {
  for (let n = 0; n < totals.length; n++) totals[n] = (totals[n] as number) + (column[n] = (column[n] as number) * weight);
}
