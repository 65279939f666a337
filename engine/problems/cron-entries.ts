/** CronJobs whose newest instant came to nothing, or whose run is overdue: from the ledger, for no change of theirs says so. */
import { latePatienceMs } from '../api/sim/v1alpha1/cron-job-run.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { CronReader } from '../component-helpers/cron/parse.ts';
import { formatTime } from '../apimachinery/time.ts';
import { type Fate, fatesOf } from '../history/cron-runs/fates.ts';
import type { CronLedger } from '../history/cron-runs/ledger.ts';
import type { CronJobRecord } from '../history/cron-runs/record.ts';
import type { Finding } from './finding.ts';
import type { Entry } from './grouping.ts';

const lost: ReadonlySet<string> = new Set(['Missed', 'DeadlineExceeded']);

export function cronEntries(ledger: CronLedger, nowMs: number, get: (namespace: string, name: string) => KubeObject | undefined): readonly Entry[] {
  const entries: Entry[] = [];
  for (const record of ledger.records()) {
    if (record.deletedMs !== 0) continue;
    const object = get(record.namespace, record.name);
    const entry = object?.metadata.uid === record.uid ? entryOf(record, object, nowMs, ledger) : undefined;
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

function entryOf(record: CronJobRecord, object: KubeObject, nowMs: number, reader: CronReader): Entry | undefined {
  const newestOf = (most: number, ahead: number): readonly Fate[] => fatesOf(record, { fromMs: 0, toMs: nowMs, nowMs, most, ahead }, reader);
  // Most are well, which the newest tell.
  const last = dueOf(newestOf(2, 0), nowMs).at(-1);
  if (last !== undefined && !isAmiss(last)) return undefined;
  const fates = newestOf(20, 1);
  const due = dueOf(fates, nowMs);
  const newest = due.at(-1);
  if (newest === undefined || !isAmiss(newest)) return undefined;
  const finding = findingOf(newest, due, fates.at(-1), nowMs);
  return {
    row: `cronjobs.batch/${record.namespace}/${record.name}`,
    object,
    finding,
    sinceMs: finding.sinceMs ?? newest.plannedMs,
    revision: Number(object.metadata.resourceVersion ?? 0),
  };
}

/** What is due this minute may still be on its way. */
function dueOf(fates: readonly Fate[], nowMs: number): readonly Fate[] {
  return fates.filter(({ plannedMs, fate }) => plannedMs <= nowMs && (fate !== 'Waiting' || nowMs - plannedMs > latePatienceMs));
}

function isAmiss({ fate }: Fate): boolean {
  return lost.has(fate) || fate === 'Waiting';
}

function findingOf(newest: Fate, due: readonly Fate[], ahead: Fate | undefined, nowMs: number): Finding {
  const next = ahead !== undefined && ahead.plannedMs > nowMs ? { next: { text: 'its next run is due', atMs: ahead.plannedMs } } : {};
  if (newest.fate === 'Waiting')
    return { reason: 'Late', sinceMs: newest.plannedMs, summary: `its run of ${formatTime(newest.plannedMs)} is late: ${newest.reason}`, ...next };
  const run = due.length - 1 - due.findLastIndex(({ fate }) => !lost.has(fate) && fate !== 'Waiting');
  const first = due[due.length - run] ?? newest;
  const runs = run > 1 ? `its last ${run} runs were missed` : `its run of ${formatTime(newest.plannedMs)} was missed`;
  return { reason: newest.fate, sinceMs: first.plannedMs, summary: `${runs}: ${newest.reason}`, ...next };
}
