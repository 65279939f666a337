/**
 * Hints of spec.trafficDistribution: which zones and nodes an endpoint is for. Mirrors k8s.io/endpointslice trafficdist; other
 * services have no hints.
 */
import { deepEqual } from '../../base/equal.ts';
import type { Service } from '../../api/core/v1/types.gen.ts';
import type { Endpoint, EndpointHints, EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import type { SliceChanges } from './packing.ts';

const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const topologyAnnotations = ['service.kubernetes.io/topology-aware-hints', 'service.kubernetes.io/topology-mode'];

/** The changes with the hints that belong in them. `unchanged` slices that have wrong ones join the updates. */
export function withHints(service: Service, changes: SliceChanges, unchanged: readonly EndpointSlice[]): SliceChanges {
  const wanted = hintsOf(service);
  if (wanted === undefined) {
    return {
      create: changes.create.map((slice) => rehint(slice, none)),
      update: changes.update.map((slice) => rehint(slice, none)),
      remove: changes.remove,
    };
  }
  const wrong = unchanged.filter((slice) => rehint(slice, wanted) !== slice);
  return {
    create: changes.create.map((slice) => rehint(slice, wanted)),
    update: [...changes.update, ...wrong].map((slice) => rehint(slice, wanted)),
    remove: changes.remove,
  };
}

function none(): undefined {
  return undefined;
}

function hintsOf({ metadata, spec }: Service): ((endpoint: Endpoint) => EndpointHints | undefined) | undefined {
  const mode = topologyAnnotations.map((key) => metadata.annotations?.[key]).find((value) => value !== undefined);
  if (!distributions.includes(spec?.trafficDistribution ?? '') || mode === 'Auto' || mode === 'auto') return undefined;
  const sameNode = spec?.trafficDistribution === 'PreferSameNode';
  return ({ conditions, hints, zone, nodeName }) => {
    // What is not ready keeps what it has.
    if (conditions?.ready !== true) return hints;
    const forZones = zone === undefined ? undefined : [{ name: zone }];
    const forNodes = sameNode && nodeName !== undefined ? [{ name: nodeName }] : undefined;
    if (forZones === undefined && forNodes === undefined) return undefined;
    return { ...(forZones === undefined ? {} : { forZones }), ...(forNodes === undefined ? {} : { forNodes }) };
  };
}

/** The same slice when its hints are right. */
function rehint(slice: EndpointSlice, wanted: (endpoint: Endpoint) => EndpointHints | undefined): EndpointSlice {
  let changed = false;
  const endpoints = (slice.endpoints ?? []).map((endpoint) => {
    const hints = wanted(endpoint);
    if (deepEqual(hints, endpoint.hints)) return endpoint;
    changed = true;
    const { hints: _old, ...rest } = endpoint;
    return hints === undefined ? rest : { ...rest, hints };
  });
  return changed ? { ...slice, endpoints } : slice;
}
