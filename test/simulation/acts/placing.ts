/** Pods that are choosy: affinity, repulsion, spread, tolerations, priorities; nodes that are cordoned and tainted under them. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { aDeployment } from '../../support/cluster.ts';
import { anyNode, apps, ask, core, merge, named, namespace, pathOf, pick, type Swarm, type Theme } from '../draw.ts';

const zone = 'topology.kubernetes.io/zone';
const host = 'kubernetes.io/hostname';
const scheduling = '/apis/scheduling.k8s.io/v1/priorityclasses';

export const placing: Theme = {
  name: 'placing',
  begin: (swarm) => {
    for (const [name, value] of [
      ['low', -10],
      ['high', 1_000],
      ['higher', 5_000],
    ] as const)
      ask(swarm, 'POST', scheduling, priorityClass(name, value));
    // A calm pod on every node but one: the shy ones have only that left, and those that come later must keep away from it.
    const nodes = swarm.world.all('minions').length;
    for (let i = 1; i < nodes; i++) calm(swarm);
    mixed(swarm);
    patient(swarm);
    plantField(swarm);
    plantHermit(swarm);
    plantGuide(swarm);
    if (swarm.below(2) === 0) fill(swarm);
    cordon(swarm);
    choosy(swarm);
  },
  acts: [
    choosy,
    choosy,
    choosy,
    (swarm) => crowd(swarm),
    (swarm) => crowd(swarm),
    calm,
    mixed,
    mixed,
    cordon,
    taint,
    taint,
    tryPatience,
    visitHermit,
    visitHermit,
    follow,
    follow,
    (swarm) => ask(swarm, 'PATCH', node(swarm), { metadata: { labels: { disk: pick(swarm, ['fast', 'slow', null]) } } }, merge),
    (swarm) => ask(swarm, 'POST', `${core}/namespaces/default/pods`, choosyPod(swarm)),
  ],
};

function choosy(swarm: Swarm): void {
  const name = named(swarm, 'choosy');
  const body = aDeployment(name, 1 + swarm.below(7)) as { spec: { template: { spec: object } } };
  Object.assign(body.spec.template.spec, wish(swarm, name), patience(swarm));
  ask(swarm, 'POST', `${apps}/namespaces/default/deployments`, body);
}

function choosyPod(swarm: Swarm): object {
  const app = named(swarm, 'choosy');
  const spec = { containers: [{ name: 'c', image: 'nginx:1.27' }], ...wish(swarm, app), ...patience(swarm) };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: named(swarm, 'pod'), labels: { app } }, spec };
}

function wish(swarm: Swarm, app: string): object {
  const labelSelector = { matchLabels: { app } };
  const topologyKey = pick(swarm, [host, zone]);
  return pick<object>(swarm, [
    { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey }] } } },
    { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: zone }] } } },
    {
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app: 'choosy-0' } }, topologyKey }] },
      },
    },
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector }] },
    { topologySpreadConstraints: [{ maxSkew: 2, topologyKey: host, whenUnsatisfiable: 'DoNotSchedule', labelSelector }] },
    { nodeSelector: { [zone]: pick(swarm, ['sim-a', 'sim-b']) } },
    nodeAffinity({ key: host, operator: pick(swarm, ['In', 'NotIn']), values: [anyNode(swarm), anyNode(swarm)] }),
    nodeAffinity({ key: 'disk', operator: pick(swarm, ['Exists', 'DoesNotExist']) }),
  ]);
}

/** Wants nothing; others want to be away from it. */
function calm(swarm: Swarm): void {
  const spec = { containers: [{ name: 'c', image: 'nginx:1.27' }] };
  ask(swarm, 'POST', `${core}/namespaces/default/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: 'calm-', labels: { app: 'calm' } },
    spec,
  });
}

function mixed(swarm: Swarm): void {
  for (let i = 0; i < 2; i++) ask(swarm, 'POST', `${core}/namespaces/default/pods`, shyPod());
  for (let i = 0; i < 3; i++) calm(swarm);
}

/** Wants to be away from the calm ones, whoever was there first. */
function shyPod(): object {
  const term = { labelSelector: { matchLabels: { app: 'calm' } }, topologyKey: host };
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  const metadata = { generateName: 'shy-', labels: { app: 'shy' } };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { affinity, containers: [{ name: 'c', image: 'nginx:1.27' }] } };
}

function nodeAffinity(expression: object): object {
  const nodeSelectorTerms = [{ matchExpressions: [expression] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

function patience(swarm: Swarm): object {
  return pick<object>(swarm, [
    {},
    {},
    { tolerations: [forAWhile(pick(swarm, [5, 20, 60]))] },
    { tolerations: [{ key: 'odd', operator: 'Equal', value: 'a', effect: 'NoSchedule' }] },
    { tolerations: [{ operator: 'Exists' }] },
  ]);
}

/** In a namespace that nobody else touches: more pods than may lie evenly where one node takes none. The rest waits. */
function plantField(swarm: Swarm): void {
  namespace(swarm, 'field');
  const nodes = swarm.world.all('minions');
  ask(swarm, 'PATCH', node(swarm), { spec: { unschedulable: true } }, merge);
  const body = aDeployment('even', nodes.length + 3) as { spec: { template: { spec: object } } };
  const labelSelector = { matchLabels: { app: 'even' } };
  const topologySpreadConstraints = [{ maxSkew: 1, topologyKey: host, whenUnsatisfiable: 'DoNotSchedule', labelSelector }];
  Object.assign(body.spec.template.spec, { topologySpreadConstraints });
  ask(swarm, 'POST', `${apps}/namespaces/field/deployments`, body);
}

const retreat = 'retreat';

/** It lives in one zone, tolerates everything, and wants no guest in all of its zone. */
function plantHermit(swarm: Swarm): void {
  namespace(swarm, retreat);
  const body = aDeployment('hermit', 1) as { spec: { template: { spec: object } } };
  const term = { labelSelector: { matchLabels: { app: 'guest' } }, topologyKey: zone };
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  const nodeSelector = { [zone]: pick(swarm, ['sim-a', 'sim-b']) };
  Object.assign(body.spec.template.spec, { affinity, nodeSelector, tolerations: [{ operator: 'Exists' }] });
  ask(swarm, 'POST', `${apps}/namespaces/${retreat}/deployments`, body);
}

/** Guests want nothing themselves; those of earlier visits leave. */
function visitHermit(swarm: Swarm): void {
  const guests = swarm.world.all<Pod>('pods', retreat).filter(({ metadata }) => metadata.labels?.['app'] === 'guest');
  for (const guest of guests) ask(swarm, 'DELETE', `${pathOf(core, 'pods', guest)}?gracePeriodSeconds=1`);
  const spec = { containers: [{ name: 'c', image: 'nginx:1.27' }], tolerations: [{ operator: 'Exists' }] };
  const metadata = { generateName: 'guest-', labels: { app: 'guest' } };
  for (let i = 0; i < 3; i++) ask(swarm, 'POST', `${core}/namespaces/${retreat}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
}

const trail = 'trail';
const followersMax = 8;

/** Lives in one zone, where others want to be near it; nobody goes while it is followed, so that whom they follow is plain. */
function plantGuide(swarm: Swarm): void {
  namespace(swarm, trail);
  const body = aDeployment('guide', 1) as { spec: { template: { spec: object } } };
  Object.assign(body.spec.template.spec, { nodeSelector: { [zone]: pick(swarm, ['sim-a', 'sim-b']) }, tolerations: [{ operator: 'Exists' }] });
  ask(swarm, 'POST', `${apps}/namespaces/${trail}/deployments`, body);
}

function follow(swarm: Swarm): void {
  const followers = swarm.world.all<Pod>('pods', trail).filter(({ metadata }) => metadata.labels?.['app'] === 'follower');
  if (followers.length >= followersMax) {
    for (const one of followers) ask(swarm, 'DELETE', `${pathOf(core, 'pods', one)}?gracePeriodSeconds=1`);
    return;
  }
  const term = { labelSelector: { matchLabels: { app: 'guide' } }, topologyKey: zone };
  const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  const spec = { affinity, containers: [{ name: 'c', image: 'nginx:1.27' }], tolerations: [{ operator: 'Exists' }] };
  const metadata = { generateName: 'follower-', labels: { app: 'follower' } };
  for (let i = 0; i < 2; i++) ask(swarm, 'POST', `${core}/namespaces/${trail}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
}

/** More big pods than there is room for: two lie on each node, and a third would be half a CPU too much. */
function fill(swarm: Swarm): void {
  const body = aDeployment('fill', 2 * swarm.world.all('minions').length + 2) as { spec: { template: { spec: object } } };
  const containers = [{ name: 'c', image: 'nginx:1.27', resources: { requests: { cpu: '1500m' } } }];
  Object.assign(body.spec.template.spec, { containers, priorityClassName: 'low' });
  ask(swarm, 'POST', `${apps}/namespaces/default/deployments`, body);
}

/** Tolerates the taint for a short while, and wants nothing else. */
function patient(swarm: Swarm): void {
  const body = aDeployment('patient', 3) as { spec: { template: { spec: object } } };
  Object.assign(body.spec.template.spec, { tolerations: [forAWhile(pick(swarm, [5, 15]))] });
  ask(swarm, 'POST', `${apps}/namespaces/default/deployments`, body);
}

function forAWhile(tolerationSeconds: number): object {
  return { key: 'odd', operator: 'Exists', effect: 'NoExecute', tolerationSeconds };
}

/** Taints the node of such a pod. */
function tryPatience(swarm: Swarm): void {
  const pods = swarm.world.all<Pod>('pods', 'default').filter(({ metadata, spec }) => metadata.labels?.['app'] === 'patient' && spec?.nodeName);
  if (pods.length === 0) return;
  const { spec } = pick(swarm, pods);
  ask(swarm, 'PATCH', `${core}/nodes/${spec?.nodeName}`, { spec: { taints: [{ key: 'odd', effect: 'NoExecute' }] } }, merge);
}

/** Big pods of some priority: sooner or later one of them needs another's place. */
function crowd(swarm: Swarm): void {
  const body = aDeployment(named(swarm, 'crowd'), 1 + swarm.below(4)) as { spec: { template: { spec: object } } };
  const container = { name: 'c', image: 'nginx:1.27', resources: { requests: { cpu: pick(swarm, ['1500m', '2500m']) } } };
  const priorityClassName = pick(swarm, ['low', 'high', 'high', 'higher']);
  Object.assign(body.spec.template.spec, { containers: [container], priorityClassName });
  ask(swarm, 'POST', `${apps}/namespaces/default/deployments`, body);
}

function priorityClass(name: string, value: number): object {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
}

function cordon(swarm: Swarm): void {
  ask(swarm, 'PATCH', node(swarm), { spec: { unschedulable: swarm.below(2) === 0 } }, merge);
}

function taint(swarm: Swarm): void {
  const taints = pick<readonly object[]>(swarm, [
    [],
    [{ key: 'odd', effect: 'NoExecute' }],
    [{ key: 'odd', effect: 'NoExecute' }],
    [{ key: 'odd', value: pick(swarm, ['a', 'b']), effect: 'NoSchedule' }],
  ]);
  ask(swarm, 'PATCH', node(swarm), { spec: { taints } }, merge);
}

function node(swarm: Swarm): string {
  return `${core}/nodes/${anyNode(swarm)}`;
}
