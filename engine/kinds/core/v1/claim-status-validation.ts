/** What a claim's status may say. Mirrors ValidatePersistentVolumeClaimStatusUpdate of pkg/apis/core/validation. */
import type { PersistentVolumeClaim } from '../../../api/core/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, invalid, notSupported } from '../../../apimachinery/field-errors.ts';
import { parseQuantity, quantityValue } from '../../../apimachinery/quantity.ts';
import { isQualifiedName } from '../../../apimachinery/validation.ts';
import { isNativeResource } from '../../../component-helpers/resource-names.ts';
import { statusPath } from '../../shared/strategy.ts';
import { type Faults, validateQuantityValue } from './resource-validation.ts';

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

export function validateClaimStatus({ status }: PersistentVolumeClaim): FieldErrorList {
  const out: Faults = [];
  const { capacity = {}, allocatedResourceStatuses = {}, allocatedResources = {} } = status ?? {};
  for (const [name, size] of sorted(capacity)) checkSize(size, statusPath.child('capacity').key(name), out);
  const statuses = statusPath.child('allocatedResourceStatuses');
  for (const [name, state] of sorted(allocatedResourceStatuses)) {
    checkName(name, statuses, out);
    // It is the resource that upstream shows, and not what is said of it.
    if (!resizeStatuses.includes(state)) out.push(notSupported(statuses, name, resizeStatuses));
  }
  const allocated = statusPath.child('allocatedResources');
  for (const [name, size] of sorted(allocatedResources)) {
    if (!checkName(name, allocated, out)) continue;
    if (checkSize(size, allocated.key(name), out)) validateQuantityValue('storage', size, allocated.key(name), out);
  }
  return out;
}

/** Upstream goes through them in any order. */
function sorted(map: { readonly [name: string]: string }): readonly (readonly [string, string])[] {
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}

function checkName(name: string, path: FieldPath, out: Faults): boolean {
  const faults = isQualifiedName(name);
  for (const fault of faults) out.push(invalid(path, name, fault));
  if (faults.length > 0) return false;
  if (!isNativeResource(name) || name === 'storage') return true;
  out.push(notSupported(path, name, ['storage']));
  return false;
}

function checkSize(size: string, path: FieldPath, out: Faults): boolean {
  const bytes = quantityValue(parseQuantity(size));
  if (bytes >= 0) return true;
  out.push(invalid(path, bytes, 'must be a valid resource quantity'));
  return false;
}
