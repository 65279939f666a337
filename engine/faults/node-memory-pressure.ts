/** A machine runs short of memory: the node says so and takes no pods that can do without guarantees. */
import { memoryShort } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords } from './fault.ts';

export const nodeMemoryPressure = defineFault({
  name: 'node-memory-pressure',
  title: 'Node memory pressure',
  target: 'nodes',
  parameters: {},
  describe: ({ target }) =>
    `Memory runs short on ${nodeWords(target)}: within 10 s it reports MemoryPressure and is tainted node.kubernetes.io/memory-pressure:NoSchedule. BestEffort pods that come nevertheless are refused with Evicted. Running pods stay.`,
  effects: (node) => [effect(memoryShort, node, true)],
});
