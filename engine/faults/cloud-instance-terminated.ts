/** The cloud provider ends an instance, as it does with spot machines; healing lends one of the same name. */
import { cloudInstanceGone, nodeDark } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const cloudInstanceTerminated = defineFault({
  name: 'cloud-instance-terminated',
  title: 'Cloud instance terminated',
  target: 'nodes',
  needs: 'cloud',
  parameters: {},
  describe: ({ target }, { graceMs }) =>
    `The provider ends the instance of ${nodeWords(target)}: once it is not ready, after the grace period of ${timeWords(graceMs)}, cloud-node-lifecycle finds the instance gone and deletes the Node; its pods are collected.`,
  effects: (node) => [effect(nodeDark, node, true), effect(cloudInstanceGone, node, true)],
});
