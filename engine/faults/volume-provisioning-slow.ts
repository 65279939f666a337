/** Making, deleting and growing volumes takes long. */
import { volumeProvisionSlowness } from '../base/fault-points.ts';
import { defineFault, effect } from './fault.ts';

export const volumeProvisioningSlow = defineFault({
  name: 'volume-provisioning-slow',
  title: 'Slow volume provisioning',
  target: 'control-plane',
  parameters: {
    factor: { type: 'number', default: 20, min: 1, max: 10_000, description: 'how many times longer it takes to make, delete or change a volume' },
  },
  describe: ({ parameters }) =>
    `Making, deleting and growing volumes takes ${parameters.number('factor')} times as long: claims stay Pending, and pods that wait for them have no node yet.`,
  effects: (_subject, parameters) => [effect(volumeProvisionSlowness, '', parameters.number('factor'))],
});
