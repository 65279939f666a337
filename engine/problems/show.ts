/** Groups as objects of the API. */
import type { CauseLink } from '../api/sim/v1alpha1/timeline.ts';
import type { Problem, ProblemStatus, ProblemSubject } from '../api/sim/v1alpha1/problem.ts';
import { formatTime } from '../apimachinery/time.ts';
import { getOwn, setOwn } from '../base/dictionary.ts';
import type { Next } from './finding.ts';
import type { Entry, Group } from './grouping.ts';

const rowsShown = 50;

export interface Naming {
  /** Of a row whose object is there, or was there, or that others only name. */
  subject(row: string): ProblemSubject;
  /** Of its problem: no other subject of its namespace has the same. */
  name(row: string, subject: ProblemSubject): string;
  chain(revision: number): readonly CauseLink[] | undefined;
}

export function showProblem(group: Group, naming: Naming): Problem {
  const subject = naming.subject(group.row);
  const { namespace = 'default' } = subject;
  return {
    kind: 'Problem',
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    metadata: { name: naming.name(group.row, subject), namespace },
    status: statusOf(group, subject, naming),
  };
}

function statusOf({ own, others, roots }: Group, subject: ProblemSubject, naming: Naming): ProblemStatus {
  const first = sufferer(others);
  const telling = own ?? first;
  const next = own?.finding.next ?? nextOf(first, others) ?? nextOfRoots(roots);
  const cause = telling === undefined ? undefined : causeOf(naming.chain(telling.revision));
  return {
    subject,
    reason: reasonOf(own, others),
    since: formatTime(telling?.sinceMs ?? 0),
    summary: summaryOf(own, others, subject),
    ...(cause === undefined ? {} : { cause }),
    ...(next === undefined ? {} : { next: { text: next.text, ...(next.atMs === undefined ? {} : { at: formatTime(next.atMs) }) } }),
    ...(others.length === 0 ? {} : { affected: affected(others) }),
  };
}

/** A shortage, and a rollout that has timed out, say nothing that their pods do not say better. */
function reasonOf(own: Entry | undefined, others: readonly Entry[]): string {
  if (own !== undefined && (own.finding.sum === undefined || others.length === 0)) return own.finding.reason;
  return (own === undefined ? sufferer(others)?.finding.rootReason : undefined) ?? usual(others);
}

/** Of those of one workload the first may wait for a node that is gone, and another may still be tried again. */
function nextOf(first: Entry | undefined, others: readonly Entry[]): Next | undefined {
  if (first?.finding.root !== undefined) return first.finding.next;
  return others.find(({ finding }) => finding.next !== undefined)?.finding.next;
}

/** What happens first to any of what it suffers from. */
function nextOfRoots(roots: readonly Entry[]): Next | undefined {
  const due = roots
    .filter(({ finding }) => finding.next !== undefined)
    .sort((a, b) => (a.finding.next?.atMs ?? Infinity) - (b.finding.next?.atMs ?? Infinity));
  const [first] = due;
  if (first?.finding.next === undefined) return undefined;
  const { kind, metadata } = first.object;
  return { ...first.finding.next, text: `${kind} ${metadata.name ?? ''}: ${first.finding.next.text}` };
}

/** The first that says what it suffers from; else the first. */
function sufferer(others: readonly Entry[]): Entry | undefined {
  return others.find(({ finding }) => finding.root !== undefined) ?? others[0];
}

function usual(others: readonly Entry[]): string {
  const counts = new Map<string, number>();
  for (const { finding } of others) counts.set(finding.reason, (counts.get(finding.reason) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0])[0];
}

function summaryOf(own: Entry | undefined, others: readonly Entry[], { kind, name }: ProblemSubject): string {
  const first = sufferer(others);
  if (own !== undefined) {
    const { sum } = own.finding;
    const because = sum === undefined ? undefined : others.find(({ finding }) => finding.reason === usual(others));
    return because === undefined ? own.finding.summary : `${sum}: ${because.finding.summary}`;
  }
  if (first === undefined) return '';
  return first.finding.root === undefined ? `${others.length} of its pods: ${first.finding.summary}` : `${kind} ${name}: ${first.finding.summary}`;
}

function causeOf(chain: readonly CauseLink[] | undefined): ProblemStatus['cause'] {
  // Who injected a fault is behind it, but the fault is what happened.
  const root = chain?.find(({ type }) => type === 'fault') ?? chain?.at(-1);
  const write = chain?.findLast(({ type }) => type === 'write');
  if (root === undefined) return undefined;
  return {
    // That somebody asked says less than what she did.
    text: root.type === 'input' ? (write?.text ?? root.text) : root.text,
    ...(write?.revision === undefined ? {} : { revision: write.revision }),
    ...(write?.object === undefined ? {} : { row: write.object }),
  };
}

function affected(others: readonly Entry[]): NonNullable<ProblemStatus['affected']> {
  const kinds: Record<string, number> = {};
  for (const { object } of others) setOwn(kinds, object.kind, (getOwn(kinds, object.kind) ?? 0) + 1);
  return { count: others.length, kinds, rows: others.slice(0, rowsShown).map(({ row }) => row) };
}
