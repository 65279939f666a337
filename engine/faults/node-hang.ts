/** A machine hangs: nothing on it moves and nothing is lost. When it wakes up everything goes on where it was. */
import { nodeHung } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const nodeHang = defineFault({
  name: 'node-hang',
  title: 'Node hang',
  target: 'nodes',
  parameters: {},
  describe: ({ target }, { graceMs, evictionMs }) =>
    `Nothing moves on ${nodeWords(target)}: its containers stand still and nothing is answered or reported. After the grace period of ${timeWords(graceMs)} it is marked unreachable and its pods not ready; ${timeWords(evictionMs)} later they are deleted, and stay Terminating until it wakes up. Nothing is restarted then.`,
  effects: (node) => [effect(nodeHung, node, true)],
});
