/** Attaching and detaching volumes takes long. */
import { volumeAttachSlowness } from '../base/fault-points.ts';
import { defineFault, effect } from './fault.ts';

export const volumeAttachSlow = defineFault({
  name: 'volume-attach-slow',
  title: 'Slow volume attach',
  target: 'control-plane',
  parameters: {
    factor: { type: 'number', default: 20, min: 1, max: 10_000, description: 'how many times longer it takes to attach or detach a volume' },
  },
  describe: ({ parameters }) =>
    `Attaching and detaching volumes takes ${parameters.number('factor')} times as long: pods with volumes wait in ContainerCreating, and are told so every two minutes.`,
  effects: (_subject, parameters) => [effect(volumeAttachSlowness, '', parameters.number('factor'))],
});
