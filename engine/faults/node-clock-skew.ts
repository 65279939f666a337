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
  describe: ({ target, parameters }, { graceMs }) => {
    const ms = parseDuration(parameters.text('offset')) ?? 0;
    const told = 'its lease, conditions, pods, Events and log stamps carry such times.';
    const old = `leases that are older than the last one are no sign of life: it is marked unreachable after the grace period of ${timeWords(graceMs)}, unless its kubelet tells its status before, and is back with that`;
    return ms < 0
      ? `The clock of ${nodeWords(target)} is ${timeWords(-ms)} behind: ${told} For once, ${old}.`
      : `The clock of ${nodeWords(target)} is ${timeWords(ms)} ahead: ${told} It stays Ready, because the control plane believes in change, not in clocks. When it is put right, ${old}.`;
  },
  effects: (node, parameters) => [effect(clockOffsetMs, node, parseDuration(parameters.text('offset')) ?? 0)],
});
