/** The engine's map of the cluster, of now or of an instant that has passed. */
import { type ClusterMap, type ClusterMapStatus, type MapColour, mapColours } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { readAhead, useReadAgain } from '../../api/read-again.ts';
import { onGoingTo } from '../../state/going.ts';
import { pastNow } from '../../state/past.ts';

export interface MapAnswer {
  readonly map: ClusterMapStatus | undefined;
  readonly error: string;
}

/** With more pods than these the engine counts them. */
const podsMost = 1500;
const mapsPath = '/apis/sim.wavetank.dev/v1alpha1/clustermaps';

onGoingTo('cluster', ({ group }) => {
  if (pastNow() === undefined) readAhead(pathOf('cluster', colourOf(group), undefined));
});

/** What pods are coloured by, as the address has it. */
export function colourOf(group: string): MapColour {
  return mapColours.find((one) => one === group) ?? 'state';
}

function pathOf(name: string, by: MapColour, atMs: number | undefined): string {
  return `${mapsPath}/${encodeURIComponent(name)}?by=${by}&pods=${podsMost}${atMs === undefined ? '' : `&at=${Math.round(atMs)}`}`;
}

/** `name` is a node, or `cluster` for all; `atMs` is an instant that has passed. */
export function useMap(name: string | undefined, by: MapColour, atMs: number | undefined): MapAnswer {
  const path = name === undefined ? '' : pathOf(name, by, atMs);
  const { path: readFrom, value, error } = useReadAgain<ClusterMap>(path, atMs !== undefined);
  return readFrom === path || (value !== undefined && sameSubject(readFrom, path)) ? { map: value?.status, error } : { map: undefined, error: '' };
}

/** Another colour of the same: what is there stays on the screen until the answer has come. */
function sameSubject(a: string, b: string): boolean {
  return a.split('?')[0] === b.split('?')[0];
}
