/** The kubelet of a machine stops, its containers do not: nobody restarts, probes or reports them until it is started again. */
import { kubeletStopped } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const kubeletStop = defineFault({
  name: 'kubelet-stop',
  title: 'Kubelet stopped',
  target: 'nodes',
  parameters: {},
  describe: ({ target }, { graceMs, evictionMs }) =>
    `The kubelet of ${nodeWords(target)} stops: containers run on, and nobody starts, stops, probes or reports them. After the grace period of ${timeWords(graceMs)} it is marked unreachable and its pods not ready; ${timeWords(evictionMs)} later they are deleted, and stay Terminating until the kubelet runs again.`,
  effects: (node) => [effect(kubeletStopped, node, true)],
});
