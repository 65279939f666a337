/** A machine loses its network: everything on it runs on, but it and the API server do not hear each other. */
import { defineFault, nodeWords } from './fault.ts';

export const nodePartition = defineFault({
  name: 'node-partition',
  title: 'Node partition',
  target: 'nodes',
  describe: (target) =>
    `The network is cut from ${nodeWords(target)}: its containers run on unheard. After the grace period of 50 s it is marked unreachable and its pods not ready; 300 s later they are deleted, and stay Terminating until it is heard again.`,
  inject: (points, node) => points.setNodeNetwork(node, false),
  heal: (points, node) => points.setNodeNetwork(node, true),
});
