/**
 * How silent nodes are treated: noticed in time, and tainted at the rate of their zone. The formulas are upstream's: 0.1 nodes a second;
 * 0.01 where at least 55 % and more than two nodes of a zone larger than the threshold are down, none in a smaller one.
 */
import type { Lease } from '../../../engine/api/coordination/v1/types.gen.ts';
import type { Node, Pod, Taint } from '../../../engine/api/core/v1/types.gen.ts';
import { nameOf, prefixOf, type World } from '../world.ts';
import type { Checker } from './checker.ts';
import { FailingRequests } from './failing-requests.ts';

const graceMs = 50_000;
/** The monitor looks every five seconds and writes behind a rate limiter. */
const slackMs = 12_000;
/** A heartbeat makes the controller count the last lease once more, a pass later. */
const silenceSlackMs = 20_000;
const down: ReadonlySet<string> = new Set(['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']);
const zoneLabel = 'topology.kubernetes.io/zone';

export function silenceIsNoticed(): Checker {
  /** When last every node was down at once: everybody starts anew after that. */
  let blackoutMs = Number.NEGATIVE_INFINITY;
  return {
    name: 'silence is noticed',
    onChange({ key }, world) {
      if (prefixOf(key) === 'minions' && world.all<Node>('minions').every((node) => readiness(node) !== 'True')) blackoutMs = world.nowMs;
      return [];
    },
    inspect: (world) =>
      world.all<Node>('minions').flatMap((node) => {
        const lease = world.get<Lease>('leases', 'kube-node-lease', node.metadata.name ?? '');
        const heartbeat = node.status?.conditions?.find(({ type }) => type === 'Ready')?.lastHeartbeatTime;
        const heardMs = Math.max(
          blackoutMs,
          ...[lease?.spec?.renewTime, heartbeat, node.metadata.creationTimestamp].map((text) => Date.parse(text ?? '') || 0),
        );
        const silentMs = world.nowMs - heardMs;
        return readiness(node) === 'True' && silentMs > graceMs + silenceSlackMs
          ? [`${nameOf(node)} is called ready after ${silentMs} ms of silence`]
          : [];
      }),
  };
}

type ZoneState = 'normal' | 'partial' | 'full';

export function taintsComeAtTheRate(largeZone: number): Checker {
  const lastTaintMs = new Map<string, number>();
  /** Rates are set when a state begins, by how large the zone was then. */
  const states = new Map<string, { readonly state: ZoneState; readonly sinceMs: number; readonly size: number }>();
  /** Zones that were wholly down, as all were, when a new one came that was well at its first look: upstream does not open what it shut before. */
  const shut = new Set<string>();
  /** When somebody took the taint of a node away. */
  const clearedMs = new Map<string, number>();
  return {
    name: 'taints come at the rate',
    onChange({ key, current, previous }, world) {
      if (prefixOf(key) !== 'minions') return [];
      const node = (current ?? previous)?.value as Node;
      const zone = node.metadata.labels?.[zoneLabel] ?? '';
      const before = states.get(zone);
      const found =
        isTainted(current?.value as Node | undefined) && !isTainted(previous?.value as Node | undefined) ? tainted(node, zone, world) : [];
      const state = stateOf(zone, world);
      if (before !== undefined && before.state !== state) shut.delete(zone);
      if (previous === undefined && nodesOf(zone, world).length === 1) for (const name of othersWhollyDown(zone, world)) shut.add(name);
      if (before?.state !== state) states.set(zone, { state, sinceMs: world.nowMs, size: nodesOf(zone, world).length });
      if (isTainted(previous?.value as Node | undefined) && !isTainted(current?.value as Node | undefined))
        clearedMs.set(node.metadata.name ?? '', world.nowMs);
      return found;
    },
    inspect: (world) => world.all<Node>('minions').flatMap((node) => (isTainted(node) || readiness(node) === 'True' ? [] : overdue(node, world))),
  };

  function tainted(node: Node, zone: string, world: World): readonly string[] {
    const { state, sinceMs, size } = states.get(zone) ?? { state: 'normal', sinceMs: 0, size: 0 };
    const steadyMs = world.nowMs - sinceMs;
    // A slow API server delays the write of what was decided in its turn.
    const decidedMs = taintedMs(node) ?? world.nowMs;
    const gapMs = decidedMs - (lastTaintMs.get(zone) ?? Number.NEGATIVE_INFINITY);
    lastTaintMs.set(zone, decidedMs);
    const found: string[] = [];
    if (gapMs < 9_000) found.push(`${nameOf(node)} was tainted ${gapMs} ms after another of ${zone}`);
    if (state !== 'partial' || steadyMs < slackMs) return found;
    if (size <= largeZone) found.push(`${nameOf(node)} was tainted while most of small zone ${zone} was down`);
    else if (gapMs < 95_000 && steadyMs > gapMs)
      found.push(`${nameOf(node)} was tainted ${gapMs} ms after another of ${zone}, most of which is down`);
    return found;
  }

  /** The other zones that have nodes, when none of them has one that is ready. */
  function othersWhollyDown(zone: string, world: World): readonly string[] {
    const others = [...states].filter(([name]) => name !== zone && nodesOf(name, world).length > 0);
    return others.every(([, { state }]) => state === 'full') ? others.map(([name]) => name) : [];
  }

  /** In a zone that is mostly well, or one wholly down in a cluster that is not, every node that is down is tainted in its turn. */
  function overdue(node: Node, world: World): readonly string[] {
    const zone = node.metadata.labels?.[zoneLabel] ?? '';
    const { state, sinceMs } = states.get(zone) ?? { state: 'normal', sinceMs: 0 };
    const all = [...states.entries()].filter(([name]) => nodesOf(name, world).length > 0);
    if (state === 'partial' || shut.has(zone) || all.every(([, other]) => other.state === 'full')) return [];
    const steadyMs = Math.min(
      world.nowMs - sinceMs,
      ...all.map(([, other]) => world.nowMs - other.sinceMs),
      unreadyMs(node, world),
      world.nowMs - (clearedMs.get(node.metadata.name ?? '') ?? 0),
    );
    const turns = nodesOf(zone, world).filter((other) => readiness(other) !== 'True').length;
    const dueMs = turns * 10_000 + 2 * slackMs;
    return steadyMs > dueMs ? [`${nameOf(node)} of ${zone} is down for ${steadyMs} ms and not tainted`] : [];
  }
}

function stateOf(zone: string, world: World): ZoneState {
  const nodes = nodesOf(zone, world);
  const unready = nodes.filter((node) => readiness(node) !== 'True').length;
  if (unready > 0 && unready === nodes.length) return 'full';
  return unready > 2 && unready / nodes.length >= 0.55 ? 'partial' : 'normal';
}

function nodesOf(zone: string, world: World): readonly Node[] {
  return world.all<Node>('minions').filter(({ metadata }) => (metadata.labels?.[zoneLabel] ?? '') === zone);
}

function readiness({ status }: Node): string {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown';
}

function unreadyMs({ status }: Node, world: World): number {
  const since = status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  return since === undefined || since === null ? 0 : world.nowMs - Date.parse(since);
}

function isTainted(node: Node | undefined): boolean {
  return taintOf(node) !== undefined;
}

function taintOf(node: Node | undefined): Taint | undefined {
  return node?.spec?.taints?.find(({ key, effect }) => effect === 'NoExecute' && down.has(key));
}

/** When the controller decided to taint it, in whole seconds. */
function taintedMs(node: Node): number | undefined {
  const { timeAdded } = taintOf(node) ?? {};
  return timeAdded === undefined || timeAdded === null ? undefined : Date.parse(timeAdded);
}

/** Pods of nodes that are gone, or never were, go too: a look every 20 s, 40 s of doubt, both anew where asking for the node failed. */
export function podsGoWithTheirNodes(): Checker {
  const goneMs = new Map<string, number>();
  const failing = new FailingRequests();
  return {
    name: 'pods go with their nodes',
    onChange(change, world) {
      const { key, type } = change;
      failing.note(change, world.nowMs);
      if (prefixOf(key) !== 'minions') return [];
      const name = key.slice(key.lastIndexOf('/') + 1);
      if (type === 'delete') goneMs.set(name, world.nowMs);
      else goneMs.delete(name);
      return [];
    },
    inspect: (world) =>
      world.all<Pod>('pods').flatMap((pod) => {
        const node = pod.spec?.nodeName ?? '';
        if (node === '' || world.get('minions', undefined, node) !== undefined || (pod.metadata.finalizers ?? []).length > 0) return [];
        const heardMs = Math.max(goneMs.get(node) ?? 0, failing.lastMs(world.nowMs));
        const aloneMs = world.nowMs - Math.max(heardMs, Date.parse(pod.metadata.creationTimestamp ?? '') || 0);
        return aloneMs > 60_000 + 2 * slackMs ? [`${nameOf(pod)} is on node ${node}, which has not been there for ${aloneMs} ms`] : [];
      }),
  };
}
