/** Keeps gated pods out of the queue (framework/plugins/schedulinggates). */
import { Action } from '../../framework/cluster-events.ts';
import { definePlugin } from '../../framework/plugin.ts';
import { unresolvable } from '../../framework/status.ts';

const name = 'SchedulingGates';

export const schedulingGates = definePlugin({
  name,
  order: 10,
  defaultWeight: 0,
  points: ['PreEnqueue'],
  args: {},
  reasons: ['waiting for scheduling gates: [<names>]'],
  create: () => ({
    events: [
      { resource: 'Pod', action: Action.updatePodSchedulingGatesEliminated, worth: (pod, change) => change.new?.metadata.uid === pod.metadata.uid },
    ],
    preEnqueue: (pod) => {
      const gates = pod.spec?.schedulingGates ?? [];
      if (gates.length === 0) return undefined;
      return unresolvable(name, `waiting for scheduling gates: [${gates.map((gate) => gate.name).join(' ')}]`);
    },
  }),
});
