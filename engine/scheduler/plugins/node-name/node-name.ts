/** A pod that names its node goes nowhere else (framework/plugins/nodename). */
import { Action } from '../../framework/cluster-events.ts';
import { definePlugin } from '../../framework/plugin.ts';
import { unresolvable } from '../../framework/status.ts';

const name = 'NodeName';
const reason = "node(s) didn't match the requested node name";
const verdict = unresolvable(name, reason);

export const nodeName = definePlugin<string>({
  name,
  order: 40,
  defaultWeight: 0,
  points: ['Filter'],
  args: {},
  reasons: [reason],
  create: () => ({
    events: [{ resource: 'Node', action: Action.add }],
    classState: (pod) => pod.pod.spec?.nodeName ?? '',
    filter: (wanted, node) => (wanted !== '' && wanted !== node.name ? verdict : undefined),
  }),
});
