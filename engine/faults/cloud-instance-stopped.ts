/** The cloud provider switches an instance off and keeps it. */
import { cloudInstanceStopped, nodeDark } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const cloudInstanceStoppedFault = defineFault({
  name: 'cloud-instance-stopped',
  title: 'Cloud instance stopped',
  target: 'nodes',
  needs: 'cloud',
  parameters: {},
  describe: ({ target }, { graceMs }) =>
    `The provider switches off the instance of ${nodeWords(target)} and keeps it: after the grace period of ${timeWords(graceMs)} its Node is not ready and gets the taint node.cloudprovider.kubernetes.io/shutdown, until it runs again.`,
  effects: (node) => [effect(nodeDark, node, true), effect(cloudInstanceStopped, node, true)],
});
