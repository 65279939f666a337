/** What is wrong with one device of a slice (pkg/apis/resource/validation/validation.go). */
import type {
  Counter,
  Device,
  DeviceAttribute,
  DeviceCapacity,
  DeviceCounterConsumption,
  DeviceTaint,
  NodeAllocatableResourceMapping,
} from '../../../api/resource/v1/types.gen.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import {
  duplicate,
  type FieldPath,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../../apimachinery/field-errors.ts';
import { quantitySign } from '../../../apimachinery/quantity.ts';
import { isDNS1123Subdomain, isValidLabelValue, validateLabelName } from '../../../apimachinery/validation.ts';
import { parseSemver } from '../../../cel/libraries/semver.ts';
import { validateNodeSelector } from '../../core/v1/placement-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { isNativeResource } from '../../../component-helpers/resource-names.ts';
import { quantityOf, validateRequestPolicy } from './capacity-validation.ts';
import { each, labelName, taintEffects, unique, validateQualifiedName } from './validation.ts';

const attributesMax = 32;
const valuesMax = 48;
const attributeLengthMax = 64;
const taintsMax = 16;
const conditionsMax = 4;
const countersMax = 32;
const consumptionsMax = 2;
/** A domain, a slash and a name. */
const qualifiedNameMax = 63 + 1 + 32;
const labelMax = 63;
const oneOf =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
const onlyPerDevice =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';

/** `old`: the device of that name before. */
export function validateDevice(device: Device, old: Device | undefined, selectsNodes: boolean, path: FieldPath, out: Faults): void {
  const { name, attributes = {}, capacity = {}, taints, consumesCounters } = device;
  labelName(name, path.child('name'), out);
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > attributesMax) out.push(invalid(path, count, `the total number of attributes and capacities must not exceed ${attributesMax}`));
  const values = Object.values(attributes).reduce((sum, attribute) => sum + valuesOf(attribute), 0);
  if (values > valuesMax) out.push(invalid(path, values, `the total number of attribute values must not exceed ${valuesMax}`));
  eachMember(attributes, qualifiedNameMax, path.child('attributes'), (key, at) => validateQualifiedName(key, at, out), (one, at) => validateAttribute(one, at, out)); // biome-ignore format: one line
  eachMember(capacity, qualifiedNameMax, path.child('capacity'), (key, at) => validateQualifiedName(key, at, out), (one, at) => validateCapacity(one, device.allowMultipleAllocations === true, at, out)); // biome-ignore format: one line
  if (old === undefined || !semanticEqual(old.taints ?? [], taints ?? []))
    each(taints, taintsMax, path.child('taints'), out, (taint, where) => validateTaint(taint, where, out));
  const at = path.child('consumesCounters');
  if (each(consumesCounters, consumptionsMax, at, out, (one, where) => validateConsumption(one, where, out)))
    unique(consumesCounters, at, out, ({ counterSet }) => counterSet);
  validatePlace(device, selectsNodes, path, out);
  validateBindingConditions(device, path, out);
  validateMappings(device.nodeAllocatableResourceMappings, device.capacity, path.child('nodeAllocatableResourceMappings'), out);
}

export function hasLists({ bools, ints, strings, versions }: DeviceAttribute): boolean {
  return [bools, ints, strings, versions].some((list) => list !== undefined && list !== null);
}

function valuesOf({ bools, ints, strings, versions }: DeviceAttribute): number {
  return Math.max(
    1,
    [bools, ints, strings, versions].reduce((sum, list) => sum + (list?.length ?? 0), 0),
  );
}

/** Faults of keys point at the map, those of members at their keys, which are cut in the middle where they are too long. */
function eachMember<T>(
  map: { readonly [key: string]: T },
  keyMax: number,
  path: FieldPath,
  judgeKey: (key: string, path: FieldPath) => void,
  judge: (member: T, path: FieldPath) => void,
): void {
  for (const [key, member] of Object.entries(map)) {
    judgeKey(key, path);
    judge(member, path.key(shortened(key, keyMax)));
  }
}

function shortened(key: string, max: number): string {
  if (key.length <= max) return key;
  const rest = max - 3;
  return `${key.slice(0, Math.floor((rest + 1) / 2))}...${key.slice(key.length - Math.floor(rest / 2))}`;
}

function validateAttribute(attribute: DeviceAttribute, path: FieldPath, out: Faults): void {
  const { bools, ints, strings, versions, string, version } = attribute;
  if (string !== undefined) validateText(string, path.child('string'), out);
  if (version !== undefined) validateVersion(version, path.child('version'), out);
  for (const [field, list] of Object.entries({ bools, ints, strings, versions })) {
    if (list?.length === 0) out.push(invalid(path.child(field), [], 'must not be empty if specified'));
    if (field === 'strings') strings?.forEach((one, i) => validateText(one, path.child(field).index(i), out));
    if (field === 'versions') versions?.forEach((one, i) => validateVersion(one, path.child(field).index(i), out));
  }
  const count = Object.values(attribute).filter((value) => value !== undefined && value !== null).length;
  if (count !== 1) out.push(invalid(path, count === 0 ? '' : asUpstreamShows(attribute), 'exactly one value must be specified'));
}

function validateText(text: string, path: FieldPath, out: Faults): void {
  if (Buffer.byteLength(text) > attributeLengthMax) out.push(tooLong(path, attributeLengthMax));
}

function validateVersion(version: string, path: FieldPath, out: Faults): void {
  if (parseSemver(version) === undefined) out.push(invalid(path, version, 'must be a string compatible with semver.org spec 2.0.0'));
  validateText(version, path, out);
}

function validateCapacity({ value, requestPolicy }: DeviceCapacity, isShared: boolean, path: FieldPath, out: Faults): void {
  if (!requestPolicy) return;
  const at = path.child('requestPolicy');
  if (isShared) validateRequestPolicy(quantityOf(value), requestPolicy, at, out);
  else out.push(forbidden(at, 'allowMultipleAllocations must be true'));
}

function validateConsumption({ counterSet, counters }: DeviceCounterConsumption, path: FieldPath, out: Faults): void {
  if (!counterSet) out.push(required(path.child('counterSet')));
  else labelName(counterSet, path.child('counterSet'), out);
  validateCounters(counters, path.child('counters'), out);
}

export function validateCounters(counters: { readonly [name: string]: Counter } | undefined, path: FieldPath, out: Faults): void {
  const count = Object.keys(counters ?? {}).length;
  if (count === 0) return void out.push(required(path));
  if (count > countersMax) return void out.push(tooMany(path, count, countersMax));
  eachMember(
    counters ?? {},
    labelMax,
    path,
    (key, at) => labelName(key, at, out),
    () => undefined,
  );
}

function validatePlace({ nodeName, nodeSelector, allNodes }: Device, selectsNodes: boolean, path: FieldPath, out: Faults): void {
  if (!selectsNodes) {
    if (nodeName !== undefined || nodeSelector !== undefined || allNodes !== undefined) out.push(invalid(path, undefined, onlyPerDevice));
    return;
  }
  const set: string[] = [];
  if (nodeName === '') out.push(invalid(path.child('nodeName'), nodeName, 'must not be empty'));
  else if (nodeName !== undefined) {
    set.push('`nodeName`');
    for (const fault of isDNS1123Subdomain(nodeName)) out.push(invalid(path.child('nodeName'), nodeName, fault));
  }
  if (nodeSelector !== undefined) {
    set.push('`nodeSelector`');
    validateNodeSelector(nodeSelector, path.child('nodeSelector'), out);
  }
  if (allNodes === true) set.push('`allNodes`');
  else if (allNodes === false) out.push(invalid(path.child('allNodes'), allNodes, 'must be either unset or set to true'));
  if (set.length === 0) out.push(required(path, oneOf));
  else if (set.length > 1) out.push(invalid(path, `{${set.join(', ')}}`, oneOf));
}

/** `keepsEffect`: one that was there before is not judged again. */
export function validateTaint({ key, value = '', effect }: DeviceTaint, path: FieldPath, out: Faults, keepsEffect = false): void {
  out.push(...validateLabelName(key, path.child('key')));
  for (const fault of value === '' ? [] : isValidLabelValue(value)) out.push(invalid(path.child('value'), value, fault));
  if (keepsEffect) return;
  if (effect === '') out.push(required(path.child('effect')));
  else if (!taintEffects.includes(effect)) out.push(notSupported(path.child('effect'), effect, taintEffects));
}

interface WithBindingConditions {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

/** What has to come true, and what must not, before a pod is bound that uses the device. */
export function validateBindingConditions(
  { bindingConditions, bindingFailureConditions }: WithBindingConditions,
  path: FieldPath,
  out: Faults,
): void {
  const [wanted, failing] = [path.child('bindingConditions'), path.child('bindingFailureConditions')];
  each(bindingConditions, conditionsMax, wanted, out, (name, at) => out.push(...validateLabelName(name, at)));
  each(bindingFailureConditions, conditionsMax, failing, out, (name, at) => out.push(...validateLabelName(name, at)));
  unique(bindingConditions, wanted, out, (name) => name);
  const [all, seen] = [new Set(bindingConditions), new Set<string>()];
  (bindingFailureConditions ?? []).forEach((name, i) => {
    if (seen.has(name)) out.push(duplicate(failing.index(i), name));
    seen.add(name);
    if (all.has(name)) out.push(invalid(failing.index(i), name, 'bindingFailureConditions must not overlap with bindingConditions'));
  });
  const [has, fails] = [(bindingConditions?.length ?? 0) > 0, (bindingFailureConditions?.length ?? 0) > 0];
  if (!has && fails) out.push(invalid(wanted, bindingConditions ?? null, 'bindingConditions are required to use bindingFailureConditions'));
  if (has && !fails) out.push(invalid(failing, bindingFailureConditions ?? null, 'bindingFailureConditions are required to use bindingConditions'));
}

function validateMappings(
  mappings: { readonly [name: string]: NodeAllocatableResourceMapping } | undefined,
  capacity: Device['capacity'],
  path: FieldPath,
  out: Faults,
): void {
  for (const [name, { allocationMultiplier: multiplier, capacityKey }] of Object.entries(mappings ?? {})) {
    const at = path.key(name);
    if (!isNativeResource(name)) out.push(invalid(at, name, 'must be a node allocatable resource name'));
    if (multiplier === undefined && capacityKey === undefined)
      out.push(invalid(at, '', 'at least one of allocationMultiplier or capacityKey must be set'));
    if (multiplier !== undefined && quantitySign(quantityOf(multiplier)) <= 0)
      out.push(invalid(at.child('allocationMultiplier'), multiplier, 'must be positive'));
    if (capacityKey === '') out.push(invalid(at.child('capacityKey'), '', 'capacityKey must not be an empty string'));
    else if (capacityKey !== undefined && !Object.hasOwn(capacity ?? {}, capacityKey)) out.push(notFound(at.child('capacityKey'), capacityKey));
  }
}

/** Its own value, whose members have no JSON names. */
function asUpstreamShows({ int, bool, string, version, ints, bools, strings, versions }: DeviceAttribute): JsonObject {
  const shown = {
    IntValue: int,
    BoolValue: bool,
    StringValue: string,
    VersionValue: version,
    IntValues: ints,
    BoolValues: bools,
    StringValues: strings,
    VersionValues: versions,
  };
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, (value ?? null) as JsonValue]));
}
