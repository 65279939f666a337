/** Volumes cannot be made, deleted or grown. */
import { volumeProvisionFailures } from '../base/fault-points.ts';
import { defineFault, effect, shareWords } from './fault.ts';

export const volumeProvisioningFailing = defineFault({
  name: 'volume-provisioning-failing',
  title: 'Volume provisioning fails',
  target: 'control-plane',
  parameters: { share: { type: 'number', default: 1, min: 0, max: 1, description: 'share of the attempts that fail' } },
  describe: ({ parameters }) =>
    `${shareWords(parameters.number('share'))} of the attempts to make, delete or grow a volume fail: claims stay Pending with ProvisioningFailed and are tried again with back-off, from 1 s to 5 min.`,
  effects: (_subject, parameters) => [effect(volumeProvisionFailures, '', parameters.number('share'))],
});
