/** The disk of a machine is slow: images take longer to arrive. */
import { diskSlowness } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords } from './fault.ts';

export const nodeDiskSlow = defineFault({
  name: 'node-disk-slow',
  title: 'Slow node disk',
  target: 'nodes',
  parameters: { factor: { type: 'number', default: 10, min: 1, max: 10_000, description: 'how many times longer it takes to write an image' } },
  describe: ({ target, parameters }) =>
    `Images are written ${parameters.number('factor')} times slower on ${nodeWords(target)}: containers whose image is not there wait longer in ContainerCreating.`,
  effects: (node, parameters) => [effect(diskSlowness, node, parameters.number('factor'))],
});
