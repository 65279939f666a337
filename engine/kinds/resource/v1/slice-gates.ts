/** Fields of slices that a feature gate allows (dropDisabledFields of pkg/registry/resource/resourceslice). */
import type { GatedFields } from '../../../apimachinery/gated-fields.ts';

const ofDevices = (...fields: readonly string[]): readonly string[] => fields.map((field) => `spec.devices.*.${field}`);

export const sliceGates: readonly GatedFields[] = [
  { gates: ['DRADeviceTaints'], fields: ofDevices('taints') },
  {
    gates: ['DRAPartitionableDevices'],
    fields: ['spec.sharedCounters', 'spec.perDeviceNodeSelection', ...ofDevices('consumesCounters', 'nodeName', 'nodeSelector', 'allNodes')],
  },
  {
    gates: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'],
    fields: ofDevices('bindingConditions', 'bindingFailureConditions', 'bindsToNode'),
  },
  { gates: ['DRANodeAllocatableResources'], fields: ofDevices('nodeAllocatableResourceMappings') },
  { gates: ['DRAConsumableCapacity'], fields: ofDevices('allowMultipleAllocations', 'capacity.*.requestPolicy') },
  { gates: ['DRAListTypeAttributes'], fields: ofDevices('attributes.*.bools', 'attributes.*.ints', 'attributes.*.strings', 'attributes.*.versions') },
];
