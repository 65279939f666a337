/** A machine is reset: its containers die, it boots at once and starts them again. */
import { nodeReset } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const nodeReboot = defineFault({
  name: 'node-reboot',
  title: 'Node reboot',
  target: 'nodes',
  parameters: {},
  describe: ({ target }, { graceMs }) =>
    `${capital(nodeWords(target))} is reset, once: containers die, it boots in 12 to 25 s, tells that it was rebooted, and starts its containers again. As long as it is back within the grace period of ${timeWords(graceMs)} nothing is evicted.`,
  effects: (node) => [effect(nodeReset, node, true)],
});

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
