/** StatefulSets and DaemonSets: pods with names and claims of their own, and one pod on each node. */
import type { StatefulSet } from '../../../engine/api/apps/v1/types.gen.ts';
import { any, anyNode, anyOf, apps, ask, core, images, inside, merge, named, pathOf, pick, strategic, type Swarm, type Theme } from '../draw.ts';
import { deleteOwner } from './workloads.ts';

export const sets: Theme = {
  name: 'sets',
  begin: (swarm) => {
    ask(swarm, 'POST', `${apps}/namespaces/default/statefulsets`, statefulSet(swarm, 'set-0'));
    ask(swarm, 'POST', `${apps}/namespaces/default/daemonsets`, daemonSet(swarm, 'agent-0'));
  },
  acts: [
    (swarm) => ask(swarm, 'POST', inside(swarm, apps, 'statefulsets'), statefulSet(swarm, named(swarm, 'set'))),
    (swarm) => ask(swarm, 'POST', inside(swarm, apps, 'daemonsets'), daemonSet(swarm, named(swarm, 'agent'))),
    (swarm) => ask(swarm, 'PATCH', `${any(swarm, apps, 'statefulsets')}/scale`, { spec: { replicas: swarm.below(5) } }, merge),
    (swarm) => ask(swarm, 'PATCH', `${any(swarm, apps, 'statefulsets')}/scale`, { spec: { replicas: swarm.below(5) } }, merge),
    (swarm) => newTemplate(swarm, 'statefulsets'),
    (swarm) => newTemplate(swarm, 'statefulsets'),
    (swarm) => newTemplate(swarm, 'daemonsets'),
    (swarm) => ask(swarm, 'PATCH', any(swarm, apps, 'statefulsets'), { spec: { updateStrategy: pick<object>(swarm, strategies) } }, merge),
    (swarm) => deleteOwner(swarm, 'statefulsets'),
    (swarm) => deleteOwner(swarm, 'daemonsets'),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'pods')),
    deleteMember,
    deleteMember,
    (swarm) => ask(swarm, 'PATCH', `${core}/nodes/${anyNode(swarm)}`, { metadata: { labels: { agents: pick(swarm, ['yes', 'no', null]) } } }, merge),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'persistentvolumeclaims')),
  ],
};

const strategies = [
  { type: 'OnDelete' },
  { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
  { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
];

function statefulSet(swarm: Swarm, name: string): object {
  const labels = { set: name };
  const container = { name: 'c', image: pick(swarm, ['nginx:1.27', 'redis:7', 'busybox']), resources: { requests: { cpu: '10m' } } };
  const claims = swarm.below(2) === 0;
  const spec = { accessModes: [pick(swarm, ['ReadWriteOnce', 'ReadWriteOncePod'])], resources: { requests: { storage: '1Gi' } } };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name },
    spec: {
      replicas: swarm.below(4),
      serviceName: name,
      podManagementPolicy: pick(swarm, ['OrderedReady', 'Parallel']),
      minReadySeconds: pick(swarm, [0, 0, 7]),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: pick(swarm, [1, 10]), containers: [container] } },
      ...(claims
        ? {
            volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }],
            persistentVolumeClaimRetentionPolicy: { whenDeleted: pick(swarm, ['Retain', 'Delete']), whenScaled: pick(swarm, ['Retain', 'Delete']) },
          }
        : {}),
    },
  };
}

function daemonSet(swarm: Swarm, name: string): object {
  const labels = { set: name };
  const nodeSelector = swarm.below(3) === 0 ? { agents: 'yes' } : {};
  const rollingUpdate = pick<object>(swarm, [{ maxUnavailable: 1 }, { maxUnavailable: '50%' }, { maxUnavailable: 0, maxSurge: 1 }]);
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name },
    spec: {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { nodeSelector, terminationGracePeriodSeconds: 2, containers: [{ name: 'c', image: pick(swarm, ['nginx:1.27', 'httpd']) }] },
      },
    },
  };
}

function newTemplate(swarm: Swarm, resource: string): void {
  const template = { spec: { containers: [{ name: 'c', image: pick(swarm, images) }] } };
  ask(swarm, 'PATCH', any(swarm, apps, resource), { spec: { template } }, strategic);
}

/** Now and then by force: the set may think that it has gone while its machine still runs it. */
function deleteMember(swarm: Swarm): void {
  const set = anyOf<StatefulSet>(swarm, 'statefulsets');
  const members = set === undefined ? [] : swarm.world.podsOf(set.metadata.uid);
  if (members.length > 0) ask(swarm, 'DELETE', `${pathOf(core, 'pods', pick(swarm, members))}?gracePeriodSeconds=${pick(swarm, [0, 1, 5])}`);
}
