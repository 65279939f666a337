/** Watches tell late: components work with what was true a while ago. */
import { parseDuration } from '../apimachinery/time.ts';
import { watchLagMs } from '../base/fault-points.ts';
import { defineFault, effect, timeWords } from './fault.ts';
import { processParameter, processSubject, processWords } from './watch-processes.ts';

export const watchLag = defineFault({
  name: 'watch-lag',
  title: 'Watch lag',
  target: 'control-plane',
  parameters: {
    lag: { type: 'duration', default: '5s', min: '1ms', max: '10m', description: 'how much later a change is told' },
    process: processParameter,
  },
  describe: ({ parameters }) =>
    `Watches of ${processWords(parameters.text('process'))} tell of changes ${timeWords(parseDuration(parameters.text('lag')) ?? 0)} late: it acts on an old picture, meets conflicts and tries again.`,
  effects: (_subject, parameters) => [effect(watchLagMs, processSubject(parameters.text('process')), parseDuration(parameters.text('lag')) ?? 0)],
});
