/**
 * Volumes on disks of a cloud get the labels of the place of their disk, and go to nodes there alone; where the cloud has no such disk, or none
 * is there to ask, they are refused. Of old releases, which knew four clouds; here the simulated one answers for all of them, by the
 * disk's name. Mirrors plugin/pkg/admission/storage/persistentvolume/label.
 */
import type { Node, PersistentVolume } from '../../../api/core/v1/types.gen.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { CloudDisk } from '../../../contracts/cloud.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

type Spec = NonNullable<PersistentVolume['spec']>;
type Term = NonNullable<NonNullable<NonNullable<Spec['nodeAffinity']>['required']>['nodeSelectorTerms']>[number];

/** Disks of the cloud of the cluster. */
export interface PlacedDisks {
  get(name: string): Pick<CloudDisk, 'zone'> | undefined;
}

/** How a cloud's disk is named in a volume. */
interface InCloud {
  /** Undefined where the volume has none of this kind. */
  nameIn(spec: Spec): string | undefined;
  readonly what: string;
  readonly noCloud: string;
  /** A label of the zone says where the disk must be. */
  readonly heedsZone?: true;
}

const zoneLabel = 'failure-domain.beta.kubernetes.io/zone';
const regionLabel = 'failure-domain.beta.kubernetes.io/region';
const [presentZone, presentRegion] = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];
/** Of volumes that are being made, which the plugin of each cloud labels. */
const provisioned = 'placeholder-for-provisioning';

const clouds: readonly InCloud[] = [
  { nameIn: (spec) => spec.awsElasticBlockStore?.volumeID, what: 'AWS EBS volume', noCloud: 'unable to build AWS cloud provider for EBS' },
  { nameIn: (spec) => spec.gcePersistentDisk?.pdName, what: 'GCE PD volume', noCloud: 'unable to build GCE cloud provider for PD', heedsZone: true },
  { nameIn: (spec) => spec.azureDisk?.diskName, what: 'AzureDisk volume', noCloud: 'unable to build Azure cloud provider for AzureDisk' },
  { nameIn: (spec) => spec.vsphereVolume?.volumePath, what: 'vSphere Volume', noCloud: 'unable to build vSphere cloud provider' },
];

/** `disks` gives nothing where there is no cloud. `placesPods`: volumes say which nodes they can be used on. */
export function createPersistentVolumeLabel(disks: () => PlacedDisks | undefined, placesPods: boolean): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'PersistentVolumeLabel',
    verbs: ['CREATE'],
    resources: ['persistentvolumes'],
    admit(object, attributes) {
      const volume = object as PersistentVolume;
      const { spec } = volume;
      if (spec === undefined) return object;
      const cloud = clouds.findLast(({ nameIn }) => nameIn(spec) !== undefined);
      const labels = cloud === undefined ? [] : labelsOf(volume, cloud.nameIn(spec) ?? '', cloud, disks(), attributes);
      if (labels.length === 0) return object;
      const metadata = { ...volume.metadata, labels: { ...volume.metadata.labels, ...Object.fromEntries(labels) } };
      return { ...volume, metadata, spec: placesPods ? onNodesOf(spec, labels) : spec };
    },
  });
}

type Labels = readonly (readonly [name: string, value: string])[];

function labelsOf(
  { metadata }: PersistentVolume,
  name: string,
  { what, noCloud, heedsZone }: InCloud,
  disks: PlacedDisks | undefined,
  attributes: AdmissionAttributes,
): Labels {
  if (name === provisioned) return [];
  if (disks === undefined) return refuse(attributes, `error querying ${what} ${name}: ${noCloud}`);
  // Some name the zone before the disk: aws://zone/vol-1.
  const disk = disks.get(name.slice(name.lastIndexOf('/') + 1));
  const hint = heedsZone === true ? getOwn(metadata.labels, zoneLabel) : undefined;
  if (disk === undefined || (hint !== undefined && hint !== disk.zone))
    return refuse(attributes, `error querying ${what} ${name}: there is no such disk`);
  if (disk.zone === '') return [];
  const region = regionOf(disk.zone, attributes);
  return [[zoneLabel, disk.zone], ...(region === undefined ? [] : [[regionLabel, region] as const])];
}

/** As the nodes of the zone say. */
function regionOf(zone: string, { stored }: AdmissionAttributes): string | undefined {
  const node = (stored('minions') as readonly Node[]).find(({ metadata }) => getOwn(metadata.labels, presentZone) === zone);
  return getOwn(node?.metadata.labels, presentRegion);
}

/** Terms that speak of one of the labels are left as they are, all of them. */
function onNodesOf(spec: Spec, labels: Labels): Spec {
  const given = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const terms: readonly Term[] = given.length === 0 ? [{}] : given;
  if (terms.some(({ matchExpressions = [] }) => matchExpressions.some(({ key }) => labels.some(([name]) => name === key)))) return spec;
  const added = labels.map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  const nodeSelectorTerms = terms.map((term) => ({ ...term, matchExpressions: [...(term.matchExpressions ?? []), ...added] }));
  return { ...spec, nodeAffinity: { ...spec.nodeAffinity, required: { ...spec.nodeAffinity?.required, nodeSelectorTerms } } };
}
