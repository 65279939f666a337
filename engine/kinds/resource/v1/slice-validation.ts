/** What is wrong with slices of devices (pkg/apis/resource/validation/validation.go). */
import type { CounterSet, Device, ResourceSlice, ResourceSliceSpec } from '../../../api/resource/v1/types.gen.ts';
import { evenEmpty, type FieldErrorList, type FieldPath, invalid, required } from '../../../apimachinery/field-errors.ts';
import { isDNS1123Subdomain, validateImmutableField } from '../../../apimachinery/validation.ts';
import { validateNodeSelector } from '../../core/v1/placement-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { validateDriverName } from '../../storage/v1/validation.ts';
import { hasLists, validateCounters, validateDevice } from './device-validation.ts';
import { each, labelName, unique, validatePoolName } from './validation.ts';

const devicesMax = 128;
const advancedDevicesMax = 64;
const counterSetsMax = 8;
const oneOf = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

export function validateSlice(slice: ResourceSlice): FieldErrorList {
  return validateSpec(slice.spec, undefined);
}

export function validateSliceUpdate(next: ResourceSlice, old: ResourceSlice): FieldErrorList {
  return validateSpec(next.spec, old.spec);
}

function validateSpec(spec: ResourceSliceSpec, old: ResourceSliceSpec | undefined): FieldErrorList {
  const out: Faults = [];
  validateDriverName(spec.driver, specPath.child('driver'), out);
  const pool = specPath.child('pool');
  validatePoolName(spec.pool.name, pool.child('name'), out);
  const { resourceSliceCount: count, generation } = spec.pool;
  if (count <= 0) out.push(invalid(pool.child('resourceSliceCount'), count, 'must be greater than zero'));
  if (generation < 0) out.push(invalid(pool.child('generation'), generation, 'must be greater than or equal to zero'));
  if (old !== undefined) {
    out.push(...validateImmutableField(spec.pool.name, old.pool.name, pool.child('name')));
    out.push(...validateImmutableField(spec.driver, old.driver, specPath.child('driver')));
    out.push(...validateImmutableField(spec.nodeName, old.nodeName, specPath.child('nodeName')));
  }
  validatePlace(spec, out);
  if (spec.sharedCounters !== undefined && spec.devices !== undefined)
    out.push(evenEmpty(invalid(specPath, '', 'only one of `sharedCounters` or `devices` is allowed')));
  validateDevices(spec, old, specPath.child('devices'), out);
  const shared = specPath.child('sharedCounters');
  if (each(spec.sharedCounters, counterSetsMax, shared, out, (set, path) => validateCounterSet(set, path, out)))
    unique(spec.sharedCounters, shared, out, ({ name }) => name);
  return out;
}

/** Fewer may be named where they say more. */
function validateDevices(
  { devices, perDeviceNodeSelection }: ResourceSliceSpec,
  old: ResourceSliceSpec | undefined,
  path: FieldPath,
  out: Faults,
): void {
  const isAdvanced = (devices ?? []).some(
    ({ taints, consumesCounters, attributes }) =>
      (taints?.length ?? 0) + (consumesCounters?.length ?? 0) > 0 || Object.values(attributes ?? {}).some(hasLists),
  );
  const before = new Map<string, Device>();
  for (const device of old?.devices ?? []) if (!before.has(device.name)) before.set(device.name, device);
  const judge = (device: Device, at: FieldPath): void => validateDevice(device, before.get(device.name), perDeviceNodeSelection === true, at, out);
  if (each(devices, isAdvanced ? advancedDevicesMax : devicesMax, path, out, judge)) unique(devices, path, out, ({ name }) => name);
}

function validateCounterSet({ name, counters }: CounterSet, path: FieldPath, out: Faults): void {
  if (!name) out.push(required(path.child('name')));
  else labelName(name, path.child('name'), out);
  validateCounters(counters, path.child('counters'), out);
}

function validatePlace({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: ResourceSliceSpec, out: Faults): void {
  const set: string[] = [];
  if (nodeName === '') out.push(invalid(specPath.child('nodeName'), nodeName, 'must be either unset or set to a non-empty string'));
  else if (nodeName !== undefined) {
    set.push('`nodeName`');
    for (const fault of isDNS1123Subdomain(nodeName)) out.push(invalid(specPath.child('nodeName'), nodeName, fault));
  }
  if (nodeSelector !== undefined) {
    set.push('`nodeSelector`');
    validateNodeSelector(nodeSelector, specPath.child('nodeSelector'), out);
    const { nodeSelectorTerms: terms } = nodeSelector;
    if (terms?.length !== 1)
      out.push(invalid(specPath.child('nodeSelector').child('nodeSelectorTerms'), terms, 'must have exactly one node selector term'));
  }
  for (const [field, value] of Object.entries({ allNodes, perDeviceNodeSelection })) {
    if (value === true) set.push(`\`${field}\``);
    else if (value === false) out.push(invalid(specPath.child(field), value, 'must be either unset or set to true'));
  }
  if (set.length === 0) out.push(required(specPath, oneOf));
  else if (set.length > 1) out.push(invalid(specPath, `{${set.join(', ')}}`, `${oneOf}, but multiple fields are set`));
}
