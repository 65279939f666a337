/** An image registry does not answer: pulls from it fail and are tried again with back-off. Images that a node has are not touched. */
import { registryDown } from '../base/fault-points.ts';
import { defineFault, effect } from './fault.ts';

export const imageRegistryDown = defineFault({
  name: 'image-registry-down',
  title: 'Image registry down',
  target: 'image-registry',
  parameters: {},
  describe: ({ target: { host } }) =>
    `${host ? `The registry ${host} does` : 'Image registries do'} not answer: containers whose image is not on their node wait in ErrImagePull and ImagePullBackOff, which doubles from 10 s to 300 s.`,
  effects: (host) => [effect(registryDown, host, true)],
});
