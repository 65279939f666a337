/** A machine goes dark: its containers die and nothing is reported. When power returns it boots and its containers start again. */
import { defineFault, nodeWords } from './fault.ts';

export const nodePowerLoss = defineFault({
  name: 'node-power-loss',
  title: 'Node power loss',
  target: 'nodes',
  describe: (target) =>
    `Power is cut from ${nodeWords(target)}: its containers die at once. After the grace period of 50 s it is marked unreachable and its pods not ready; 300 s later they are evicted.`,
  inject: (points, node) => points.setNodePower(node, false),
  heal: (points, node) => points.setNodePower(node, true),
});
