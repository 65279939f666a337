/** Claims for persistent volumes. Mirrors pkg/registry/core/persistentvolumeclaim/strategy.go. */
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../api/core/v1/types.gen.ts';
import { isWholeQuantity } from '../../../apimachinery/quantity-text.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { withClaimSpec } from '../../../component-helpers/storage.ts';
import { defineKind, type StrategyContext } from '../../../contracts/kind.ts';
import { accessModesText, ageOf, columns, described, nameOf, text } from '../../shared/table.ts';
import { defaultPersistentVolumeClaim } from './persistent-volume-defaults.ts';
import { edit } from '../../shared/defaulting.ts';
import { keepStatus, withStatus } from '../../shared/strategy.ts';
import { validateClaimStatus } from './claim-status-validation.ts';
import { validateClaim, validateClaimUpdate } from './volume-object-validation.ts';

/** Sources other than claims and snapshots are dropped, unless the newer field names them; then both fields say the same. */
function withDataSources(given: PersistentVolumeClaim, old: PersistentVolumeClaim | undefined, context: StrategyContext): PersistentVolumeClaim {
  const isAcross = Boolean(given.spec?.dataSourceRef?.namespace) && !context.featureEnabled('CrossNamespaceVolumeDataSource');
  const claim = isAcross && old?.spec?.dataSourceRef === undefined ? edit(given, 'spec', withoutSourceRef) : given;
  const { dataSource, dataSourceRef } = claim.spec ?? {};
  if (dataSource === undefined && dataSourceRef === undefined) return claim;
  if (dataSourceRef === undefined) {
    const { apiGroup, kind = '', name = '' } = dataSource ?? {};
    const hadOne = old?.spec?.dataSource !== undefined || old?.spec?.dataSourceRef !== undefined;
    const isKnown = (kind === 'PersistentVolumeClaim' && !apiGroup) || (kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io');
    if (!hadOne && !isKnown && context.ratcheted('KnownDataSources')) {
      const { dataSource: _, ...spec } = claim.spec ?? {};
      return { ...claim, spec };
    }
    return withClaimSpec(claim, { dataSourceRef: { apiGroup: apiGroup ?? null, kind, name } });
  }
  if (dataSource !== undefined || dataSourceRef.namespace) return claim;
  const { apiGroup, kind, name } = dataSourceRef;
  return withClaimSpec(claim, { dataSource: { apiGroup: apiGroup ?? null, kind, name } });
}

function withoutSourceRef({ dataSourceRef: _ref, ...spec }: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  return spec;
}

function claimWarnings({ metadata, spec }: PersistentVolumeClaim): readonly string[] {
  const betaClass = 'volume.beta.kubernetes.io/storage-class';
  const isOld = getOwn(metadata.annotations, betaClass) !== undefined;
  const old = isOld ? [`metadata.annotations[${betaClass}]: deprecated since v1.8; use "storageClassName" attribute instead`] : [];
  const fractions = (['requests', 'limits'] as const).flatMap((list) => {
    const size = spec?.resources?.[list]?.['storage'];
    const isWhole = size === undefined || isWholeQuantity(size);
    return isWhole ? [] : [`spec.resources.${list}[storage]: fractional byte value "${size}" is invalid, must be an integer`];
  });
  return [...old, ...fractions];
}

export const persistentVolumeClaimKind = defineKind<PersistentVolumeClaim>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  metaChecks: { update: 'UM' },
  plural: 'persistentvolumeclaims',
  singular: 'persistentvolumeclaim',
  shortNames: ['pvc'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.PersistentVolumeClaim',
  storagePrefix: 'persistentvolumeclaims',
  hasGeneration: false,
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateClaimStatus },
  defaults: defaultPersistentVolumeClaim,
  // The phase of a claim that nobody has looked at is a default.
  isStoredOtherwise: () => true,
  prepareForCreate: (object, context) => withStatus(withDataSources(object, undefined, context), { phase: 'Pending' }),
  prepareForUpdate: (next, old, context) => keepStatus(withDataSources(next, old, context), old),
  warnings: claimWarnings,
  validate: validateClaim,
  validateUpdate: validateClaimUpdate,
  columns: columns(
    'Name',
    'Status',
    'Volume',
    'Capacity',
    'Access Modes',
    described('StorageClass', 'StorageClass of the pvc'),
    described('VolumeAttributesClass', 'VolumeAttributesClass of the pvc'),
    'Age',
    '*VolumeMode',
  ),
  row(object, context) {
    const { volumeName = '', storageClassName = '', volumeAttributesClassName, volumeMode } = object.spec ?? {};
    const phase = object.metadata.deletionTimestamp === undefined ? (object.status?.phase ?? '') : 'Terminating';
    const storageClass = object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? storageClassName;
    const bound = volumeName === '' ? ['', ''] : [object.status?.capacity?.['storage'] ?? '0', accessModesText(object.status?.accessModes)];
    return [
      nameOf(object),
      phase,
      volumeName,
      ...bound,
      storageClass,
      text(volumeAttributesClassName, '<unset>'),
      ageOf(object, context),
      text(volumeMode, '<unset>'),
    ];
  },
});
