/** `cronjobruns` over the API: the ledger of planned instants. */
import { type CronJobRun, type CronJobRunStatus, cutAnnotation } from '../../api/sim/v1alpha1/cron-job-run.ts';
import { countWhile } from '../../base/bisect.ts';
import type { CronReader } from '../../component-helpers/cron/parse.ts';
import { compareNames } from '../../component-helpers/name-order.ts';
import { parseSelector } from '../../apimachinery/labels.ts';
import { formatDuration, formatMicroTime, formatTime, parseTime } from '../../apimachinery/time.ts';
import type { ComputedQuery, ComputedResource } from '../../contracts/computed-resource.ts';
import { messageField, scalarField } from '../../kinds/sim/v1alpha1/schema-fields.ts';
import { checkRange, numberIn, spanIn } from '../query-numbers.ts';
import { simGroup, virtualKind } from '../virtual-kind.ts';
import { type Fate, fatesOf, type FateQuery } from './fates.ts';
import type { CronLedger } from './ledger.ts';
import type { CronJobRecord } from './record.ts';

const label = 'sim.wavetank.dev/cronjob';
const statusMessage = 'dev.wavetank.sim.v1alpha1.CronJobRunStatus';
/** As many as kubectl asks for at a time: it lists with a limit, and watches without. */
const mostDefault = 500;
const mostMax = 2_000;
/** Of all CronJobs together. */
const allMax = 20_000;
const aheadDefault = 1;
const aheadMax = 100;
const dayMs = 86_400_000;

/**
 * A list takes `from` and `to` (virtual milliseconds; the last day unless they are given; a run that goes on at `from` is in it) or `span` (so many milliseconds until now), `limit` (the newest so many of each CronJob) and
 * `ahead` (how many to come); of very many CronJobs fewer of those that have most. The oldest that is told of a CronJob is marked where there was more before it. Throws a bad request. `ledger` has caught up.
 */
export function cronJobRunsResource(ledger: () => CronLedger, nowMs: () => number): ComputedResource {
  return {
    kind: cronJobRunKind,
    limitsItself: true,
    get: (name, _query, namespace) => find(ledger(), namespace ?? '', name, nowMs()),
    list: (query, namespace) => {
      const wanted = readQuery(query, nowMs());
      const isWanted = labelled(query);
      const records = [...ledger().records()].filter((one) => (namespace === undefined || one.namespace === namespace) && isWanted(one)).sort(byName);
      return shared(
        records.filter((one) => livesIn(one, wanted)),
        wanted,
        ledger(),
      );
    },
  };
}

/** Runs of a CronJob have one label, and all have the same: those of the others need not be judged. */
function labelled({ labelSelector = '' }: ComputedQuery): (record: CronJobRecord) => boolean {
  const selector = parseSelector(labelSelector);
  return ({ name }) => selector.matches({ [label]: name });
}

/** What has gone before a stretch of time has nothing in it, and takes no room. */
function livesIn({ deletedMs }: CronJobRecord, { fromMs }: FateQuery): boolean {
  return deletedMs === 0 || deletedMs >= fromMs;
}

/** Each has an equal share of the room, and what some leave is shared by those that have more. */
function shared(records: readonly CronJobRecord[], query: FateQuery, reader: CronReader): readonly CronJobRun[] {
  const share = Math.min(query.most, Math.ceil(allMax / Math.max(1, records.length)));
  const told = records.map((record) => newestOf(record, { ...query, most: share }, reader));
  const [room, more] = [allMax - told.reduce((sum, { runs }) => sum + runs.length, 0), told.filter(({ isMore }) => isMore).length];
  const most = more === 0 ? share : Math.min(query.most, share + Math.max(0, Math.floor(room / more)));
  return records.flatMap((record, index) => {
    const { runs, isMore } = told[index] as Newest;
    return isMore && most > share ? newestOf(record, { ...query, most }, reader).runs : runs;
  });
}

interface Newest {
  readonly runs: readonly CronJobRun[];
  readonly isMore: boolean;
}

function newestOf(record: CronJobRecord, query: FateQuery, reader: CronReader): Newest {
  // One more than is told, to know whether there is one.
  const fates = fatesOf(record, { ...query, most: query.most + 1 }, reader);
  const isMore = countWhile(fates.length, (index) => (fates[index] as Fate).plannedMs <= query.nowMs) > query.most;
  const isCut = isMore || (record.forgottenMs !== 0 && record.forgottenMs >= query.fromMs);
  return { runs: fates.slice(isMore ? 1 : 0).map((fate, index) => showRun(record, fate, isCut && index === 0)), isMore };
}

function byName(a: CronJobRecord, b: CronJobRecord): number {
  return compareNames(a.namespace, b.namespace) || compareNames(a.name, b.name) || a.createdMs - b.createdMs;
}

function find(ledger: CronLedger, namespace: string, name: string, nowMs: number): CronJobRun | undefined {
  const [, cronJob, seconds] = /^(.+)-(\d{1,12})$/.exec(name) ?? [];
  if (cronJob === undefined) return undefined;
  const plannedMs = Number(seconds) * 1000;
  const query = { fromMs: plannedMs, toMs: plannedMs, nowMs, most: 1, ahead: plannedMs > nowMs ? aheadMax : 0 };
  for (const record of [...ledger.records()].reverse()) {
    if (record.name !== cronJob || record.namespace !== namespace) continue;
    const fate = fatesOf(record, query, ledger).find((one) => one.plannedMs === plannedMs);
    if (fate !== undefined) return showRun(record, fate);
  }
  return undefined;
}

function readQuery(query: ComputedQuery, nowMs: number): FateQuery {
  const read = (parameter: string, initial: number, max: number): number => Math.min(numberIn(query, parameter) ?? initial, max);
  const toMs = read('to', nowMs, Number.MAX_SAFE_INTEGER);
  const fromMs = read('from', Math.min(toMs, nowMs) - (spanIn(query) ?? dayMs), Number.MAX_SAFE_INTEGER);
  checkRange(fromMs, toMs);
  return {
    fromMs,
    toMs,
    nowMs,
    most: Math.floor(read('limit', mostDefault, mostMax)) || mostDefault,
    ahead: Math.floor(read('ahead', aheadDefault, aheadMax)),
  };
}

function showRun({ uid, namespace, name }: CronJobRecord, { plannedMs, fate, reason, run }: Fate, isCut = false): CronJobRun {
  const status: CronJobRunStatus = {
    cronJob: name,
    plannedTime: formatTime(plannedMs),
    fate,
    ...(reason === '' ? {} : { reason }),
    ...(run === undefined ? {} : { startTime: formatMicroTime(run.startMs) }),
    ...(run === undefined || run.finishMs === 0 ? {} : { finishTime: formatMicroTime(run.finishMs) }),
    ...(run === undefined ? {} : { result: run.result === '' ? 'Running' : run.result, job: run.job }),
  };
  const seconds = Math.floor(plannedMs / 1000);
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name, uid };
  return {
    kind: 'CronJobRun',
    apiVersion: `${simGroup}/v1alpha1`,
    metadata: {
      name: `${name}-${seconds}`,
      namespace,
      labels: { [label]: name },
      ...(isCut ? { annotations: { [cutAnnotation]: 'true' } } : {}),
      ownerReferences: [owner],
    },
    status,
  };
}

const cronJobRunKind = virtualKind('CronJobRun', 'cronjobruns', true, [messageField('status', 2, statusMessage)], {
  schemas: [
    {
      name: statusMessage,
      fields: [
        scalarField('cronJob', 1, 'string', { required: true, description: 'The CronJob.' }),
        scalarField('plannedTime', 2, 'time', { required: true, description: 'When its schedule was due.' }),
        scalarField('fate', 3, 'string', {
          required: true,
          description: 'What became of it: Ran, Missed, SkippedByForbid, Replaced, Suspended, DeadlineExceeded or Waiting.',
        }),
        scalarField('reason', 4, 'string', { description: 'Why, in one sentence.' }),
        scalarField('startTime', 5, 'microTime', { description: 'When its Job was created.' }),
        scalarField('finishTime', 6, 'microTime', { description: 'When its Job ended, was replaced or deleted.' }),
        scalarField('result', 7, 'string', { description: 'Running, Complete, Failed, Replaced or Deleted.' }),
        scalarField('job', 8, 'string', { description: 'The Job that was started for it.' }),
      ],
    },
  ],
  columns: ['Name', 'CronJob', 'Planned', 'Fate', 'Late', 'Took', 'Result', 'Job', 'Reason'].map((name) => ({ name, type: 'string' })),
  row: (object) => {
    const { metadata, status } = object as CronJobRun;
    const { cronJob, plannedTime, fate, startTime, finishTime, result = '<none>', job = '<none>', reason = '' } = status;
    const late = between(plannedTime, startTime);
    return [metadata.name ?? '', cronJob, plannedTime, fate, late, between(startTime, finishTime), result, job, reason];
  },
});

function between(from: string | undefined, to: string | undefined): string {
  const [fromMs, toMs] = [parseTime(from ?? ''), parseTime(to ?? '')];
  return fromMs === undefined || toMs === undefined ? '<none>' : formatDuration(toMs - fromMs);
}
