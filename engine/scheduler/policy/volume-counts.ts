/**
 * Predicates of release 1.13 that count what is attached to a node: disks of clouds, each kind by itself, and volumes of drivers (its
 * predicates.go, csi_volume_predicate.go). A node says its limits among what is allocatable where the gate AttachVolumeLimit is on.
 */
import type { Node, PersistentVolume, Pod } from '../../api/core/v1/types.gen.ts';
import { getOwn } from '../../base/dictionary.ts';
import { sha1 } from '../../base/sha1.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { Handle, Plugin } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { unschedulable } from '../framework/status.ts';
import type { Volumes } from '../framework/volumes.ts';

const tooMany = 'node(s) exceed max volume count';
const nitro = /^[cmr]5.*|t3|z1d/;
const csiPrefix = 'attachable-volumes-csi-';
const resourceNameMax = 63;

/** What volumes of pods and PersistentVolumes say alike. */
interface DiskSource {
  readonly awsElasticBlockStore?: { readonly volumeID: string };
  readonly gcePersistentDisk?: { readonly pdName: string };
  readonly azureDisk?: { readonly diskName: string };
}

/** One kind of disk. */
interface Disks {
  readonly limitKey: string;
  idOf(source: DiskSource): string | undefined;
  standardLimit(node: Node): number;
}

/** In the order in which they are asked. */
const clouds: { readonly [predicate: string]: Disks } = {
  MaxEBSVolumeCount: {
    limitKey: 'attachable-volumes-aws-ebs',
    idOf: ({ awsElasticBlockStore }) => awsElasticBlockStore?.volumeID,
    standardLimit: ({ metadata }) => (nitro.test(getOwn(metadata.labels, 'beta.kubernetes.io/instance-type') ?? '') ? 25 : 39),
  },
  MaxGCEPDVolumeCount: {
    limitKey: 'attachable-volumes-gce-pd',
    idOf: ({ gcePersistentDisk }) => gcePersistentDisk?.pdName,
    standardLimit: () => 16,
  },
  MaxAzureDiskVolumeCount: {
    limitKey: 'attachable-volumes-azure-disk',
    idOf: ({ azureDisk }) => azureDisk?.diskName,
    standardLimit: () => 16,
  },
};

/** Undefined for a predicate that counts no disks of a cloud. */
export function cloudDisks(name: string, handle: Handle, heedsLimits: boolean): Plugin | undefined {
  const disks = getOwn(clouds, name);
  if (disks === undefined) return undefined;
  const { limitKey } = disks;
  const ids = diskIds(disks, handle);
  return counting(name, (pod) => [...ids(pod)].map((id) => ({ id, limitKey })), {
    limitOf: (_key, node) => diskLimit(disks, node, heedsLimits),
    isCounted: () => true,
  });
}

/** How many of a node's places for disks a pod would take, and how many are left of them. */
export interface DiskShare {
  readonly wanted: number;
  readonly left: number;
}

/**
 * What the predicates of disks note of a node for the priority that balances: the last of `names` that a pod has disks for counts.
 * Undefined where it has none.
 */
export function diskShares(names: readonly string[], handle: Handle, heedsLimits: boolean): (pod: Pod) => (node: NodeInfo) => DiskShare | undefined {
  const known = Object.entries(clouds).filter(([name]) => names.includes(name));
  const kinds = known.map(([, disks]) => ({ disks, ids: diskIds(disks, handle) }));
  return (pod) => {
    const last = kinds.findLast(({ ids }) => ids(pod).size > 0);
    if (last === undefined) return () => undefined;
    const { disks, ids } = last;
    const own = ids(pod);
    return (node) => {
      const there = new Set([...node.pods.values()].flatMap((other) => [...ids(other.pod)]));
      const wanted = [...own].filter((id) => !there.has(id)).length;
      return { wanted, left: diskLimit(disks, node, heedsLimits) - there.size };
    };
  };
}

function diskLimit({ limitKey, standardLimit }: Disks, node: NodeInfo, heedsLimits: boolean): number {
  return (heedsLimits ? limitIn(node, limitKey) : undefined) ?? standardLimit(node.node);
}

function diskIds({ idOf }: Disks, { volumes }: Handle): (pod: Pod) => ReadonlySet<string> {
  /** Of a claim that is not bound yet, or to nothing that is known, nobody knows: it may be of any kind. */
  const idOfClaim = (volume: PersistentVolume | undefined, claim: string): string | undefined =>
    volume?.spec === undefined ? `claim ${claim}` : idOf(volume.spec);
  return (pod) => new Set(idsOf(volumes, pod, idOf, idOfClaim));
}

/** Volumes of drivers, by driver, on nodes that say how many they take. */
export function driverVolumes(name: string, { volumes }: Handle, heedsLimits: boolean): Plugin {
  if (!heedsLimits) return {};
  const found = (pod: Pod): readonly Attached[] =>
    claimsOf(volumes, pod).flatMap(({ volume }) => {
      const { driver, volumeHandle } = volume?.spec?.csi ?? {};
      return driver === undefined || volumeHandle === undefined ? [] : [{ id: volumeHandle, limitKey: csiLimitKey(driver) }];
    });
  return counting(name, found, {
    limitOf: (key, node) => limitIn(node, key) ?? Number.POSITIVE_INFINITY,
    isCounted: ({ allocatable }) => [...(allocatable.scalar?.keys() ?? [])].some((key) => key.startsWith('attachable-volumes-')),
  });
}

interface Attached {
  readonly id: string;
  readonly limitKey: string;
}

interface Limits {
  limitOf(limitKey: string, node: NodeInfo): number;
  isCounted(node: NodeInfo): boolean;
}

function counting(name: string, attachedBy: (pod: Pod) => readonly Attached[], { limitOf, isCounted }: Limits): Plugin {
  const verdict = unschedulable(name, tooMany);
  const plugin: Plugin<{ wanted: readonly Attached[] }> = {
    crossNode: true,
    classState: () => ({ wanted: [] }),
    preFilter: (state, { pod }: PodInfo) => {
      state.wanted = attachedBy(pod);
      return state.wanted.length === 0 ? { skip: true } : undefined;
    },
    filter: ({ wanted }, node) => {
      if (!isCounted(node)) return undefined;
      const there = new Map<string, string>();
      for (const { pod } of node.pods.values()) for (const { id, limitKey } of attachedBy(pod)) there.set(id, limitKey);
      const added = new Map<string, Set<string>>();
      for (const { id, limitKey } of wanted) if (!there.has(id)) added.set(limitKey, (added.get(limitKey) ?? new Set()).add(id));
      for (const limitKey of new Set(wanted.map((one) => one.limitKey))) {
        const count = [...there.values()].filter((key) => key === limitKey).length + (added.get(limitKey)?.size ?? 0);
        if (count > limitOf(limitKey, node)) return verdict;
      }
      return undefined;
    },
  };
  return plugin as Plugin;
}

function idsOf(
  volumes: Volumes,
  pod: Pod,
  idOf: Disks['idOf'],
  idOfClaim: (volume: PersistentVolume | undefined, claim: string) => string | undefined,
): readonly string[] {
  const own = (pod.spec?.volumes ?? []).flatMap((volume) => idOf(volume) ?? []);
  return [...own, ...claimsOf(volumes, pod).flatMap(({ claim, volume }) => idOfClaim(volume, claim) ?? [])];
}

/** The pod's claims, with the volumes that they are bound to. */
function claimsOf(volumes: Volumes, { metadata, spec }: Pod): readonly { readonly claim: string; readonly volume: PersistentVolume | undefined }[] {
  const { namespace = '' } = metadata;
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
    if (persistentVolumeClaim === undefined) return [];
    const { claimName } = persistentVolumeClaim;
    const bound = volumes.knownClaim(namespace, claimName)?.spec?.volumeName ?? '';
    return [{ claim: `${namespace}/${claimName}`, volume: bound === '' ? undefined : volumes.knownVolume(bound) }];
  });
}

function limitIn({ allocatable }: NodeInfo, key: string): number | undefined {
  return allocatable.scalar?.get(key);
}

/** Long names of drivers are cut, and told apart by a hash. */
function csiLimitKey(driver: string): string {
  if (csiPrefix.length + driver.length < resourceNameMax) return `${csiPrefix}${driver}`;
  return `${csiPrefix}${driver.slice(0, 23)}${sha1(driver).slice(0, 16)}`;
}
