/** A machine goes dark: its containers die and nothing is reported. When power returns it boots and its containers start again. */
import { nodeDark } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const nodePowerLoss = defineFault({
  name: 'node-power-loss',
  title: 'Node power loss',
  target: 'nodes',
  parameters: {},
  describe: ({ target }, { graceMs, evictionMs }) =>
    `Power is cut from ${nodeWords(target)}: its containers die at once. After the grace period of ${timeWords(graceMs)} it is marked unreachable and its pods not ready; ${timeWords(evictionMs)} later they are evicted.`,
  effects: (node) => [effect(nodeDark, node, true)],
});
