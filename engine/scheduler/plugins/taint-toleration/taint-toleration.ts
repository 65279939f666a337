/** Taints keep pods away, or make nodes less welcome (framework/plugins/tainttoleration). */
import type { Toleration } from '../../../api/core/v1/types.gen.ts';
import { Action } from '../../framework/cluster-events.ts';
import { hasUntoleratedTaint, toleratesAny } from '../../framework/matching.ts';
import { definePlugin, normalizeByMax } from '../../framework/plugin.ts';
import { unresolvable } from '../../framework/status.ts';

const name = 'TaintToleration';
const reason = 'node(s) had untolerated taint(s)';
const verdict = unresolvable(name, reason);

interface State {
  readonly tolerations: readonly Toleration[];
  readonly soft: readonly Toleration[];
}

export const taintToleration = definePlugin<State>({
  name,
  order: 50,
  defaultWeight: 3,
  points: ['Filter', 'PreScore', 'Score', 'NormalizeScore'],
  needs: { preScore: { text: 'failed to read "PreScoreTaintToleration" from cycleState: not found', points: ['Score'] } },
  args: {},
  reasons: [reason],
  create: () => ({
    events: [
      { resource: 'Node', action: Action.add | Action.updateNodeTaint },
      { resource: 'Pod', action: Action.updatePodToleration, worth: (pod, change) => change.new?.metadata.uid === pod.metadata.uid },
    ],
    classState: ({ pod }) => {
      const tolerations = pod.spec?.tolerations ?? [];
      return { tolerations, soft: tolerations.filter(({ effect }) => !effect || effect === 'PreferNoSchedule') };
    },
    filter: ({ tolerations }, { node }) => (hasUntoleratedTaint(node, tolerations) ? verdict : undefined),
    preScore: () => true,
    score: ({ soft }, { node }) => {
      let count = 0;
      for (const taint of node.spec?.taints ?? []) if (taint.effect === 'PreferNoSchedule' && !toleratesAny(soft, taint)) count++;
      return count;
    },
    normalize: (_state, scores) => normalizeByMax(scores, true),
  }),
});
