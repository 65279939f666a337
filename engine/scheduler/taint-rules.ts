/** Devices with the taints that rules put on them. Mirrors dynamic-resource-allocation/resourceslice/tracker. */
import type { Device, ResourceSlice } from '../api/resource/v1/types.gen.ts';
import type { DeviceTaintRule } from '../api/resource/v1beta2/types.gen.ts';

export function withRules(slices: readonly ResourceSlice[], rules: readonly DeviceTaintRule[]): readonly ResourceSlice[] {
  if (rules.length === 0) return slices;
  const inOrder = rules.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  return slices.map((slice) => {
    const fitting = inOrder.filter(({ spec }) => isFor(spec.deviceSelector, slice));
    if (fitting.length === 0) return slice;
    return { ...slice, spec: { ...slice.spec, devices: (slice.spec.devices ?? []).map((device) => tainted(device, fitting)) } };
  });
}

type Selector = DeviceTaintRule['spec']['deviceSelector'];

/** A rule without a selector is for all devices. */
function isFor(selector: Selector, { spec }: ResourceSlice): boolean {
  return (selector?.driver ?? spec.driver) === spec.driver && (selector?.pool ?? spec.pool.name) === spec.pool.name;
}

function tainted(device: Device, rules: readonly DeviceTaintRule[]): Device {
  const taints = rules.flatMap(({ spec }) => {
    const isMeant = (spec.deviceSelector?.device ?? device.name) === device.name;
    return isMeant && spec.taint !== undefined ? [spec.taint] : [];
  });
  return taints.length === 0 ? device : { ...device, taints: [...(device.taints ?? []), ...taints] };
}
