/** The kubelet of a machine crashes, and the init system starts it again. Containers run on. */
import { kubeletCrashed } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords } from './fault.ts';

export const kubeletCrash = defineFault({
  name: 'kubelet-crash',
  title: 'Kubelet crash',
  target: 'nodes',
  parameters: {},
  describe: ({ target }) =>
    `The kubelet of ${nodeWords(target)} crashes, once, and is started again after 10 s. Containers run on meanwhile; nobody probes, restarts or stops them. The node stays ready: it is not silent for long enough.`,
  effects: (node) => [effect(kubeletCrashed, node, true)],
});
