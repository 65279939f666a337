/** The cloud provider takes only so many calls a second. */
import { cloudCallsPerSecond } from '../base/fault-points.ts';
import { defineFault, effect } from './fault.ts';

export const cloudRateLimit = defineFault({
  name: 'cloud-rate-limit',
  title: 'Cloud rate limit',
  target: 'control-plane',
  needs: 'cloud',
  parameters: {
    callsPerSecond: { type: 'integer', default: 0, min: 0, max: 10_000, description: 'calls that are taken in each second; 0 takes none' },
  },
  describe: ({ parameters }) =>
    `The provider takes ${parameters.number('callsPerSecond')} calls a second: further ones are refused with RateLimitExceeded and tried again with back-off.`,
  effects: (_subject, parameters) => [effect(cloudCallsPerSecond, '', parameters.number('callsPerSecond'))],
});
