/** Volumes of pods and where containers mount them. Mirrors ValidateVolumes and ValidateVolumeMounts of pkg/apis/core/validation. */
import { getOwn } from '../../../base/dictionary.ts';
import type { Container, EphemeralContainer, KeyToPath, ProjectedVolumeSource, Volume, VolumeProjection } from '../../../api/core/v1/types.gen.ts';
import { duplicate, type FieldPath, forbidden, invalid, notFound, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { isDNS1123Label } from '../../../apimachinery/validation.ts';
import { validateFieldRef, validateResourceFieldRef, volumeFields } from './env-validation.ts';
import type { Faults } from './resource-validation.ts';

const modeText = 'must be a number between 0 and 0777 (octal), both inclusive';
const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];
const propagations = ['Bidirectional', 'HostToContainer', 'None'];
const noVolumes: ReadonlyMap<string, Volume> = new Map();

/** Returns the sound ones by name. */
export function validateVolumes(volumes: readonly Volume[] | undefined, podName: string, path: FieldPath, out: Faults): ReadonlyMap<string, Volume> {
  if (volumes === undefined || volumes.length === 0) return noVolumes;
  const sound = new Map<string, Volume>();
  const created = new Set(volumes.filter((volume) => volume.ephemeral && podName !== '').map((volume) => `${podName}-${volume.name}`));
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    const before = out.length;
    validateSource(volume, at, out);
    if (!volume.name) out.push(required(at.child('name')));
    else for (const fault of isDNS1123Label(volume.name)) out.push(invalid(at.child('name'), volume.name, fault));
    if (sound.has(volume.name)) out.push(duplicate(at.child('name'), volume.name));
    if (out.length === before) sound.set(volume.name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && created.has(claim)) {
      out.push(
        invalid(at.child('persistentVolumeClaim').child('claimName'), claim, 'must not reference a PVC that gets created for an ephemeral volume'),
      );
    }
  }
  return sound;
}

function validateSource(volume: Volume, path: FieldPath, out: Faults): void {
  let count = 0;
  for (const name in volume) {
    if (name === 'name' || !volume[name as keyof Volume]) continue;
    const at = path.child(name);
    if (count > 0) out.push(forbidden(at, 'may not specify more than 1 volume type'));
    else validateKind(volume, name as keyof Volume, at, out);
    count++;
  }
  if (count === 0) out.push(required(path, 'must specify a volume type'));
}

/** The one member that must be there. */
const requiredMembers: { readonly [source: string]: readonly string[] } = {
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  persistentVolumeClaim: ['claimName'],
  nfs: ['server', 'path'],
  csi: ['driver'],
  cephfs: ['monitors'],
  rbd: ['monitors', 'image'],
  glusterfs: ['endpoints', 'path'],
  flexVolume: ['driver'],
  azureFile: ['secretName', 'shareName'],
  azureDisk: ['diskName', 'diskURI'],
  vsphereVolume: ['volumePath'],
  cinder: ['volumeID'],
  gitRepo: ['repository'],
};

function validateKind(volume: Volume, name: keyof Volume, path: FieldPath, out: Faults): void {
  const members = getOwn(requiredMembers, name);
  if (members !== undefined) {
    const source = volume[name] as { readonly [member: string]: unknown };
    for (const member of members)
      if (!source[member] || (Array.isArray(source[member]) && source[member].length === 0)) out.push(required(path.child(member)));
  }
  if (volume.emptyDir?.sizeLimit?.startsWith('-')) out.push(forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity'));
  if (volume.nfs?.path && !volume.nfs.path.startsWith('/')) out.push(invalid(path.child('path'), volume.nfs.path, 'must be an absolute path'));
  if (volume.hostPath) validateHostPath(volume.hostPath, path, out);
  if (volume.secret) {
    if (!volume.secret.secretName) out.push(required(path.child('secretName')));
    validateMode(volume.secret.defaultMode, path.child('defaultMode'), out);
    validateItems(volume.secret.items, path.child('items'), out);
  }
  if (volume.configMap) {
    if (!volume.configMap.name) out.push(required(path.child('name')));
    validateMode(volume.configMap.defaultMode, path.child('defaultMode'), out);
    validateItems(volume.configMap.items, path.child('items'), out);
  }
  if (volume.downwardAPI) {
    validateMode(volume.downwardAPI.defaultMode, path.child('defaultMode'), out);
    for (const file of volume.downwardAPI.items ?? []) validateDownwardFile(file, path, out);
  }
  if (volume.projected) validateProjected(volume.projected, path, out);
  if (volume.ephemeral && !volume.ephemeral.volumeClaimTemplate) out.push(required(path.child('volumeClaimTemplate')));
}

export function validateHostPath(source: NonNullable<Volume['hostPath']>, path: FieldPath, out: Faults): void {
  if (!source.path) return void out.push(required(path.child('path')));
  noBacksteps(source.path, path.child('path'), out);
  if (source.type !== undefined && !hostPathTypes.includes(source.type)) out.push(notSupported(path.child('type'), source.type, hostPathTypes));
}

function validateMode(mode: number | undefined, path: FieldPath, out: Faults): void {
  if (mode !== undefined && (mode > 0o777 || mode < 0)) out.push(invalid(path, mode, modeText));
}

function noBacksteps(text: string, path: FieldPath, out: Faults): void {
  if (text.includes('..') && text.split('/').includes('..')) out.push(invalid(path, text, "must not contain '..'"));
}

function descending(text: string, path: FieldPath, out: Faults): void {
  if (text.startsWith('/')) out.push(invalid(path, text, 'must be a relative path'));
  noBacksteps(text, path, out);
}

function nonReserved(text: string, path: FieldPath, out: Faults): void {
  descending(text, path, out);
  if (text.startsWith('..') && !text.startsWith('../')) out.push(invalid(path, text, "must not start with '..'"));
}

function validateItems(items: readonly KeyToPath[] | undefined, path: FieldPath, out: Faults): void {
  for (const [index, item] of (items ?? []).entries()) {
    const at = path.index(index);
    if (!item.key) out.push(required(at.child('key')));
    if (!item.path) out.push(required(at.child('path')));
    nonReserved(item.path ?? '', at.child('path'), out);
    validateMode(item.mode, at.child('mode'), out);
  }
}

type DownwardFile = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];

function validateDownwardFile(file: DownwardFile, path: FieldPath, out: Faults): void {
  if (!file.path) out.push(required(path.child('path')));
  nonReserved(file.path ?? '', path.child('path'), out);
  if (file.fieldRef) {
    validateFieldRef(file.fieldRef, volumeFields, path.child('fieldRef'), out);
    if (file.resourceFieldRef) out.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (file.resourceFieldRef) validateResourceFieldRef(file.resourceFieldRef, true, path.child('resourceFieldRef'), out);
  else out.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  validateMode(file.mode, path.child('mode'), out);
}

function validateProjected(source: ProjectedVolumeSource, path: FieldPath, out: Faults): void {
  validateMode(source.defaultMode, path.child('defaultMode'), out);
  const taken = new Set<string>();
  const claim = (file: string | undefined, name: string): void => {
    if (!file) return;
    if (taken.has(file)) out.push(invalid(path, name, 'conflicting duplicate paths'));
    taken.add(file);
  };
  for (const [index, projection] of (source.sources ?? []).entries()) validateProjection(projection, path.child('sources').index(index), claim, out);
}

function validateProjection(
  projection: VolumeProjection,
  path: FieldPath,
  claim: (file: string | undefined, name: string) => void,
  out: Faults,
): void {
  let count = 0;
  for (const name of ['secret', 'configMap'] as const) {
    const part = projection[name];
    if (!part) continue;
    if (count++ > 0) out.push(forbidden(path.child(name), 'may not specify more than 1 volume type'));
    if (!part.name) out.push(required(path.child(name).child('name')));
    validateItems(part.items, path.child(name).child('items'), out);
    for (const item of part.items ?? []) claim(item.path, part.name ?? '');
  }
  if (projection.downwardAPI) {
    count++;
    for (const file of projection.downwardAPI.items ?? []) {
      validateDownwardFile(file, path.child('downwardAPI'), out);
      claim(file.path, file.path);
    }
  }
  const token = projection.serviceAccountToken;
  if (token) {
    count++;
    const at = path.child('serviceAccountToken');
    const seconds = token.expirationSeconds ?? 0;
    if (seconds < 600) out.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration less than 10 minutes'));
    if (seconds > 2 ** 32) out.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration larger than 2^32 seconds'));
    if (!token.path) out.push(required(at.child('path')));
    else nonReserved(token.path, at.child('path'), out);
  }
  if (count > 1) out.push(forbidden(path, 'may not specify more than 1 volume type'));
}

export function validateMounts(container: Container | EphemeralContainer, volumes: ReadonlyMap<string, Volume>, path: FieldPath, out: Faults): void {
  const mounts = container.volumeMounts ?? [];
  const devices = container.volumeDevices ?? [];
  const points = new Set<string>();
  for (let index = 0; index < mounts.length; index++) {
    const mount = mounts[index] as (typeof mounts)[number];
    const list = path.child('volumeMounts');
    const at = list.index(index);
    if (!mount.name) out.push(required(at.child('name')));
    if (!volumes.has(mount.name)) out.push(notFound(at.child('name'), mount.name));
    if (!mount.mountPath) out.push(required(at.child('mountPath')));
    if (points.has(mount.mountPath)) out.push(invalid(at.child('mountPath'), mount.mountPath, 'must be unique'));
    points.add(mount.mountPath);
    if (devices.some((device) => device.name === mount.name))
      out.push(invalid(at.child('name'), mount.name, 'must not already exist in volumeDevices'));
    if (devices.some((device) => device.devicePath === mount.mountPath)) {
      out.push(invalid(at.child('mountPath'), mount.mountPath, 'must not already exist as a path in volumeDevices'));
    }
    if (mount.subPath) descending(mount.subPath, list.child('subPath'), out);
    if (mount.subPathExpr) {
      if (mount.subPath) out.push(invalid(at.child('subPathExpr'), mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      descending(mount.subPathExpr, list.child('subPathExpr'), out);
    }
    if (mount.mountPropagation !== undefined) validatePropagation(mount.mountPropagation, container, list.child('mountPropagation'), out);
  }
  if (devices.length > 0) validateDevices(devices, volumes, path.child('volumeDevices'), out);
}

function validatePropagation(mode: string, container: Container | EphemeralContainer, path: FieldPath, out: Faults): void {
  if (!propagations.includes(mode)) out.push(notSupported(path, mode, propagations));
  if (mode === 'Bidirectional' && container.securityContext?.privileged !== true)
    out.push(forbidden(path, 'Bidirectional mount propagation is available only to privileged containers'));
}

function validateDevices(devices: NonNullable<Container['volumeDevices']>, volumes: ReadonlyMap<string, Volume>, path: FieldPath, out: Faults): void {
  const paths = new Set<string>();
  const names = new Set<string>();
  for (const [index, device] of devices.entries()) {
    const at = path.index(index);
    const volume = volumes.get(device.name);
    if (!device.name) out.push(required(at.child('name')));
    if (names.has(device.name)) out.push(invalid(at.child('name'), device.name, 'must be unique'));
    if (volume !== undefined && !volume.persistentVolumeClaim && !volume.ephemeral) {
      out.push(invalid(at.child('name'), device.name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'));
    }
    if (volume === undefined) out.push(notFound(at.child('name'), device.name));
    if (!device.devicePath) out.push(required(at.child('devicePath')));
    if (paths.has(device.devicePath)) out.push(invalid(at.child('devicePath'), device.devicePath, 'must be unique'));
    if (device.devicePath) noBacksteps(device.devicePath, at.child('devicePath'), out);
    names.add(device.name);
    paths.add(device.devicePath);
  }
}
