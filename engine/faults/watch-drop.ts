/** Streams of watches break, and are taken up again where they ended: nothing is lost, but it comes late. */
import { watchBreaks } from '../base/fault-points.ts';
import { defineFault, effect, shareWords } from './fault.ts';
import { processParameter, processSubject, processWords } from './watch-processes.ts';

export const watchDrop = defineFault({
  name: 'watch-drop',
  title: 'Watch drops',
  target: 'control-plane',
  parameters: {
    share: { type: 'number', default: 0.5, min: 0, max: 0.99, description: 'share of deliveries at which the stream breaks instead' },
    process: processParameter,
  },
  describe: ({ parameters }) =>
    `At ${shareWords(parameters.number('share'))} of deliveries the watch streams of ${processWords(parameters.text('process'))} break. They are taken up again 0.8 s later where they ended: nothing is lost, but it comes late.`,
  effects: (_subject, parameters) => [effect(watchBreaks, processSubject(parameters.text('process')), parameters.number('share'))],
});
