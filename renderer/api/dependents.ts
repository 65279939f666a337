/** What an object owns, as rows of the timeline. */
import { type PackedTimeline, unpackTimeline } from '../../engine/api/sim/v1alpha1/packed-timeline.ts';
import type { Timeline, TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
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

/** Of one kind what is there of it now, what changed last first: the engine picks it, and no list is read to look for it. */
export async function readOwned(id: string, kind: string, most: number, signal: AbortSignal): Promise<readonly TimelineRow[]> {
  const { rows } = await read(id, signal, { kind, sort: 'time', limit: String(most) });
  return rows.filter(({ owner, deletedMs }) => owner === id && deletedMs === undefined);
}

async function read(id: string, signal?: AbortSignal, more: Readonly<Record<string, string>> = {}): Promise<Timeline> {
  const query = new URLSearchParams({ owner: id, limit: String(rowsMost), buckets: '10', packed: 'true', ...more });
  const path = `/apis/sim.wavetank.dev/v1alpha1/timelines/main?${query.toString()}`;
  return unpackTimeline(await request<PackedTimeline>(path, signal ? { signal } : {}));
}
