/** The client certificate of a kubelet runs out: the API server knows it no longer, until it has a new one. */
import { credentialsExpired } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const nodeCertificateExpired = defineFault({
  name: 'node-certificate-expired',
  title: 'Node certificate expired',
  target: 'nodes',
  parameters: {},
  describe: ({ target }, { graceMs, evictionMs }) =>
    `The client certificate of the kubelet of ${nodeWords(target)} runs out: the API server answers whatever it asks with 401, and containers run on. After the grace period of ${timeWords(graceMs)} it is marked unreachable and its pods not ready; ${timeWords(evictionMs)} later they are evicted.`,
  effects: (node) => [effect(credentialsExpired, node, true)],
});
