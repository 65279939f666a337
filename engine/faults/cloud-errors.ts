/** The cloud provider fails calls. */
import { cloudErrors } from '../base/fault-points.ts';
import { operationsOf, operationsParameter, operationWords } from './cloud-calls.ts';
import { defineFault, effect, shareWords } from './fault.ts';

export const cloudErrorsFault = defineFault({
  name: 'cloud-errors',
  title: 'Cloud errors',
  target: 'control-plane',
  needs: 'cloud',
  parameters: {
    operations: operationsParameter,
    reason: {
      type: 'choice',
      default: 'InternalError',
      values: ['InternalError', 'Unauthorized', 'Unavailable', 'QuotaExceeded', 'RateLimitExceeded'],
      description: 'what the provider answers',
    },
    share: { type: 'number', default: 1, min: 0, max: 1, description: 'share of the calls that fail' },
  },
  describe: ({ parameters }) =>
    `${shareWords(parameters.number('share'))} of ${operationWords(parameters)} fail with ${parameters.text('reason')}: controllers try again with back-off, load balancers from 5 s to 5 min.`,
  effects: (_subject, parameters) => [
    effect(cloudErrors, '', { ...operationsOf(parameters), reason: parameters.text('reason'), share: parameters.number('share') }),
  ],
});
