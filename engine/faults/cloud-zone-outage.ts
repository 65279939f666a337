/** A zone of the cloud fails: its machines lose power, and the provider does not answer for them. */
import { cloudUnreachable, nodeDark } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const cloudZoneOutage = defineFault({
  name: 'cloud-zone-outage',
  title: 'Cloud zone outage',
  target: 'nodes',
  needs: 'cloud',
  parameters: {},
  describe: ({ target }, { graceMs }) =>
    `Power is cut from ${nodeWords(target)}, and cloud calls about it fail: after the grace period of ${timeWords(graceMs)} it is marked unreachable, and nobody can tell whether its instance is gone, so its Node and its volumes stay.`,
  effects: (node) => [effect(nodeDark, node, true), effect(cloudUnreachable, node, true)],
});
