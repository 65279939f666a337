/** The clock of a machine is wrong: what its kubelet reports carries times of its own. */
import { parseDuration } from '../apimachinery/time.ts';
import { clockOffsetMs } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const nodeClockSkew = defineFault({
  name: 'node-clock-skew',
  title: 'Node clock skew',
  target: 'nodes',
  parameters: {
    offset: { type: 'duration', default: '10m', min: '-24h', max: '24h', description: 'by how much the clock is ahead; negative when it is behind' },
  },
  describe: ({ target, parameters }) => {
    const ms = parseDuration(parameters.text('offset')) ?? 0;
    return `The clock of ${nodeWords(target)} is ${timeWords(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead'}: its lease and its conditions carry such times. It stays Ready, because the control plane believes in change, not in clocks.`;
  },
  effects: (node, parameters) => [effect(clockOffsetMs, node, parseDuration(parameters.text('offset')) ?? 0)],
});
