/** Persistent volumes. Mirrors pkg/registry/core/persistentvolume/strategy.go. */
import type { PersistentVolume } from '../../../api/core/v1/types.gen.ts';
import { volumeWarnings } from './object-warnings.ts';
import { defineKind, type StrategyContext } from '../../../contracts/kind.ts';
import { accessModesText, ageOf, columns, described, nameOf, text } from '../../shared/table.ts';
import { defaultPersistentVolume } from './persistent-volume-defaults.ts';
import { keepStatus, statusOnly, withStatus } from '../../shared/strategy.ts';
import { validatePersistentVolume, validatePersistentVolumeUpdate } from './persistent-volume-validation.ts';

/** When the phase changed, unless the writer says so herself. */
function stampPhase(next: PersistentVolume, old: PersistentVolume, { nowText }: StrategyContext): PersistentVolume {
  const merged = statusOnly(next, old);
  const { phase, message, reason, lastPhaseTransitionTime } = merged.status ?? {};
  const before = old.status?.lastPhaseTransitionTime;
  const isSame = phase === old.status?.phase;
  const atText = isSame ? (lastPhaseTransitionTime ?? before) : lastPhaseTransitionTime === before ? undefined : lastPhaseTransitionTime;
  const at = isSame ? atText : (atText ?? nowText);
  if (at === lastPhaseTransitionTime || merged.status === undefined) return merged;
  const told = { ...(phase ? { phase } : {}), ...(message ? { message } : {}), ...(reason ? { reason } : {}) };
  return { ...merged, status: { ...told, ...(at === undefined ? {} : { lastPhaseTransitionTime: at }) } };
}

export const persistentVolumeKind = defineKind<PersistentVolume>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  metaChecks: { update: 'M M' },
  plural: 'persistentvolumes',
  singular: 'persistentvolume',
  shortNames: ['pv'],
  namespaced: false,
  schema: 'io.k8s.api.core.v1.PersistentVolume',
  storagePrefix: 'persistentvolumes',
  warnings: volumeWarnings,
  hasGeneration: false,
  statusSubresource: { verbs: ['get', 'patch', 'update'], prepareForUpdate: stampPhase, resetFields: [['spec']] },
  defaults: defaultPersistentVolume,
  prepareForCreate: (object, context) => withStatus(object, { phase: 'Pending', lastPhaseTransitionTime: context.nowText }),
  prepareForUpdate: keepStatus,
  validate: validatePersistentVolume,
  validateUpdate: validatePersistentVolumeUpdate,
  columns: columns(
    'Name',
    'Capacity',
    'Access Modes',
    'Reclaim Policy',
    'Status',
    'Claim',
    described('StorageClass', 'StorageClass of the pv'),
    described('VolumeAttributesClass', 'VolumeAttributesClass of the pv'),
    'Reason',
    'Age',
    '*VolumeMode',
  ),
  row(object, context) {
    const {
      capacity,
      claimRef,
      accessModes,
      persistentVolumeReclaimPolicy = '',
      storageClassName = '',
      volumeAttributesClassName,
      volumeMode,
    } = object.spec ?? {};
    const claim = claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '';
    const phase = object.metadata.deletionTimestamp === undefined ? (object.status?.phase ?? '') : 'Terminating';
    const storageClass = object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? storageClassName;
    const kept = [capacity?.['storage'] ?? '0', accessModesText(accessModes), persistentVolumeReclaimPolicy];
    return [
      nameOf(object),
      ...kept,
      phase,
      claim,
      storageClass,
      text(volumeAttributesClassName, '<unset>'),
      object.status?.reason ?? '',
      ageOf(object, context),
      text(volumeMode, '<unset>'),
    ];
  },
});
