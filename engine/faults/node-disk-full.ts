/** The disk of a machine is full: images cannot be pulled, and the node says so. */
import { diskFull } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords } from './fault.ts';

export const nodeDiskFull = defineFault({
  name: 'node-disk-full',
  title: 'Node disk full',
  target: 'nodes',
  parameters: {},
  describe: ({ target }) =>
    `The disk of ${nodeWords(target)} is full: within 10 s it reports DiskPressure and is tainted node.kubernetes.io/disk-pressure:NoSchedule. Its kubelet removes unused images, then evicts pods one by one as long as it lasts. Pods that come nevertheless are refused with Evicted, and images cannot be pulled. The condition stands until five minutes after the fault.`,
  effects: (node) => [effect(diskFull, node, true)],
});
