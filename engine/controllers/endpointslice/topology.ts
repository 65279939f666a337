/**
 * How many endpoints of a service each zone should have by the CPUs of its nodes, and the hints that bring them there, for the
 * annotation service.kubernetes.io/topology-mode. Mirrors the arithmetic of k8s.io/endpointslice topologycache; where upstream walks a
 * map, zones come in the order of their names.
 */
import type { Node } from '../../api/core/v1/types.gen.ts';
import type { Endpoint, EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import { parseQuantity, quantityMilliValue } from '../../apimachinery/quantity.ts';
import { isNodeReady } from '../../component-helpers/node.ts';
import type { SliceChanges } from './packing.ts';

/** A zone may have so much more than its share before its hints are given up. */
const overloadThreshold = 0.2;
const zoneLabel = 'topology.kubernetes.io/zone';
const excludedLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** Share of the CPUs, by zone; undefined where nodes do not tell enough. */
export type ZoneRatios = ReadonlyMap<string, number> | undefined;
/** Endpoints hinted to each zone. */
export type ZoneCounts = Map<string, number>;

interface Allocation {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}

export type Hinted = { readonly slices: HintedSlices; readonly zones: ZoneCounts } | { readonly refusal: string };

export interface HintedSlices {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
}

export function zoneRatios(nodes: readonly Node[]): ZoneRatios {
  const byZone = new Map<string, number>();
  let total = 0;
  for (const node of nodes) {
    const { labels = {} } = node.metadata;
    if (excludedLabels.some((label) => label in labels) || !isNodeReady(node)) continue;
    const zone = labels[zoneLabel] ?? '';
    const milli = milliCpuOf(node);
    if (zone === '' || milli === 0) return undefined;
    total += milli;
    byZone.set(zone, (byZone.get(zone) ?? 0) + milli);
  }
  if (total === 0 || byZone.size < 2) return undefined;
  return new Map([...byZone].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([zone, milli]) => [zone, milli / total]));
}

/** Slices with hints that give each zone its share, or why there can be none. */
export function hintByZones(changes: SliceChanges, unchanged: readonly EndpointSlice[], ratios: ZoneRatios): Hinted {
  const ready = [...changes.create, ...changes.update, ...unchanged].reduce((sum, slice) => sum + readyOf(slice).length, 0);
  const allocations = allocate(ready, ratios);
  if (typeof allocations === 'string') return { refusal: allocations };
  const zones: ZoneCounts = new Map();
  const wrong = unchanged.filter((slice) => !countHints(slice, zones, allocations));
  const update = [...changes.update, ...wrong];
  const all = [...changes.create, ...update];
  if (all.some((slice) => readyOf(slice).some(({ zone }) => !zone))) return { refusal: 'One or more endpoints do not have a zone specified' };
  for (const slice of all) for (const { zone = '' } of readyOf(slice)) zones.set(zone, (zones.get(zone) ?? 0) + 1);
  const moves = movesBetween(allocations, zones);
  const hint = (slice: EndpointSlice): EndpointSlice => hinted(slice, moves, zones);
  const slices = { create: changes.create.map(hint), update: update.map(hint) };
  return zones.size === 0 ? { refusal: 'No hints allocated for zones' } : { slices, zones };
}

/** Whether a zone has too few of the endpoints by now. */
export function isOverloaded(zones: ReadonlyMap<string, number>, ratios: ZoneRatios): boolean {
  if (zones.size === 0) return false;
  if (ratios === undefined) return true;
  const total = [...zones.values()].reduce((sum, count) => sum + count, 0);
  return [...ratios].some(([zone, ratio]) => {
    const count = zones.get(zone);
    return count === undefined || count < Math.ceil(total * ratio * (1 / (1 + overloadThreshold)));
  });
}

function milliCpuOf({ status }: Node): number {
  const text = status?.allocatable?.['cpu'];
  return text === undefined ? 0 : quantityMilliValue(parseQuantity(text));
}

function readyOf({ endpoints }: EndpointSlice): readonly Endpoint[] {
  return (endpoints ?? []).filter(({ conditions }) => conditions?.ready === true);
}

/** The share of each zone, or why there is none. */
function allocate(count: number, ratios: ZoneRatios): ReadonlyMap<string, Allocation> | string {
  if (ratios === undefined) return 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes';
  const numbers = `(${count} endpoints, ${ratios.size} zones)`;
  if (ratios.size > count) return `Insufficient number of endpoints ${numbers}`;
  const wanted = [...ratios].map(([zone, ratio]) => {
    const share = ratio * count;
    const minimum = Math.ceil(share * (1 / (1 + overloadThreshold)));
    return { zone, minimum, desired: Math.max(share, minimum) };
  });
  const spare = count - wanted.reduce((sum, { minimum }) => sum + minimum, 0);
  if (spare < 0) return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${numbers}`;
  return new Map(wanted.map(({ zone, minimum, desired }) => [zone, { minimum, desired, maximum: minimum + spare }]));
}

/** Adds the hints of a slice that stays; false when they are not right any more. */
function countHints(slice: EndpointSlice, zones: ZoneCounts, allocations: ReadonlyMap<string, Allocation>): boolean {
  const own: ZoneCounts = new Map();
  for (const { hints } of readyOf(slice)) {
    const names = (hints?.forZones ?? []).map(({ name }) => name);
    if (names.length === 0 || names.some((name) => !allocations.has(name))) return false;
    for (const name of names) own.set(name, (own.get(name) ?? 0) + 1);
  }
  for (const [zone, count] of own) if (count + (zones.get(zone) ?? 0) > (allocations.get(zone)?.maximum ?? 0)) return false;
  for (const [zone, count] of own) zones.set(zone, count + (zones.get(zone) ?? 0));
  return true;
}

interface Moves {
  /** Whole endpoints that a zone can spare, and that it lacks. */
  readonly giving: ZoneCounts;
  readonly receiving: ZoneCounts;
}

function movesBetween(allocations: ReadonlyMap<string, Allocation>, zones: ReadonlyMap<string, number>): Moves {
  const spare: ZoneCounts = new Map();
  const lack: ZoneCounts = new Map();
  for (const [zone, { desired }] of allocations) {
    const more = (zones.get(zone) ?? 0) - desired;
    if (more > 0) spare.set(zone, more);
    else if (more < 0) lack.set(zone, -more);
  }
  const moves: Moves = { giving: new Map(), receiving: new Map() };
  for (;;) {
    const [giver, more] = most(spare);
    const [receiver, less] = most(lack);
    if (giver === undefined || receiver === undefined || (more < 1 && less < 1) || more < 0.5 || less < 0.5) return moves;
    moves.giving.set(giver, (moves.giving.get(giver) ?? 0) + 1);
    moves.receiving.set(receiver, (moves.receiving.get(receiver) ?? 0) + 1);
    spare.set(giver, more - 1);
    lack.set(receiver, less - 1);
  }
}

function most(zones: ReadonlyMap<string, number>): readonly [zone: string | undefined, count: number] {
  let found: readonly [string | undefined, number] = [undefined, 0];
  for (const [zone, count] of zones) if (count > found[1]) found = [zone, count];
  return found;
}

/** Every ready endpoint is for its own zone, but for those that a zone gives away. */
function hinted(slice: EndpointSlice, { giving, receiving }: Moves, zones: ZoneCounts): EndpointSlice {
  const endpoints = (slice.endpoints ?? []).map((endpoint) => {
    const { conditions, zone = '' } = endpoint;
    if (conditions?.ready !== true) return endpoint;
    const receiver = (giving.get(zone) ?? 0) > 0 ? [...receiving.keys()][0] : undefined;
    if (receiver !== undefined) {
      take(giving, zone);
      take(receiving, receiver);
      zones.set(zone, (zones.get(zone) ?? 0) - 1);
      zones.set(receiver, (zones.get(receiver) ?? 0) + 1);
    }
    return { ...endpoint, hints: { forZones: [{ name: receiver ?? zone }] } };
  });
  return { ...slice, endpoints };
}

function take(counts: ZoneCounts, zone: string): void {
  const left = (counts.get(zone) ?? 0) - 1;
  if (left > 0) counts.set(zone, left);
  else counts.delete(zone);
}
