/** Quotas, limit ranges, disruption budgets and evictions. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { PodDisruptionBudget } from '../../../engine/api/policy/v1/types.gen.ts';
import { budgetsOf, verdictOf } from '../checkers/budgets.ts';
import { aDeployment } from '../../support/cluster.ts';
import {
  any,
  anyNode,
  anyOf,
  apps,
  ask,
  batch,
  core,
  inside,
  merge,
  named,
  namespace,
  pathOf,
  pick,
  policy,
  type Swarm,
  type Theme,
} from '../draw.ts';
import { deaf } from './workloads.ts';

export const quotas: Theme = {
  name: 'quotas',
  begin: (swarm) => {
    namespace(swarm, 'team');
    ask(swarm, 'POST', `${core}/namespaces/team/resourcequotas`, quota(swarm));
    ask(swarm, 'POST', `${core}/namespaces/team/limitranges`, limitRange(swarm));
    openShelf(swarm);
  },
  acts: [
    (swarm) => ask(swarm, 'POST', inside(swarm, core, 'resourcequotas'), quota(swarm)),
    (swarm) => ask(swarm, 'PATCH', any(swarm, core, 'resourcequotas'), { spec: { hard: hard(swarm) } }, merge),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'resourcequotas')),
    (swarm) => ask(swarm, 'POST', `${core}/namespaces/team/limitranges`, limitRange(swarm)),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'limitranges')),
    createUnderLimits,
    createUnderLimits,
    (swarm) => ask(swarm, 'POST', `${apps}/namespaces/team/deployments`, aDeployment(named(swarm, 'web'), swarm.below(9))),
    (swarm) => ask(swarm, 'PATCH', `${any(swarm, apps, 'deployments')}/scale`, { spec: { replicas: swarm.below(12) } }, merge),
    (swarm) =>
      ask(swarm, 'POST', `${core}/namespaces/team/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: named(swarm, 'cm') } }),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'pods')),
    (swarm) => ask(swarm, 'DELETE', any(swarm, batch, 'jobs')),
    stock,
    clear,
    clear,
  ],
};

/** A namespace where things come and go one at a time, calm enough in between for its quota to be judged. */
const shelf = 'shelf';

function openShelf(swarm: Swarm): void {
  namespace(swarm, shelf);
  const hard = { 'count/configmaps': '6', services: '2' };
  ask(swarm, 'POST', `${core}/namespaces/${shelf}/resourcequotas`, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: shelf },
    spec: { hard },
  });
  for (let i = 0; i < 4; i++) stock(swarm);
}

function stock(swarm: Swarm): void {
  const metadata = { name: named(swarm, 'thing') };
  if (swarm.below(3) > 0) ask(swarm, 'POST', `${core}/namespaces/${shelf}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  else ask(swarm, 'POST', `${core}/namespaces/${shelf}/services`, { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } });
}

function clear(swarm: Swarm): void {
  const [resource, prefix] = pick(swarm, [['configmaps', 'configmaps'] as const, ['services', 'services/specs'] as const]);
  const things = swarm.world.all(prefix, shelf).filter(({ metadata }) => metadata.name?.startsWith('thing') === true);
  if (things.length > 0) ask(swarm, 'DELETE', pathOf(core, resource, pick(swarm, things)));
}

export const budgets: Theme = {
  name: 'budgets',
  begin: (swarm) => {
    for (const name of ['web-0', 'web-1', 'web-2']) {
      ask(swarm, 'POST', `${apps}/namespaces/default/deployments`, deaf(name, 2 + swarm.below(4)));
      ask(swarm, 'POST', `${policy}/namespaces/default/poddisruptionbudgets`, budget(swarm, name));
    }
  },
  acts: [
    (swarm) => ask(swarm, 'POST', `${policy}/namespaces/default/poddisruptionbudgets`, budget(swarm, named(swarm, 'web'))),
    (swarm) =>
      ask(swarm, 'PATCH', any(swarm, policy, 'poddisruptionbudgets'), { spec: { minAvailable: 1 + swarm.below(4), maxUnavailable: null } }, merge),
    (swarm) => ask(swarm, 'DELETE', any(swarm, policy, 'poddisruptionbudgets')),
    (swarm) => ask(swarm, 'PATCH', `${any(swarm, apps, 'deployments')}/scale`, { spec: { replicas: swarm.below(7) } }, merge),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'pods')),
    evict,
    evict,
    insist,
    drain,
    drain,
  ],
};

/** Evictions are judged where they are asked for: the world stands still meanwhile. */
export function evict(swarm: Swarm): void {
  const guarded = swarm.world.all<Pod>('pods', 'default').filter((each) => budgetsOf(each, swarm.world).length === 1);
  const pod = guarded.length > 0 && swarm.below(4) > 0 ? pick(swarm, guarded) : anyOf<Pod>(swarm, 'pods');
  if (pod !== undefined) evictOne(swarm, pod);
}

/** Who is refused asks again, and for another one, while the budget allows none. */
function insist(swarm: Swarm): void {
  const pods = swarm.world.all<Pod>('pods', 'default').filter((pod) => budgetsOf(pod, swarm.world).length === 1);
  for (const pod of pods) if (pod.metadata.deletionTimestamp === undefined && swarm.below(2) === 0) evictOne(swarm, pod);
}

/** As an operator does: everything on a node, one after the other, until a budget says no. */
function drain(swarm: Swarm): void {
  const node = anyNode(swarm);
  for (const pod of swarm.world.all<Pod>('pods', 'default')) if (pod.spec?.nodeName === node) evictOne(swarm, pod);
}

function evictOne(swarm: Swarm, pod: Pod): void {
  const { namespace, name = '' } = pod.metadata;
  const verdict = verdictOf(pod, swarm.world);
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } };
  const { status } = ask(swarm, 'POST', `${pathOf(core, 'pods', pod)}/eviction`, body);
  const complain = (why: string): void => swarm.complain('evictions keep to budgets', `${namespace}/${name} was evicted (${status}) and ${why}`);
  if (verdict.type === 'refused' && status !== 429) complain('its budget allows none');
  if (verdict.type !== 'charged' || status >= 300) return;
  const before = verdict.budget.status;
  const after = swarm.world.get<PodDisruptionBudget>('poddisruptionbudgets', namespace, verdict.budget.metadata.name ?? '')?.status;
  if (after?.disruptionsAllowed !== (before?.disruptionsAllowed ?? 0) - 1) complain(`its budget still allows ${after?.disruptionsAllowed}`);
  if (after?.disruptedPods?.[name] === undefined) complain('its budget does not know');
}

/** Pods that ask for nothing, for little, for much: what a limit range gives and forbids. */
function createUnderLimits(swarm: Swarm): void {
  for (const cpu of [undefined, '10m', '100m', '700m', '3']) {
    if (swarm.below(3) === 0) continue;
    const container = { name: 'c', image: 'nginx:1.27', ...(cpu === undefined ? {} : { resources: { requests: { cpu }, limits: { cpu } } }) };
    ask(swarm, 'POST', `${core}/namespaces/team/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { generateName: 'pod-' },
      spec: { containers: [container] },
    });
  }
}

function quota(swarm: Swarm): object {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: named(swarm, 'quota') }, spec: { hard: hard(swarm) } };
}

function hard(swarm: Swarm): object {
  return pick<object>(swarm, [
    { pods: String(1 + swarm.below(6)) },
    { pods: String(2 + swarm.below(6)), services: '1' },
    { 'requests.cpu': pick(swarm, ['25m', '350m', '2']) },
    { 'requests.memory': '48Mi', configmaps: '3' },
    { 'count/configmaps': '3', 'count/deployments.apps': '2', 'count/jobs.batch': '1' },
  ]);
}

function limitRange(swarm: Swarm): object {
  const limit = {
    type: 'Container',
    default: { cpu: '200m' },
    defaultRequest: { cpu: '50m' },
    max: { cpu: pick(swarm, ['500m', '2']) },
    min: { cpu: '20m' },
  };
  return { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: named(swarm, 'limits') }, spec: { limits: [limit] } };
}

function budget(swarm: Swarm, app: string): object {
  const wish = pick<object>(swarm, [{ minAvailable: 1 + swarm.below(3) }, { maxUnavailable: 1 }, { minAvailable: '50%' }, { maxUnavailable: '30%' }]);
  const spec = { selector: { matchLabels: { app } }, ...wish };
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: `pdb-${app}` }, spec };
}
