/**
 * How badly each zone is hit, and how fast its nodes may be tainted then. Mirrors ComputeZoneState and handleDisruption of
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go.
 */
import type { Cause } from '../../base/causes.ts';
import { oneOf, optional, record } from '../../base/codecs.ts';
import type { Slots } from '../../base/slots.ts';
import type { Node } from '../../api/core/v1/types.gen.ts';
import { nodeZoneKey } from '../../component-helpers/node.ts';
import type { ControllerOptions } from '../controller.ts';
import { ZoneQueue, zoneQueueCodec } from './zone-queue.ts';

const excludeLabel = 'node.kubernetes.io/exclude-disruption';

export type ZoneState = 'Initial' | 'Normal' | 'FullDisruption' | 'PartialDisruption';

/** Nodes of a zone as one pass found them. */
export interface ZoneCount {
  ready: number;
  notReady: number;
}

/** What the whole cluster goes through when no zone, or some zone again, has a ready node. */
export type MasterDisruption = 'entering' | 'leaving' | undefined;

interface Zone {
  /** Undefined once no node is counted in it any more. */
  state: ZoneState | undefined;
  readonly queue: ZoneQueue;
}

const zoneStates = oneOf<ZoneState>('Initial', 'Normal', 'FullDisruption', 'PartialDisruption');
const zoneCodec = record<Zone>({ state: optional(zoneStates), queue: zoneQueueCodec });

export class Zones {
  readonly #options: ControllerOptions;
  readonly #zones: Map<string, Zone>;

  constructor(options: ControllerOptions, slots: Slots) {
    this.#options = options;
    this.#zones = slots.map('zones', zoneCodec);
  }

  /** Makes the zone known. */
  ensure(name: string, nowMs: number): void {
    const zone = this.#zones.get(name);
    if (zone?.state !== undefined) return;
    this.#zones.set(name, { state: 'Initial', queue: new ZoneQueue(this.#options.nodeEvictionRate, nowMs) });
  }

  has(zone: string, node: string): boolean {
    return this.#zones.get(zone)?.queue.has(node) ?? false;
  }

  add(zone: string, node: string, nowMs: number, causes: readonly Cause[]): void {
    this.#zones.get(zone)?.queue.add(node, nowMs, causes);
  }

  remove(zone: string, node: string): void {
    this.#zones.get(zone)?.queue.remove(node);
  }

  queues(): readonly ZoneQueue[] {
    return [...this.#zones.values()].map(({ queue }) => queue);
  }

  nextMs(nowMs: number): number | undefined {
    let next: number | undefined;
    for (const { queue } of this.#zones.values()) {
      const ms = queue.nextMs(nowMs);
      if (ms !== undefined && (next === undefined || ms < next)) next = ms;
    }
    return next;
  }

  /** Sets states and rates after a pass. On entering or leaving a master disruption the caller has more to do. */
  update(counts: ReadonlyMap<string, ZoneCount>, nowMs: number): MasterDisruption {
    const next = new Map<string, ZoneState>();
    for (const [name, count] of counts) {
      next.set(name, zoneState(count, this.#options.unhealthyZoneThreshold));
      this.ensure(name, nowMs);
    }
    let wasDisrupted = true;
    for (const [name, zone] of this.#zones) {
      if (zone.state === undefined) continue;
      if (!counts.has(name)) zone.state = undefined;
      else if (zone.state !== 'FullDisruption') wasDisrupted = false;
    }
    const isDisrupted = [...next.values()].every((state) => state === 'FullDisruption');
    if (isDisrupted && wasDisrupted) return undefined;
    for (const [name, zone] of this.#zones) {
      const state = next.get(name);
      if (zone.state === undefined || state === undefined || (zone.state === state && !isDisrupted && !wasDisrupted)) continue;
      zone.queue.setRate(isDisrupted ? 0 : this.#rate(state, counts.get(name)), nowMs);
      zone.state = state;
    }
    return isDisrupted ? 'entering' : wasDisrupted ? 'leaving' : undefined;
  }

  #rate(state: ZoneState, count: ZoneCount | undefined): number {
    const { nodeEvictionRate, secondaryNodeEvictionRate, largeClusterSizeThreshold } = this.#options;
    if (state !== 'PartialDisruption') return nodeEvictionRate;
    return (count?.ready ?? 0) + (count?.notReady ?? 0) > largeClusterSizeThreshold ? secondaryNodeEvictionRate : 0;
  }
}

/** Counts a node by its readiness, unless it is not to be counted. */
export function countNode(counts: Map<string, ZoneCount>, node: Node, status: string | undefined): void {
  if (node.metadata.labels?.[excludeLabel] !== undefined) return;
  const zone = nodeZoneKey(node);
  let count = counts.get(zone);
  if (count === undefined) {
    count = { ready: 0, notReady: 0 };
    counts.set(zone, count);
  }
  if (status === 'True') count.ready++;
  else count.notReady++;
}

export function zoneState({ ready, notReady }: ZoneCount, unhealthyThreshold: number): ZoneState {
  if (ready === 0 && notReady > 0) return 'FullDisruption';
  if (notReady > 2 && notReady / (notReady + ready) >= unhealthyThreshold) return 'PartialDisruption';
  return 'Normal';
}
