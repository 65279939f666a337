/** What an object owns, as rows of the timeline. */
import { type PackedTimeline, unpackTimeline } from '../../engine/api/sim/v1alpha1/packed-timeline.ts';
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { AskedAhead } from './asked-ahead.ts';
import { request } from './request.ts';

/** More than the inspector shows. */
const rowsMost = 50;

const askedAhead = new AskedAhead<Timeline>();

export function askForDependents(id: string): void {
  askedAhead.keep(id, read(id));
}

export function readDependents(id: string, signal: AbortSignal): Promise<Timeline> {
  return askedAhead.take(id) ?? read(id, signal);
}

async function read(id: string, signal?: AbortSignal): Promise<Timeline> {
  const query = new URLSearchParams({ owner: id, limit: String(rowsMost), buckets: '10', packed: 'true' });
  const path = `/apis/sim.wavetank.dev/v1alpha1/timelines/main?${query.toString()}`;
  return unpackTimeline(await request<PackedTimeline>(path, signal ? { signal } : {}));
}
