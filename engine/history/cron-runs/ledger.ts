/**
 * Remembers what is needed to say what became of each planned instant of each CronJob (`fates.ts`): fed by the changes of CronJobs and
 * their Jobs and by what the controller says in Events. Bounded: each life keeps its newest runs, and lives that are over leave in order.
 */
import type { CronJob, Job } from '../../api/batch/v1/types.gen.ts';
import type { Event } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { membersOf } from '../../base/codecs.ts';
import type { Slots } from '../../base/slots.ts';
import type { CronGrammar, CronReader } from '../../component-helpers/cron/parse.ts';
import { getControllerOf } from '../../component-helpers/owners.ts';
import { scheduleTextOf } from '../../component-helpers/cron/schedule-text.ts';
import { keepZones, type LoadZone } from '../../component-helpers/cron/time-zone.ts';
import { scheduledAnnotation } from '../../component-helpers/job.ts';
import type { Change } from '../../store/store.ts';
import { isCronJobController } from '../cron-marks.ts';
import type { HistoryObserver } from '../recorder.ts';
import type { Row } from '../row.ts';
import { jobResult } from '../states.ts';
import { type CronJobRecord, cronJobRecordCodec, type Run, type Terms, type Word } from './record.ts';

const runsMax = 2_000;
const termsMax = 200;
const wordsMax = 200;
/** Lives that are over. */
const gonesMax = 500;
/** What kubectl notes on a Job that it makes from a CronJob. */
const byHandAnnotation = 'cronjob.kubernetes.io/instantiate';
const wholeMinutesMs = Date.UTC(1973);
const told: ReadonlySet<string> = new Set(['JobAlreadyActive', 'FailedCreate', 'FailedNeedsStart']);

export class CronLedger implements HistoryObserver, CronReader {
  /** By uid, in the order of creation. */
  #records = new Map<string, CronJobRecord>();
  /** In which schedules are written. */
  readonly grammar: CronGrammar;
  readonly loadZone = keepZones();

  constructor(grammar: CronGrammar) {
    this.grammar = grammar;
  }

  records(): IterableIterator<CronJobRecord> {
    return this.#records.values();
  }

  onChange(change: Change<KubeObject>, row: Row): void {
    if (row.group !== 'batch') return;
    if (row.resource === 'cronjobs') this.#onCronJob(change);
    else if (row.resource === 'jobs') this.#onJob(change);
  }

  #onCronJob({ current, previous, meta }: Change<KubeObject>): void {
    const object = (current ?? previous)?.value as CronJob | undefined;
    const uid = object?.metadata.uid;
    if (object === undefined || uid === undefined) return;
    let record = this.#records.get(uid);
    // The controller starts nothing of one that is to go, whatever holds it.
    const isGoing = current === undefined || object.metadata.deletionTimestamp !== undefined;
    if (isGoing && record?.deletedMs === 0) record.deletedMs = meta.virtualMs;
    if (current === undefined) return;
    if (record === undefined) {
      record = this.#begin(object, uid, meta.virtualMs);
      this.#records.set(uid, record);
      this.#forgetGone();
    }
    // The spec of a change of status is the very one that was there.
    if ((previous?.value as CronJob | undefined)?.spec === object.spec) return;
    const terms = termsOf(object, meta.virtualMs, this.loadZone);
    const last = record.terms.at(-1);
    if (last === undefined || isOther(last, terms)) record.terms = [...record.terms, terms].slice(-termsMax);
  }

  #onJob({ current, previous, meta }: Change<KubeObject>): void {
    const [next, old] = [current?.value as Job | undefined, previous?.value as Job | undefined];
    const job = next ?? old;
    const record = job === undefined ? undefined : this.#records.get(getControllerOf(job)?.uid ?? '');
    if (record === undefined || job === undefined) return;
    const { virtualMs, identity } = meta;
    if (old === undefined) this.#started(record, job, virtualMs, identity);
    const result = next === undefined ? undefined : jobResult(next);
    if (result !== undefined) finish(record, job, result, virtualMs);
    const isGoing = next === undefined || next.metadata.deletionTimestamp !== undefined;
    if (!isGoing || !isOpen(record, job)) return;
    finish(record, job, 'Deleted', virtualMs);
    record.cut = [...record.cut, { job: job.metadata.name ?? '', by: identity }];
  }

  onEvent({ reason = '', message = '' }: Event, { uid, resource }: Row, ms: number): void {
    const record = resource === 'cronjobs' ? this.#records.get(uid) : undefined;
    if (record === undefined || !told.has(reason)) return;
    const word: Word = { ms, reason, message };
    record.words = [...record.words, word].slice(-wordsMax);
  }

  keepIn(slots: Slots): void {
    slots.field(
      'cronJobs',
      membersOf(cronJobRecordCodec),
      () => this.#records,
      (records) => {
        this.#records = new Map(records);
      },
    );
  }

  #begin({ metadata }: CronJob, uid: string, ms: number): CronJobRecord {
    const { namespace = '', name = '' } = metadata;
    return { uid, namespace, name, createdMs: ms, deletedMs: 0, forgottenMs: 0, terms: [], runs: [], words: [], cut: [] };
  }

  #started(record: CronJobRecord, job: Job, ms: number, identity: string): void {
    const plannedMs = this.#plannedOf(job, record, ms, identity);
    if (plannedMs === undefined) return;
    const { name = '', uid = '' } = job.metadata;
    // Who starts a Job after deleting those that ran puts it in their place.
    const given = record.cut.filter(({ by }) => by === identity).map(({ job: before }) => before);
    record.cut = [];
    for (const run of record.runs) if (run.result === 'Deleted' && given.includes(run.job)) run.result = 'Replaced';
    const run: Run = { plannedMs, startMs: ms, job: name, uid, finishMs: 0, result: '', replaced: given.join(', ') };
    const runs = [...record.runs, run];
    const forgotten = runs.length > runsMax ? runs.shift() : undefined;
    // Anybody may write an instant onto a Job: one that is yet to come hides nothing.
    if (forgotten !== undefined) record.forgottenMs = Math.max(record.forgottenMs, Math.min(forgotten.plannedMs, forgotten.startMs));
    record.runs = runs;
  }

  /** The instant that a Job was started for; undefined for one that somebody made by hand. */
  #plannedOf({ metadata }: Job, { createdMs, terms }: CronJobRecord, ms: number, identity: string): number | undefined {
    if (metadata.annotations?.[byHandAnnotation] !== undefined) return undefined;
    const noted = parseTime(metadata.annotations?.[scheduledAnnotation] ?? '');
    if (noted !== undefined) return noted - notNoted(noted, terms.at(-1)?.schedule ?? '', this.loadZone);
    const count = Number(/-(\d{1,12})$/.exec(metadata.name ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(count)) return undefined;
    if (this.grammar === 'v3') return isCronJobController(identity) ? count * 60_000 : undefined;
    // Before there was the annotation: a manager from outside may speak of all its controllers by one name, of times that have come.
    const plannedMs = count * 1000;
    return isCronJobController(identity) || (plannedMs >= createdMs && plannedMs <= ms) ? plannedMs : undefined;
  }

  #forgetGone(): void {
    let gone = 0;
    for (const { deletedMs } of this.#records.values()) if (deletedMs !== 0) gone++;
    for (const [uid, { deletedMs }] of this.#records) {
      if (gone <= gonesMax) return;
      if (deletedMs === 0) continue;
      this.#records.delete(uid);
      gone--;
    }
  }
}

/** RFC 3339 has no seconds of offsets from UTC, which some zones had until 1972. */
function notNoted(ms: number, schedule: string, loadZone: LoadZone): number {
  if (ms >= wholeMinutesMs) return 0;
  const zone = loadZone(/^(?:CRON_)?TZ=(\S+) /.exec(schedule)?.[1] ?? '');
  return (zone?.offsetMs(ms) ?? 0) % 60_000;
}

function termsOf(cronJob: CronJob, fromMs: number, loadZone: LoadZone): Terms {
  const { suspend, startingDeadlineSeconds, concurrencyPolicy = 'Allow' } = cronJob.spec ?? {};
  const deadlineMs = startingDeadlineSeconds === undefined ? null : Number(startingDeadlineSeconds) * 1000;
  return { fromMs, schedule: scheduleTextOf(cronJob, loadZone), isSuspended: suspend === true, deadlineMs, policy: concurrencyPolicy };
}

function isOther(a: Terms, b: Terms): boolean {
  return a.schedule !== b.schedule || a.isSuspended !== b.isSuspended || a.deadlineMs !== b.deadlineMs || a.policy !== b.policy;
}

function isOpen({ runs }: CronJobRecord, { metadata }: Job): boolean {
  return runs.findLast(({ uid }) => uid === metadata.uid)?.finishMs === 0;
}

function finish({ runs }: CronJobRecord, { metadata }: Job, result: string, ms: number): void {
  const run = runs.findLast(({ uid }) => uid === metadata.uid);
  if (run === undefined || run.finishMs !== 0) return;
  run.finishMs = ms;
  run.result = result;
}
