/** Deployments, their pods and services: what every cluster does all day. */
import { aDeployment } from '../../support/cluster.ts';
import {
  any,
  anyNode,
  anyOf,
  apps,
  core,
  images,
  inside,
  merge,
  named,
  namespace,
  pathOf,
  pick,
  policies,
  scripts,
  strategic,
  type Swarm,
  type Theme,
  ask,
} from '../draw.ts';
import type { Thing } from '../world.ts';

export const workloads: Theme = {
  name: 'workloads',
  begin: openLobby,
  acts: [
    (swarm) => ask(swarm, 'POST', inside(swarm, apps, 'deployments'), aDeployment(named(swarm, 'web'), swarm.below(8), pick(swarm, images))),
    (swarm) => ask(swarm, 'POST', inside(swarm, apps, 'deployments'), probed(swarm)),
    (swarm) => ask(swarm, 'POST', inside(swarm, apps, 'deployments'), slowToGo(swarm)),
    (swarm) => ask(swarm, 'PATCH', `${any(swarm, apps, 'deployments')}/scale`, { spec: { replicas: swarm.below(10) } }, merge),
    newImage,
    newImage,
    (swarm) => deleteOwner(swarm, 'deployments'),
    (swarm) => deleteOwner(swarm, 'replicasets'),
    (swarm) => ask(swarm, 'POST', inside(swarm, core, 'pods'), oddPod(swarm)),
    (swarm) => ask(swarm, 'DELETE', `${any(swarm, core, 'pods')}?gracePeriodSeconds=${1 + swarm.below(4)}`),
    relabel,
    (swarm) => ask(swarm, 'POST', inside(swarm, core, 'services'), service(swarm)),
    (swarm) => ask(swarm, 'POST', inside(swarm, core, 'services'), service(swarm)),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'services', 'services/specs')),
    leaveLobby,
    leaveLobby,
  ],
};

/** A namespace that only `leaveLobby` touches, so that it is calm enough to be judged: pods that never get ready, and pods that go slowly. */
const lobby = 'lobby';

function openLobby(swarm: Swarm): void {
  namespace(swarm, lobby);
  const shut = aDeployment('shut', 2) as Template;
  shut.spec.template.spec.containers = [{ ...shut.spec.template.spec.containers[0], readinessProbe: { httpGet: { path: '/missing', port: 80 } } }];
  for (const body of [shut, deaf('leaving', 3, 45)]) ask(swarm, 'POST', `${apps}/namespaces/${lobby}/deployments`, body);
  for (const name of ['shut', 'leaving']) {
    const spec = { selector: { app: name }, ports: [{ port: 80 }] };
    ask(swarm, 'POST', `${core}/namespaces/${lobby}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
  }
}

/** One of its pods is asked to go and takes its time, ready all the while. */
function leaveLobby(swarm: Swarm): void {
  const staying = swarm.world.all('pods', lobby).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (staying.length > 0) ask(swarm, 'DELETE', pathOf(core, 'pods', pick(swarm, staying)));
}

/** Orphans are promised in `default` only: a namespace that goes takes everything along. */
export function deleteOwner(swarm: Swarm, resource: string, base = apps): void {
  const owner = anyOf(swarm, resource);
  const policy = pick(swarm, policies);
  if (owner !== undefined) deleteBy(swarm, base, resource, owner, policy);
}

export function deleteBy(swarm: Swarm, base: string, resource: string, owner: Thing, policy: string): void {
  const { uid = '', namespace, deletionTimestamp } = owner.metadata;
  if (policy === 'Background') swarm.promises.inBackground.add(uid);
  const { status } = ask(swarm, 'DELETE', `${pathOf(base, resource, owner)}?propagationPolicy=${policy}`);
  swarm.promises.inBackground.delete(uid);
  if (status >= 300) return;
  if (policy === 'Orphan' && deletionTimestamp === undefined && namespace === 'default') swarm.promises.orphaned.set(uid, swarm.world.nowMs);
  else swarm.promises.orphaned.delete(uid);
}

function newImage(swarm: Swarm): void {
  const template = { spec: { containers: [{ name: 'c', image: pick(swarm, images) }] } };
  ask(swarm, 'PATCH', any(swarm, apps, 'deployments'), { spec: { template } }, strategic);
}

/** Takes a pod out of its set and its services, or back in. */
function relabel(swarm: Swarm): void {
  ask(swarm, 'PATCH', any(swarm, core, 'pods'), { metadata: { labels: { app: pick(swarm, ['stray', named(swarm, 'web')]) } } }, merge);
}

function service(swarm: Swarm): object {
  const spec = { selector: { app: named(swarm, 'web') }, ports: [{ port: 80 }], type: pick(swarm, ['ClusterIP', 'NodePort']) };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: named(swarm, 'svc') }, spec };
}

interface Template {
  readonly spec: { readonly template: { readonly spec: { containers: object[] } } };
}

function probed(swarm: Swarm): object {
  const base = aDeployment(named(swarm, 'web'), 1 + swarm.below(3)) as Template;
  const probe = { httpGet: { path: pick(swarm, ['/', '/missing']), port: pick(swarm, [80, 81]) }, periodSeconds: 2, failureThreshold: 2 };
  const kind = pick(swarm, ['readinessProbe', 'livenessProbe', 'startupProbe']);
  base.spec.template.spec.containers = [{ ...base.spec.template.spec.containers[0], [kind]: probe }];
  return base;
}

function slowToGo(swarm: Swarm): object {
  return deaf(named(swarm, 'web'), 1 + swarm.below(5), pick(swarm, [5, 20, 45]));
}

/** Its shell does not hear SIGTERM: its pods stay Terminating, and ready, for all their grace. */
export function deaf(name: string, replicas: number, terminationGracePeriodSeconds = 30): object {
  const base = aDeployment(name, replicas, 'busybox') as Template;
  base.spec.template.spec.containers = [{ ...base.spec.template.spec.containers[0], command: ['sh', '-c', 'sleep 3600'] }];
  Object.assign(base.spec.template.spec, { terminationGracePeriodSeconds });
  return base;
}

function oddPod(swarm: Swarm): object {
  const odd = pick<object>(swarm, [
    {},
    { nodeName: anyNode(swarm) },
    { nodeName: 'nowhere' },
    { nodeSelector: { disk: 'none' } },
    { hostNetwork: true },
    { schedulingGates: [{ name: 'example.com/wait' }] },
    { terminationGracePeriodSeconds: 0 },
    { activeDeadlineSeconds: 7 },
    { initContainers: [{ name: 'i', image: 'busybox', command: ['sh', '-c', pick(swarm, scripts)] }] },
    { tolerations: [{ operator: 'Exists' }] },
    { restartPolicy: 'Never' },
    { priorityClassName: 'system-node-critical' },
  ]);
  const requests = { cpu: pick(swarm, ['10m', '900m', '3']), memory: '32Mi' };
  const container = { name: 'c', image: pick(swarm, images), command: ['sh', '-c', pick(swarm, scripts)], resources: { requests } };
  const metadata = { name: named(swarm, 'pod'), labels: { app: named(swarm, 'web') } };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [container], ...odd } };
}
