/** Claims that are bound at once or late, grown, let go and taken again; pods that share them or may not; volumes that follow their pods. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { any, anyNode, anyOf, ask, core, merge, named, pathOf, pick, type Swarm, type Theme } from '../draw.ts';

const classes = '/apis/storage.k8s.io/v1/storageclasses';
const claimsPath = `${core}/namespaces/default/persistentvolumeclaims`;

export const volumes: Theme = {
  name: 'volumes',
  begin: (swarm) => {
    for (const [name, mode, reclaimPolicy] of [
      ['at-once', 'Immediate', 'Delete'],
      ['late', 'WaitForFirstConsumer', 'Delete'],
      ['kept', 'Immediate', 'Retain'],
    ] as const)
      ask(swarm, 'POST', classes, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name },
        provisioner: 'disk.csi.sim.wavetank.dev',
        volumeBindingMode: mode,
        reclaimPolicy,
        allowVolumeExpansion: true,
      });
    for (let i = 0; i < 6; i++) claim(swarm);
    for (let i = 0; i < 5; i++) user(swarm);
  },
  acts: [
    claim,
    claim,
    user,
    user,
    user,
    mover,
    (swarm) => ask(swarm, 'POST', `${core}/namespaces/default/pods`, scratch(swarm)),
    grow,
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'persistentvolumeclaims')),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'persistentvolumes')),
    (swarm) => ask(swarm, 'DELETE', any(swarm, core, 'pods')),
    leave,
    leave,
    leave,
    outOfService,
  ],
};

function claim(swarm: Swarm): void {
  const spec = {
    accessModes: [pick(swarm, ['ReadWriteOnce', 'ReadWriteOncePod', 'ReadWriteOnce'])],
    storageClassName: pick(swarm, ['at-once', 'late', 'late', 'kept', 'standard']),
    resources: { requests: { storage: pick(swarm, ['1Gi', '2Gi']) } },
  };
  ask(swarm, 'POST', claimsPath, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: named(swarm, 'claim') }, spec });
}

/** Two of them may want the same claim, on one node or on two. */
function user(swarm: Swarm): void {
  const claimName = anyOf(swarm, 'persistentvolumeclaims')?.metadata.name ?? 'claim-0';
  ask(swarm, 'POST', `${core}/namespaces/default/pods`, userOf(swarm, claimName, named(swarm, 'user')));
}

function userOf(swarm: Swarm, claimName: string, name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'user' } },
    spec: {
      terminationGracePeriodSeconds: pick(swarm, [1, 5]),
      ...(swarm.below(3) === 0 ? { nodeSelector: { 'kubernetes.io/hostname': anyNode(swarm) } } : {}),
      containers: [{ name: 'c', image: 'nginx:1.27', volumeMounts: [{ name: 'v', mountPath: '/data' }] }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
    },
  };
}

/** A user goes, and another one comes at once, maybe to another node. */
function mover(swarm: Swarm): void {
  const pods = usersIn(swarm);
  const pod = pods[swarm.below(Math.max(1, pods.length))];
  const claimName = pod?.spec?.volumes?.[0]?.persistentVolumeClaim?.claimName;
  if (pod === undefined || claimName === undefined) return;
  ask(swarm, 'DELETE', pathOf(core, 'pods', pod));
  ask(swarm, 'POST', `${core}/namespaces/default/pods`, userOf(swarm, claimName, `mover-${swarm.below(8)}`));
}

function scratch(swarm: Swarm): object {
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'late', resources: { requests: { storage: '1Gi' } } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: named(swarm, 'scratch'), labels: { app: 'user' } },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'c', image: 'nginx:1.27' }],
      volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }],
    },
  };
}

function grow(swarm: Swarm): void {
  ask(
    swarm,
    'PATCH',
    any(swarm, core, 'persistentvolumeclaims'),
    { spec: { resources: { requests: { storage: pick(swarm, ['2Gi', '3Gi']) } } } },
    merge,
  );
}

function leave(swarm: Swarm): void {
  const pods = usersIn(swarm);
  if (pods.length > 0) ask(swarm, 'DELETE', pathOf(core, 'pods', pick(swarm, pods)));
}

function usersIn(swarm: Swarm): readonly Pod[] {
  return swarm.world.all<Pod>('pods', 'default').filter(({ metadata }) => metadata.labels?.['app'] === 'user');
}

/** Somebody says that a machine is gone for good, or that it is not after all. */
function outOfService(swarm: Swarm): void {
  const taints = swarm.below(2) === 0 ? [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }] : [];
  ask(swarm, 'PATCH', `${core}/nodes/${anyNode(swarm)}`, { spec: { taints } }, merge);
}
