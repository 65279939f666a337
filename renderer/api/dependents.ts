/** What an object owns, as rows of the timeline. */
import { type PackedTimeline, unpackTimeline } from '../../engine/api/sim/v1alpha1/packed-timeline.ts';
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { request } from './request.ts';

/** More than the inspector shows. */
const rowsMost = 50;

interface AskedAhead {
  readonly id: string;
  readonly answer: Promise<Timeline>;
}

let askedAhead: AskedAhead | undefined;

/** With the press that selects the object, instead of after the page was drawn for that. */
export function askForDependents(id: string): void {
  const answer = read(id);
  // It is told by who takes it up.
  answer.catch(() => undefined);
  askedAhead = { id, answer };
}

/** What was asked ahead is taken up once: who asks again asks the engine. */
export function readDependents(id: string, signal: AbortSignal): Promise<Timeline> {
  const ahead = askedAhead;
  askedAhead = undefined;
  return ahead?.id === id ? ahead.answer : read(id, signal);
}

async function read(id: string, signal?: AbortSignal): Promise<Timeline> {
  const query = new URLSearchParams({ owner: id, limit: String(rowsMost), buckets: '10', packed: 'true' });
  const path = `/apis/sim.wavetank.dev/v1alpha1/timelines/main?${query.toString()}`;
  return unpackTimeline(await request<PackedTimeline>(path, signal ? { signal } : {}));
}
