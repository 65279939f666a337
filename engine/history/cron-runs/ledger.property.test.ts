/** Random lives of CronJobs: what the ledger says of each planned instant is held against what the controller did and said, instant by instant. */
import { describe, expect, test } from 'vitest';
import type { CronJob, Job } from '../../api/batch/v1/types.gen.ts';
import { newInternalError } from '../../apimachinery/errors.ts';
import { formatTime, parseTime } from '../../apimachinery/time.ts';
import { Random, type RandomStream } from '../../base/random.ts';
import { cronJobs, jobs } from '../../client/resources.ts';
import { parseCronSchedule } from '../../component-helpers/cron/parse.ts';
import { scheduleTextOf } from '../../component-helpers/cron/schedule-text.ts';
import { cronJobController } from '../../controllers/cronjob/controller.ts';
import { ControllerBench } from '../../controllers/testing/controller-bench.ts';
import { createHistoryRecorder } from '../recorder.ts';
import { type Fate, fatesOf } from './fates.ts';
import { CronLedger } from './ledger.ts';

const minuteMs = 60_000;
const schedules = ['* * * * *', '*/5 * * * *', '*/7 1-3 * * *', '30 * * * *', '15,45 2 * * *', '@hourly', '@every 90s', '@every 10m', 'no schedule'];
const zones = [undefined, undefined, 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
/** Nights in which clocks of these zones are put forward or back, and one in which none is. */
const nights = ['2026-03-28T23:30:20Z', '2026-10-24T23:50:00Z', '2026-03-08T05:40:00Z', '2026-11-01T04:10:10Z', '2026-01-01T00:00:30Z'];
const plurals: Readonly<Record<string, string>> = { CronJob: 'cronjobs', Job: 'jobs' };

interface Life {
  readonly bench: ControllerBench;
  readonly ledger: CronLedger;
  /** What the spec said, from when on. */
  readonly specs: { readonly fromMs: number; readonly spec: CronJob['spec'] }[];
  readonly started: Map<number, { readonly atMs: number; readonly name: string }>;
  readonly createdMs: number;
  /** What was told of instants that came to nothing, when it was told first. */
  readonly lost: Map<number, string>;
}

function pick<T>(random: RandomStream, values: readonly T[]): T {
  return values[random.integer(values.length)] as T;
}

function aSpec(random: RandomStream): object {
  const timeZone = pick(random, zones);
  return {
    schedule: pick(random, schedules),
    ...(timeZone === undefined ? {} : { timeZone }),
    concurrencyPolicy: pick(random, ['Allow', 'Forbid', 'Replace']),
    ...(random.integer(3) === 0 ? { startingDeadlineSeconds: pick(random, [10, 45, 200, 4000]) } : {}),
    suspend: random.integer(8) === 0,
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } },
  };
}

async function live(seed: number): Promise<Life> {
  const random = new Random(seed).stream('life');
  const bench = new ControllerBench({ nowMs: Date.parse(pick(random, nights)) });
  const ledger = new CronLedger('v3');
  const recorder = createHistoryRecorder({
    startMs: bench.nowMs,
    resourceOf: (_group, kind) => plurals[kind],
    stored: (key) => bench.store.get(key)?.value,
    observers: [ledger],
  });
  const life: Life = { bench, ledger, specs: [], started: new Map(), createdMs: bench.nowMs, lost: new Map() };
  bench.store.watch({
    prefix: '',
    onChanges: (changes) => {
      for (const change of changes) {
        recorder.onChange(change);
        const object = change.current?.value;
        if (object?.kind === 'CronJob') life.specs.push({ fromMs: change.meta.virtualMs, spec: (object as CronJob).spec });
        if (object?.kind !== 'Job' || change.previous !== undefined) continue;
        const plannedMs = parseTime(object.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'] ?? '');
        if (plannedMs !== undefined) life.started.set(plannedMs, { atMs: change.meta.virtualMs, name: object.metadata.name ?? '' });
      }
    },
  });
  bench.add(cronJobs, { metadata: { namespace: 'default', name: 'c' }, spec: aSpec(random) as never });
  await bench.run(cronJobController);
  for (let acts = 0; acts < 40; acts++) {
    await bench.advance(1_000 + random.integer(9 * minuteMs));
    await act(life, random);
    for (const { plannedMs, fate, reason } of fatesNow(life))
      if (['Missed', 'SkippedByForbid', 'DeadlineExceeded'].includes(fate) && !life.lost.has(plannedMs))
        life.lost.set(plannedMs, `${fate}: ${reason}`);
  }
  bench.refuse = undefined;
  await bench.advance(1 + random.integer(5 * minuteMs));
  return life;
}

function fatesNow({ ledger, bench: { nowMs } }: Life): readonly Fate[] {
  const [record] = ledger.records();
  if (record === undefined) throw new Error('the CronJob is remembered');
  return fatesOf(record, { fromMs: 0, toMs: nowMs, nowMs, most: 100_000, ahead: 0 }, ledger);
}

async function act({ bench }: Life, random: RandomStream): Promise<void> {
  const open = bench.list(jobs).filter((job) => job.status?.conditions === undefined);
  const changeSpec = (spec: object): void => {
    bench.change(cronJobs, 'default', 'c', (one) => ({ ...one, spec: { ...(one as CronJob).spec, ...spec } as never }));
  };
  switch (random.integer(9)) {
    case 0:
      changeSpec({ suspend: bench.get(cronJobs, 'default', 'c')?.spec?.suspend !== true });
      break;
    case 1:
      if (random.integer(3) === 0) changeSpec({ schedule: pick(random, schedules) });
      break;
    case 2:
      if (random.integer(3) === 0) changeSpec({ concurrencyPolicy: pick(random, ['Allow', 'Forbid', 'Replace']) });
      break;
    case 3:
      // An outage of the API server, as far as the controller is concerned.
      bench.refuse = bench.refuse === undefined ? refuseAll : undefined;
      break;
    case 4:
      if (open.length > 0) bench.remove(jobs, 'default', pick(random, open).metadata.name ?? '');
      break;
    default:
      for (const job of open.slice(0, 1 + random.integer(2))) end(bench, job, random.integer(3) > 0 ? 'Complete' : 'Failed');
  }
  await bench.settle();
}

function refuseAll(): never {
  throw newInternalError('down');
}

function end(bench: ControllerBench, job: Job, type: string): void {
  const time = bench.time();
  bench.change(jobs, 'default', job.metadata.name ?? '', (one) => ({
    ...one,
    status: {
      startTime: time,
      ...(type === 'Complete' ? { completionTime: time } : {}),
      conditions: [{ type, status: 'True', lastTransitionTime: time }],
    },
  }));
}

/** Every planned instant of the life, walked from its beginning through all that its spec has said. */
function allPlanned({ specs, createdMs, bench, started }: Life): readonly number[] {
  const found = new Set([...started.keys()]);
  specs.forEach(({ fromMs, spec }, index) => {
    const untilMs = Math.min(specs[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY, bench.nowMs + 1);
    let schedule: ReturnType<typeof parseCronSchedule>;
    try {
      schedule = parseCronSchedule(scheduleTextOf({ metadata: {}, spec } as never));
    } catch {
      return;
    }
    // A schedule that counts goes on from the run before, wherever that was.
    const runs = schedule.everyMs === undefined ? [] : [...started.keys()].sort((a, b) => a - b);
    for (let at: number | undefined = createdMs; at !== undefined && at < untilMs; ) {
      if (at >= fromMs && at !== createdMs) found.add(at);
      const [from, next]: readonly [number, number | undefined] = [at, schedule.next(at)];
      at = runs.find((ms) => ms > from && (next === undefined || ms < next)) ?? next;
    }
  });
  return [...found].sort((a, b) => a - b);
}

function specAt({ specs }: Life, ms: number): CronJob['spec'] {
  return (specs.findLast(({ fromMs }) => fromMs <= ms) ?? specs[0])?.spec;
}

function told(fates: readonly Fate[]): ReadonlyMap<number, Fate> {
  return new Map(fates.map((fate) => [fate.plannedMs, fate]));
}

/** What the controller said while an instant was the newest that was due. */
function saidOf(life: Life, reason: string, fromMs: number, toMs: number): boolean {
  return life.bench.events.some(({ atMs, text }) => atMs >= fromMs && atMs < toMs && text.split(' ')[1] === reason);
}

/** When the controller looks at an instant no more: another is due, or the schedule is a new one. */
function overAt({ specs }: Life, plannedMs: number, nextMs = Number.POSITIVE_INFINITY): number {
  const text = (spec: CronJob['spec']): string => scheduleTextOf({ metadata: {}, spec } as never);
  const before = text(specs.findLast(({ fromMs }) => fromMs <= plannedMs)?.spec);
  return Math.min(nextMs, specs.find(({ fromMs, spec }) => fromMs > plannedMs && text(spec) !== before)?.fromMs ?? nextMs);
}

function check(life: Life, plannedMs: number, next: number | undefined, fate: Fate | undefined): string | undefined {
  const nowMs = life.bench.nowMs;
  const nextMs = overAt(life, plannedMs, next);
  const run = life.started.get(plannedMs);
  const spec = specAt(life, plannedMs);
  const is = (...wanted: readonly string[]): string | undefined =>
    fate !== undefined && wanted.includes(fate.fate)
      ? undefined
      : `${formatTime(plannedMs)} is ${fate?.fate}, "${fate?.reason}", and not ${wanted.join(' or ')}`;
  if (run !== undefined) {
    if (fate?.run?.startMs !== run.atMs || fate.run.job !== run.name)
      return `${formatTime(plannedMs)} was started at ${formatTime(run.atMs)}: ${JSON.stringify(fate)}`;
    return is('Ran', 'Replaced');
  }
  if (spec?.suspend === true) return is('Suspended');
  const isOver = nextMs <= nowMs;
  const said = saidOf(life, 'JobAlreadyActive', plannedMs, nextMs);
  const isLate = saidOf(life, 'MissSchedule', plannedMs, nextMs);
  if (isOver && said && spec?.concurrencyPolicy === 'Forbid') return is('SkippedByForbid', 'Missed', 'DeadlineExceeded');
  if (isLate) return is('DeadlineExceeded', 'SkippedByForbid');
  return isOver ? is('Missed', 'SkippedByForbid', 'DeadlineExceeded') : is('Waiting', 'DeadlineExceeded');
}

describe.each(Array.from({ length: 40 }, (_, index) => index + 1))('a life of seed %i', (seed) => {
  test('each planned instant has the one fate that the controller gave it', async () => {
    const life = await live(seed);
    const fates = fatesNow(life);
    const byTime = told(fates);
    const planned = allPlanned(life);
    expect(fates.map(({ plannedMs }) => formatTime(plannedMs))).toEqual(planned.map(formatTime));
    const wrong = planned.map((ms, index) => check(life, ms, planned[index + 1], byTime.get(ms))).filter((one) => one !== undefined);
    expect(wrong).toEqual([]);
    // What came to nothing is told so for good, unless the controller came back to it.
    const still = [...life.lost].filter(([ms]) => byTime.get(ms)?.run === undefined);
    expect(still.map(([ms]) => [formatTime(ms), `${byTime.get(ms)?.fate}: ${byTime.get(ms)?.reason}`])).toEqual(
      still.map(([ms, first]) => [formatTime(ms), first]),
    );
  });
});

test('these lives meet every fate', async () => {
  const met = new Map<string, number>();
  for (let seed = 1; seed <= 8; seed++) {
    const life = await live(seed);
    const [record] = life.ledger.records();
    const query = { fromMs: 0, toMs: life.bench.nowMs, nowMs: life.bench.nowMs, most: 100_000, ahead: 3 };
    for (const { fate } of record === undefined ? [] : fatesOf(record, query, life.ledger)) met.set(fate, (met.get(fate) ?? 0) + 1);
  }
  expect([...met.keys()].sort()).toEqual(['DeadlineExceeded', 'Missed', 'Ran', 'Replaced', 'SkippedByForbid', 'Suspended', 'Waiting']);
});
