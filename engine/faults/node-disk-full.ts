/** The disk of a machine is full: images cannot be pulled, and the node says so. */
import { diskFull } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords } from './fault.ts';

export const nodeDiskFull = defineFault({
  name: 'node-disk-full',
  title: 'Node disk full',
  target: 'nodes',
  parameters: {},
  describe: ({ target }) =>
    `The disk of ${nodeWords(target)} is full: within 10 s it reports DiskPressure and is tainted node.kubernetes.io/disk-pressure:NoSchedule. Pods that come nevertheless are refused with Evicted, and images cannot be pulled. Running pods stay.`,
  effects: (node) => [effect(diskFull, node, true)],
});
