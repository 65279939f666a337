/** The store takes its time for writes, as etcd on a bad disk. */
import { parseDuration } from '../apimachinery/time.ts';
import { storeLatencyMs } from '../base/fault-points.ts';
import { defineFault, effect, timeWords } from './fault.ts';

export const storeLatency = defineFault({
  name: 'store-latency',
  title: 'Store latency',
  target: 'control-plane',
  parameters: { delay: { type: 'duration', default: '1s', min: '1ms', max: '10m', description: 'more for each write' } },
  describe: ({ parameters }) =>
    `Every write of a component of the cluster takes ${timeWords(parseDuration(parameters.text('delay')) ?? 0)} longer; reads are as quick as ever. Clients outside are not delayed.`,
  effects: (_subject, parameters) => [effect(storeLatencyMs, '', parseDuration(parameters.text('delay')) ?? 0)],
});
