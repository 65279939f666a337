/** Volumes of pods and where containers mount them. Mirrors ValidateVolumes and ValidateVolumeMounts of pkg/apis/core/validation. */
import type { Container, EphemeralContainer, Volume, VolumeMount } from '../../../api/core/v1/types.gen.ts';
import { duplicate, type FieldPath, forbidden, invalid, notFound, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { isDNS1123Label } from '../../../apimachinery/validation.ts';
import type { Faults } from './resource-validation.ts';
import { descending, hasBacksteps } from './volume-paths.ts';
import { type VolumeFacts, validateVolumeSource } from './volume-source-validation.ts';

const propagations = ['Bidirectional', 'HostToContainer', 'None'];
const noVolumes: ReadonlyMap<string, Volume> = new Map();

/** Returns the sound ones by name. */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  facts: VolumeFacts,
  path: FieldPath,
  out: Faults,
): ReadonlyMap<string, Volume> {
  if (volumes === undefined || volumes.length === 0) return noVolumes;
  const sound = new Map<string, Volume>();
  const created = new Set(volumes.filter((volume) => volume.ephemeral && facts.podName !== '').map((volume) => `${facts.podName}-${volume.name}`));
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    const before = out.length;
    validateVolumeSource(volume, facts, at, out);
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
    if (mount.recursiveReadOnly !== undefined) validateRecursive(mount, list.child('recursiveReadOnly'), out);
  }
  if (devices.length > 0) validateDevices(devices, mounts, volumes, path.child('volumeDevices'), out);
}

const recursions = ['Disabled', 'Enabled', 'IfPossible'];

function validateRecursive({ recursiveReadOnly = '', readOnly, mountPropagation }: VolumeMount, path: FieldPath, out: Faults): void {
  if (!recursions.includes(recursiveReadOnly)) return void out.push(notSupported(path, recursiveReadOnly, recursions));
  if (recursiveReadOnly === 'Disabled') return;
  if (readOnly !== true) out.push(forbidden(path, 'may only be specified when readOnly is true'));
  if (mountPropagation !== undefined && mountPropagation !== 'None')
    out.push(forbidden(path, 'may only be specified when mountPropagation is None or not specified'));
}

function validatePropagation(mode: string, container: Container | EphemeralContainer, path: FieldPath, out: Faults): void {
  if (!propagations.includes(mode)) out.push(notSupported(path, mode, propagations));
  if (mode === 'Bidirectional' && container.securityContext?.privileged !== true)
    out.push(forbidden(path, 'Bidirectional mount propagation is available only to privileged containers'));
}

function validateDevices(
  devices: NonNullable<Container['volumeDevices']>,
  mounts: readonly VolumeMount[],
  volumes: ReadonlyMap<string, Volume>,
  path: FieldPath,
  out: Faults,
): void {
  const paths = new Set<string>();
  const names = new Set<string>();
  const mountsByName = new Map(mounts.map(({ name, mountPath }) => [name, mountPath]));
  const mountPaths = new Set(mountsByName.values());
  for (const [index, { name = '', devicePath = '' }] of devices.entries()) {
    const at = path.index(index);
    const [nameAt, pathAt] = [at.child('name'), at.child('devicePath')];
    const volume = volumes.get(name);
    if (name === '') out.push(required(nameAt));
    if (names.has(name)) out.push(invalid(nameAt, name, 'must be unique'));
    if (volume !== undefined && !volume.persistentVolumeClaim && !volume.ephemeral)
      out.push(invalid(nameAt, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'));
    if (volume === undefined) out.push(notFound(nameAt, name));
    if (devicePath === '') out.push(required(pathAt));
    if (paths.has(devicePath)) out.push(invalid(pathAt, devicePath, 'must be unique'));
    if (hasBacksteps(devicePath)) out.push(invalid(pathAt, devicePath, "can not contain backsteps ('..')"));
    else paths.add(devicePath);
    if (mountsByName.has(name)) out.push(invalid(nameAt, name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(devicePath)) out.push(invalid(pathAt, devicePath, 'must not already exist as a path in volumeMounts'));
    if (name !== '') names.add(name);
  }
}
