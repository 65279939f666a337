/**
 * What the volume plugins in the controller manager can do with a volume, in upstream's words. Mirrors findProvisionablePlugin and
 * findDeletablePlugin of pkg/controller/volume/persistentvolume/pv_controller.go and pkg/volume/plugins.go. Host paths and NFS are
 * what is left there: both can be recycled, and host paths be deleted.
 */
import type { PersistentVolume, Volume } from '../../api/core/v1/types.gen.ts';
import { getOwn } from '../../base/dictionary.ts';
import { hasAnnotation, migratedDriver, migratedTo, provisionedBy } from '../../component-helpers/storage.ts';

const hostPathPlugin = 'kubernetes.io/host-path';
const nfsPlugin = 'kubernetes.io/nfs';
const inTree = 'kubernetes.io/';
/** Host paths that the plugin may delete. */
const deletablePath = /\/tmp\/.+/;

/** Who makes volumes of a class: somebody outside, or nobody for the reason given. */
export type Provisioner = { readonly outside: string } | { readonly error: string };

export function provisionerOf(provisioner: string): Provisioner {
  const driver = migratedDriver(provisioner);
  if (driver !== undefined) return { outside: driver };
  if (!provisioner.startsWith(inTree)) return { outside: provisioner };
  // Switched on by a flag that is for tests of the plugin only.
  if (provisioner === hostPathPlugin) return { error: `Failed to create provisioner: provisioning in volume plugin "${hostPathPlugin}" is disabled` };
  return { error: provisioner === nfsPlugin ? 'no provisionable volume plugin matched' : `no volume plugin matched name: ${provisioner}` };
}

/** What becomes of a released volume that is to be deleted: somebody outside does it, it is done, or it fails. */
export type Deletion = { readonly type: 'outside' } | { readonly type: 'deleted' } | { readonly type: 'failed'; readonly error: string };

/** With `leavesToDrivers` a CSI volume is its driver's; it was nobody's before. */
export function deletionOf(volume: PersistentVolume, leavesToDrivers: boolean): Deletion {
  const { spec } = volume;
  const provisioner = getOwn(volume.metadata.annotations, provisionedBy) ?? '';
  if (provisioner !== '') {
    if (!provisioner.startsWith(inTree)) return { type: 'outside' };
    if (provisioner === nfsPlugin) return { type: 'failed', error: 'no deletable volume plugin matched' };
    if (provisioner !== hostPathPlugin) return { type: 'failed', error: `no volume plugin matched name: ${provisioner}` };
  } else {
    if (leavesToDrivers && (hasAnnotation(volume, migratedTo) || spec?.csi !== undefined)) return { type: 'outside' };
    if (spec?.hostPath === undefined) return { type: 'failed', error: `${leavesToDrivers ? 'e' : 'E'}rror getting ${noDeleter(volume)}` };
  }
  const path = spec?.hostPath?.path;
  if (path === undefined)
    return { type: 'failed', error: `failed to create deleter for volume "${nameOf(volume)}": spec.PersistentVolumeSource.HostPath is nil` };
  if (!deletablePath.test(path)) return { type: 'failed', error: `host_path deleter only supports /tmp/.+ but received provided ${path}` };
  return { type: 'deleted' };
}

function noDeleter(volume: PersistentVolume): string {
  return `deleter volume plugin for volume "${nameOf(volume)}": ${volume.spec?.nfs !== undefined ? 'no deletable volume plugin matched' : 'no volume plugin matched'}`;
}

/** The volume as a recycler's pod mounts it; undefined where no plugin recycles it. */
export function recyclableSource({ spec }: PersistentVolume): Partial<Volume> | undefined {
  if (spec?.hostPath !== undefined) return { hostPath: { path: spec.hostPath.path } };
  return spec?.nfs === undefined ? undefined : { nfs: { server: spec.nfs.server, path: spec.nfs.path } };
}

function nameOf({ metadata }: PersistentVolume): string {
  return metadata.name ?? '';
}
