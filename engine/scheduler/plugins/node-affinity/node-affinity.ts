/** `nodeSelector` and node affinity, required and preferred (framework/plugins/nodeaffinity). */
import type { Node, Pod } from '../../../api/core/v1/types.gen.ts';
import { Action } from '../../framework/cluster-events.ts';
import { compileTerm, requiredNodeAffinity, type NodePredicate } from '../../framework/matching.ts';
import { definePlugin, normalizeByMax } from '../../framework/plugin.ts';
import { unresolvable } from '../../framework/status.ts';

const name = 'NodeAffinity';
const reason = "node(s) didn't match Pod's node affinity/selector";
const conflict = 'pod affinity terms conflict';
const verdict = unresolvable(name, reason);

interface State {
  readonly required: NodePredicate | undefined;
  readonly names: ReadonlySet<string> | undefined;
  readonly preferred: readonly { readonly matches: NodePredicate; readonly weight: number }[];
}

export const nodeAffinity = definePlugin<State>({
  name,
  order: 60,
  defaultWeight: 2,
  points: ['PreFilter', 'Filter', 'PreScore', 'Score', 'NormalizeScore'],
  args: {},
  reasons: [reason, conflict],
  create: () => ({
    events: [
      {
        resource: 'Node',
        action: Action.add | Action.updateNodeLabel,
        worth: (pod, change) => requiredNodeAffinity(pod)?.(change.new as Node) ?? true,
      },
    ],
    classState: ({ pod }) => ({
      required: requiredNodeAffinity(pod),
      names: namesOf(pod),
      preferred: (pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
        .filter(
          ({ weight, preference }) => weight !== 0 && ((preference.matchExpressions?.length ?? 0) > 0 || (preference.matchFields?.length ?? 0) > 0),
        )
        .map(({ weight, preference }) => ({ weight, matches: compileTerm(preference) })),
    }),
    preFilter: ({ required, names }) => {
      if (required === undefined) return { skip: true };
      if (names === undefined) return undefined;
      return names.size === 0 ? { status: unresolvable(name, conflict) } : { nodeNames: names };
    },
    filter: ({ required }, { node }) => (required === undefined || required(node) ? undefined : verdict),
    preScore: ({ preferred }) => preferred.length > 0,
    score: ({ preferred }, { node }) => preferred.reduce((sum, { matches, weight }) => (matches(node) ? sum + weight : sum), 0),
    normalize: (_state, scores) => normalizeByMax(scores, false),
  }),
});

/** The names that all terms together allow, when each term says names. DaemonSet pods do. */
function namesOf(pod: Pod): ReadonlySet<string> | undefined {
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return undefined;
  const union = new Set<string>();
  for (const { matchFields = [] } of terms) {
    let names: readonly string[] | undefined;
    for (const { key, operator, values = [] } of matchFields) {
      if (key === 'metadata.name' && operator === 'In') names = names === undefined ? values : names.filter((value) => values.includes(value));
    }
    if (names === undefined) return undefined;
    for (const one of names) union.add(one);
  }
  return union;
}
