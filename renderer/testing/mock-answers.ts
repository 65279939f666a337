/** What the pretend cluster answers of one object: why it changed, and where the scheduler would have it. */
import type { CauseLink } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { iso, sim, startMs } from './mock-cluster.ts';

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

/** The change of that revision, as far as the chain of causes knows it. */
export function change(revision: number): object | undefined {
  const { links } = causes('pods/shop/checkout-0-7d4b9c-0000') as { readonly links: readonly CauseLink[] };
  const at = links.findIndex((link) => link.revision === revision);
  const link = links[at];
  if (link?.object === undefined || link.ms === undefined) return undefined;
  const { object, ms, by = '', action = 'update', text } = link;
  const [resource = '', namespace = '', name = ''] = object.split('/');
  const kinds: ReadonlyMap<string, string> = new Map([
    ['pods', 'Pod'],
    ['replicasets.apps', 'ReplicaSet'],
    ['deployments.apps', 'Deployment'],
  ]);
  const subject = { apiVersion: 'v1', kind: kinds.get(resource) ?? '', namespace, name, uid: '', row: object };
  const fields = action === 'create' ? [{ path: 'metadata.name', after: name }] : [{ path: 'status.phase', before: 'Pending', after: 'Running' }];
  const status = { revision, ms, time: new Date(ms).toISOString(), verb: action, subject, username: by, actor: by, summary: text, facts: [], fields };
  return { apiVersion: sim, kind: 'Change', metadata: { name: String(revision) }, status: { ...status, causes: links.slice(at + 1, at + 2) } };
}

export function matrix(name: string, node: string | null): object {
  const row = (nodes: readonly string[], values: readonly number[]) => ({
    ...{ verdict: nodes[0] === 'pool-0' ? 'Chosen' : 'Feasible', count: nodes.length, nodes, values, raw: [90, 0, 87, 5] },
    total: values.reduce((sum, value) => sum + value, 0),
  });
  return {
    apiVersion: sim,
    kind: 'SchedulingMatrix',
    metadata: { name, namespace: 'shop' },
    status: {
      ...{ attempt: 1, attempts: [1], time: iso(startMs + 4200), result: 'scheduled', node: 'pool-0', evaluatedNodes: 30, feasibleNodes: 28 },
      skipped: ['NodePorts', 'VolumeZone'],
      plugins: ['NodeResourcesBalancedAllocation', 'ImageLocality', 'NodeResourcesFit', 'PodTopologySpread'],
      weights: [1, 1, 1, 2],
      groups: [
        row(['pool-0'], [94, 0, 90, 200]),
        row(['pool-3', 'pool-6', 'pool-9', 'pool-12'], [90, 0, 87, 180]),
        { verdict: 'Feasible', count: 23, nodes: [] },
        { verdict: 'Filtered', count: 1, nodes: ['pool-7'], plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu'] },
        { verdict: 'Filtered', count: 1, nodes: ['pool-11'], plugin: 'TaintToleration', reasons: ['node(s) had untolerated taint'] },
      ],
      ...(node === null ? {} : { asked: { node, verdict: 'Filtered', text: `NodeResourcesFit turned ${node} away: Insufficient cpu.` } }),
    },
  };
}
