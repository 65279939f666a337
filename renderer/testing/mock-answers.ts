/** What the pretend cluster answers of one object: why it changed, and where the scheduler would have it. */
import { sim, startMs } from './mock-cluster.ts';

export function causes(object: string): object {
  const owner = 'replicasets.apps/shop/checkout-0-7d4b9c';
  return {
    apiVersion: sim,
    kind: 'CauseChain',
    metadata: { name: 'of' },
    links: [
      {
        type: 'write',
        revision: 5002,
        ms: startMs + 7000,
        object,
        action: 'update',
        by: 'system:node:pool-0',
        text: 'kubelet of pool-0 reported the containers ready',
      },
      { type: 'timer', ms: startMs + 6900, text: 'the readiness probe succeeded' },
      {
        type: 'write',
        revision: 5000,
        ms: startMs + 4000,
        object,
        action: 'create',
        by: 'replicaset-controller',
        text: 'replicaset-controller created the pod',
      },
      {
        type: 'write',
        revision: 2001,
        ms: startMs + 3040,
        object: owner,
        action: 'create',
        by: 'deployment-controller',
        text: 'deployment-controller created replicaset checkout-0-7d4b9c',
      },
      {
        type: 'input',
        revision: 2000,
        ms: startMs + 3000,
        object: 'deployments.apps/shop/checkout-0',
        action: 'create',
        by: 'kubernetes-admin',
        text: 'kubernetes-admin created deployment checkout-0',
      },
    ],
  };
}

export function decision(name: string): object {
  return {
    apiVersion: sim,
    kind: 'SchedulingDecision',
    metadata: { name },
    attempts: [
      {
        pod: `shop/${name}`,
        uid: '',
        schedulerName: 'default-scheduler',
        virtualMs: startMs + 4200,
        attempt: 1,
        result: 'scheduled',
        node: 'pool-0',
        evaluatedNodes: 30,
        feasibleNodes: 28,
        filtered: {
          NodeResourcesFit: { 'Insufficient cpu': { count: 1, nodes: ['pool-7'] } },
          TaintToleration: { 'node(s) had untolerated taint {node.kubernetes.io/not-ready: }': { count: 1, nodes: ['pool-11'] } },
        },
        scores: {
          plugins: ['NodeResourcesBalancedAllocation', 'ImageLocality', 'NodeResourcesFit', 'PodTopologySpread'],
          weights: [1, 1, 1, 2],
          nodes: ['pool-0', 'pool-3', 'pool-6', 'pool-9'],
          raw: [1, 1, 3, 5].map((raw) => [90, 0, 87, raw]),
          values: [
            [94, 0, 90, 200],
            [94, 0, 88, 200],
            [90, 0, 87, 180],
            [88, 0, 80, 160],
          ],
        },
      },
    ],
  };
}
