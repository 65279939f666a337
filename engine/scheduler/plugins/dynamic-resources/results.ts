/** What is written into a claim for the devices that were found. */
import type { NodeSelector, NodeSelectorRequirement } from '../../../api/core/v1/types.gen.ts';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  ResourceClaim,
} from '../../../api/resource/v1/types.gen.ts';
import { formatQuantity } from '../../../apimachinery/quantity.ts';
import type { ClaimDevices, PickedDevice } from './allocator.ts';
import { fullName } from './requests.ts';

/** `newShareId` names each share of a device. */
export function allocationOf(claim: ResourceClaim, found: ClaimDevices, node: string, newShareId: () => string): AllocationResult {
  const results = found.devices.map((one) => resultOf(one, newShareId));
  const config = configOf(claim, found);
  const nodeSelector = nodeSelectorOf(found.devices, node);
  return {
    devices: { ...(results.length === 0 ? {} : { results }), ...(config.length === 0 ? {} : { config }) },
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
  };
}

function resultOf({ device, pool, request, consumed }: PickedDevice, newShareId: () => string): DeviceRequestAllocationResult {
  const { bindingConditions, bindingFailureConditions } = device;
  const capacities = Object.fromEntries([...(consumed ?? [])].map(([name, value]) => [name, formatQuantity(value)]));
  return {
    request: fullName(request),
    driver: pool.driver,
    pool: pool.name,
    device: device.name,
    ...(request.adminAccess ? { adminAccess: true } : {}),
    ...(request.tolerations === undefined ? {} : { tolerations: request.tolerations }),
    ...(bindingConditions === undefined ? {} : { bindingConditions }),
    ...(bindingFailureConditions === undefined ? {} : { bindingFailureConditions }),
    ...(consumed === undefined ? {} : { shareID: newShareId() }),
    ...(Object.keys(capacities).length === 0 ? {} : { consumedCapacity: capacities }),
  };
}

/** A class says what it has to say once, for all requests that take of it. */
function configOf(claim: ResourceClaim, { chosen }: ClaimDevices): readonly DeviceAllocationConfiguration[] {
  const requestsOfClass = new Map<string, string[]>();
  const order: (readonly [string, NonNullable<(typeof chosen)[number]>])[] = [];
  for (const request of chosen) {
    if (request === undefined) continue;
    const known = requestsOfClass.get(request.className);
    if (known !== undefined) known.push(fullName(request));
    else {
      requestsOfClass.set(request.className, [fullName(request)]);
      order.push([request.className, request]);
    }
  }
  const ofClasses = order.flatMap(([name, request]) =>
    (request.class.spec.config ?? []).map((config) => ({ source: 'FromClass', requests: requestsOfClass.get(name) ?? [], ...config })),
  );
  const ofClaim = (claim.spec.devices.config ?? []).flatMap((config) => {
    const { requests = [] } = config;
    const matching = chosen.filter(
      (request) => request !== undefined && (requests.includes(fullName(request)) || requests.includes(request.parent ?? request.name)),
    );
    return Array.from({ length: requests.length === 0 ? 1 : matching.length }, () => ({ source: 'FromClaim', ...config }));
  });
  return [...ofClasses, ...ofClaim];
}

/** Where all of them can be reached; undefined for everywhere. */
function nodeSelectorOf(devices: readonly PickedDevice[], node: string): NodeSelector | undefined {
  const fields: NodeSelectorRequirement[] = [];
  const expressions: NodeSelectorRequirement[] = [];
  for (const { device, slice } of devices) {
    const { nodeName, nodeSelector } = slice.spec.perDeviceNodeSelection === true ? device : slice.spec;
    if (nodeName !== undefined || device.bindsToNode === true)
      return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }] };
    const [term] = nodeSelector?.nodeSelectorTerms ?? [];
    addNew(fields, term?.matchFields ?? []);
    addNew(expressions, term?.matchExpressions ?? []);
  }
  if (fields.length === 0 && expressions.length === 0) return undefined;
  return {
    nodeSelectorTerms: [
      { ...(expressions.length === 0 ? {} : { matchExpressions: expressions }), ...(fields.length === 0 ? {} : { matchFields: fields }) },
    ],
  };
}

function addNew(known: NodeSelectorRequirement[], more: readonly NodeSelectorRequirement[]): void {
  const text = ({ key, operator, values = [] }: NodeSelectorRequirement): string => JSON.stringify([key, operator, [...new Set(values)].sort()]);
  for (const one of more) if (!known.some((other) => text(other) === text(one))) known.push(one);
}
