/**
 * A scheduler outside that is asked about pods: which nodes fit, how good they are, which victims a preemption may take, and to bind.
 * Each asks by yielding a question and goes on with its answer. Mirrors pkg/scheduler/extender.go.
 */
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import { encodeJson } from '../../apimachinery/serializer/json.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Answer, Question } from '../../contracts/questions.ts';
import { NodeInfo } from '../framework/node-info.ts';
import type { Victims } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { PluginError } from '../framework/status.ts';
import type { SchedulerOptions } from '../options.ts';
import { type ExtenderOptions, inOrder } from './options.ts';
import { DecodeFault, memberOf, readError, readFiltered, readScores, readVictims } from './results.ts';

/** Whoever goes on with the answer. */
export type Asking<T> = Generator<Question, T, Answer>;

/** Scores of an extender are from 0 to 10, those of plugins from 0 to 100. */
const scoreScale = 10;
/** A name among those who turned a pod away; anything that happens may help then. */
export const extenderRejector = 'Extender';

/** In the order in which they are asked. Under a policy that is the policy's, and their scores are on the scale of its priorities. */
export function extendersOf({ extenders, policy }: SchedulerOptions): readonly Extender[] {
  return policy === undefined ? inOrder(extenders).map((options) => new Extender(options)) : extenders.map((options) => new Extender(options, 1));
}

export interface Filtered {
  readonly nodes: readonly NodeInfo[];
  readonly failed: ReadonlyMap<string, string>;
  readonly failedAndUnresolvable: ReadonlyMap<string, string>;
}

export class Extender {
  readonly options: ExtenderOptions;
  readonly #managed: ReadonlySet<string>;
  readonly #scale: number;

  constructor(options: ExtenderOptions, scale = scoreScale) {
    this.options = options;
    this.#scale = scale;
    this.#managed = new Set(options.managedResources.map(({ name }) => name));
  }

  /** How logs and records call it. */
  get name(): string {
    return this.options.urlPrefix;
  }

  /** What its scores are multiplied by. */
  get weight(): number {
    return this.options.weight * this.#scale;
  }

  /** Whether the pod asks for something that it manages; without such a list all pods are its affair. */
  isInterested({ spec }: Pod): boolean {
    if (this.#managed.size === 0) return true;
    return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some(({ resources }) =>
      [resources?.requests, resources?.limits].some((list) => Object.keys(list ?? {}).some((name) => this.#managed.has(name))),
    );
  }

  /** Throws PluginError for what cannot be had, and for what the extender says is wrong. */
  *filter(pod: Pod, nodes: readonly NodeInfo[]): Asking<Filtered> {
    const { filterVerb, nodeCacheCapable } = this.options;
    const result = yield* this.#send(filterVerb, pod, this.#aboutNodes(pod, nodes), readFiltered);
    if (result.error !== '') throw new PluginError(result.error);
    const known = new Map(nodes.map((node) => [node.name, node]));
    const find = (name: string): NodeInfo => {
      const node = known.get(name);
      if (node !== undefined) return node;
      throw new PluginError(
        `extender ${JSON.stringify(this.name)} claims a filtered node ${JSON.stringify(name)} which is not found in the input node list`,
      );
    };
    const { failed, failedAndUnresolvable } = result;
    if (nodeCacheCapable && result.nodeNames !== undefined) return { nodes: result.nodeNames.map(find), failed, failedAndUnresolvable };
    // As upstream, what it sends back stands for the node from here on: nothing is known of the pods on it.
    const sent = (result.nodes ?? []).map((node) => new NodeInfo(find(node.metadata.name ?? '').slot, node));
    return { nodes: sent, failed, failedAndUnresolvable };
  }

  /** Scores by node, weighed and on the scale of plugins. */
  *prioritize(pod: Pod, nodes: readonly NodeInfo[]): Asking<ReadonlyMap<string, number>> {
    const { prioritizeVerb } = this.options;
    const scores = yield* this.#send(prioritizeVerb, pod, this.#aboutNodes(pod, nodes), readScores);
    const totals = new Map<string, number>();
    for (const { host, score } of scores) totals.set(host, (totals.get(host) ?? 0) + score * this.weight);
    return totals;
  }

  /** What is left of these candidates, with the victims that the extender names. */
  *preempt(pod: Pod, candidates: readonly Victims[], nodeOf: (name: string) => NodeInfo | undefined): Asking<readonly Victims[]> {
    const { preemptVerb, nodeCacheCapable, ignorable } = this.options;
    const meta = (candidate: Victims): JsonObject => ({
      Pods: candidate.pods.map(({ uid }) => ({ UID: uid })),
      NumPDBViolations: candidate.pdbViolations,
    });
    const whole = (candidate: Victims): JsonObject => ({
      Pods: candidate.pods.map((info) => podJson(info.pod)),
      NumPDBViolations: candidate.pdbViolations,
    });
    // As Go writes a map.
    const sorted = candidates.toSorted((a, b) => (a.node < b.node ? -1 : 1));
    const by = (shown: (candidate: Victims) => JsonObject): JsonObject =>
      Object.fromEntries(sorted.map((candidate) => [candidate.node, shown(candidate)]));
    const args = {
      Pod: podJson(pod),
      NodeNameToVictims: nodeCacheCapable ? null : by(whole),
      NodeNameToMetaVictims: nodeCacheCapable ? by(meta) : null,
    };
    const given = yield* this.#send(preemptVerb, pod, args, readVictims);
    const found = [...given].map(([node, { uids, pdbViolations }]) => ({ node, pods: this.#podsOf(node, uids, nodeOf(node)), pdbViolations }));
    const empty = found.find(({ pods }) => pods.length === 0);
    if (empty !== undefined && !ignorable) throw new PluginError(`expected at least one victim pod on node ${JSON.stringify(empty.node)}`);
    const order = new Map(candidates.map(({ node }, i) => [node, i]));
    return found.filter(({ pods }) => pods.length > 0).sort((a, b) => (order.get(a.node) ?? order.size) - (order.get(b.node) ?? order.size));
  }

  *bind(pod: Pod, node: string): Asking<void> {
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const error = yield* this.#send(this.options.bindVerb, pod, { PodName: name, PodNamespace: namespace, PodUID: uid, Node: node }, readError);
    if (error !== '') throw new PluginError(error);
  }

  #podsOf(node: string, uids: readonly string[], info: NodeInfo | undefined): readonly PodInfo[] {
    if (info === undefined) throw new PluginError(`nodeinfo not found for node name ${JSON.stringify(node)}`);
    return uids.map((uid) => {
      const pod = info.pods.get(uid);
      if (pod !== undefined) return pod;
      throw new PluginError(`extender: ${this.name} claims to preempt pod (UID: &{${uid}}) on node: ${node}, but the pod is not found on that node`);
    });
  }

  #aboutNodes(pod: Pod, nodes: readonly NodeInfo[]): JsonObject {
    const { nodeCacheCapable } = this.options;
    const items = (): JsonObject => ({ metadata: {}, items: nodes.map(({ node }) => nodeJson(node)) });
    return { Pod: podJson(pod), Nodes: nodeCacheCapable ? null : items(), NodeNames: nodeCacheCapable ? nodes.map(({ name }) => name) : null };
  }

  /** What came back, read; PluginError with upstream's text where nothing usable did. */
  *#send<T>(verb: string, { metadata }: Pod, args: JsonObject, read: (result: JsonValue) => T): Asking<T> {
    const { urlPrefix, httpTimeoutMs, enableHttps, tls } = this.options;
    const url = `${urlPrefix.replace(/\/+$/, '')}/${verb}`;
    const body = { url, text: encodeJson(args), https: enableHttps, tls: tls ?? null };
    const about = { verb, version: 'v1', resource: 'pods', namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    const answer = yield { to: `extender/${url}`, body, timeoutMs: httpTimeoutMs, about };
    const failed = (why: string): PluginError => new PluginError(`Post ${JSON.stringify(url)}: ${why}`);
    if (answer.outcome === 'timedOut') throw failed('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
    if (answer.outcome === 'failed') throw failed(answer.message);
    const code = Number(memberOf(answer.body, 'code'));
    if (code !== 200) throw new PluginError(`failed ${verb} with extender at URL ${url}, code ${code}`);
    try {
      return read(decoded(String(memberOf(answer.body, 'text') ?? '')));
    } catch (error) {
      throw error instanceof DecodeFault ? new PluginError(error.message) : error;
    }
  }
}

/** The first document of the text, as Go's decoder takes it. */
function decoded(text: string): JsonValue {
  if (text.trim() === '') throw new DecodeFault('EOF');
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new DecodeFault(`invalid JSON: ${(error as Error).message}`);
  }
}

/** As Go writes an object that came from an informer: without its type, which the scheduler's cache does not keep, nor managed fields. */
function bare(object: Pod | Node): JsonObject {
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = object as unknown as JsonObject;
  const { managedFields: _managed, ...meta } = metadata as JsonObject;
  return { metadata: meta, ...rest };
}

function podJson(pod: Pod): JsonObject {
  const { spec = {}, status = {}, ...rest } = bare(pod);
  return { ...rest, spec, status };
}

function nodeJson(node: Node): JsonObject {
  const { spec = {}, status = {}, ...rest } = bare(node);
  return { ...rest, spec, status };
}
