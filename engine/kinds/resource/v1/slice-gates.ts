/** What of a slice is left out where its feature is off and nothing of the kind stood there before (dropDisabledFields of pkg/registry/resource/resourceslice). */
import type { Device, DeviceAttribute, ResourceSlice, ResourceSliceSpec } from '../../../api/resource/v1/types.gen.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { edit, editEach } from '../../shared/defaulting.ts';
import { hasLists } from './device-validation.ts';

interface Gated {
  readonly gates: readonly string[];
  readonly device: readonly (keyof Device)[];
  readonly spec?: readonly (keyof ResourceSliceSpec)[];
}

const gated: readonly Gated[] = [
  { gates: ['DRADeviceTaints'], device: ['taints'] },
  {
    gates: ['DRAPartitionableDevices'],
    device: ['consumesCounters', 'nodeName', 'nodeSelector', 'allNodes'],
    spec: ['sharedCounters', 'perDeviceNodeSelection'],
  },
  {
    gates: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'],
    device: ['bindingConditions', 'bindingFailureConditions', 'bindsToNode'],
  },
  { gates: ['DRANodeAllocatableResources'], device: ['nodeAllocatableResourceMappings'] },
];

export function dropDisabled(slice: ResourceSlice, old: ResourceSlice | undefined, context: StrategyContext): ResourceSlice {
  const isOff = (gate: string): boolean => !context.featureEnabled(gate);
  let next = slice;
  for (const { gates, device, spec = [] } of gated) {
    if (!gates.some(isOff) || (old !== undefined && (uses(old.spec, spec) || devicesOf(old).some((one) => uses(one, device))))) continue;
    next = edit(next, 'spec', (whole) => editEach(without(whole, spec), 'devices', (one) => without(one, device)));
  }
  if (isOff('DRAConsumableCapacity') && !devicesOf(old).some(isShared)) next = eachDevice(next, unshared);
  if (isOff('DRAListTypeAttributes') && !devicesOf(old).some((one) => Object.values(one.attributes ?? {}).some(hasLists)))
    next = eachDevice(next, withoutLists);
  return next;
}

function devicesOf(slice: ResourceSlice | undefined): readonly Device[] {
  return slice?.spec.devices ?? [];
}

function eachDevice(slice: ResourceSlice, change: (device: Device) => Device): ResourceSlice {
  return edit(slice, 'spec', (spec) => editEach(spec, 'devices', change));
}

/** Empty lists and maps say nothing. */
function uses<T extends object>(object: T, fields: readonly (keyof T)[]): boolean {
  return fields.some((field) => {
    const value: unknown = object[field];
    return value !== undefined && value !== null && !(typeof value === 'object' && Object.keys(value).length === 0);
  });
}

function without<T extends object>(object: T, fields: readonly (keyof T)[]): T {
  if (!fields.some((field) => object[field] !== undefined)) return object;
  const next = { ...object };
  for (const field of fields) delete next[field];
  return next;
}

function isShared({ allowMultipleAllocations, capacity }: Device): boolean {
  return allowMultipleAllocations !== undefined || Object.values(capacity ?? {}).some(({ requestPolicy }) => requestPolicy !== undefined);
}

function unshared(device: Device): Device {
  return edit(without(device, ['allowMultipleAllocations']), 'capacity', (capacity) =>
    Object.fromEntries(Object.entries(capacity).map(([name, one]) => [name, without(one, ['requestPolicy'])])),
  );
}

function withoutLists(device: Device): Device {
  if (!Object.values(device.attributes ?? {}).some(hasLists)) return device;
  const plain = (attribute: DeviceAttribute): DeviceAttribute => without(attribute, ['bools', 'ints', 'strings', 'versions']);
  return edit(device, 'attributes', (attributes) => Object.fromEntries(Object.entries(attributes).map(([name, one]) => [name, plain(one)])));
}
