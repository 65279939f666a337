/** The cloud provider's quota is used up: nothing new of a kind is made beyond it; what is there stays. */
import { cloudQuota } from '../base/fault-points.ts';
import type { CloudQuotaKind } from '../contracts/cloud.ts';
import { defineFault, effect } from './fault.ts';

const kinds: readonly CloudQuotaKind[] = ['load-balancers', 'routes', 'disks'];

export const cloudQuotaFault = defineFault({
  name: 'cloud-quota',
  title: 'Cloud quota',
  target: 'control-plane',
  needs: 'cloud',
  parameters: {
    counted: { type: 'choice', default: 'load-balancers', values: kinds, description: 'what is counted' },
    limit: { type: 'integer', default: 0, min: 0, max: 100_000, description: 'how many there may be' },
  },
  describe: ({ parameters }) =>
    `The provider makes no more than ${parameters.number('limit')} ${parameters.text('counted').replace('-', ' ')}: further ones are refused with QuotaExceeded and tried again with back-off; what is there stays.`,
  effects: (_subject, parameters) => [effect(cloudQuota, parameters.text('counted'), parameters.number('limit'))],
});
