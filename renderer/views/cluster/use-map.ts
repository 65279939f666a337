/** The engine's map of the cluster, of now or of an instant that has passed. */
import type { ClusterMap, ClusterMapStatus, MapColour } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { useReadAgain } from '../../api/read-again.ts';

export interface MapAnswer {
  readonly map: ClusterMapStatus | undefined;
  readonly error: string;
}

/** With more pods than these the engine counts them. */
const podsMost = 1500;
const mapsPath = '/apis/sim.wavetank.dev/v1alpha1/clustermaps';

/** `name` is a node, or `cluster` for all; `atMs` is an instant that has passed. */
export function useMap(name: string | undefined, by: MapColour, atMs: number | undefined): MapAnswer {
  const path =
    name === undefined
      ? ''
      : `${mapsPath}/${encodeURIComponent(name)}?by=${by}&pods=${podsMost}${atMs === undefined ? '' : `&at=${Math.round(atMs)}`}`;
  const { path: readFrom, value, error } = useReadAgain<ClusterMap>(path, atMs !== undefined);
  return readFrom === path || (value !== undefined && sameSubject(readFrom, path)) ? { map: value?.status, error } : { map: undefined, error: '' };
}

/** Another colour of the same: what is there stays on the screen until the answer has come. */
function sameSubject(a: string, b: string): boolean {
  return a.split('?')[0] === b.split('?')[0];
}
