/** A machine loses its network, both ways or one: everything on it runs on. */
import { linkFromNodeCut, linkToNodeCut } from '../base/fault-points.ts';
import { connectionDeadMs, defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const nodePartition = defineFault({
  name: 'node-partition',
  title: 'Node partition',
  target: 'nodes',
  parameters: {
    direction: {
      type: 'choice',
      default: 'both',
      values: ['both', 'from-node', 'to-node'],
      description: 'which way is cut: what the node sends, what is sent to the node, or both',
    },
  },
  describe: ({ target, parameters }, { graceMs, evictionMs }) => {
    const after = `After the grace period of ${timeWords(graceMs)} it is marked unreachable and its pods not ready; ${timeWords(evictionMs)} later they are deleted, and stay Terminating until it is heard again.`;
    switch (parameters.text('direction')) {
      case 'from-node':
        return `Nothing that ${nodeWords(target)} sends arrives: its containers run on unheard. ${after}`;
      case 'to-node':
        return `Nothing that is sent to ${nodeWords(target)} arrives: it hears of no change, and is still heard until its kubelet gives up the connection, ${timeWords(connectionDeadMs)} later. ${after}`;
      default:
        return `The network is cut from ${nodeWords(target)}: its containers run on unheard. ${after}`;
    }
  },
  effects: (node, parameters) => {
    const direction = parameters.text('direction');
    return [
      ...(direction === 'to-node' ? [] : [effect(linkFromNodeCut, node, true)]),
      ...(direction === 'from-node' ? [] : [effect(linkToNodeCut, node, true)]),
    ];
  },
});
