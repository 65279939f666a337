/** The engine's map of the cluster, asked for again while something changes: never faster than it answers, and more seldom where that is slow. */
import { useEffect, useState } from 'react';
import type { ClusterMap, ClusterMapStatus, MapColour } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { isAbort, messageOf, request } from '../../api/request.ts';
import { useClock } from '../../state/clock.ts';

export interface MapAnswer {
  readonly map: ClusterMapStatus | undefined;
  readonly error: string;
}

/** With more pods than these the engine counts them. */
const podsMost = 1500;
const lookMs = 250;
const pauseMs = 700;
/** The engine gives this page a twentieth of its time, but a picture is not left to grow old. */
const share = 20;
const pauseMostMs = 3000;
const mapsPath = '/apis/sim.wavetank.dev/v1alpha1/clustermaps';

/** `name` is a node, or `cluster` for all; `atMs` is an instant that has passed. */
export function useMap(name: string | undefined, by: MapColour, atMs: number | undefined): MapAnswer {
  const path =
    name === undefined
      ? ''
      : `${mapsPath}/${encodeURIComponent(name)}?by=${by}&pods=${podsMost}${atMs === undefined ? '' : `&at=${Math.round(atMs)}`}`;
  const [answer, setAnswer] = useState<MapAnswer & { path: string }>({ path: '', map: undefined, error: '' });
  useEffect(() => {
    if (path === '') return undefined;
    const abort = new AbortController();
    let shown = '';
    let notBefore = 0;
    let isAsking = false;
    const look = async (): Promise<void> => {
      const { nowMs, clock } = useClock.getState();
      const moment = atMs === undefined ? `${nowMs} ${clock?.status.revision ?? 0}` : 'then';
      if (isAsking || moment === shown || performance.now() < notBefore) return;
      isAsking = true;
      const began = performance.now();
      try {
        const { status } = await request<ClusterMap>(path, { signal: abort.signal });
        shown = moment;
        setAnswer({ path, map: status, error: '' });
      } catch (error) {
        if (!isAbort(error)) setAnswer({ path, map: undefined, error: messageOf(error) });
      }
      isAsking = false;
      notBefore = performance.now() + Math.min(pauseMostMs, Math.max(pauseMs, (performance.now() - began) * share));
    };
    void look();
    const timer = setInterval(() => void look(), lookMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [path, atMs]);
  return answer.path === path || (answer.map !== undefined && sameSubject(answer.path, path)) ? answer : { map: undefined, error: '' };
}

/** Another colour of the same: what is there stays on the screen until the answer has come. */
function sameSubject(a: string, b: string): boolean {
  return a.split('?')[0] === b.split('?')[0];
}
