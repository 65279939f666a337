/**
 * The hints of a service's slices: by the annotation topology-mode, by spec.trafficDistribution, or none. Mirrors the part of
 * reconciler.go of k8s.io/endpointslice that asks its topologycache and trafficdist.
 */
import { mapOf, number } from '../../base/codecs.ts';
import { deepEqual } from '../../base/equal.ts';
import type { Slots } from '../../base/slots.ts';
import type { Node, Service } from '../../api/core/v1/types.gen.ts';
import type { Endpoint, EndpointHints, EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import { keyOf } from '../../client/informer.ts';
import type { AddressType } from './desired.ts';
import type { SliceChanges } from './packing.ts';
import { hintByZones, isOverloaded, zoneRatios } from './topology.ts';

const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const topologyAnnotations = ['service.kubernetes.io/topology-aware-hints', 'service.kubernetes.io/topology-mode'];

/** What a service is told of its hints. */
export interface HintEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

interface Hinted {
  readonly changes: SliceChanges;
  readonly events: readonly HintEvent[];
}

/** Remembers which services have hints by zones, and how many endpoints each zone has. */
export class Hints {
  /** `namespace/name` → address type → zone → endpoints. */
  readonly #byService: Map<string, Map<string, Map<string, number>>>;
  readonly #hinted: Set<string>;

  constructor(slots: Slots) {
    this.#byService = slots.map('hints', mapOf(mapOf(number)));
    this.#hinted = slots.set('hinted');
  }

  /** The changes with the hints that belong in them. `unchanged` slices that have wrong ones join the updates. */
  apply(service: Service, type: AddressType, changes: SliceChanges, unchanged: readonly EndpointSlice[], nodes: () => readonly Node[]): Hinted {
    if (wantsZones(service)) return this.#byZones(service, type, changes, unchanged, nodes());
    const key = keyOf(service);
    const events = this.#hinted.has(key) ? [disabled('Topology Aware Hints has been disabled', type)] : [];
    this.#forget(key, type);
    return { changes: rehinted(changes, unchanged, distributionHints(service) ?? none), events };
  }

  /** Services whose endpoints are too unevenly spread since nodes have changed. */
  overloaded(nodes: () => readonly Node[]): readonly string[] {
    if (this.#byService.size === 0) return [];
    const ratios = zoneRatios(nodes());
    return [...this.#byService.keys()].filter((key) => [...(this.#byService.get(key)?.values() ?? [])].some((zones) => isOverloaded(zones, ratios)));
  }

  /** The slices of this address family are no more. */
  forgetType(service: Service, type: string): void {
    this.#forget(keyOf(service), type);
  }

  #byZones(service: Service, type: AddressType, changes: SliceChanges, unchanged: readonly EndpointSlice[], nodes: readonly Node[]): Hinted {
    const key = keyOf(service);
    const hinted = hintByZones(changes, unchanged, zoneRatios(nodes));
    if ('refusal' in hinted) {
      this.#forget(key, type);
      return { changes: rehinted(changes, unchanged, none), events: [disabled(hinted.refusal, type)] };
    }
    const isNew = !this.#hinted.has(key);
    this.#hinted.add(key);
    const byType = this.#byService.get(key) ?? new Map<string, Map<string, number>>();
    byType.set(type, hinted.zones);
    this.#byService.set(key, byType);
    const message = `Topology Aware Hints has been enabled, addressType: ${type}`;
    return {
      changes: { create: [...hinted.slices.create], update: [...hinted.slices.update], remove: changes.remove },
      events: isNew ? [{ type: 'Normal', reason: 'TopologyAwareHintsEnabled', message }] : [],
    };
  }

  #forget(key: string, type: string): void {
    const byType = this.#byService.get(key);
    byType?.delete(type);
    if (byType?.size === 0) this.#byService.delete(key);
    this.#hinted.delete(key);
  }
}

function disabled(message: string, type: string): HintEvent {
  return { type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: `${message}, addressType: ${type}` };
}

function rehinted(
  changes: SliceChanges,
  unchanged: readonly EndpointSlice[],
  wanted: (endpoint: Endpoint) => EndpointHints | undefined,
): SliceChanges {
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

function wantsZones({ metadata }: Service): boolean {
  const mode = topologyAnnotations.map((key) => metadata.annotations?.[key]).find((value) => value !== undefined);
  return mode === 'Auto' || mode === 'auto';
}

function distributionHints({ spec }: Service): ((endpoint: Endpoint) => EndpointHints | undefined) | undefined {
  if (!distributions.includes(spec?.trafficDistribution ?? '')) return undefined;
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
