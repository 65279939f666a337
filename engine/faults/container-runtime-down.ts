/** The container runtime of a machine does not answer: containers run on, and its kubelet can start and stop none. */
import { runtimeDown } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const containerRuntimeDown = defineFault({
  name: 'container-runtime-down',
  title: 'Container runtime down',
  target: 'nodes',
  parameters: {},
  describe: ({ target }, { evictionMs }) =>
    `The container runtime of ${nodeWords(target)} does not answer: containers run on, and none is started, stopped or probed. After 30 s its kubelet says with its next report that the node is not ready ("container runtime is down"); pods are tainted away ${timeWords(evictionMs)} later, and stay Terminating until the runtime is back.`,
  effects: (node) => [effect(runtimeDown, node, true)],
});
