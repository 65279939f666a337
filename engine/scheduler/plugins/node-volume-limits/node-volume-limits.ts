/** A node takes as many volumes of a driver as its CSINode says (framework/plugins/nodevolumelimits/csi.go). */
import type { PersistentVolumeClaim, Pod, Volume } from '../../../api/core/v1/types.gen.ts';
import type { CSINode } from '../../../api/storage/v1/types.gen.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { claimNameOf } from '../../../component-helpers/pod-references.ts';
import { claimClass, migratedDriver } from '../../../component-helpers/storage.ts';
import { Action, type ClusterChange } from '../../framework/cluster-events.ts';
import { definePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable, unschedulable } from '../../framework/status.ts';
import type { Volumes } from '../../framework/volumes.ts';

const name = 'NodeVolumeLimits';
const reason = 'node(s) exceed max volume count';
const verdict = unschedulable(name, reason);
const migratedPlugins = 'storage.alpha.kubernetes.io/migrated-plugins';

interface State {
  pod: Pod | undefined;
}

/** Drivers of volumes, by a name that is the volume's own. */
type Attachable = Map<string, string>;

export const nodeVolumeLimits = definePlugin<State>({
  name,
  order: 90,
  defaultWeight: 0,
  points: ['PreFilter', 'Filter'],
  args: {},
  reasons: [reason, 'looking up PVC <namespace>/<name>: persistentvolumeclaim "<name>" not found'],
  create: ({ volumes }) => ({
    crossNode: true,
    events: [
      { resource: 'CSINode', action: Action.add },
      { resource: 'CSINode', action: Action.updateOther, worth: (_pod, change) => takesMore(change) },
      { resource: 'Pod', action: Action.delete, worth: (_pod, change) => hadVolumes(change.old as Pod) },
      { resource: 'PersistentVolumeClaim', action: Action.add, worth: (pod, change) => names(pod, change.new as PersistentVolumeClaim) },
      {
        resource: 'VolumeAttachment',
        action: Action.delete,
        worth: (pod) => (pod.spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim !== undefined || isMigratable(volume)),
      },
    ],
    classState: () => ({ pod: undefined }),
    preFilter: (state, { pod }) => {
      state.pod = pod;
      return (pod.spec?.volumes ?? []).some(isCounted) ? undefined : { skip: true };
    },
    filter: ({ pod }, node) => (pod === undefined ? undefined : check(volumes, pod, node.name, node.pods.values())),
  }),
});

function check(volumes: Volumes, pod: Pod, node: string, others: Iterable<PodInfo>): Status | undefined {
  const csiNode = volumes.csiNode(node);
  const wanted: Attachable = new Map();
  const missing = addVolumes(volumes, pod, csiNode, wanted);
  if (missing !== undefined)
    return unresolvable(name, `looking up PVC ${pod.metadata.namespace ?? ''}/${missing}: persistentvolumeclaim "${missing}" not found`);
  const limits = limitsOf(csiNode);
  if (![...wanted.values()].some((driver) => limits.has(driver))) return undefined;
  const present: Attachable = new Map();
  for (const other of others) addVolumes(volumes, other.pod, csiNode, present);
  addAttachments(volumes, node, present);
  const counts = new Map<string, number>();
  for (const driver of present.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  for (const [volume, driver] of wanted) {
    if (present.has(volume)) continue;
    const count = (counts.get(driver) ?? 0) + 1;
    if (count > (limits.get(driver) ?? Number.POSITIVE_INFINITY)) return verdict;
    counts.set(driver, count);
  }
  return undefined;
}

function limitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name: driver, allocatable } of csiNode?.spec.drivers ?? [])
    if (allocatable?.count !== undefined) limits.set(driver, allocatable.count);
  return limits;
}

/** Adds the volumes of a pod that take a place; answers the name of the first claim that is not there. */
function addVolumes(volumes: Volumes, pod: Pod, csiNode: CSINode | undefined, result: Attachable): string | undefined {
  let missing: string | undefined;
  for (const volume of pod.spec?.volumes ?? []) {
    const claimName = claimNameOf(pod, volume);
    if (claimName === undefined) {
      const inline = inlineVolume(volume, csiNode);
      if (inline !== undefined) result.set(`${inline.driver}/${inline.handle}`, inline.driver);
      continue;
    }
    const claim = volumes.knownClaim(pod.metadata.namespace ?? '', claimName);
    const found = claim === undefined ? undefined : volumeOfClaim(volumes, claim, csiNode);
    if (claim === undefined) missing ??= claimName;
    else if (found !== undefined) result.set(`${found.driver}/${found.handle}`, found.driver);
  }
  return missing;
}

interface Handle {
  readonly driver: string;
  readonly handle: string;
}

/** Of a claim without a volume the one that will be made. */
function volumeOfClaim(volumes: Volumes, claim: PersistentVolumeClaim, csiNode: CSINode | undefined): Handle | undefined {
  const volume = volumes.knownVolume(claim.spec?.volumeName ?? '');
  if (volume !== undefined) {
    const { csi, ...spec } = volume.spec ?? {};
    return csi === undefined ? inlineVolume(spec, csiNode) : { driver: csi.driver, handle: csi.volumeHandle };
  }
  const storageClass = volumes.storageClass(claimClass(claim));
  if (storageClass === undefined) return undefined;
  // No volume is called so: a slash stands in no name.
  const handle = `unbound-${claim.metadata.namespace ?? ''}/${claim.metadata.name ?? ''}`;
  const driver = migratedDriver(storageClass.provisioner);
  if (driver === undefined) return { driver: storageClass.provisioner, handle };
  return isMigratedOn(csiNode, storageClass.provisioner) ? { driver, handle } : undefined;
}

type InlineSources = Pick<
  Volume,
  'awsElasticBlockStore' | 'azureDisk' | 'azureFile' | 'cinder' | 'gcePersistentDisk' | 'portworxVolume' | 'vsphereVolume'
>;

/** A volume of an in-tree plugin whose driver has taken over, and what it is called there. */
function inlineSource(volume: Partial<InlineSources>): { readonly plugin: string; readonly handle: string } | undefined {
  const { awsElasticBlockStore, azureDisk, cinder, gcePersistentDisk, portworxVolume, vsphereVolume } = volume;
  if (awsElasticBlockStore !== undefined) return { plugin: 'kubernetes.io/aws-ebs', handle: awsElasticBlockStore.volumeID };
  if (gcePersistentDisk !== undefined)
    return { plugin: 'kubernetes.io/gce-pd', handle: `projects/UNSPECIFIED/zones/UNSPECIFIED/disks/${gcePersistentDisk.pdName}` };
  if (azureDisk !== undefined) return { plugin: 'kubernetes.io/azure-disk', handle: azureDisk.diskURI };
  if (cinder !== undefined) return { plugin: 'kubernetes.io/cinder', handle: cinder.volumeID };
  if (portworxVolume !== undefined) return { plugin: 'kubernetes.io/portworx-volume', handle: portworxVolume.volumeID };
  return vsphereVolume === undefined ? undefined : { plugin: 'kubernetes.io/vsphere-volume', handle: vsphereVolume.volumePath };
}

function inlineVolume(volume: Partial<InlineSources>, csiNode: CSINode | undefined): Handle | undefined {
  const source = inlineSource(volume);
  const driver = source === undefined || !isMigratedOn(csiNode, source.plugin) ? undefined : migratedDriver(source.plugin);
  return source === undefined || driver === undefined ? undefined : { driver, handle: source.handle };
}

function isMigratedOn(csiNode: CSINode | undefined, plugin: string): boolean {
  return (getOwn(csiNode?.metadata.annotations, migratedPlugins) ?? '').split(',').includes(plugin);
}

function isMigratable(volume: Volume): boolean {
  return volume.azureFile !== undefined || inlineSource(volume) !== undefined;
}

function isCounted(volume: Volume): boolean {
  return volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined || isMigratable(volume);
}

function addAttachments(volumes: Volumes, node: string, present: Attachable): void {
  for (const { spec } of volumes.attachmentsOn(node)) {
    const csi = volumes.knownVolume(spec.source.persistentVolumeName ?? '')?.spec?.csi;
    if (csi !== undefined && spec.attacher !== '') present.set(`${spec.attacher}/${csi.volumeHandle}`, spec.attacher);
  }
}

function takesMore({ old, new: next }: ClusterChange): boolean {
  const before = limitsOf(old as CSINode);
  return [...limitsOf(next as CSINode)].some(([driver, limit]) => limit > (before.get(driver) ?? 0));
}

function hadVolumes({ spec, status }: Pod): boolean {
  return Boolean(spec?.nodeName || status?.nominatedNodeName) && (spec?.volumes ?? []).some(isCounted);
}

function names(pod: Pod, { metadata }: PersistentVolumeClaim): boolean {
  return metadata.namespace === pod.metadata.namespace && (pod.spec?.volumes ?? []).some((volume) => claimNameOf(pod, volume) === metadata.name);
}
