/**
 * Questions about volumes, claims and classes. Mirrors k8s.io/component-helpers storage/volume (helpers.go, pv_helpers.go) and
 * GetDefaultClass of pkg/volume/util. What they write keeps fields in schema order.
 */
import { getOwn, setOwn } from '../base/dictionary.ts';
import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeSpec,
  TopologySelectorTerm,
  Volume,
} from '../api/core/v1/types.gen.ts';
import type { StorageClass } from '../api/storage/v1/types.gen.ts';
import { type LabelSelector, labelSelectorAsSelector, type LabelSet } from '../apimachinery/labels.ts';
import { sortedMap, withMeta } from './meta.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { compareQuantity, parseQuantity, type Quantity } from '../apimachinery/quantity.ts';
import { matchesNodeSelector } from './node-affinity.ts';

export const bindCompleted = 'pv.kubernetes.io/bind-completed';
export const boundByController = 'pv.kubernetes.io/bound-by-controller';
export const selectedNode = 'volume.kubernetes.io/selected-node';
export const provisionedBy = 'pv.kubernetes.io/provisioned-by';
export const migratedTo = 'pv.kubernetes.io/migrated-to';
export const storageProvisioner = 'volume.kubernetes.io/storage-provisioner';
export const betaStorageProvisioner = 'volume.beta.kubernetes.io/storage-provisioner';
export const storageResizer = 'volume.kubernetes.io/storage-resizer';
export const noProvisioner = 'kubernetes.io/no-provisioner';
/** Kept by an external provisioner until what is behind the volume is gone. */
export const externalProvisionerFinalizer = 'external-provisioner.volume.kubernetes.io/finalizer';
/** The same, of provisioners in the tree. */
export const inTreeFinalizer = 'kubernetes.io/pv-controller';
export const preResizeCapacity = 'volume.alpha.kubernetes.io/pre-resize-capacity';
const betaClass = 'volume.beta.kubernetes.io/storage-class';
const defaultClassAnnotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
const noLabels: LabelSet = Object.freeze({});

/** The CSI driver that ships with a simulated cluster, and the label of nodes by which its disks are near. */
export const diskDriver = 'disk.csi.sim.wavetank.dev';
export const diskTopologyKey = 'topology.kubernetes.io/zone';
/** Disks that a node can have, as of many real block stores. */
export const disksPerNodeMax = 25;

/** The names of in-tree plugins whose volumes CSI drivers serve since, and those drivers (k8s.io/csi-translation-lib). */
const migratedPlugins: { readonly [plugin: string]: string } = {
  'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/azure-file': 'file.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/portworx-volume': 'pxd.portworx.com',
  'kubernetes.io/vsphere-volume': 'csi.vsphere.vmware.com',
};

export const migratedPluginNames: readonly string[] = Object.keys(migratedPlugins);

/** The CSI driver that took over from an in-tree plugin, if one did. */
export function migratedDriver(plugin: string): string | undefined {
  return getOwn(migratedPlugins, plugin);
}

/** The in-tree plugin of a volume, or of what a pod says of one, whose driver has taken over since. */
export function inTreePluginOf(spec: PersistentVolumeSpec | Volume | undefined): string | undefined {
  if (spec?.awsElasticBlockStore !== undefined) return 'kubernetes.io/aws-ebs';
  if (spec?.azureDisk !== undefined) return 'kubernetes.io/azure-disk';
  if (spec?.azureFile !== undefined) return 'kubernetes.io/azure-file';
  if (spec?.cinder !== undefined) return 'kubernetes.io/cinder';
  if (spec?.gcePersistentDisk !== undefined) return 'kubernetes.io/gce-pd';
  if (spec?.portworxVolume !== undefined) return 'kubernetes.io/portworx-volume';
  return spec?.vsphereVolume === undefined ? undefined : 'kubernetes.io/vsphere-volume';
}

export function hasAnnotation({ metadata }: KubeObject, name: string): boolean {
  return getOwn(metadata.annotations, name) !== undefined;
}

/** '' when the claim asks for none. */
export function claimClass({ metadata, spec }: PersistentVolumeClaim): string {
  return getOwn(metadata.annotations, betaClass) ?? spec?.storageClassName ?? '';
}

export function claimHasClass(claim: PersistentVolumeClaim): boolean {
  return hasAnnotation(claim, betaClass) || claim.spec?.storageClassName !== undefined;
}

export function volumeClass({ metadata, spec }: PersistentVolume): string {
  return getOwn(metadata.annotations, betaClass) ?? spec?.storageClassName ?? '';
}

/** The newest of the classes annotated as default; of equally old ones the first by name. */
export function defaultStorageClass(classes: readonly StorageClass[]): StorageClass | undefined {
  return bestDefault(defaultStorageClasses(classes));
}

export function defaultStorageClasses(classes: readonly StorageClass[]): readonly StorageClass[] {
  return classes.filter(({ metadata }) => defaultClassAnnotations.some((name) => getOwn(metadata.annotations, name) === 'true'));
}

/** The newest. */
export function bestDefault(defaults: readonly StorageClass[]): StorageClass | undefined {
  return defaults.reduce<StorageClass | undefined>((best, one) => (best === undefined || isBetterDefault(one, best) ? one : best), undefined);
}

function isBetterDefault({ metadata: a }: StorageClass, { metadata: b }: StorageClass): boolean {
  const [madeA, madeB] = [a.creationTimestamp ?? '', b.creationTimestamp ?? ''];
  return madeA === madeB ? (a.name ?? '') < (b.name ?? '') : madeA > madeB;
}

/** Binding of claims of the class waits for a pod. */
export function waitsForConsumer(storageClass: StorageClass | undefined): boolean {
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** The volume names this claim; one that names no uid yet names it by its name alone. */
export function isVolumeBoundToClaim({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const reference = spec?.claimRef;
  if (reference === undefined || reference.name !== metadata.name || reference.namespace !== metadata.namespace) return false;
  return !reference.uid || reference.uid === metadata.uid;
}

/** What the claim asks for; 0 where it does not say. */
export function requestedStorage({ spec }: PersistentVolumeClaim): Quantity {
  return parseQuantity(spec?.resources?.requests?.['storage'] ?? '0');
}

export function volumeCapacity({ spec }: PersistentVolume): Quantity {
  return parseQuantity(spec?.capacity?.['storage'] ?? '0');
}

export function volumeModesDiffer(claim: PersistentVolumeClaimSpec | undefined, volume: PersistentVolumeSpec | undefined): boolean {
  return (claim?.volumeMode ?? 'Filesystem') !== (volume?.volumeMode ?? 'Filesystem');
}

/** The volume offers every access mode that the claim asks for. */
export function offersAccessModes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const offered = volume.spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every((mode) => offered.includes(mode));
}

/** Whether the volume can be reached from the node. */
export function isReachableFrom({ spec }: PersistentVolume, node: Node): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || matchesNodeSelector(required, { ...node, metadata: { labels: node.metadata.labels ?? noLabels } });
}

/** A node lies in one of the topologies; no terms allow every node, and an empty term none (corev1.MatchTopologySelectorTerms). */
export function matchesTopology(terms: readonly TopologySelectorTerm[] | undefined, labels: LabelSet | undefined): boolean {
  if (terms === undefined || terms.length === 0) return true;
  return terms.some(({ matchLabelExpressions = [] }) => {
    if (matchLabelExpressions.length === 0) return false;
    return matchLabelExpressions.every(({ key, values }) => {
      const value = getOwn(labels, key);
      return value !== undefined && (values ?? []).includes(value);
    });
  });
}

export interface MatchOptions {
  /** The node that the volume has to be reached from; without it affinity is not looked at. */
  readonly node?: Node;
  /** Names of volumes that are taken already. */
  readonly excluded?: ReadonlySet<string>;
  /** Without a node, only a volume that names the claim is taken. */
  readonly delayBinding: boolean;
}

/**
 * The volume that fits a claim best: one that names the claim, else the smallest that is large enough. Of equally large ones the
 * first in the list (upstream's order is its index's).
 */
export function findMatchingVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  { node, excluded, delayBinding }: MatchOptions,
): PersistentVolume | undefined {
  const requested = requestedStorage(claim);
  const wantedClass = claimClass(claim);
  const selector = claim.spec?.selector === undefined ? undefined : labelSelectorAsSelector(claim.spec.selector as LabelSelector);
  let best: PersistentVolume | undefined;
  for (const volume of volumes) {
    if (excluded?.has(volume.metadata.name ?? '') === true) continue;
    const isOurs = isVolumeBoundToClaim(volume, claim);
    if (volume.spec?.claimRef !== undefined && !isOurs) continue;
    if (!isFit(volume, claim, requested)) continue;
    const reachable = node === undefined || isReachableFrom(volume, node);
    if (isOurs) return reachable ? volume : undefined;
    if (node === undefined && delayBinding) continue;
    if (volume.status?.phase !== 'Available' || selector?.matches(volume.metadata.labels) === false) continue;
    if (volumeClass(volume) !== wantedClass || !reachable) continue;
    if (node !== undefined && !offersAccessModes(volume, claim)) continue;
    if (best === undefined || compareQuantity(volumeCapacity(best), volumeCapacity(volume)) > 0) best = volume;
  }
  return best;
}

/** What holds of every volume that a claim may have. */
function isFit(volume: PersistentVolume, claim: PersistentVolumeClaim, requested: Quantity): boolean {
  return (
    compareQuantity(volumeCapacity(volume), requested) >= 0 &&
    !volumeModesDiffer(claim.spec, volume.spec) &&
    (claim.spec?.volumeAttributesClassName ?? '') === (volume.spec?.volumeAttributesClassName ?? '') &&
    volume.metadata.deletionTimestamp === undefined
  );
}

/** The volume with the claim in its claimRef, annotated when nobody had named the claim before; undefined where it is so already. */
export function boundToClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume | undefined {
  const reference = volume.spec?.claimRef;
  const { name, namespace, uid } = claim.metadata;
  const isNamed = reference !== undefined && reference.name === name && reference.namespace === namespace && reference.uid === uid;
  const marks = !isVolumeBoundToClaim(volume, claim) && !hasAnnotation(volume, boundByController);
  if (isNamed && !marks) return undefined;
  const bound = isNamed ? volume : withVolumeSpec(volume, { claimRef: claimReference(claim) });
  return marks ? withAnnotations(bound, { [boundByController]: 'yes' }) : bound;
}

/** A reference to the claim as client-go makes it. */
export function claimReference({ metadata }: PersistentVolumeClaim): NonNullable<PersistentVolumeSpec['claimRef']> {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
}

/** Names of the members of a volume's spec that follow on its source, in schema order. */
const volumeMembers = [
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
] as const;

const plainMembers: ReadonlySet<string> = new Set(['capacity', ...volumeMembers]);

/** The members of a volume's spec that say where it lies; one, in a volume that is right. */
export function volumeSource(spec: object): object {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !plainMembers.has(name)));
}

type Changes<T, K extends keyof T> = { readonly [P in K]?: T[P] | undefined };

/** The volume with some members of its spec replaced, or taken away where they are given as undefined. */
export function withVolumeSpec(
  volume: PersistentVolume,
  changes: Changes<PersistentVolumeSpec, (typeof volumeMembers)[number] | 'capacity' | 'csi'>,
): PersistentVolume {
  const spec = { ...volume.spec, ...changes };
  const { capacity } = spec;
  return {
    ...volume,
    spec: { ...(capacity === undefined ? {} : { capacity }), ...volumeSource(spec), ...inOrder(volumeMembers, spec) } as PersistentVolumeSpec,
  };
}

const claimMembers = [
  'accessModes',
  'selector',
  'resources',
  'volumeName',
  'storageClassName',
  'volumeMode',
  'dataSource',
  'dataSourceRef',
  'volumeAttributesClassName',
] as const;

/** The name by which a node and the controllers know an attachable volume (CSI volumes only). */
export function uniqueVolumeName(driver: string, handle: string): string {
  return `kubernetes.io/csi/${driver}^${handle}`;
}

/** The claim with some members of its spec replaced. */
export function withClaimSpec(claim: PersistentVolumeClaim, changes: Partial<PersistentVolumeClaimSpec>): PersistentVolumeClaim {
  return { ...claim, spec: inOrder(claimMembers, { ...claim.spec, ...changes }) as PersistentVolumeClaimSpec };
}

const claimStatusMembers = [
  'phase',
  'accessModes',
  'capacity',
  'conditions',
  'allocatedResources',
  'allocatedResourceStatuses',
  'currentVolumeAttributesClassName',
  'modifyVolumeStatus',
] as const;

type ClaimStatus = NonNullable<PersistentVolumeClaim['status']>;

/** The claim with some members of its status replaced, or taken away where they are given as undefined. */
export function withClaimStatus(claim: PersistentVolumeClaim, changes: Changes<ClaimStatus, keyof ClaimStatus>): PersistentVolumeClaim {
  return { ...claim, status: inOrder(claimStatusMembers, { ...claim.status, ...changes }) as ClaimStatus };
}

/** The members named, in their order, without those that are undefined. */
function inOrder<T extends object>(names: readonly (keyof T & string)[], values: T): object {
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

/** The object with these annotations, or without those given as undefined; keys in byte order. */
export function withAnnotations<T extends KubeObject>(object: T, changes: { readonly [name: string]: string | undefined }): T {
  const all: Record<string, string> = { ...object.metadata.annotations };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete all[name];
    else setOwn(all, name, value);
  }
  return { ...object, metadata: withMeta(object.metadata, { annotations: sortedMap(all) }) };
}
