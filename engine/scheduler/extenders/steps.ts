/** The places in a scheduling cycle where extenders are asked, one after the other (schedule_one.go, framework/preemption). */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PostFilterResult, Victims } from '../framework/plugin.ts';
import { PluginError, type Status, unresolvable, unschedulable } from '../framework/status.ts';
import type { Asking, Extender } from './extender.ts';

/** Weighed scores in the order of the nodes that were asked about. */
export interface ScoreColumn {
  readonly name: string;
  readonly weight: number;
  readonly scores: readonly number[];
}

/** Nodes that all let pass. What they say of the others goes into `statuses`; PluginError where one that is needed fails. */
export function* passing(
  extenders: readonly Extender[],
  pod: Pod,
  nodes: readonly NodeInfo[],
  statuses: Map<string, Status>,
): Asking<readonly NodeInfo[]> {
  let left = nodes;
  for (const extender of extenders) {
    if (left.length === 0) break;
    if (extender.options.filterVerb === '') continue;
    const result = yield* unlessIgnorable(extender, extender.filter(pod, left));
    if (result === undefined) continue;
    for (const [node, message] of result.failed) statuses.set(node, unschedulable('', message));
    for (const [node, message] of result.failedAndUnresolvable) statuses.set(node, unresolvable('', message));
    left = result.nodes;
  }
  return left;
}

/** Weighed scores in the order of `nodes`, by extender. One that fails gives none, whether it is needed or not. */
export function* prioritized(extenders: readonly Extender[], pod: Pod, nodes: readonly NodeInfo[]): Asking<readonly ScoreColumn[]> {
  const columns: ScoreColumn[] = [];
  for (const extender of extenders) {
    if (extender.options.prioritizeVerb === '') continue;
    const given = yield* unlessFailed(extender.prioritize(pod, nodes));
    if (given !== undefined) columns.push({ name: extender.name, weight: extender.weight, scores: nodes.map(({ name }) => given.get(name) ?? 0) });
  }
  return columns;
}

/** What preemption may do once extenders have taken candidates away or named other victims. */
export function* narrowed(
  extenders: readonly Extender[],
  pod: Pod,
  post: PostFilterResult,
  nodeOf: (name: string) => NodeInfo | undefined,
): Asking<PostFilterResult> {
  const { candidates, choose } = post;
  const asked = extenders.filter(({ options }) => options.preemptVerb !== '');
  if (candidates === undefined || choose === undefined || asked.length === 0) return post;
  let left: readonly Victims[] = candidates;
  try {
    for (const extender of asked) {
      left = (yield* unlessIgnorable(extender, extender.preempt(pod, left, nodeOf))) ?? left;
      if (left.length === 0)
        return { status: unschedulable('', [...(post.before ?? []), 'preemption: no candidate node for preemption'].join(', ')) };
    }
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return { status: { code: 'Error', plugin: '', reasons: [`preemption: ${error.message}`] } };
  }
  const victims = choose(left);
  return { nominatedNodeName: victims.node, victims, candidates: left, choose };
}

/** The first that binds and is not passed over has bound; false leaves it to the plugins. */
export function* boundBy(extenders: readonly Extender[], pod: Pod, node: string): Asking<string | undefined> {
  for (const extender of extenders) {
    if (extender.options.bindVerb === '') continue;
    if ((yield* unlessIgnorable(extender, bound(extender, pod, node))) === true) return extender.name;
  }
  return undefined;
}

function* bound(extender: Extender, pod: Pod, node: string): Asking<true> {
  yield* extender.bind(pod, node);
  return true;
}

function* unlessIgnorable<T>(extender: Extender, asking: Asking<T>): Asking<T | undefined> {
  return extender.options.ignorable ? yield* unlessFailed(asking) : yield* asking;
}

function* unlessFailed<T>(asking: Asking<T>): Asking<T | undefined> {
  try {
    return yield* asking;
  } catch (error) {
    if (error instanceof PluginError) return undefined;
    throw error;
  }
}
