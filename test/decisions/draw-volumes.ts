/** Volumes with places, and claims in all their states, without anybody who binds them. */
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import type { Dice, Drawn } from './draw.ts';

const driver = 'disk.example.com';
const storage = 'storage.k8s.io/v1';

export interface ClaimedVolume {
  readonly objects: readonly Drawn[];
  readonly volumes: JsonValue;
}

export interface Volumes {
  readonly objects: readonly Drawn[];
  claim(dice: Dice, pod: string, namespace: string): ClaimedVolume;
}

export function drawVolumes(dice: Dice, nodes: readonly string[]): Volumes {
  const storageClass = (name: string, volumeBindingMode: string, more: JsonObject = {}): Drawn => ({
    apiVersion: storage,
    kind: 'StorageClass',
    metadata: { name },
    provisioner: more['provisioner'] === undefined ? driver : String(more['provisioner']),
    volumeBindingMode,
    ...(more['allowedTopologies'] === undefined ? {} : { allowedTopologies: more['allowedTopologies'] }),
  });
  const classes = [
    storageClass('at-once', 'Immediate'),
    storageClass('late', 'WaitForFirstConsumer', { provisioner: 'kubernetes.io/no-provisioner' }),
    storageClass('made-late', 'WaitForFirstConsumer', {
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['z1', 'z2'] }] }],
    }),
  ];
  const csiNodes = dice.some(nodes, 60).map(
    (name): Drawn => ({
      apiVersion: storage,
      kind: 'CSINode',
      metadata: { name },
      spec: { drivers: [{ name: driver, nodeID: name, topologyKeys: [], allocatable: { count: 1 + dice.below(2) } }] },
    }),
  );
  return { objects: [...classes, ...csiNodes], claim: drawClaimed };
}

function drawClaimed(dice: Dice, pod: string, namespace: string): ClaimedVolume {
  const name = `${pod}-v`;
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: name } }];
  const kind = dice.below(10);
  if (kind === 0) return { objects: [], volumes };
  if (kind === 1) return { objects: [claimOf(name, namespace, 'at-once')], volumes };
  if (kind === 2) return { objects: [claimOf(name, namespace, 'late'), volumeOf(dice, `${namespace}-${name}`, 'late', ['ReadWriteOnce'])], volumes };
  if (kind === 3) return { objects: [claimOf(name, namespace, 'made-late')], volumes };
  if (kind === 4) return { objects: [claimOf(name, namespace, 'late')], volumes };
  const volume = `${namespace}-${name}`;
  const modes = dice.chance(20) ? ['ReadWriteOncePod'] : ['ReadWriteOnce'];
  const bound = claimOf(name, namespace, 'at-once', {
    volumeName: volume,
    status: dice.chance(10) ? { phase: 'Lost' } : { phase: 'Bound', accessModes: modes, capacity: { storage: '1Gi' } },
    accessModes: modes,
    annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
  });
  return { objects: kind === 5 ? [bound] : [volumeOf(dice, volume, 'at-once', modes, { namespace, name }), bound], volumes };
}

function claimOf(name: string, namespace: string, storageClassName: string, more: JsonObject = {}): Drawn {
  const { volumeName, status, accessModes = ['ReadWriteOnce'], annotations } = more;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, ...(annotations === undefined ? {} : { annotations }) },
    spec: { accessModes, storageClassName, resources: { requests: { storage: '1Gi' } }, ...(volumeName === undefined ? {} : { volumeName }) },
    ...(status === undefined ? {} : { status }),
  };
}

function volumeOf(
  dice: Dice,
  name: string,
  storageClassName: string,
  accessModes: JsonValue,
  claim?: { readonly namespace: string; readonly name: string },
): Drawn {
  const zones = dice.some(['z1', 'z2', 'z3'], 50);
  const labels = dice.chance(25) ? { 'topology.kubernetes.io/zone': dice.of(['z1', 'z2', 'z2__z3']) } : undefined;
  const affinity = {
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [...zones, 'z9'] }] }] },
    },
  };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, ...(labels === undefined ? {} : { labels }) },
    spec: {
      // The smallest that suffices is taken, so none are alike.
      capacity: { storage: `${1024 + Number(/p([0-9]+)-v$/.exec(name)?.[1] ?? 0)}Mi` },
      accessModes,
      storageClassName,
      csi: { driver, volumeHandle: name },
      ...(dice.chance(40) ? affinity : {}),
      ...(claim === undefined ? {} : { claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim } }),
    },
    status: { phase: claim === undefined ? 'Available' : 'Bound' },
  };
}
