/** Defaults of persistent volumes and claims. Mirrors pkg/apis/core/v1/defaults.go. */
import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/core/v1/types.gen.ts';
import { edit, fill, fillZero } from '../../shared/defaulting.ts';
import { roundResourceList } from './container-defaults.ts';
import { defaultClaimSpec, defaultSources } from './volume-defaults.ts';

const volumeDefaults = Object.freeze({ volumeMode: 'Filesystem' });
const volumeZero = Object.freeze({ persistentVolumeReclaimPolicy: 'Retain' });

export function defaultPersistentVolume(object: PersistentVolume): PersistentVolume {
  const next = edit(object, 'spec', (spec) => {
    const filled = fillZero(fill(spec, volumeDefaults), volumeZero);
    const rounded = filled.capacity === undefined ? filled : edit(filled, 'capacity', roundResourceList);
    return defaultSources(rounded);
  });
  return next.status?.phase ? next : { ...next, status: { ...next.status, phase: 'Pending' } };
}

export function defaultPersistentVolumeClaim(object: PersistentVolumeClaim): PersistentVolumeClaim {
  const next = edit(object, 'spec', defaultClaimSpec);
  return next.status?.phase ? next : { ...next, status: { ...next.status, phase: 'Pending' } };
}
