/**
 * The slices that mirror Endpoints which users or their programs write. Mirrors the pure half of reconciler.go, reconciler_helpers.go
 * and utils.go of pkg/controller/endpointslicemirroring.
 */
import type { EndpointAddress, Endpoints, EndpointPort as SubsetPort } from '../../api/core/v1/types.gen.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import { formatIP, parseIP } from '../../apimachinery/ip.ts';
import { deepEqual } from '../../base/equal.ts';
import { endpoints as endpointsType } from '../../client/resources.ts';
import { newControllerRef } from '../lib/controller-ref.ts';
import { sortSlicePorts } from '../../component-helpers/endpoints/order.ts';
import { repackSubsets } from '../../component-helpers/endpoints/subsets.ts';
import { compact } from '../lib/json.ts';
import { sortedMap, withMeta } from '../../component-helpers/meta.ts';
import { endpointKey, managedByLabel, portsKey, sameState } from '../lib/slice-endpoints.ts';
import { serviceNameLabel } from '../../component-helpers/service-slices.ts';
import { triggerTimeAnnotation } from '../lib/trigger-times.ts';

export const controllerName = 'endpointslicemirroring-controller.k8s.io';
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** A slice may be named `<name>-xxxxx` only while that is a name. */
const generatedBaseMax = 253;

type AddressType = 'IPv4' | 'IPv6';
type Texts = Readonly<Record<string, string>>;

export interface MirrorChanges {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly remove: EndpointSlice[];
  /** Slices that are right as they are. */
  readonly kept: EndpointSlice[];
  readonly invalidAddresses: number;
  readonly skippedAddresses: number;
}

interface Group {
  readonly type: AddressType;
  readonly ports: readonly EndpointPort[];
  /** Wanted endpoints by key. */
  readonly endpoints: Map<string, Endpoint>;
}

/** What is to be written so that the slices say what the Endpoints say: one slice for each set of ports and address family. */
export function mirrorChanges(source: Endpoints, existing: readonly EndpointSlice[], maxPerSubset: number): MirrorChanges {
  const { groups, invalidAddresses, skippedAddresses } = wantedGroups(source, maxPerSubset);
  const changes: MirrorChanges = { create: [], update: [], remove: [], kept: [], invalidAddresses, skippedAddresses };
  const byKey = new Map<string, EndpointSlice[]>();
  for (const slice of existing) {
    const key = groupKey(slice.addressType as AddressType, slice.ports ?? []);
    byKey.set(key, [...(byKey.get(key) ?? []), slice]);
  }
  for (const [key, group] of groups) mirrorGroup(source, byKey.get(key) ?? [], group, maxPerSubset, changes);
  for (const [key, slices] of byKey) if (!groups.has(key)) changes.remove.push(...slices);
  recycle(changes);
  return changes;
}

function wantedGroups(source: Endpoints, maxPerSubset: number) {
  const groups = new Map<string, Group>();
  let invalidAddresses = 0;
  let skippedAddresses = 0;
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of repackSubsets(source.subsets ?? [])) {
    const groupOf = wantGroups(groups, ports);
    let added = 0;
    const add = (address: EndpointAddress, ready: boolean): void => {
      if (added >= maxPerSubset) return;
      const family = parseIP(address.ip)?.family;
      if (family === undefined) {
        invalidAddresses++;
        return;
      }
      const endpoint = endpointOf(address, ready);
      groupOf(family === 6 ? 'IPv6' : 'IPv4').endpoints.set(endpointKey(endpoint), endpoint);
      added++;
    };
    for (const address of addresses) add(address, true);
    for (const address of notReadyAddresses) add(address, false);
    skippedAddresses += addresses.length + notReadyAddresses.length - added;
  }
  return { groups, invalidAddresses, skippedAddresses };
}

/** Both families have a group for these ports, which may stay empty. */
function wantGroups(groups: Map<string, Group>, subsetPorts: readonly SubsetPort[]): (type: AddressType) => Group {
  const ports = sortSlicePorts(
    subsetPorts.map(({ name = '', protocol = 'TCP', port, appProtocol }) => compact({ name, protocol, port, appProtocol })),
  );
  const ofType = (type: AddressType): Group => {
    const key = groupKey(type, ports);
    const group = groups.get(key) ?? { type, ports, endpoints: new Map<string, Endpoint>() };
    groups.set(key, group);
    return group;
  };
  const [four, six] = [ofType('IPv4'), ofType('IPv6')];
  return (type) => (type === 'IPv6' ? six : four);
}

function groupKey(type: AddressType, ports: readonly EndpointPort[]): string {
  return `${type}-${portsKey(ports)}`;
}

function endpointOf({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  const parsed = parseIP(ip);
  const addresses = [parsed === undefined ? ip : formatIP(parsed.bytes)];
  return compact({ addresses, conditions: { ready }, hostname: hostname || undefined, targetRef, nodeName });
}

function mirrorGroup(source: Endpoints, existing: readonly EndpointSlice[], group: Group, max: number, changes: MirrorChanges): void {
  if (group.endpoints.size === 0) {
    changes.remove.push(...existing);
    return;
  }
  const [first, ...others] = existing;
  changes.remove.push(...others);
  if (first !== undefined && isMirror(first, source, group.endpoints)) {
    changes.kept.push(first);
    return;
  }
  const slice = sliceOf(source, group, [...group.endpoints.values()].slice(0, max));
  if (first === undefined) changes.create.push(slice);
  else changes.update.push(named(slice, first));
}

/** Whether a slice says already what it should. */
function isMirror(slice: EndpointSlice, source: Endpoints, wanted: ReadonlyMap<string, Endpoint>): boolean {
  const { labels = {}, annotations = {}, ownerReferences = [] } = slice.metadata;
  const { [managedByLabel]: _managed, [serviceNameLabel]: _service, ...ownLabels } = labels;
  const endpoints = slice.endpoints ?? [];
  const isOfAnother = ownerReferences.some(
    ({ kind, name, uid }) => kind === 'Endpoints' && name === source.metadata.name && uid !== source.metadata.uid,
  );
  const isSame = (endpoint: Endpoint): boolean => {
    const found = wanted.get(endpointKey(endpoint));
    return found !== undefined && sameState(found, endpoint);
  };
  return (
    !isOfAnother &&
    endpoints.length === wanted.size &&
    endpoints.every(isSame) &&
    deepEqual(ownLabels, source.metadata.labels ?? {}) &&
    deepEqual(annotations, mirroredAnnotations(source))
  );
}

function sliceOf(source: Endpoints, { type, ports }: Group, endpoints: readonly Endpoint[]): EndpointSlice {
  const { name = '', namespace, labels } = source.metadata;
  const annotations = mirroredAnnotations(source);
  const metadata = compact({
    generateName: name.length < generatedBaseMax ? `${name}-` : name,
    namespace,
    labels: sortedMap({ ...labels, [serviceNameLabel]: name, [managedByLabel]: controllerName }),
    annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
    ownerReferences: [newControllerRef(source, endpointsType)],
  });
  return { kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1', metadata, addressType: type, endpoints, ports };
}

/** The new slice in the place of an old one. */
function named(slice: EndpointSlice, { metadata }: EndpointSlice): EndpointSlice {
  return { ...slice, metadata: withMeta(slice.metadata, { name: metadata.name, generateName: undefined }) };
}

function mirroredAnnotations({ metadata }: Endpoints): Texts {
  const { [triggerTimeAnnotation]: _time, [lastAppliedAnnotation]: _applied, ...rest } = metadata.annotations ?? {};
  return rest;
}

/** Slices that would be deleted are written over by new ones of their family. */
function recycle({ create, update, remove }: MirrorChanges): void {
  for (const slice of [...create]) {
    const old = remove.find(({ addressType }) => addressType === slice.addressType);
    if (old === undefined) continue;
    remove.splice(remove.indexOf(old), 1);
    create.splice(create.indexOf(slice), 1);
    update.push(named(slice, old));
  }
}
