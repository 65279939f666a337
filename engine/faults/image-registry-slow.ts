/** An image registry is slow: pulls from it take longer. */
import { registrySlowness } from '../base/fault-points.ts';
import { defineFault, effect } from './fault.ts';

export const imageRegistrySlow = defineFault({
  name: 'image-registry-slow',
  title: 'Image registry slow',
  target: 'image-registry',
  parameters: { factor: { type: 'number', default: 20, min: 1, max: 10_000, description: 'how many times longer an answer and a download take' } },
  describe: ({ target: { host }, parameters }) =>
    `Pulls from ${host ? `the registry ${host}` : 'every registry'} take ${parameters.number('factor')} times as long: containers whose image is not on their node wait in ContainerCreating, and those behind them on that node too.`,
  effects: (host, parameters) => [effect(registrySlowness, host, parameters.number('factor'))],
});
