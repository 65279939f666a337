/** The cloud provider answers late. */
import { parseDuration } from '../apimachinery/time.ts';
import { cloudLatency } from '../base/fault-points.ts';
import { operationsOf, operationsParameter, operationWords } from './cloud-calls.ts';
import { defineFault, effect, timeWords } from './fault.ts';

export const cloudSlow = defineFault({
  name: 'cloud-slow',
  title: 'Slow cloud',
  target: 'control-plane',
  needs: 'cloud',
  parameters: {
    delay: { type: 'duration', default: '10s', min: '1ms', max: '10m', description: 'how much later each call is answered' },
    operations: operationsParameter,
  },
  describe: ({ parameters }) =>
    `Answers to ${operationWords(parameters)} come ${timeWords(parseDuration(parameters.text('delay')) ?? 0)} late: load balancers stay pending, volumes attach late, nodes wait to be initialized.`,
  effects: (_subject, parameters) => [
    effect(cloudLatency, '', { ...operationsOf(parameters), delayMs: parseDuration(parameters.text('delay')) ?? 0 }),
  ],
});
