/**
 * The cluster at an instant that has passed, of what history keeps of each life: phases, readiness and reasons of pods, readiness of nodes.
 * Requests, taints and leases of then are not kept, and are left out rather than guessed.
 */
import { seeState } from '../component-helpers/pod-looks.ts';
import { type NodeFacts, noZone, type PodFacts } from './facts.ts';
import { newEntry, type NodeEntry } from './follower.ts';
import type { Row, Segment } from '../history/row.ts';

interface Known {
  /** Zone and size of a node that is still there. */
  readonly zone: string;
  readonly room: number | undefined;
}

const toleratesAll = { unreachable: Infinity, notReady: Infinity };

export interface KnownOfThen {
  nodeNow(name: string): Known | undefined;
  /** What the scheduler had said last of a pod that it found no node for; '' where nobody knows. */
  refusalAt(pod: Pick<Row, 'namespace' | 'name' | 'uid'>, atMs: number): string;
}

export function entriesAt(rows: Iterable<Row>, atMs: number, { nodeNow, refusalAt }: KnownOfThen): ReadonlyMap<string, NodeEntry> {
  const entries = new Map<string, NodeEntry>();
  const entryOf = (name: string): NodeEntry => {
    let entry = entries.get(name);
    if (entry === undefined) entries.set(name, (entry = newEntry(name)));
    return entry;
  };
  for (const row of rows) {
    if (row.group !== '' || row.createdMs > atMs || (row.deletedMs !== 0 && row.deletedMs <= atMs)) continue;
    const segment = segmentAt(row.segments, atMs);
    if (segment === undefined) continue;
    if (row.resource === 'nodes') entryOf(row.name).facts = nodeThen(row, segment, nodeNow(row.name));
    else if (row.resource === 'pods') {
      const pod = podThen(row, segment);
      if (pod.look === 'Unschedulable') pod.message = refusalAt(row, atMs);
      entryOf(pod.node).pods.set(row.uid, pod);
    }
  }
  return entries;
}

/** The last that had begun. */
function segmentAt(segments: readonly Segment[], atMs: number): Segment | undefined {
  let found: Segment | undefined;
  for (const segment of segments) {
    if (segment.fromMs > atMs) break;
    found = segment;
  }
  return found;
}

function podThen({ namespace, name, uid, node, owner, createdMs, segments }: Row, segment: Segment): PodFacts & { message: string } {
  const seen = seeState(segment.state, segment.ready === true, segment.reason);
  const isPlaced = seen.look !== 'Unschedulable' && seen.look !== 'Gated' && !isBeforePlace(segments, segment);
  return {
    ...{ namespace, name, uid, owner, createdMs, priority: 0, milliCpu: undefined, countdown: undefined, message: '' },
    ...{ look: seen.look === 'Creating' && !isPlaced ? 'Waiting' : seen.look, reason: seen.reason, ready: segment.ready === true },
    node: isPlaced ? node : '',
    toleratedMs: toleratesAll,
  };
}

/** A pod that was found unschedulable later had no node yet. */
function isBeforePlace(segments: readonly Segment[], segment: Segment): boolean {
  return segments.slice(segments.indexOf(segment) + 1).some(({ reason }) => reason === 'Unschedulable' || reason === 'SchedulingGated');
}

function nodeThen({ name }: Row, { state, fromMs }: Segment, known: Known | undefined): NodeFacts {
  return {
    name,
    zone: known?.zone ?? noZone,
    ready: state === 'Ready' ? 'True' : state === 'NotReady' ? 'False' : 'Unknown',
    sinceMs: fromMs,
    ...{ cordoned: false, pressures: [], taints: [], evicting: undefined, room: known?.room, milliCpu: undefined },
  };
}
