/** A machine runs short of memory: the node says so, takes no pods that can do without guarantees, and evicts some. */
import { memoryShort } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords } from './fault.ts';

export const nodeMemoryPressure = defineFault({
  name: 'node-memory-pressure',
  title: 'Node memory pressure',
  target: 'nodes',
  parameters: {},
  describe: ({ target }) =>
    `Something outside of pods takes nearly all memory of ${nodeWords(target)}: within 10 s it reports MemoryPressure and is tainted node.kubernetes.io/memory-pressure:NoSchedule. Its kubelet evicts pods one by one as long as it lasts, those first that use more than they asked for; BestEffort pods that come nevertheless are refused with Evicted. The condition stands until five minutes after the fault.`,
  effects: (node) => [effect(memoryShort, node, true)],
});
