/** Somebody shuts a machine down in order: its kubelet ends its pods first, then the power goes. */
import { nodeShutdown } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords } from './fault.ts';

export const nodeShutdownFault = defineFault({
  name: 'node-shutdown',
  title: 'Node shutdown',
  target: 'nodes',
  parameters: {},
  describe: ({ target }) =>
    `Somebody shuts down ${nodeWords(target)}: it reports that it is not ready, ends its pods by priority within --shutdown-grace-period (at once without one), and goes dark. When the fault ends it boots in 12 to 25 s.`,
  effects: (node) => [effect(nodeShutdown, node, true)],
});
