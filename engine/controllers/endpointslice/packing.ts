/**
 * Puts the endpoints that are wanted into slices with as few changes as it can: what stays stays where it is, changed slices are
 * filled first, then one unchanged slice with room for all, then new ones. Mirrors reconcileByPortMapping of k8s.io/endpointslice.
 */
import type { Service } from '../../api/core/v1/types.gen.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import { withMeta } from '../../component-helpers/meta.ts';
import { endpointKey, sameState } from '../lib/slice-endpoints.ts';
import { type AddressType, newSlice, sliceLabels } from './desired.ts';

export interface SliceChanges {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly remove: EndpointSlice[];
}

export interface PortGroup {
  readonly ports: readonly EndpointPort[];
  /** Wanted endpoints by key; packing takes them out. */
  readonly endpoints: Map<string, Endpoint>;
}

/** A slice without endpoints comes back with `null` in their place. */
function sizeOf(slice: EndpointSlice): number {
  return slice.endpoints?.length ?? 0;
}

export function pack(service: Service, addressType: AddressType, existing: readonly EndpointSlice[], group: PortGroup, max: number): SliceChanges {
  const create: EndpointSlice[] = [];
  const remove: EndpointSlice[] = [];
  const updated: EndpointSlice[] = [];
  const unchanged: EndpointSlice[] = [];
  const wanted = group.endpoints;
  for (const slice of existing) {
    const kept = keep(service, slice, wanted);
    if (kept === slice) unchanged.push(slice);
    else if (kept === undefined) remove.push(slice);
    else updated.push(kept);
  }
  const fullestFirst = updated.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const update = wanted.size === 0 ? updated : fullestFirst.map((slice) => fill(slice, wanted, max));
  while (wanted.size > 0) {
    const roomy = wanted.size < max ? sliceToFill(unchanged, wanted.size, max) : undefined;
    if (roomy === undefined) create.push(fill(newSlice(service, addressType, group.ports), wanted, max));
    else {
      unchanged.splice(unchanged.indexOf(roomy), 1);
      update.push(fill(roomy, wanted, max));
    }
  }
  return { create, update, remove };
}

/** The slice with what is still wanted of it: the same when nothing changes, undefined when nothing is left. */
function keep(service: Service, slice: EndpointSlice, wanted: Map<string, Endpoint>): EndpointSlice | undefined {
  const endpoints: Endpoint[] = [];
  let changed = false;
  for (const endpoint of slice.endpoints ?? []) {
    const key = endpointKey(endpoint);
    const desired = wanted.get(key);
    if (desired === undefined) continue;
    if (!sameState(desired, endpoint)) changed = true;
    endpoints.push(desired);
    wanted.delete(key);
  }
  const { labels, changed: relabelled } = sliceLabels(slice, service);
  if (changed || endpoints.length !== sizeOf(slice)) {
    return endpoints.length === 0 ? undefined : { ...slice, metadata: withMeta(slice.metadata, { labels }), endpoints };
  }
  return relabelled ? { ...slice, metadata: withMeta(slice.metadata, { labels }) } : slice;
}

function fill(slice: EndpointSlice, wanted: Map<string, Endpoint>, max: number): EndpointSlice {
  if (wanted.size === 0 || sizeOf(slice) >= max) return slice;
  const endpoints = [...(slice.endpoints ?? [])];
  for (const [key, endpoint] of wanted) {
    if (endpoints.length >= max) break;
    endpoints.push(endpoint);
    wanted.delete(key);
  }
  return { ...slice, endpoints };
}

/** The slice that would be fullest with so many more. */
function sliceToFill(slices: readonly EndpointSlice[], count: number, max: number): EndpointSlice | undefined {
  let closest: EndpointSlice | undefined;
  let closestRoom = max;
  for (const slice of slices) {
    const room = max - (count + sizeOf(slice));
    if (room < 0 || room >= closestRoom) continue;
    closest = slice;
    closestRoom = room;
  }
  return closest;
}
