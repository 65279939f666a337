/** A machine runs out of process numbers: the node says so, takes no pods and evicts some. */
import { pidsShort } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords } from './fault.ts';

export const nodePidPressure = defineFault({
  name: 'node-pid-pressure',
  title: 'Node PID pressure',
  target: 'nodes',
  parameters: {},
  describe: ({ target }) =>
    `Processes outside of pods take nearly all process numbers of ${nodeWords(target)}: within 10 s it reports PIDPressure and is tainted node.kubernetes.io/pid-pressure:NoSchedule. Its kubelet evicts pods one by one as long as it lasts, those of the lowest priority first. The condition stands until five minutes after the fault.`,
  effects: (node) => [effect(pidsShort, node, true)],
});
