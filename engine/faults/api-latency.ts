/** The API server answers late. */
import { parseDuration } from '../apimachinery/time.ts';
import { apiLatency, toMatch } from '../base/fault-points.ts';
import { defineFault, effect, timeWords } from './fault.ts';
import { matchParameters, matchWords } from './request-match.ts';

export const apiLatencyFault = defineFault({
  name: 'api-latency',
  title: 'API latency',
  target: 'control-plane',
  parameters: {
    delay: { type: 'duration', default: '2s', min: '1ms', max: '10m', description: 'more before a request is handled' },
    ...matchParameters,
  },
  describe: ({ parameters }) =>
    `${matchWords(parameters)} ${timeWords(parseDuration(parameters.text('delay')) ?? 0)} late in virtual time, of components and of clients outside alike. Requests of group sim.wavetank.dev, and what the page itself asks, are spared.`,
  effects: (_subject, parameters) => [
    effect(apiLatency, '', {
      match: toMatch(parameters.list('verbs'), parameters.list('resources'), parameters.text('user')),
      delayMs: parseDuration(parameters.text('delay')) ?? 0,
    }),
  ],
});
