/** `clustermaps` over the API. */
import { mapColours, type ClusterMap, type ClusterMapStatus, type MapColour } from '../api/sim/v1alpha1/cluster-map.ts';
import { newBadRequest } from '../apimachinery/errors.ts';
import type { ComputedQuery, ComputedResource } from '../contracts/computed-resource.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import { simGroup, virtualKind } from '../history/virtual-kind.ts';
import { messageField, scalarField } from '../kinds/sim/v1alpha1/schema-fields.ts';
import { classesOf } from './classes.ts';
import { type Drawing, drawMap, type MapPeriods, sumAhead } from './draw.ts';
import type { PodFacts } from './facts.ts';
import type { ClusterFollower, NodeEntry } from './follower.ts';
import { entriesAt } from './past.ts';
import { mapRow } from './table.ts';

export interface ClusterMapSources {
  readonly follower: ClusterFollower;
  readonly recorder: HistoryRecorder;
  nowMs(): number;
  periods(): MapPeriods;
  /** When a node's lease was renewed last, of this one or of any. */
  renewals(node: string | undefined): (node: string) => number | undefined;
  /** What the scheduler had said by then of a pod that it found no node for; '' where nobody knows. */
  refusalAt(pod: { readonly namespace: string; readonly name: string; readonly uid: string }, atMs: number): string;
  /** What pods on a node use, in thousandths of a core by uid. */
  usesOn(node: string): ReadonlyMap<string, number>;
}

const wholeName = 'cluster';
const podsMax = 5_000;

interface Asked {
  readonly by: MapColour;
  /** Pods one by one where there are no more. */
  readonly podsMost: number;
  readonly atMs: number | undefined;
}

export function clusterMapResource(sources: ClusterMapSources): ComputedResource {
  const get = (name: string, query: ComputedQuery): ClusterMap | undefined => {
    const status = read(sources, name === wholeName ? undefined : name, asked(query, sources.nowMs()));
    return status === undefined ? undefined : { kind: 'ClusterMap', apiVersion: `${simGroup}/v1alpha1`, metadata: { name }, status };
  };
  return {
    kind: clusterMapKind,
    get,
    list: (query) => [get(wholeName, query)].filter((one) => one !== undefined),
    prepare: (most) => sources.follower.prepare(most) && sumAhead(wholeNow(sources), most),
  };
}

/** Undefined for a node that is not there. */
function read(sources: ClusterMapSources, node: string | undefined, { by, podsMost, atMs }: Asked): ClusterMapStatus | undefined {
  const isPast = atMs !== undefined;
  const nowMs = sources.nowMs();
  const entries = isPast ? pastEntries(sources, atMs) : sources.follower.nodes();
  if (node !== undefined && entries.get(node) === undefined) return undefined;
  const counted = countPods(entries);
  const showsPods = node !== undefined || counted <= podsMost;
  const uses = new Map<string, ReadonlyMap<string, number>>();
  const useOf = (pod: PodFacts): number | undefined => {
    if (isPast || pod.node === '') return undefined;
    let known = uses.get(pod.node);
    if (known === undefined) uses.set(pod.node, (known = sources.usesOn(pod.node)));
    return known.get(pod.uid);
  };
  const classes = classesOf(by, { atMs: atMs ?? nowMs, pods: () => podsOf(entries), use: useOf });
  return drawMap({
    ...{ entries, classes, by, isPast, showsPods, node },
    atMs: atMs ?? nowMs,
    periods: sources.periods(),
    renewedMs: isPast ? () => undefined : sources.renewals(node),
    use: showsPods || by === 'use' ? useOf : () => undefined,
  });
}

/** As the page looks at a large cluster first: by state, with pods counted. */
function wholeNow({ follower, nowMs, periods }: ClusterMapSources): Drawing {
  const atMs = nowMs();
  const classes = classesOf('state', { atMs, pods: () => [], use: () => undefined });
  return {
    ...{ entries: follower.known, classes, by: 'state', isPast: false, showsPods: false, node: undefined, atMs },
    ...{ periods: periods(), renewedMs: () => undefined, use: () => undefined },
  };
}

function pastEntries({ recorder, follower, refusalAt }: ClusterMapSources, atMs: number): ReadonlyMap<string, NodeEntry> {
  const now = follower.nodes();
  return entriesAt(recorder.rows(), atMs, { nodeNow: (name) => now.get(name)?.facts, refusalAt });
}

function* podsOf(entries: ReadonlyMap<string, NodeEntry>): Generator<PodFacts> {
  for (const { pods } of entries.values()) yield* pods.values();
}

function countPods(entries: ReadonlyMap<string, NodeEntry>): number {
  let count = 0;
  for (const { pods } of entries.values()) count += pods.size;
  return count;
}

function asked(query: ComputedQuery, nowMs: number): Asked {
  const by = query['by'] || 'state';
  const colour = mapColours.find((one) => one === by);
  if (colour === undefined) throw newBadRequest(`by=${by} is none of ${mapColours.join(', ')}`);
  const atMs = numberIn(query, 'at');
  if (atMs !== undefined && atMs > nowMs) throw newBadRequest(`at=${atMs} has not come yet: it is ${nowMs}`);
  return { by: colour, podsMost: Math.min(podsMax, numberIn(query, 'pods') ?? 0), atMs: atMs === nowMs ? undefined : atMs };
}

function numberIn(query: ComputedQuery, parameter: string): number | undefined {
  const text = query[parameter];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw newBadRequest(`${parameter}=${text} is not a number that is 0 or more`);
  return value;
}

const statusMessage = 'dev.wavetank.sim.v1alpha1.ClusterMapStatus';

const clusterMapKind = virtualKind('ClusterMap', 'clustermaps', false, [messageField('status', 2, statusMessage)], {
  schemas: [
    {
      name: statusMessage,
      fields: [
        scalarField('atMs', 1, 'int64', { required: true, description: 'The virtual instant that is shown.' }),
        scalarField('isPast', 2, 'bool', { required: true, description: 'It is not the present.' }),
        scalarField('by', 3, 'string', { required: true, description: 'What pods are counted by.' }),
        scalarField('classes', 4, 'json', { description: 'The names of what pods are counted in.' }),
        scalarField('zones', 5, 'json', { description: 'Zones, with how many nodes they have.' }),
        scalarField('nodes', 6, 'json', { description: 'Nodes in the order of their zones, with their pods counted or one by one.' }),
        scalarField('podCount', 7, 'int64', { required: true, description: 'How many pods there are.' }),
        scalarField('waiting', 8, 'json', { description: 'Pods without a node, by reason.' }),
        scalarField('graceMs', 9, 'int64', { required: true, description: 'How long a silent node is believed.' }),
        scalarField('unreachableMs', 10, 'int64', {
          required: true,
          description: 'How long pods stay on a node that is unreachable, where they say nothing else.',
        }),
        scalarField('notReadyMs', 11, 'int64', {
          required: true,
          description: 'How long pods stay on a node that is not ready, where they say nothing else.',
        }),
      ],
    },
  ],
  columns: ['Name', 'Zones', 'Nodes', 'Pods', 'Waiting', 'Next'].map((name) => ({ name, type: 'string' })),
  row: (object) => mapRow(object as ClusterMap),
});
