/** Makes the answer of what is known: nodes by zone and name, their pods counted by class or one by one, and the waiting room. */
import type { ClusterMapStatus, MapColour, MapCountdown, MapNode, MapPod, MapWaiting, PodLook } from '../api/sim/v1alpha1/cluster-map.ts';
import type { NodeReadiness } from '../component-helpers/node.ts';
import { compareNames } from '../component-helpers/name-order.ts';
import { isLeftOpen } from '../component-helpers/pod-looks.ts';
import type { Classes } from './classes.ts';
import { type NodeFacts, noZone, type PodFacts } from './facts.ts';
import type { NodeEntry } from './follower.ts';

/** Of this cluster's flags. */
export interface MapPeriods {
  readonly graceMs: number;
  readonly unreachableMs: number;
  readonly notReadyMs: number;
}

export interface Drawing {
  readonly entries: ReadonlyMap<string, NodeEntry>;
  readonly classes: Classes;
  readonly by: MapColour;
  readonly atMs: number;
  readonly isPast: boolean;
  /** Pods one by one. */
  readonly showsPods: boolean;
  /** This one alone. */
  readonly node: string | undefined;
  readonly periods: MapPeriods;
  renewedMs(node: string): number | undefined;
  use(pod: PodFacts): number | undefined;
}

/** A kubelet renews its lease every ten seconds. */
const lateMs = 15_000;
const waitingGroupsMax = 40;
const waitingNamesMax = 8;
/** So many nodes show when each was heard last. */
const heardMax = 200;

export function drawMap(drawing: Drawing): ClusterMapStatus {
  const { entries, classes, by, atMs, isPast, node, periods } = drawing;
  const shown = [...entries.values()].filter(({ name }) => name !== '' && (node === undefined || name === node)).sort(byName);
  const zones = [...new Set(shown.map(zoneOf))].sort(compareNames);
  const places = new Map(zones.map((name, place) => [name, place]));
  const ordered = shown.map((entry) => ({ entry, zone: places.get(zoneOf(entry)) ?? 0 })).sort((a, b) => a.zone - b.zone);
  const counts = new Array<number>(zones.length).fill(0);
  for (const { zone } of ordered) counts[zone] = (counts[zone] ?? 0) + 1;
  return {
    ...{ atMs, isPast, by, classes: classes.names },
    zones: zones.map((name, place) => ({ name, nodes: counts[place] ?? 0 })),
    nodes: ordered.map(({ entry, zone }) => drawNode(entry, zone, drawing, ordered.length <= heardMax)),
    podCount: ordered.reduce((sum, { entry }) => sum + entry.pods.size, 0) + (node === undefined ? (entries.get('')?.pods.size ?? 0) : 0),
    waiting: node === undefined ? waitingRoom(entries.get('')) : [],
    ...periods,
  };
}

function zoneOf({ facts }: NodeEntry): string {
  return facts?.zone ?? noZone;
}

/** What is made of a node's pods, and stays while they do. */
interface Summed {
  readonly sums: Partial<MapNode>;
  readonly counts: readonly number[];
  readonly eviction: MapCountdown | undefined;
}

function drawNode(entry: NodeEntry, zone: number, drawing: Drawing, tellsHeard: boolean): MapNode {
  const { name, facts, pods } = entry;
  const { atMs, showsPods } = drawing;
  const renewedMs = facts === undefined ? undefined : drawing.renewedMs(name);
  const isLate = renewedMs !== undefined && atMs - renewedMs > lateMs;
  const { sums, counts, eviction } = summed(entry, drawing);
  return {
    ...{ name, zone, ready: facts?.ready ?? 'Gone' },
    ...(facts === undefined ? {} : drawFacts(facts)),
    ...(renewedMs !== undefined && (isLate || tellsHeard) ? { renewedMs } : {}),
    ...countdownIn(facts, isLate ? renewedMs : undefined, eviction, drawing),
    ...sums,
    podCount: pods.size,
    counts,
    ...(showsPods
      ? {
          pods: seenOn(entry)
            .map((pod) => drawPod(pod, facts, drawing))
            .sort(byName),
        }
      : {}),
  };
}

/** Sums of so many nodes of which there are none, for who will look at all of them; tells whether none is left. */
export function sumAhead(drawing: Drawing, most: number): boolean {
  let left = most;
  for (const entry of drawing.entries.values()) {
    if (entry.kept !== undefined) continue;
    if (left-- <= 0) return false;
    summed(entry, drawing);
  }
  return true;
}

function seenOn({ facts, pods }: NodeEntry): readonly PodFacts[] {
  const all = [...pods.values()];
  const ready = facts?.ready ?? 'Gone';
  return ready === 'True' ? all : all.map((pod) => seenFrom(pod, ready));
}

function summed(entry: NodeEntry, drawing: Drawing): Summed {
  const { classes, by, atMs, showsPods } = drawing;
  const what = `${by} ${showsPods} ${by === 'owner' || by === 'priority' ? classes.names.join() : ''}`;
  const { kept } = entry;
  if (kept !== undefined && kept.what === what && atMs < kept.untilMs) return kept.value as Summed;
  const seen = seenOn(entry);
  const eviction = firstEviction(seen, entry.facts, atMs);
  const value: Summed = { sums: sums(seen, drawing), counts: countsOf(seen, classes), eviction };
  let untilMs = Math.min(eviction?.untilMs ?? Infinity, showsPods ? atMs : Infinity);
  for (const pod of seen) untilMs = Math.min(untilMs, classes.untilMs(pod));
  entry.kept = { what, untilMs, value };
  return value;
}

/** Nobody can say how a pod is whose node is silent: what was said last is no more than that. */
function seenFrom(pod: PodFacts, node: NodeReadiness): PodFacts {
  return isLeftOpen(pod.look, node) ? { ...pod, look: 'Lost', ready: false } : pod;
}

function drawFacts({ ready, sinceMs, cordoned, pressures, taints, room, milliCpu }: NodeFacts): Partial<MapNode> {
  return {
    ...(ready === 'True' ? {} : { sinceMs }),
    ...(cordoned ? { cordoned } : {}),
    ...(pressures.length > 0 ? { pressures } : {}),
    ...(taints.length > 0 ? { taints } : {}),
    ...(room === undefined ? {} : { room }),
    ...(milliCpu === undefined ? {} : { milliCpu }),
  };
}

function sums(pods: readonly PodFacts[], { isPast, use }: Drawing): Partial<MapNode> {
  if (isPast) return {};
  let [requested, used, isKnown] = [0, 0, false];
  for (const pod of pods) {
    if (pod.look !== 'Succeeded' && pod.look !== 'Failed') requested += pod.milliCpu ?? 0;
    const one = use(pod);
    isKnown ||= one !== undefined;
    used += one ?? 0;
  }
  return { requestedMilliCpu: requested, ...(isKnown ? { useMilliCpu: Math.round(used) } : {}) };
}

function countsOf(pods: readonly PodFacts[], { names, of }: Classes): readonly number[] {
  const counts = new Array<number>(names.length).fill(0);
  for (const pod of pods) {
    const place = of(pod);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.flatMap((count, place) => (count === 0 ? [] : [place, count]));
}

/** What will happen to the node: it is found silent, or the first of its pods is evicted. */
function countdownIn(
  facts: NodeFacts | undefined,
  lateSinceMs: number | undefined,
  eviction: MapCountdown | undefined,
  { periods }: Drawing,
): { readonly countdown?: MapCountdown } {
  if (facts?.ready === 'True' && lateSinceMs !== undefined)
    return { countdown: { what: 'unreachable', fromMs: lateSinceMs, untilMs: lateSinceMs + periods.graceMs } };
  return eviction === undefined ? {} : { countdown: eviction };
}

function firstEviction(pods: readonly PodFacts[], facts: NodeFacts | undefined, atMs: number): MapCountdown | undefined {
  let first: MapCountdown | undefined;
  if (facts?.evicting === undefined) return first;
  for (const pod of pods) {
    const next = evictionOf(pod, facts);
    if (next !== undefined && next.untilMs > atMs && (first === undefined || next.untilMs < first.untilMs)) first = next;
  }
  return first;
}

function evictionOf({ toleratedMs, look }: PodFacts, { evicting }: NodeFacts): MapCountdown | undefined {
  if (evicting === undefined || look === 'Terminating' || look === 'Succeeded' || look === 'Failed') return undefined;
  const spanMs = toleratedMs[evicting.why];
  return Number.isFinite(spanMs) ? { what: 'eviction', fromMs: evicting.fromMs, untilMs: evicting.fromMs + spanMs } : undefined;
}

function drawPod(pod: PodFacts, facts: NodeFacts | undefined, { use, classes }: Drawing): MapPod {
  const { namespace, name, look, ready, reason, owner, createdMs, priority, milliCpu } = pod;
  const useMilliCpu = use(pod);
  const countdown = (facts === undefined ? undefined : evictionOf(pod, facts)) ?? ownCountdown(pod, facts);
  return {
    ...{ namespace, name, look, createdMs, priority, place: classes.of(pod) },
    ...(ready ? { ready } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(owner === '' ? {} : { owner }),
    ...(milliCpu === undefined ? {} : { milliCpu }),
    ...(useMilliCpu === undefined ? {} : { useMilliCpu: Math.round(useMilliCpu) }),
    ...(countdown === undefined ? {} : { countdown }),
  };
}

/** Nobody ends or restarts what is on a silent node. */
function ownCountdown({ countdown }: PodFacts, facts: NodeFacts | undefined): MapCountdown | undefined {
  return facts?.ready === 'Unknown' ? undefined : countdown;
}

function waitingRoom(entry: NodeEntry | undefined): readonly MapWaiting[] {
  const groups = new Map<string, { reason: PodLook; message: string; count: number; sinceMs: number; pods: string[] }>();
  for (const { namespace, name, look, message, createdMs } of entry?.pods.values() ?? []) {
    const key = groups.has(`${look} ${message}`) || groups.size < waitingGroupsMax ? `${look} ${message}` : 'others';
    let group = groups.get(key);
    if (group === undefined)
      groups.set(key, (group = { reason: look, message: key === 'others' ? 'other reasons' : message, count: 0, sinceMs: createdMs, pods: [] }));
    group.count++;
    group.sinceMs = Math.min(group.sinceMs, createdMs);
    if (group.pods.length < waitingNamesMax) group.pods.push(`pods/${namespace}/${name}`);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareNames(a.name, b.name);
}
