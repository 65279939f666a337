/**
 * Profiles in which a plugin runs at some of its points and not at those that work out what it needs there, and the pods that are put before
 * each: one that asks for nothing, and one that asks for what every plugin looks at.
 */
import type { ProfileOptions } from '../../../engine/scheduler/options.ts';
import type { PluginSets, PointName } from '../../../engine/scheduler/plugin-sets.ts';
import type { JsonObject } from '../../../engine/base/json.ts';

/** What was told to a pod: `bound`, or the message of its condition. */
export interface PointFact {
  /** As `PLUGIN without POINT POINT`. */
  readonly profile: string;
  readonly plain: string;
  readonly rich: string;
}

const plugins = [
  'DynamicResources',
  'GangScheduling',
  'InterPodAffinity',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesBalancedAllocation',
  'NodeResourcesFit',
  'NodeVolumeLimits',
  'PodTopologySpread',
  'TaintToleration',
  'VolumeBinding',
  'VolumeRestrictions',
  'VolumeZone',
];
const withouts: readonly (readonly PointName[])[] = [
  ['preFilter'],
  ['preScore'],
  ['preFilter', 'filter'],
  ['preFilter', 'filter', 'preScore'],
  ['preFilter', 'filter', 'preScore', 'score'],
  ['preFilter', 'filter', 'preScore', 'score', 'reserve'],
];

/** Those that the plugin has no point for say the same as the others: no harm. */
export const profiles: readonly (ProfileOptions & { readonly title: string })[] = plugins
  .filter((plugin) => plugin !== 'GangScheduling')
  .flatMap((plugin) =>
    withouts.map((points, i) => ({
      title: `${plugin} without ${points.join(' ')}`,
      schedulerName: `${plugin.toLowerCase()}-${i}`,
      plugins: Object.fromEntries(points.map((point) => [point, { disabled: [plugin] }])) as PluginSets,
    })),
  );

export const nodeNames = ['n1', 'n2'];

/** Zones, a soft taint that one of the two has, and an address. */
export function nodeOf(name: string): { readonly labels: JsonObject; readonly taints: readonly JsonObject[] } {
  const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `zone-${name}` };
  return { labels, taints: name === 'n1' ? [] : [{ key: 'soft', value: 'yes', effect: 'PreferNoSchedule' }] };
}

const app = { matchLabels: { app: 'rich' } };
const term = { labelSelector: app, topologyKey: 'topology.kubernetes.io/zone' };

/** Fits on one of the two. Its claims are `volume` (bound to a volume of `zone-n1`) and, of devices, `devices` (allocated to nobody yet). */
export function podOf(kind: 'plain' | 'rich', schedulerName: string): JsonObject {
  const container: JsonObject = { name: 'c', image: 'nginx', resources: { requests: { cpu: '100m', memory: '128Mi' } } };
  if (kind === 'plain') return { schedulerName, containers: [container] };
  return {
    schedulerName,
    containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 8080 }] }],
    nodeSelector: { 'kubernetes.io/hostname': 'n1' },
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n1'] }] } },
        ],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [term],
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: app },
      { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: app },
    ],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'volume' } }],
    resourceClaims: [{ name: 'd', resourceClaimName: 'devices' }],
  };
}

export const claimOfVolume = {
  metadata: { name: 'volume', namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'none', volumeName: 'volume' },
  status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
};

export const volume = {
  metadata: { name: 'volume', labels: { 'topology.kubernetes.io/zone': 'zone-n1' } },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'none',
    csi: { driver: 'd', volumeHandle: 'volume' },
    claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'volume' },
  },
  status: { phase: 'Bound' },
};

export const deviceClass = { metadata: { name: 'gpu' }, spec: {} };
export const claimOfDevices = {
  metadata: { name: 'devices', namespace: 'default' },
  spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 } }] } },
};

/** Two devices of the machine that the pod wants. */
export const slice = {
  metadata: { name: 'slice' },
  spec: { driver: 'd', nodeName: 'n1', pool: { name: 'n1', generation: 1, resourceSliceCount: 1 }, devices: [{ name: 'a' }, { name: 'b' }] },
};

export function told(node: string | undefined, message: string | undefined): string {
  return node === undefined ? (message ?? 'not tried') : 'bound';
}
