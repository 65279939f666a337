/** Persistent volumes and claims. Mirrors ValidatePersistentVolume and ValidatePersistentVolumeClaim of pkg/apis/core/validation. */
import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../api/core/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, forbidden, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { parseQuantity, quantitySign } from '../../../apimachinery/quantity.ts';
import type { JsonValue } from '../../../base/json.ts';
import { isDNS1123Subdomain, validateImmutableField, validateLabelSelector } from '../../../apimachinery/validation.ts';
import { jsonDiff } from '../../shared/json-diff.ts';
import { specPath } from '../../shared/strategy.ts';
import { validateNodeSelector } from './placement-validation.ts';
import type { Faults } from './resource-validation.ts';
import { validateHostPath } from './volume-validation.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const volumeModes = ['Block', 'Filesystem'];
/** Members of the spec that are not the source. */
const plainMembers = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

function validateModes(modes: readonly string[] | undefined, path: FieldPath, out: Faults): void {
  if (!modes?.length) out.push(required(path, 'at least 1 access mode is required'));
  for (const mode of modes ?? []) if (!accessModes.includes(mode)) out.push(notSupported(path, mode, accessModes));
  if (modes?.includes('ReadWriteOncePod') && modes.length > 1) out.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
}

export function validatePersistentVolume(object: PersistentVolume): FieldErrorList {
  const out: Faults = [];
  const spec = object.spec ?? {};
  validateModes(spec.accessModes, specPath.child('accessModes'), out);
  const capacity = spec.capacity ?? {};
  if (Object.keys(capacity).length === 0) out.push(required(specPath.child('capacity')));
  else if (capacity['storage'] === undefined || Object.keys(capacity).length > 1)
    out.push(notSupported(specPath.child('capacity'), capacity, ['storage']));
  for (const [name, text] of Object.entries(capacity)) {
    if (quantitySign(parseQuantity(text)) <= 0) out.push(invalid(specPath.child('capacity').key(name), text, 'must be greater than zero'));
  }
  const policy = spec.persistentVolumeReclaimPolicy;
  if (policy && !reclaimPolicies.includes(policy)) out.push(notSupported(specPath.child('persistentVolumeReclaimPolicy'), policy, reclaimPolicies));
  if (spec.nodeAffinity?.required) validateNodeSelector(spec.nodeAffinity.required, specPath.child('nodeAffinity').child('required'), out);
  const sources = Object.entries(spec).filter(([name, value]) => !plainMembers.has(name) && value);
  if (sources.length === 0) out.push(required(specPath, 'must specify a volume type'));
  for (const [name] of sources.slice(1)) out.push(forbidden(specPath.child(name), 'may not specify more than 1 volume type'));
  if (spec.hostPath) validateHostPath(spec.hostPath, specPath.child('hostPath'), out);
  if (spec.hostPath?.path === '/' && policy === 'Recycle')
    out.push(forbidden(specPath.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'"));
  if (spec.storageClassName)
    for (const fault of isDNS1123Subdomain(spec.storageClassName))
      out.push(invalid(specPath.child('storageClassName'), spec.storageClassName, fault));
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode))
    out.push(notSupported(specPath.child('volumeMode'), spec.volumeMode, volumeModes));
  return out;
}

export function validatePersistentVolumeUpdate(next: PersistentVolume, old: PersistentVolume): FieldErrorList {
  if (next.spec === old.spec) return [];
  const out: Faults = [...validatePersistentVolume(next)];
  const [now, before] = [next.spec ?? {}, old.spec ?? {}];
  const source = (spec: object): object => Object.fromEntries(Object.entries(spec).filter(([name]) => !plainMembers.has(name)));
  if (validateImmutableField(source(now), source(before), specPath).length > 0) {
    out.push(
      forbidden(
        specPath.child('persistentvolumesource'),
        `spec.persistentvolumesource is immutable after creation\n${jsonDiff(source(before) as JsonValue, source(now) as JsonValue)}`,
      ),
    );
  }
  out.push(...validateImmutableField(now.volumeMode, before.volumeMode, specPath.child('volumeMode')));
  return out;
}

function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: FieldPath, out: Faults): void {
  validateModes(spec.accessModes, path.child('accessModes'), out);
  if (spec.selector) out.push(...validateLabelSelector(spec.selector, path.child('selector')));
  const storage = spec.resources?.requests?.['storage'];
  const at = path.child('resources');
  if (storage === undefined) out.push(required(at.key('storage')));
  else if (quantitySign(parseQuantity(storage)) <= 0) out.push(invalid(at.child('requests').key('storage'), storage, 'must be greater than zero'));
  if (spec.storageClassName)
    for (const fault of isDNS1123Subdomain(spec.storageClassName)) out.push(invalid(path.child('storageClassName'), spec.storageClassName, fault));
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode))
    out.push(notSupported(path.child('volumeMode'), spec.volumeMode, volumeModes));
}

export function validateClaim(object: PersistentVolumeClaim): FieldErrorList {
  const out: Faults = [];
  validateClaimSpec(object.spec ?? {}, specPath, out);
  return out;
}

/** Bound claims may grow; unbound ones get their volume and, late, their class. */
export function validateClaimUpdate(next: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldErrorList {
  if (next.spec === old.spec) return [];
  const out: Faults = [...validateClaim(next)];
  const [now, before] = [next.spec ?? {}, old.spec ?? {}];
  const { resources: _next, volumeName: nextVolume, storageClassName: nextClass, volumeAttributesClassName: _na, ...fixed } = now;
  const { resources: _old, volumeName: oldVolume, storageClassName: oldClass, volumeAttributesClassName: _oa, ...fixedBefore } = before;
  const changed =
    validateImmutableField(fixed, fixedBefore, specPath).length > 0 ||
    (oldVolume ? nextVolume !== oldVolume : false) ||
    (oldClass !== undefined && nextClass !== oldClass);
  if (changed) {
    const text = jsonDiff(before as unknown as JsonValue, now as unknown as JsonValue);
    out.push(
      forbidden(specPath, `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${text}`),
    );
  }
  const [size, sizeBefore] = [now.resources?.requests?.['storage'], before.resources?.requests?.['storage']];
  if (size !== sizeBefore && old.status?.phase !== 'Bound' && !changed) {
    out.push(
      forbidden(
        specPath,
        `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${jsonDiff(before as unknown as JsonValue, now as unknown as JsonValue)}`,
      ),
    );
  }
  return out;
}
