/** Claims for volumes. Mirrors ValidatePersistentVolumeClaim of pkg/apis/core/validation. */
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate } from '../../../api/core/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, forbidden, invalid, notSupported, required, root } from '../../../apimachinery/field-errors.ts';
import { compareQuantity, parseQuantity, quantitySign } from '../../../apimachinery/quantity.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { requestedStorage, withClaimSpec } from '../../../component-helpers/storage.ts';
import { isDNS1123Label, isDNS1123Subdomain, validateImmutableField, validateLabelSelector } from '../../../apimachinery/validation.ts';
import { internalDiff } from '../../shared/json-diff.ts';
import { metadataPath, specPath } from '../../shared/strategy.ts';
import { validateTemplateObjectMeta } from '../../shared/template-meta.ts';
import type { Faults } from './resource-validation.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const betaClass = 'volume.beta.kubernetes.io/storage-class';
export const volumeModes = ['Block', 'Filesystem'];
export function validateModes(modes: readonly string[] | undefined, path: FieldPath, none: string, out: Faults): void {
  if (!modes?.length) out.push(required(path, none));
  for (const mode of modes ?? []) if (!accessModes.includes(mode)) out.push(notSupported(path, mode, accessModes));
  const others = (modes ?? []).some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode));
  if (modes?.includes('ReadWriteOncePod') && others) out.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
}

function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: FieldPath, out: Faults, old?: PersistentVolumeClaimSpec): void {
  if (!spec.accessModes?.length) out.push(required(path.child('accessModes'), 'at least 1 access mode is required'));
  if (spec.selector) out.push(...validateLabelSelector(spec.selector, path.child('selector')));
  if (spec.accessModes?.length) validateModes(spec.accessModes, path.child('accessModes'), '', out);
  const storage = spec.resources?.requests?.['storage'];
  const at = path.child('resources');
  if (storage === undefined) out.push(required(at.key('storage')));
  else if (quantitySign(parseQuantity(storage)) <= 0) out.push(invalid(at.key('storage'), storage, 'must be greater than zero'));
  if (spec.storageClassName)
    for (const fault of isDNS1123Subdomain(spec.storageClassName)) out.push(invalid(path.child('storageClassName'), spec.storageClassName, fault));
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode))
    out.push(notSupported(path.child('volumeMode'), spec.volumeMode, volumeModes));
  const hadGroup = [old?.dataSource, old?.dataSourceRef].some((source) => source?.apiGroup !== undefined && source.apiGroup !== null);
  validateSources(spec, !hadGroup, path, out);
  if (spec.volumeAttributesClassName)
    for (const fault of isDNS1123Subdomain(spec.volumeAttributesClassName))
      out.push(invalid(path.child('volumeAttributesClassName'), spec.volumeAttributesClassName, fault));
}

/** What a claim is filled from is said twice, and the same. */
function validateSources({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec, judgesGroups: boolean, path: FieldPath, out: Faults): void {
  if (dataSource) validateSource(dataSource, judgesGroups, path.child('dataSource'), out);
  if (dataSourceRef) validateSource(dataSourceRef, judgesGroups, path.child('dataSourceRef'), out);
  if (dataSourceRef?.namespace) {
    for (const fault of isDNS1123Label(dataSourceRef.namespace))
      out.push(invalid(path.child('dataSourceRef', 'namespace'), dataSourceRef.namespace, fault));
    // Upstream shows a path, which has nothing to show.
    if (dataSource) out.push(invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified'));
  } else if (dataSource && dataSourceRef) {
    const isSame = (['apiGroup', 'kind', 'name'] as const).every((member) => (dataSource[member] ?? '') === (dataSourceRef[member] ?? ''));
    const bothSay = (dataSource.apiGroup === undefined || dataSource.apiGroup === null) === (dataSourceRef.apiGroup === undefined || dataSourceRef.apiGroup === null); // biome-ignore format: one line
    if (!isSame || !bothSay) out.push(invalid(path, {}, 'must match dataSourceRef'));
  }
}

function validateSource(
  { name = '', kind = '', apiGroup }: NonNullable<PersistentVolumeClaimSpec['dataSource']>,
  judgesGroup: boolean,
  path: FieldPath,
  out: Faults,
): void {
  if (name === '') out.push(required(path.child('name')));
  if (kind === '') out.push(required(path.child('kind')));
  if (!apiGroup && kind !== 'PersistentVolumeClaim')
    out.push(invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  if (apiGroup && judgesGroup) for (const fault of isDNS1123Subdomain(apiGroup)) out.push(invalid(path.child('apiGroup'), apiGroup, fault));
}

/** Of a volume that makes its own claim: what it says of the claim besides labels and annotations is refused. */
export function validateClaimTemplate({ metadata, spec }: PersistentVolumeClaimTemplate, path: FieldPath, out: Faults): void {
  out.push(...validateTemplateObjectMeta(metadata, path.child('metadata')));
  validateClaimSpec(spec ?? {}, path.child('spec'), out);
}

export function validateClaimTemplates(templates: readonly PersistentVolumeClaim[], path: FieldPath): FieldErrorList {
  const out: Faults = [];
  for (const [index, { spec }] of templates.entries()) validateClaimSpec(spec ?? {}, path.index(index).child('spec'), out);
  return out;
}

export function validateClaim(object: PersistentVolumeClaim): FieldErrorList {
  return claimFaults(object, undefined);
}

function claimFaults(object: PersistentVolumeClaim, old: PersistentVolumeClaim | undefined): FieldErrorList {
  const out: Faults = [];
  validateClaimSpec(object.spec ?? {}, specPath, out, old?.spec);
  return out;
}

/** Bound claims may grow and change their attributes; unbound ones get their volume once and, late, their class. */
export function validateClaimUpdate(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  context: Pick<StrategyContext, 'ratcheted' | 'featureEnabled'>,
): FieldErrorList {
  const [givesClasses, grows] = [context.ratcheted('LateClasses'), growsClaims(context)];
  const out: Faults = next.spec === old.spec ? [] : [...claimFaults(next, old)];
  const classBefore = getOwn(old.metadata.annotations, betaClass);
  if (!isClassMoved(next, old) && getOwn(next.metadata.annotations, betaClass) !== classBefore)
    out.push(invalid(metadataPath.child('annotations').child(betaClass), getOwn(next.metadata.annotations, betaClass) ?? '', 'field is immutable'));
  if (next.spec === old.spec) return out;
  const [now, before] = comparableSpecs(next, old, { givesClasses, grows });
  if (!semanticEqual(now, before)) {
    const text = internalDiff('core.v1.PersistentVolumeClaimSpec', before, now);
    out.push(
      forbidden(
        specPath,
        grows
          ? `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${text}`
          : 'field is immutable after creation',
      ),
    );
  }
  const size = parseQuantity(next.spec?.resources?.requests?.['storage'] ?? '0');
  const has = parseQuantity(old.status?.capacity?.['storage'] ?? '0');
  const keeps = !context.ratcheted('ShrinkableClaims') || compareQuantity(size, has) <= 0;
  if (grows && compareQuantity(size, requestedStorage(old)) < 0 && keeps)
    out.push(forbidden(specPath.child('resources').child('requests').child('storage'), 'field can not be less than status.capacity'));
  out.push(...validateImmutableField(next.spec?.volumeMode, old.spec?.volumeMode, root('volumeMode')));
  return [...out, ...attributesFaults(next, old)];
}

/** Whether a bound claim may grow, which once needed a gate. */
function growsClaims(context: Pick<StrategyContext, 'ratcheted' | 'featureEnabled'>): boolean {
  return context.ratcheted('LateClasses') || context.featureEnabled('ExpandPersistentVolumes');
}

/** Both specs, the new one with what may be changed as it was. */
function comparableSpecs(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { givesClasses, grows }: { readonly givesClasses: boolean; readonly grows: boolean },
): readonly [PersistentVolumeClaimSpec, PersistentVolumeClaimSpec] {
  const [now, before] = [next.spec ?? {}, old.spec ?? {}];
  const isBound = old.status?.phase === 'Bound';
  const request = before.resources?.requests?.['storage'];
  const grown = grows && isBound && now.resources?.requests !== undefined && request !== undefined;
  const kept = {
    ...(isClassMoved(next, old) || (givesClasses && isClassGiven(next, old)) ? { storageClassName: before.storageClassName } : {}),
    ...(grown ? { resources: { ...now.resources, requests: { ...now.resources?.requests, storage: request } } } : {}),
    ...(isBound ? { volumeAttributesClassName: before.volumeAttributesClassName } : {}),
  };
  // Its volume is given to a claim once.
  const given = before.volumeName ? {} : { volumeName: now.volumeName };
  return [
    withClaimSpec({ ...next, spec: now }, kept as PersistentVolumeClaimSpec).spec ?? {},
    withClaimSpec(old, given as PersistentVolumeClaimSpec).spec ?? {},
  ];
}

/** From the annotation of old into the field. */
function isClassMoved(next: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const before = getOwn(old.metadata.annotations, betaClass);
  const now = getOwn(next.metadata.annotations, betaClass);
  return (
    before !== undefined &&
    old.spec?.storageClassName === undefined &&
    next.spec?.storageClassName === before &&
    (now === undefined || now === before)
  );
}

/** A claim without a class may get one. */
function isClassGiven(next: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const before = getOwn(old.metadata.annotations, betaClass);
  const now = next.spec?.storageClassName;
  return now !== undefined && old.spec?.storageClassName === undefined && (before === undefined || before === now);
}

/** Once volume attributes are in force, the claim has some. */
function attributesFaults(next: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldErrorList {
  const now = next.spec?.volumeAttributesClassName;
  if (now === old.spec?.volumeAttributesClassName || old.status?.currentVolumeAttributesClassName === undefined || now) return [];
  const to = now === undefined ? 'nil' : 'empty string';
  return [
    forbidden(specPath.child('volumeAttributesClassName'), `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`),
  ];
}
