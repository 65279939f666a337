/** What a persistent volume stands for: one source, judged in upstream's order. Mirrors ValidatePersistentVolumeSpec of pkg/apis/core/validation. */
import type { PersistentVolumeSpec, SecretReference } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, forbidden, invalid, required } from '../../../apimachinery/field-errors.ts';
import { isDNS1123Label } from '../../../apimachinery/validation.ts';
import {
  azureDisk,
  driverName,
  fibreChannel,
  flexOptions,
  flocker,
  hostPathSource,
  iscsi,
  oneName,
  partition,
  quobyte,
  requiredMembers,
  storageos,
} from './disk-validation.ts';
import type { Faults } from './resource-validation.ts';
import { noBacksteps } from './volume-paths.ts';

const order = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const satisfies readonly (keyof PersistentVolumeSpec)[];
type SourceName = (typeof order)[number];

/** `isPlaced`: an affinity to nodes counts. */
export function validateSources(spec: PersistentVolumeSpec, name: string, path: FieldPath, out: Faults, isPlaced = true): void {
  let count = 0;
  for (const source of order) {
    const value = spec[source];
    if (!value) continue;
    count++;
    // Upstream lets a flexVolume stand beside what comes before it.
    if (count > 1 && source !== 'flexVolume') {
      out.push(forbidden(path.child(source === 'cephfs' ? 'cephFS' : source), 'may not specify more than 1 volume type'));
      continue;
    }
    const at = path.child(source === 'gcePersistentDisk' ? 'persistentDisk' : source);
    requiredMembers(source, value, at, out);
    if (!validateShare(spec, source, at, out)) validateDisk(spec, source, name, at, out);
    if (source === 'local' && !(isPlaced && spec.nodeAffinity)) out.push(required(path.child('nodeAffinity'), 'Local volume requires node affinity'));
  }
  if (count === 0) out.push(required(path, 'must specify a volume type'));
}

/** What lies on a machine or in the network. False for others. */
function validateShare(spec: PersistentVolumeSpec, source: SourceName, path: FieldPath, out: Faults): boolean {
  const { hostPath, local, nfs, glusterfs, azureFile } = spec;
  if (source === 'hostPath' && hostPath) hostPathSource(hostPath, path, out);
  else if (source === 'local' && local) {
    if (!local.path) out.push(required(path.child('path')));
    else noBacksteps(local.path, path.child('path'), out);
  } else if (source === 'nfs' && nfs) {
    if (!nfs.path?.startsWith('/')) out.push(invalid(path.child('path'), nfs.path ?? '', 'must be an absolute path'));
  } else if (source === 'glusterfs' && glusterfs) {
    const { endpointsNamespace: namespace } = glusterfs;
    const at = path.child('endpointsNamespace');
    if (namespace === '') out.push(invalid(at, '', 'if the endpointnamespace is set, it must be a valid namespace name'));
    else if (namespace !== undefined) for (const fault of isDNS1123Label(namespace)) out.push(invalid(at, namespace, fault));
  } else if (source === 'azureFile' && azureFile) {
    if (azureFile.secretNamespace === '') out.push(required(path.child('secretNamespace')));
  } else return false;
  return true;
}

function validateDisk(spec: PersistentVolumeSpec, source: SourceName, name: string, path: FieldPath, out: Faults): void {
  switch (source) {
    case 'gcePersistentDisk':
    case 'awsElasticBlockStore':
      return partition(spec[source]?.partition, path, out);
    case 'flocker':
      return spec.flocker && flocker(spec.flocker, path, out);
    case 'quobyte':
      return spec.quobyte && quobyte(spec.quobyte, path, out);
    case 'iscsi':
      return spec.iscsi && validateIscsi(spec.iscsi, name, path, out);
    case 'cinder':
      return secretOf(spec.cinder?.secretRef, path.child('secretRef'), out);
    case 'fc':
      return spec.fc && fibreChannel(spec.fc, path, out);
    case 'flexVolume':
      return flexOptions(spec.flexVolume?.options, path, out);
    case 'azureDisk':
      return spec.azureDisk && azureDisk(spec.azureDisk, path, out);
    case 'storageos': {
      const { secretRef, ...rest } = spec.storageos ?? {};
      storageos(rest, path, out);
      return secretOf(secretRef, path.child('secretRef'), out);
    }
    case 'csi':
      return spec.csi && validateCsi(spec.csi, path, out);
  }
}

function validateIscsi(source: NonNullable<PersistentVolumeSpec['iscsi']>, name: string, path: FieldPath, out: Faults): void {
  const { targetPortal, initiatorName, secretRef } = source;
  const found: Faults = [];
  iscsi(source, path, found);
  const isTooLong = initiatorName !== undefined && Buffer.byteLength(`${name}:${targetPortal}`) > 64;
  const text = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  // After the portal, before the names.
  const first = targetPortal ? 0 : 1;
  out.push(...found.slice(0, first), ...(isTooLong ? [invalid(path.child('targetportal'), targetPortal, text)] : []));
  const initiator = path.child('initiatorname').toString();
  const rest = found
    .slice(first)
    .map((fault) => (fault.detail.startsWith('must be valid format') ? { ...fault, detail: 'must be valid format' } : fault));
  out.push(...rest.filter(({ field }) => field !== initiator));
  if (secretRef && !secretRef.name) out.push(required(path.child('secretRef', 'name')));
  out.push(...rest.filter(({ field }) => field === initiator));
}

function secretOf(ref: SecretReference | undefined, path: FieldPath, out: Faults): void {
  if (!ref) return;
  for (const member of ['name', 'namespace'] as const) if (!ref[member]) out.push(required(path.child(member)));
}

const secrets = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const;

function validateCsi(csi: NonNullable<PersistentVolumeSpec['csi']>, path: FieldPath, out: Faults): void {
  driverName(csi.driver, path.child('driver'), out);
  if (!csi.volumeHandle) out.push(required(path.child('volumeHandle')));
  for (const member of secrets) {
    const ref = csi[member];
    if (!ref) continue;
    const at = path.child(member);
    if (!ref.name) out.push(required(at.child('name')));
    else oneName(ref.name, at.child('name'), out);
    if (!ref.namespace) out.push(required(at.child('namespace')));
    else for (const fault of isDNS1123Label(ref.namespace)) out.push(invalid(at.child('namespace'), ref.namespace, fault));
  }
}
