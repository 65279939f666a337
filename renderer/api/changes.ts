/** One change, for all of the page that shows it; read again while effects may come. */
import type { Change, ChangeStatus, ChangeVerb } from '../../engine/api/sim/v1alpha1/change.ts';
import { useReadAgain } from './read-again.ts';
import { request } from './request.ts';

const path = '/apis/sim.wavetank.dev/v1alpha1/changes';

export interface ChangeReading {
  /** Undefined until it is read, or where it cannot be. */
  readonly change: ChangeStatus | undefined;
  readonly error: string;
}

export function useChange(revision: number | undefined): ChangeReading {
  const { value, error } = useReadAgain<Change>(revision === undefined ? '' : `${path}/${revision}`, false);
  const change = value?.status.revision === revision ? value?.status : undefined;
  return { change, error: change === undefined && revision !== undefined ? error : '' };
}

export async function readChange(revision: number): Promise<ChangeStatus> {
  return (await request<Change>(`${path}/${revision}`)).status;
}

/** What is told of an object somewhere on the page, by what tells the write that brought it about. */
export interface Told {
  /** As history notes it: `Ready:`, `spec.taints`; any write without it. */
  readonly says?: string;
  /** When it was so first, to the second where that is all that is known; without it the last write that says so. */
  readonly atMs?: number;
  /** What was in force at an instant: the last write until then that says so, or the last of all. */
  readonly untilMs?: number;
  readonly verb?: ChangeVerb;
}

/** What is said to have begun at an instant may be written a little later, by whoever reports it. */
const reportedWithinMs = 60_000;
const lookedAtMost = 500;

/** The write behind what is told of an object; undefined where it is no longer remembered. */
export async function findChange(row: string, { says = '', atMs, untilMs, verb }: Told): Promise<number | undefined> {
  const span =
    atMs === undefined ? (untilMs === undefined ? {} : { to: String(untilMs) }) : { from: String(atMs), to: String(atMs + reportedWithinMs) };
  const query = new URLSearchParams({ object: row, limit: String(lookedAtMost), ...span });
  const { items } = await request<{ readonly items: readonly Change[] }>(`${path}?${query.toString()}`);
  // Newest first. Of an instant it is the first that was written after it, of none the last.
  const inOrder = atMs === undefined ? items : items.toReversed();
  const ofVerb = inOrder.filter(({ status }) => verb === undefined || status.verb === verb);
  const saying = ofVerb.find(({ status }) => says === '' || status.facts.some((fact) => isSaid(fact, says)));
  // What was there from the beginning is of the creation; of much that changed at once history notes a part.
  return (saying ?? (atMs === undefined && untilMs === undefined ? ofVerb.find(({ status }) => status.verb === 'create') : ofVerb[0]))?.status
    .revision;
}

function isSaid(fact: string, says: string): boolean {
  return fact.startsWith(says) || fact.includes(`, ${says}`) || fact.includes(`; ${says}`);
}

/** The write that it came of: the last that it names. */
export function parentOf({ causes = [] }: ChangeStatus): number | undefined {
  return causes.findLast((cause) => cause.type === 'write' && cause.revision !== undefined)?.revision;
}
