/** What pods mount: the sources of volumes in upstream's order. Mirrors validateVolumeSource of pkg/apis/core/validation. */
import type { Volume } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, forbidden, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { parseQuantity, quantitySign } from '../../../apimachinery/quantity.ts';
import { isDNS1123Subdomain } from '../../../apimachinery/validation.ts';
import {
  azureDisk,
  driverName,
  fibreChannel,
  flexOptions,
  flocker,
  hostPathSource,
  type Lun,
  iscsi,
  oneName,
  partition,
  quobyte,
  requiredMembers,
  secretName,
  storageos,
} from './disk-validation.ts';
import { validateClaimTemplate } from './volume-object-validation.ts';
import { validateDownwardFile, validateProjected } from './projected-validation.ts';
import type { Faults } from './resource-validation.ts';
import { descending, validateItems, validateMode } from './volume-paths.ts';

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

export interface VolumeFacts {
  /** Absent of templates. */
  readonly podName: string;
  readonly isPod: boolean;
}

/** Upstream judges the sources in this order, whatever the order they are sent in. */
const order = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
] as const satisfies readonly (keyof Volume)[];
type SourceName = (typeof order)[number];

/** As a second source is named. */
const secondNames: { readonly [name in SourceName]?: string } = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

export function validateVolumeSource(volume: Volume, facts: VolumeFacts, path: FieldPath, out: Faults): void {
  let count = 0;
  for (const name of order) {
    if (!volume[name]) continue;
    if (count > 0) out.push(forbidden(path.child(secondNames[name] ?? name), 'may not specify more than 1 volume type'));
    else validateSource(volume, name, facts, path, out);
    count++;
    if (name === 'iscsi') iscsiName(volume, path, out);
  }
  if (count === 0) out.push(required(path, 'must specify a volume type'));
}

function iscsiName({ name, iscsi: source }: Volume, path: FieldPath, out: Faults): void {
  if (source?.initiatorName === undefined || `${name}:${source.targetPortal}`.length <= 64) return;
  const text = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  out.push(invalid(path.child('name'), name, text));
}

function validateSource(volume: Volume, name: SourceName, facts: VolumeFacts, whole: FieldPath, out: Faults): void {
  const path = whole.child(name === 'gcePersistentDisk' ? 'persistentDisk' : name);
  requiredMembers(name, volume[name] as object, path, out);
  validateFiles(volume, name, path, out);
  validateDisk(volume, name, path, out);
  if (name === 'ephemeral') validateEphemeral(volume, facts, path, whole, out);
  if (name === 'image') validateImage(volume.image, facts.isPod, path, out);
}

function validateFiles(volume: Volume, name: SourceName, path: FieldPath, out: Faults): void {
  const { emptyDir, hostPath, gitRepo, secret, configMap, downwardAPI, projected } = volume;
  switch (name) {
    case 'emptyDir':
      if (emptyDir?.sizeLimit !== undefined && quantitySign(parseQuantity(emptyDir.sizeLimit)) < 0)
        out.push(forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity'));
      return;
    case 'hostPath':
      return hostPathSource(hostPath ?? { path: '' }, path, out);
    case 'gitRepo':
      return descending(gitRepo?.directory ?? '', path.child('directory'), out);
    case 'secret':
    case 'configMap':
      validateMode((secret ?? configMap)?.defaultMode, path.child('defaultMode'), out);
      return validateItems((secret ?? configMap)?.items, path.child('items'), out);
    case 'downwardAPI':
      validateMode(downwardAPI?.defaultMode, path.child('defaultMode'), out);
      for (const file of downwardAPI?.items ?? []) validateDownwardFile(file, path, out);
      return;
    case 'projected':
      if (projected) validateProjected(projected, path, out);
  }
}

function validateDisk(volume: Volume, name: SourceName, path: FieldPath, out: Faults): void {
  switch (name) {
    case 'gcePersistentDisk':
    case 'awsElasticBlockStore':
      return partition(volume[name]?.partition, path, out);
    case 'nfs':
      if (!volume.nfs?.path?.startsWith('/')) out.push(invalid(path.child('path'), volume.nfs?.path ?? '', 'must be an absolute path'));
      return;
    case 'iscsi':
      if (volume.iscsi) iscsi(volume.iscsi, path, out);
      return;
    case 'flocker':
      if (volume.flocker) flocker(volume.flocker, path, out);
      return;
    case 'cinder':
      return secretName(volume.cinder?.secretRef, path, out);
    case 'quobyte':
      if (volume.quobyte) quobyte(volume.quobyte, path, out);
      return;
    case 'fc':
      return fibreChannel((volume.fc ?? {}) as Lun, path, out);
    case 'flexVolume':
      return flexOptions(volume.flexVolume?.options, path, out);
    case 'azureDisk':
      if (volume.azureDisk) azureDisk(volume.azureDisk, path, out);
      return;
    case 'storageos':
      if (volume.storageos) storageos(volume.storageos, path, out);
      return;
    case 'csi':
      driverName(volume.csi?.driver ?? '', path.child('driver'), out);
      return nodeSecret(volume.csi?.nodePublishSecretRef, path, out);
  }
}

function nodeSecret(ref: { readonly name?: string } | undefined, path: FieldPath, out: Faults): void {
  if (!ref) return;
  if (!ref.name) out.push(required(path.child('nodePublishSecretRef', 'name')));
  else oneName(ref.name, path.child('name'), out);
}

function validateEphemeral({ name, ephemeral }: Volume, { podName }: VolumeFacts, path: FieldPath, whole: FieldPath, out: Faults): void {
  const template = ephemeral?.volumeClaimTemplate;
  if (!template) out.push(required(path.child('volumeClaimTemplate')));
  else validateClaimTemplate(template, path.child('volumeClaimTemplate'), out);
  if (podName === '' || !name) return;
  const claim = `${podName}-${name}`;
  for (const fault of isDNS1123Subdomain(claim)) out.push(invalid(whole.child('name'), name, `PVC name ${JSON.stringify(claim)}: ${fault}`));
}

function validateImage(image: Volume['image'], isPod: boolean, path: FieldPath, out: Faults): void {
  if (isPod && !image?.reference) out.push(required(path.child('reference')));
  const policy = image?.pullPolicy;
  if (!policy) out.push(required(path.child('pullPolicy')));
  else if (!pullPolicies.includes(policy)) out.push(notSupported(path.child('pullPolicy'), policy, pullPolicies));
}
