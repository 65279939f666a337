/** Owners of every kind, finalizers that hold things back, namespaces that go with all they contain. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { any, anyOf, apps, ask, batch, core, merge, named, namespace, pathOf, pick, policies, policy, type Swarm, type Theme } from '../draw.ts';
import { aDeployment } from '../../support/cluster.ts';
import { deleteBy, deleteOwner } from './workloads.ts';
import { controllerUid, type Thing } from '../world.ts';

export const belonging: Theme = {
  name: 'belonging',
  begin: (swarm) => {
    for (let i = 0; i < 4; i++) ask(swarm, 'POST', `${core}/namespaces/default/configmaps`, configMap(`owner-${i}`, []));
    team(swarm);
  },
  acts: [
    (swarm) => ask(swarm, 'POST', `${core}/namespaces/default/configmaps`, configMap(`owner-${swarm.below(4)}`, [])),
    owned,
    owned,
    owned,
    (swarm) => deleteConfigMap(swarm),
    (swarm) => deleteConfigMap(swarm),
    hold,
    hold,
    release,
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'pods')),
    (swarm) => deleteOwner(swarm, 'deployments'),
    (swarm) => ask(swarm, 'POST', `${apps}/namespaces/default/deployments`, aDeployment(named(swarm, 'web'), swarm.below(4))),
    rival,
    rival,
    team,
    (swarm) => ask(swarm, 'DELETE', `${core}/namespaces/team`),
  ],
};

function configMap(name: string, ownerReferences: readonly object[]): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(ownerReferences.length === 0 ? {} : { ownerReferences }) } };
}

/** One or two owners, of which any may go first. */
function owned(swarm: Swarm): void {
  const owners = swarm.world.all('configmaps', 'default').filter(({ metadata }) => metadata.name?.startsWith('owner-'));
  if (owners.length === 0) return;
  const chosen = new Set([pick(swarm, owners), pick(swarm, owners)]);
  const references = [...chosen].map(({ metadata }) => {
    return { apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid, blockOwnerDeletion: swarm.below(2) === 0 };
  });
  ask(swarm, 'POST', `${core}/namespaces/default/configmaps`, configMap(`owned-${swarm.below(12)}`, references));
}

/** A set whose selector takes in pods that another controller has: they are none of its business. */
function rival(swarm: Swarm): void {
  const pod = anyOf<Pod>(swarm, 'pods');
  const app = pod?.metadata.labels?.['app'];
  if (pod === undefined || app === undefined || controllerUid(pod) === undefined) return;
  const labels = { app };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } };
  ask(swarm, 'POST', `${apps}/namespaces/${pod.metadata.namespace}/replicasets`, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: named(swarm, 'rival') },
    spec: { replicas: 1 + swarm.below(2), selector: { matchLabels: labels }, template },
  });
}

function deleteConfigMap(swarm: Swarm): void {
  const owners = swarm.world.all('configmaps', 'default').filter(({ metadata }) => metadata.name?.startsWith('own'));
  if (owners.length === 0) return;
  deleteBy(swarm, core, 'configmaps', pick(swarm, owners), pick(swarm, policies));
}

const holdable = [
  [core, 'pods', 'pods'],
  [core, 'configmaps', 'configmaps'],
  [apps, 'deployments', 'deployments'],
  [core, 'services', 'services/specs'],
] as const;

function hold(swarm: Swarm): void {
  const [base, resource, prefix] = pick(swarm, holdable);
  const one = anyOf(swarm, prefix);
  if (one === undefined || one.metadata.deletionTimestamp !== undefined) return;
  const finalizers = [...(one.metadata.finalizers ?? []), 'example.com/hold'];
  ask(swarm, 'PATCH', pathOf(base, resource, one), { metadata: { finalizers } }, merge);
}

/** What is held is deleted, and released by another request later on. */
function release(swarm: Swarm): void {
  for (const [base, resource, prefix] of holdable) {
    for (const thing of swarm.world.all(prefix)) {
      if (thing.metadata.finalizers?.includes('example.com/hold') !== true) continue;
      if (thing.metadata.deletionTimestamp === undefined) askToGo(swarm, base, resource, prefix, thing);
      else letGo(swarm, base, resource, prefix, thing);
    }
  }
}

function askToGo(swarm: Swarm, base: string, resource: string, prefix: string, thing: Thing): void {
  const { status } = ask(swarm, 'DELETE', pathOf(base, resource, thing));
  if (status < 300 && swarm.world.get(prefix, thing.metadata.namespace, thing.metadata.name ?? '') === undefined)
    swarm.complain(
      'finalizers are honoured',
      `${resource} ${thing.metadata.name} was removed at once under ${thing.metadata.finalizers?.join(', ')}`,
    );
}

export function letGo(swarm: Swarm, base: string, resource: string, prefix: string, { metadata }: Thing): void {
  const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== 'example.com/hold');
  const key = `/registry/${prefix}/${metadata.namespace}/${metadata.name}`;
  swarm.promises.released.add(key);
  ask(swarm, 'PATCH', `${base}/namespaces/${metadata.namespace}/${resource}/${metadata.name}`, { metadata: { finalizers } }, merge);
  swarm.promises.released.delete(key);
}

/** Lets everything go that is still held, so that the cluster can come to rest. */
export function releaseAll(swarm: Swarm): void {
  for (const [base, resource, prefix] of holdable)
    for (const thing of swarm.world.all(prefix))
      if (thing.metadata.finalizers?.includes('example.com/hold') === true) letGo(swarm, base, resource, prefix, thing);
}

/** A namespace with something of many kinds in it. */
function team(swarm: Swarm): void {
  namespace(swarm, 'team');
  const meta = (name: string): object => ({ metadata: { name } });
  const inTeam = `namespaces/team`;
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  ask(swarm, 'POST', `${core}/${inTeam}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', ...meta('settings') });
  ask(swarm, 'POST', `${core}/${inTeam}/secrets`, { apiVersion: 'v1', kind: 'Secret', ...meta('keys') });
  ask(swarm, 'POST', `${core}/${inTeam}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    ...meta('web'),
    spec: { clusterIP: 'None', selector: { app: 'web-0' } },
  });
  ask(swarm, 'POST', `${apps}/${inTeam}/deployments`, aDeployment('web-0', 2));
  ask(swarm, 'POST', `${policy}/${inTeam}/poddisruptionbudgets`, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    ...meta('web'),
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web-0' } } },
  });
  ask(swarm, 'POST', `/apis/rbac.authorization.k8s.io/v1/${inTeam}/roles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    ...meta('reader'),
    rules,
  });
  ask(swarm, 'POST', `${batch}/${inTeam}/cronjobs`, {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    ...meta('tick'),
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 20'] }] } } },
      },
    },
  });
}
