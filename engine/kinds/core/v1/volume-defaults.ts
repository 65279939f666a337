/** Defaults of volumes. Mirrors SetDefaults_Volume and the volume sources of pkg/apis/core/v1. */
import { fieldCount } from '../../../base/plain.ts';
import type { PersistentVolumeClaimSpec, ProjectedVolumeSource, Volume, VolumeProjection } from '../../../api/core/v1/types.gen.ts';
import { edit, editEach, fill, fillZero, put } from '../../shared/defaulting.ts';
import { defaultResources, pullPolicyFor } from './container-defaults.ts';

const fileMode = 0o644;
const modeDefaults = Object.freeze({ defaultMode: fileMode });
const hostPathDefaults = Object.freeze({ type: '' });
const tokenDefaults = Object.freeze({ expirationSeconds: 3600 });
const claimDefaults = Object.freeze({ volumeMode: 'Filesystem' });
const azureDefaults = Object.freeze({ cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' });
const rbdDefaults = Object.freeze({ pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' });
const scaleIODefaults = Object.freeze({ storageMode: 'ThinProvisioned', fsType: 'xfs' });
const iscsiDefaults = Object.freeze({ iscsiInterface: 'default' });
const fieldDefaults = Object.freeze({ apiVersion: 'v1' });

type Sources = Pick<Volume, 'hostPath' | 'azureDisk'> & {
  readonly rbd?: { readonly pool?: string; readonly user?: string; readonly keyring?: string };
  readonly scaleIO?: { readonly storageMode?: string; readonly fsType?: string };
  readonly iscsi?: { readonly iscsiInterface?: string };
};

/** Of sources that pods and persistent volumes have in common. */
export function defaultSources<T extends Sources>(given: T): T {
  let next = given;
  const set = <K extends keyof Sources>(name: K, defaulted: (source: NonNullable<Sources[K]>) => NonNullable<Sources[K]>): void => {
    const source = next[name];
    if (source) next = put(next, name, defaulted(source as NonNullable<Sources[K]>) as T[K]);
  };
  set('hostPath', (source) => fill(source, hostPathDefaults));
  set('rbd', (source) => fillZero(source, rbdDefaults));
  set('iscsi', (source) => fillZero(source, iscsiDefaults));
  set('azureDisk', (source) => fill(source, azureDefaults));
  set('scaleIO', (source) => fillZero(source, scaleIODefaults));
  return next;
}

/** A volume has a name and one source; where it has several, they are told as defaulted. */
export function defaultVolume(volume: Volume): Volume {
  return fieldCount(volume) > 2 ? defaultMany(volume) : defaultOne(volume);
}

const separate = ['configMap', 'secret', 'projected', 'downwardAPI', 'ephemeral', 'image'] as const;

function defaultMany(volume: Volume): Volume {
  let next = defaultSources(volume);
  for (const source of separate) if (next[source]) next = { ...next, [source]: defaultOne({ name: volume.name, [source]: next[source] })[source] };
  return next;
}

function defaultOne(volume: Volume): Volume {
  if (volume.configMap) return edit(volume, 'configMap', (source) => fill(source, modeDefaults));
  if (volume.secret) return edit(volume, 'secret', (source) => fill(source, modeDefaults));
  if (volume.projected) return edit(volume, 'projected', defaultProjected);
  if (volume.emptyDir) return volume;
  if (volume.hostPath) return edit(volume, 'hostPath', (source) => fill(source, hostPathDefaults));
  if (volume.downwardAPI) {
    return edit(volume, 'downwardAPI', (source) => editEach(fill(source, modeDefaults), 'items', defaultDownwardFile));
  }
  if (volume.ephemeral) {
    return edit(volume, 'ephemeral', (source) => edit(source, 'volumeClaimTemplate', (template) => edit(template, 'spec', defaultClaimSpec)));
  }
  if (volume.azureDisk || volume.rbd || volume.scaleIO || volume.iscsi) return defaultSources(volume);
  if (volume.image) {
    return edit(volume, 'image', (source) => (source.pullPolicy ? source : { ...source, pullPolicy: pullPolicyFor(source.reference ?? '') }));
  }
  return hasSource(volume) ? volume : { ...volume, emptyDir: {} };
}

function hasSource(volume: Volume): boolean {
  for (const key in volume) if (key !== 'name' && volume[key as keyof Volume] !== undefined && volume[key as keyof Volume] !== null) return true;
  return false;
}

export function defaultClaimSpec(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const filled = fill(spec, claimDefaults);
  return filled.resources === undefined ? filled : edit(filled, 'resources', defaultResources);
}

type Fielded = { readonly fieldRef?: { readonly fieldPath: string; readonly apiVersion?: string } };

function defaultDownwardFile<F extends Fielded>(file: F): F {
  return file.fieldRef && !file.fieldRef.apiVersion ? { ...file, fieldRef: { ...file.fieldRef, ...fieldDefaults } } : file;
}

function defaultProjected(source: ProjectedVolumeSource): ProjectedVolumeSource {
  return editEach(fill(source, modeDefaults), 'sources', defaultProjection);
}

function defaultProjection(projection: VolumeProjection): VolumeProjection {
  const next = edit(projection, 'serviceAccountToken', (token) => fill(token, tokenDefaults));
  return edit(next, 'downwardAPI', (source) => editEach(source, 'items', defaultDownwardFile));
}
