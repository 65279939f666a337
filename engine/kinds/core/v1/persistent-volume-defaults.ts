/** Defaults of persistent volumes and claims. Mirrors pkg/apis/core/v1/defaults.go. */
import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimStatus } from '../../../api/core/v1/types.gen.ts';
import { edit, fill, fillZero } from '../../shared/defaulting.ts';
import { roundResourceList } from './container-defaults.ts';
import { defaultClaimSpec, defaultSources } from './volume-defaults.ts';

const volumeDefaults = Object.freeze({ volumeMode: 'Filesystem' });
const volumeZero = Object.freeze({ persistentVolumeReclaimPolicy: 'Retain' });

export function defaultPersistentVolume(object: PersistentVolume): PersistentVolume {
  const next = edit(object, 'spec', (spec) => {
    return defaultVolumeSources(fillZero(fill(spec, volumeDefaults), volumeZero));
  });
  return next.status?.phase ? next : { ...next, status: { ...next.status, phase: 'Pending' } };
}

/** What of a volume's specification has defaults wherever it stands. */
export function defaultVolumeSources(spec: NonNullable<PersistentVolume['spec']>): NonNullable<PersistentVolume['spec']> {
  return defaultSources(spec.capacity === undefined ? spec : edit(spec, 'capacity', roundResourceList));
}

export function defaultPersistentVolumeClaim(object: PersistentVolumeClaim): PersistentVolumeClaim {
  const next = edit(edit(object, 'spec', defaultClaimSpec), 'status', roundedStatus);
  return next.status?.phase ? next : { ...next, status: { ...next.status, phase: 'Pending' } };
}

function roundedStatus(status: PersistentVolumeClaimStatus): PersistentVolumeClaimStatus {
  const lists = (['capacity', 'allocatedResources'] as const).filter((name) => status[name] !== undefined);
  return lists.reduce((rounded, name) => edit(rounded, name, roundResourceList), status);
}
