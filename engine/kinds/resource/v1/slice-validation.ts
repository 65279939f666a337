/** What is wrong with slices of devices (pkg/apis/resource/validation/validation.go). */
import type { Device, DeviceAttribute, DeviceTaint, ResourceSlice, ResourceSliceSpec } from '../../../api/resource/v1/types.gen.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { type FieldErrorList, type FieldPath, invalid, notSupported, required, tooLong } from '../../../apimachinery/field-errors.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isValidLabelValue,
  validateImmutableField,
  validateLabelName,
} from '../../../apimachinery/validation.ts';
import { parseSemver } from '../../../cel/libraries/semver.ts';
import { validateNodeSelector } from '../../core/v1/placement-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { validateDriverName } from '../../storage/v1/validation.ts';
import { each, taintEffects, unique, validatePoolName, validateQualifiedName } from './validation.ts';

const devicesMax = 128;
const advancedDevicesMax = 64;
const attributesMax = 32;
const attributeLengthMax = 64;
const taintsMax = 16;
const oneOf = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
const oneOfDevice =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';

export function validateSlice({ spec }: ResourceSlice): FieldErrorList {
  const out: Faults = [];
  validateDriverName(spec.driver, specPath.child('driver'), out);
  validatePoolName(spec.pool.name, specPath.child('pool').child('name'), out);
  const { resourceSliceCount: count, generation } = spec.pool;
  if (count <= 0) out.push(invalid(specPath.child('pool').child('resourceSliceCount'), count, 'must be greater than zero'));
  if (generation < 0) out.push(invalid(specPath.child('pool').child('generation'), generation, 'must be greater than or equal to zero'));
  validatePlace(spec, out);
  if (spec.sharedCounters !== undefined && spec.devices !== undefined)
    out.push(invalid(specPath, '', 'only one of `sharedCounters` or `devices` is allowed'));
  const isAdvanced = (spec.devices ?? []).some(({ taints = [], consumesCounters = [] }) => taints.length + consumesCounters.length > 0);
  const at = specPath.child('devices');
  const max = isAdvanced ? advancedDevicesMax : devicesMax;
  each(spec.devices, max, at, out, (device, path) => validateDevice(device, spec.perDeviceNodeSelection === true, path, out));
  if ((spec.devices ?? []).length <= max) unique(spec.devices, at, out, ({ name }) => name);
  unique(spec.sharedCounters, specPath.child('sharedCounters'), out, ({ name }) => name);
  return out;
}

export function validateSliceUpdate(next: ResourceSlice, old: ResourceSlice): FieldErrorList {
  return [
    ...validateImmutableField(next.spec.pool.name, old.spec.pool.name, specPath.child('pool').child('name')),
    ...validateImmutableField(next.spec.driver, old.spec.driver, specPath.child('driver')),
    ...validateImmutableField(next.spec.nodeName, old.spec.nodeName, specPath.child('nodeName')),
    ...validateSlice(next),
  ];
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

function validateDevice(device: Device, selectsNodes: boolean, path: FieldPath, out: Faults): void {
  const { name, attributes = {}, capacity = {}, taints } = device;
  for (const fault of isDNS1123Label(name)) out.push(invalid(path.child('name'), name, fault));
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > attributesMax) out.push(invalid(path, count, `the total number of attributes and capacities must not exceed ${attributesMax}`));
  for (const [key, attribute] of Object.entries(attributes)) {
    validateQualifiedName(key, path.child('attributes'), out);
    validateAttribute(attribute, path.child('attributes').key(key), out);
  }
  for (const key of Object.keys(capacity)) validateQualifiedName(key, path.child('capacity'), out);
  each(taints, taintsMax, path.child('taints'), out, (taint, where) => validateTaint(taint, where, out));
  validateDevicePlace(device, selectsNodes, path, out);
}

function validateDevicePlace({ nodeName, nodeSelector, allNodes }: Device, selectsNodes: boolean, path: FieldPath, out: Faults): void {
  if (!selectsNodes) {
    if (nodeName !== undefined || nodeSelector !== undefined || allNodes !== undefined)
      out.push(
        invalid(
          path,
          undefined,
          '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
        ),
      );
    return;
  }
  const set: string[] = [];
  if (nodeName === '') out.push(invalid(path.child('nodeName'), nodeName, 'must not be empty'));
  else if (nodeName !== undefined) set.push('`nodeName`');
  if (nodeSelector !== undefined) set.push('`nodeSelector`');
  if (allNodes === true) set.push('`allNodes`');
  else if (allNodes === false) out.push(invalid(path.child('allNodes'), allNodes, 'must be either unset or set to true'));
  if (set.length === 0) out.push(required(path, oneOfDevice));
  else if (set.length > 1) out.push(invalid(path, `{${set.join(', ')}}`, oneOfDevice));
}

function validateAttribute(attribute: DeviceAttribute, path: FieldPath, out: Faults): void {
  const { string, version } = attribute;
  if (string !== undefined && string.length > attributeLengthMax) out.push(tooLong(path.child('string'), attributeLengthMax));
  if (version !== undefined) {
    if (parseSemver(version) === undefined)
      out.push(invalid(path.child('version'), version, 'must be a string compatible with semver.org spec 2.0.0'));
    if (version.length > attributeLengthMax) out.push(tooLong(path.child('version'), attributeLengthMax));
  }
  const count = Object.keys(attribute).length;
  if (count !== 1) out.push(invalid(path, count === 0 ? '' : asUpstreamShows(attribute), 'exactly one value must be specified'));
}

function validateTaint({ key, value = '', effect }: DeviceTaint, path: FieldPath, out: Faults): void {
  out.push(...validateLabelName(key, path.child('key')));
  for (const fault of value === '' ? [] : isValidLabelValue(value)) out.push(invalid(path.child('value'), value, fault));
  if (effect === '') out.push(required(path.child('effect')));
  else if (!taintEffects.includes(effect)) out.push(notSupported(path.child('effect'), effect, taintEffects));
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
