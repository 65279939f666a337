/** Volumes cannot be attached or detached. */
import { volumeAttachFailures } from '../base/fault-points.ts';
import { defineFault, effect, shareWords } from './fault.ts';

export const volumeAttachFailing = defineFault({
  name: 'volume-attach-failing',
  title: 'Volume attach fails',
  target: 'control-plane',
  parameters: { share: { type: 'number', default: 1, min: 0, max: 1, description: 'share of the attempts that fail' } },
  describe: ({ parameters }) =>
    `${shareWords(parameters.number('share'))} of the attempts to attach or detach a volume fail: pods with volumes wait in ContainerCreating with FailedAttachVolume, and volumes stay on the nodes that they are on.`,
  effects: (_subject, parameters) => [effect(volumeAttachFailures, '', parameters.number('share'))],
});
