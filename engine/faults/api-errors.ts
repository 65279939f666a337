/** The API server fails requests. Those of group sim.wavetank.dev are spared, so that the fault can be healed. */
import { apiErrors, toMatch } from '../base/fault-points.ts';
import { defineFault, effect, shareWords } from './fault.ts';
import { matchParameters, matchWords } from './request-match.ts';

export const apiErrorsFault = defineFault({
  name: 'api-errors',
  title: 'API errors',
  target: 'control-plane',
  parameters: {
    code: { type: 'choice', default: '500', values: ['429', '500', '503', '504'], description: 'HTTP status of the answer' },
    share: { type: 'number', default: 0.5, min: 0, max: 1, description: 'share of the requests that fail' },
    ...matchParameters,
  },
  describe: ({ parameters }) =>
    `${matchWords(parameters, shareWords(parameters.number('share')))} with ${parameters.text('code')}, of components and of clients outside alike. Requests of group sim.wavetank.dev are spared.`,
  effects: (_subject, parameters) => [
    effect(apiErrors, '', {
      match: toMatch(parameters.list('verbs'), parameters.list('resources'), parameters.text('user')),
      code: Number(parameters.text('code')),
      share: parameters.number('share'),
    }),
  ],
});
