/** The network of a machine is slow or loses packets: what its kubelet asks and tells takes longer, or times out. */
import { parseDuration } from '../apimachinery/time.ts';
import { linkDelayMs, linkLoss } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, shareWords, timeWords } from './fault.ts';

export const nodeNetworkSlow = defineFault({
  name: 'node-network-slow',
  title: 'Slow node network',
  target: 'nodes',
  parameters: {
    delay: { type: 'duration', default: '500ms', min: '0s', max: '5m', description: 'more for each way of a request' },
    loss: { type: 'number', default: 0, min: 0, max: 1, description: 'share of packets that are lost, and sent again after 200 ms, doubling' },
  },
  describe: ({ target, parameters }, { graceMs }) =>
    `Every request of ${nodeWords(target)} takes ${timeWords(2 * (parseDuration(parameters.text('delay')) ?? 0))} longer, and ${shareWords(parameters.number('loss'))} of its packets are lost and sent again. When its lease is not renewed within ${timeWords(graceMs)} it is marked unreachable.`,
  effects: (node, parameters) => [
    effect(linkDelayMs, node, parseDuration(parameters.text('delay')) ?? 0),
    effect(linkLoss, node, parameters.number('loss')),
  ],
});
