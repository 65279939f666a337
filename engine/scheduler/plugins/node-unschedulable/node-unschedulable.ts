/** Keeps pods off cordoned nodes unless they tolerate it (framework/plugins/nodeunschedulable). */
import type { Toleration } from '../../../api/core/v1/types.gen.ts';
import { Action } from '../../framework/cluster-events.ts';
import { toleratesAny } from '../../framework/matching.ts';
import { definePlugin } from '../../framework/plugin.ts';
import { unresolvable } from '../../framework/status.ts';

const name = 'NodeUnschedulable';
const reason = 'node(s) were unschedulable';
const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;
const verdict = unresolvable(name, reason);

export const nodeUnschedulable = definePlugin<readonly Toleration[]>({
  name,
  order: 30,
  defaultWeight: 0,
  points: ['Filter'],
  args: {},
  reasons: [reason],
  create: () => ({
    events: [
      { resource: 'Node', action: Action.add | Action.updateNodeTaint },
      { resource: 'Pod', action: Action.updatePodToleration, worth: (pod, change) => change.new?.metadata.uid === pod.metadata.uid },
    ],
    classState: (pod) => pod.pod.spec?.tolerations ?? [],
    filter: (tolerations, { node }) => (node.spec?.unschedulable === true && !toleratesAny(tolerations, taint) ? verdict : undefined),
  }),
});
