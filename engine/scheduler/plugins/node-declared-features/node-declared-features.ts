/** Keeps pods off nodes that do not say that they can do what the pod asks for (framework/plugins/nodedeclaredfeatures). */
import type { Node, Pod } from '../../../api/core/v1/types.gen.ts';
import { deepEqual } from '../../../base/equal.ts';
import { featuresForScheduling } from '../../../component-helpers/declared-features.ts';
import { Action, type ClusterChange } from '../../framework/cluster-events.ts';
import { definePlugin } from '../../framework/plugin.ts';
import { unresolvable } from '../../framework/status.ts';

const name = 'NodeDeclaredFeatures';
const reason = "node(s) didn't match Pod's required features";
const verdict = unresolvable(name, reason);

export const nodeDeclaredFeatures = definePlugin<readonly string[]>({
  name,
  order: 185,
  defaultWeight: 0,
  points: ['PreFilter', 'Filter'],
  gate: 'declaredFeatures',
  needs: { preFilter: { text: 'error reading "PreFilterNodeDeclaredFeatures" from cycle-state: not found', points: ['Filter'] } },
  args: {},
  reasons: [reason],
  create: () => ({
    events: [
      { resource: 'Node', action: Action.add | Action.updateNodeDeclaredFeature, worth: (_pod, change) => declaresOtherwise(change) },
      { resource: 'Pod', action: Action.updateOther | Action.updatePodLabel | Action.updatePodToleration, worth: asksOtherwise },
    ],
    classState: ({ pod }) => featuresForScheduling(pod),
    preFilter: (asked) => (asked.length === 0 ? { skip: true } : undefined),
    filter: (asked, { node }) => {
      const declared = node.status?.declaredFeatures ?? [];
      return asked.every((feature) => declared.includes(feature)) ? undefined : verdict;
    },
  }),
});

function declaresOtherwise({ old, new: next }: ClusterChange): boolean {
  const of = (node: Node): readonly string[] => node.status?.declaredFeatures ?? [];
  return old === undefined || !deepEqual(of(old as Node), of(next as Node));
}

function asksOtherwise(pod: Pod, { old, new: next }: ClusterChange): boolean {
  if (next?.metadata.uid !== pod.metadata.uid || old === undefined) return false;
  return !deepEqual(featuresForScheduling(old as Pod), featuresForScheduling(next as Pod));
}
