import { expect, test } from 'vitest';
import type { Event } from '../../api/core/v1/types.gen.ts';
import { type CronJobRun, cutAnnotation } from '../../api/sim/v1alpha1/cron-job-run.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { CronGrammar } from '../../component-helpers/cron/parse.ts';
import { createStore } from '../../store/memory-store.ts';
import type { Row } from '../row.ts';
import { createHistoryRecorder } from '../recorder.ts';
import { CronLedger } from './ledger.ts';
import { cronJobRunsResource } from './resource.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const minuteMs = 60_000;
const at = (minute: number, second = 0): number => startMs + minute * minuteMs + second * 1000;
const plurals: Readonly<Record<string, string>> = { CronJob: 'cronjobs', Job: 'jobs' };

class Tank {
  readonly ledger: CronLedger;
  readonly #store = createStore<KubeObject>();
  nowMs = startMs;

  constructor(grammar: CronGrammar = 'v3') {
    this.ledger = new CronLedger(grammar);
    const recorder = createHistoryRecorder({
      startMs,
      resourceOf: (_group, kind) => plurals[kind],
      stored: () => undefined,
      observers: [this.ledger],
    });
    this.#store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => recorder.onChange(change)) });
  }

  put(kind: string, name: string, rest: object): void {
    const [key, object] = [`/registry/${plurals[kind] ?? ''}/default/${name}`, { apiVersion: 'batch/v1', kind, ...rest } as KubeObject];
    const meta = { virtualMs: this.nowMs, identity: 'somebody', causes: [] };
    const known = this.#store.get(key);
    if (known === undefined) this.#store.create(key, object, meta);
    else this.#store.update(key, known.modRevision, object, meta);
  }

  cronJob(name: string, schedule = '* * * * *', spec: object = {}, meta: object = {}): void {
    const metadata = { namespace: 'default', name, uid: name, ...meta };
    this.put('CronJob', name, { metadata, spec: { schedule, concurrencyPolicy: 'Allow', ...spec } });
  }

  /** What its controller says. */
  says(cronJob: string, reason: string, message: string): void {
    this.ledger.onEvent({ reason, message } as Event, { uid: cronJob, resource: 'cronjobs' } as Row, this.nowMs);
  }

  ended(name: string, cronJob: string, plannedMs: number): void {
    const conditions = [{ type: 'Complete', status: 'True' }];
    this.job(name, cronJob, plannedMs, { status: { conditions } });
  }

  job(name: string, cronJob: string, plannedMs: number, more: object = {}, noted: object | undefined = undefined): void {
    const annotations = noted ?? { 'batch.kubernetes.io/cronjob-scheduled-timestamp': formatTime(plannedMs) };
    const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'CronJob', name: cronJob, uid: cronJob, controller: true }];
    this.put('Job', name, { metadata: { namespace: 'default', name, uid: name, annotations, ownerReferences }, ...more });
  }

  /** Those before which there is more. */
  cut(query: { readonly [parameter: string]: string }): readonly string[] {
    const resource = cronJobRunsResource(
      () => this.ledger,
      () => this.nowMs,
    );
    const runs = resource.list({ ahead: '0', ...query }, undefined, () => ({ outcome: 'timedOut' })) as unknown as readonly CronJobRun[];
    const cut = runs.filter(({ metadata }) => metadata.annotations?.[cutAnnotation] !== undefined);
    return cut.map(({ status }) => `${status.cronJob} ${status.plannedTime.slice(11, 16)}`);
  }

  reasons(): readonly string[] {
    const resource = cronJobRunsResource(
      () => this.ledger,
      () => this.nowMs,
    );
    const runs = resource.list({ ahead: '0' }, undefined, () => ({ outcome: 'timedOut' })) as unknown as readonly {
      readonly status: { readonly reason?: string };
    }[];
    return runs.map(({ status }) => status.reason ?? '');
  }

  told(query: { readonly [parameter: string]: string } = {}): readonly string[] {
    const resource = cronJobRunsResource(
      () => this.ledger,
      () => this.nowMs,
    );
    const runs = resource.list({ ahead: '0', ...query }, undefined, () => ({ outcome: 'timedOut' })) as unknown as readonly {
      readonly status: { readonly cronJob: string; readonly plannedTime: string; readonly fate: string };
    }[];
    return runs.map(({ status }) => `${status.cronJob} ${status.plannedTime.slice(11, 16)} ${status.fate}`);
  }
}

test('instants that somebody writes onto Jobs hide nothing, whether they lie behind or ahead of the start', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/5 * * * *');
  tank.nowMs = startMs + 2 * minuteMs;
  // Started before the instant that it says it is for.
  tank.job('early', 'c', startMs + 5 * minuteMs);
  tank.nowMs = startMs + 12 * minuteMs;
  tank.job('ages-ago', 'c', 0);
  expect(tank.told()).toEqual(['c 00:05 Ran', 'c 00:10 Waiting']);
  // So many of the year 9999 that the first of them are forgotten.
  for (let count = 0; count < 2_010; count++) tank.job(`far-${count}`, 'c', Date.parse('9999-01-01T00:00:00Z') + count * minuteMs);
  tank.nowMs = startMs + 21 * minuteMs;
  expect(tank.told()).toEqual(['c 00:15 Missed', 'c 00:20 Waiting']);
});

test('thousands of CronJobs share the room of an answer, and a label asks for one alone', () => {
  const tank = new Tank();
  for (let count = 0; count < 1_000; count++) tank.cronJob(`c-${count}`);
  tank.nowMs = startMs + 60 * minuteMs;
  expect(tank.told({ limit: '2000' }).length).toBe(20_000);
  expect(tank.told({ limit: '2000', labelSelector: 'sim.wavetank.dev/cronjob=c-17' }).length).toBe(60);
});

test('room that most leave is had by those that have more to tell', () => {
  const tank = new Tank();
  for (let count = 0; count < 998; count++) tank.cronJob(`rare-${count}`, '0 12 * * *');
  for (const name of ['a', 'b']) tank.cronJob(name);
  tank.nowMs = at(300);
  expect(tank.told({ limit: '2000' }).length).toBe(600);
  expect(tank.cut({ limit: '2000' })).toEqual([]);
});

test('the oldest that is told is marked where there was more, and what has gone takes no room', () => {
  const tank = new Tank();
  tank.cronJob('c');
  tank.cronJob('d', '0 * * * *');
  tank.nowMs = at(60);
  expect(tank.cut({ limit: '20' })).toEqual(['c 00:41']);
  expect(tank.cut({ limit: '60' })).toEqual([]);
  expect(tank.cut({ limit: '0' })).toEqual([]);
  for (let count = 0; count < 600; count++) {
    const gone = { deletionTimestamp: formatTime(tank.nowMs), finalizers: ['a.b/c'] };
    tank.cronJob(`gone-${count}`);
    tank.cronJob(`gone-${count}`, '* * * * *', {}, gone);
  }
  tank.nowMs = at(1_000);
  const from = String(at(61));
  expect(tank.told({ limit: '2000', from }).length).toBe(940 + 15);
  expect(tank.cut({ limit: '2000', from })).toEqual([]);
});

test('where runs are no longer remembered the first that is told says so', () => {
  const tank = new Tank();
  tank.cronJob('c');
  for (let minute = 1; minute <= 2_010; minute++) {
    tank.nowMs = at(minute, 1);
    tank.job(`c-${minute}`, 'c', at(minute));
  }
  expect(tank.cut({ from: '0', limit: '2000' })).toEqual(['c 00:11']);
  expect(tank.cut({ from: String(at(11)), limit: '2000' })).toEqual([]);
});

test('lateness is told as fine as people ask for it, whatever parts of a second there are', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/20 * * * *');
  tank.nowMs = startMs + 20 * minuteMs + 4_724.268066;
  tank.job('soon', 'c', startMs + 20 * minuteMs);
  tank.nowMs = startMs + 56 * minuteMs + 4_724.268066;
  tank.job('late', 'c', startMs + 40 * minuteMs);
  expect(tank.reasons()).toEqual(['late by 4.724s', 'late by 16m5s']);
});

test('a run that goes on when a stretch of time begins is in it, one that was never started is not', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/5 * * * *');
  tank.nowMs = startMs + 5 * minuteMs;
  tank.job('first', 'c', tank.nowMs);
  tank.nowMs = startMs + 12 * minuteMs;
  const from = String(startMs + 11 * minuteMs);
  expect(tank.told({ from })).toEqual(['c 00:05 Ran']);
  expect(tank.told({ from: String(startMs + 4 * minuteMs), to: String(startMs + 9 * minuteMs) })).toEqual(['c 00:05 Ran']);
  expect(tank.told({ from: '0', to: String(startMs + 4 * minuteMs) })).toEqual([]);
});

test('a stretch with a span goes along with now, and has no ends', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/5 * * * *');
  tank.nowMs = startMs + 21 * minuteMs;
  const span = String(8 * minuteMs);
  expect(tank.told({ span })).toEqual(['c 00:15 Missed', 'c 00:20 Waiting']);
  expect(tank.told({ span, ahead: '1' })).toEqual(['c 00:15 Missed', 'c 00:20 Waiting', 'c 00:25 Waiting']);
  tank.nowMs += 5 * minuteMs;
  expect(tank.told({ span })).toEqual(['c 00:20 Missed', 'c 00:25 Waiting']);
  for (const end of ['from', 'to']) expect(() => tank.told({ span, [end]: '0' })).toThrow('goes along with now');
  expect(() => tank.told({ span: 'long' })).toThrow('is not a number');
});

const minuteOf = (tank: Tank, minute: number): string | undefined => {
  const resource = cronJobRunsResource(
    () => tank.ledger,
    () => tank.nowMs,
  );
  const seconds = String(at(minute) / 1000);
  const run = resource.get?.(`c-${seconds}`, {}, 'default', () => ({ outcome: 'timedOut' })) as
    | { readonly status: { readonly fate: string; readonly reason?: string } }
    | undefined;
  return run && `${run.status.fate}: ${run.status.reason ?? ''}`;
};

test('under Forbid with a deadline the run before is named until when it was in the way, and that stays so', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/5 * * * *', { concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 60 });
  tank.nowMs = at(5);
  tank.job('long', 'c', at(5));
  tank.nowMs = at(10, 1);
  tank.says('c', 'JobAlreadyActive', 'Not starting job');
  const skipped = 'SkippedByForbid: long went on until its deadline of 1m0s had passed';
  expect(minuteOf(tank, 10)).toBe('Waiting: long has to end first');
  tank.nowMs = at(11, 1);
  expect(minuteOf(tank, 10)).toBe(skipped);
  tank.nowMs = at(12);
  tank.ended('long', 'c', at(5));
  tank.says('c', 'MissSchedule', 'Missed scheduled time');
  expect(minuteOf(tank, 10)).toBe(skipped);
  tank.nowMs = at(18);
  expect(minuteOf(tank, 10)).toBe(skipped);
  // A deadline that is taken away later changes nothing of what was.
  tank.cronJob('c', '*/5 * * * *', { concurrencyPolicy: 'Allow' });
  expect(minuteOf(tank, 10)).toBe(skipped);
  expect(minuteOf(tank, 15)).toBe('DeadlineExceeded: not started within 1m0s');
});

test('a deadline that is set while an instant is due counts from then on', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/5 * * * *');
  tank.nowMs = at(7);
  expect(minuteOf(tank, 5)).toBe('Waiting: due, and not started yet');
  tank.cronJob('c', '*/5 * * * *', { startingDeadlineSeconds: 30 });
  tank.nowMs = at(7, 1);
  expect(minuteOf(tank, 5)).toBe('DeadlineExceeded: not started within 30s');
});

test('what was suspended before anything had started it is suspended, and not late', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/5 * * * *');
  tank.nowMs = at(5);
  tank.job('first', 'c', at(5));
  tank.nowMs = at(10) + 50;
  tank.cronJob('c', '*/5 * * * *', { suspend: true });
  tank.nowMs = at(12);
  // Another change of what is suspended.
  tank.cronJob('c', '*/5 * * * *', { suspend: true, startingDeadlineSeconds: 1000 });
  const suspended = 'Suspended: suspended at 2026-01-01T00:10:00Z';
  expect(minuteOf(tank, 10)).toBe(suspended);
  tank.nowMs = at(16);
  expect(minuteOf(tank, 10)).toBe(suspended);
  expect(minuteOf(tank, 15)).toBe('Suspended: ');
});

test('what nothing had started for minutes when it was suspended was missed', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/5 * * * *');
  tank.nowMs = at(7);
  tank.cronJob('c', '*/5 * * * *', { suspend: true });
  const why = 'nothing had started it when it was suspended at 2026-01-01T00:07:00Z';
  expect(minuteOf(tank, 5)).toBe(`Waiting: due, and not started yet: ${why}`);
  tank.nowMs = at(11);
  expect(minuteOf(tank, 5)).toBe(`Missed: ${why}`);
});

test('what is refused says why while it waits, and what was refused before it was suspended was missed', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/5 * * * *');
  tank.nowMs = at(5, 1);
  tank.says('c', 'FailedCreate', 'Error creating job: no room');
  expect(minuteOf(tank, 5)).toBe('Waiting: due, and not started yet: Error creating job: no room');
  tank.nowMs = at(7);
  tank.cronJob('c', '*/5 * * * *', { suspend: true });
  tank.nowMs = at(11);
  expect(minuteOf(tank, 5)).toBe('Missed: Error creating job: no room');
  tank.nowMs = at(12);
  tank.cronJob('c', '*/5 * * * *');
  tank.job('c-10', 'c', at(10));
  expect(minuteOf(tank, 10)).toBe('Ran: late by 2m0s: Error creating job: no room');
  tank.nowMs = at(15, 20);
  tank.job('c-15', 'c', at(15));
  expect(minuteOf(tank, 15)).toBe('Ran: late by 20s');
});

test('of two instants of one minute the second finds its name taken', () => {
  const tank = new Tank();
  tank.cronJob('c', '@every 30s');
  tank.nowMs = at(1);
  tank.job('c-29453761', 'c', at(1));
  tank.nowMs = at(2, 1);
  expect(minuteOf(tank, 1.5)).toBe('Missed: c-29453761 of the same minute has its name');
});

test('nothing is planned of what is deleted and held by a finalizer', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/5 * * * *');
  tank.nowMs = at(7);
  tank.cronJob('c', '*/5 * * * *', {}, { deletionTimestamp: formatTime(tank.nowMs), finalizers: ['a.b/c'] });
  tank.nowMs = at(30);
  expect(tank.told({ ahead: '3' })).toEqual(['c 00:05 Missed']);
  expect(tank.reasons()).toEqual(['nothing had started it when it was deleted']);
});

test('without annotations the seconds in the names of Jobs tell their instants, in whatever year and whoever made them', () => {
  const tank = new Tank('v1');
  // Before 2001, when such numbers had a digit less.
  tank.nowMs = Date.parse('1999-01-01T00:00:30Z');
  tank.cronJob('c', '*/5 * * * *');
  const first = Date.parse('1999-01-01T00:05:00Z');
  tank.nowMs = first + 7_000;
  tank.job(`c-${first / 1000}`, 'c', first, {}, {});
  tank.job('c-17', 'c', first, {}, {});
  tank.nowMs = first + 5 * minuteMs + 8_000;
  tank.job(`c-${first / 1000 + 300}`, 'c', first, {}, { 'cronjob.kubernetes.io/instantiate': 'manual' });
  expect(tank.told()).toEqual(['c 00:05 Ran', 'c 00:10 Waiting']);
});

test('offsets from UTC with seconds, which annotations do not have, are heeded', () => {
  const tank = new Tank();
  tank.nowMs = Date.parse('1971-05-01T00:00:00Z');
  tank.cronJob('c', '*/20 * * * *', { timeZone: 'Africa/Monrovia' });
  // 23:40:00 there.
  tank.nowMs = Date.parse('1971-05-01T00:24:30Z');
  tank.job('c-1', 'c', 0, {}, { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '1971-04-30T23:40:00-00:44' });
  tank.nowMs += minuteMs;
  expect(tank.told()).toEqual(['c 00:24 Ran']);
});

test('the last day has instants before 1970, and that of its beginning', () => {
  const tank = new Tank();
  tank.nowMs = -12 * minuteMs;
  tank.cronJob('c', '*/5 * * * *');
  tank.nowMs = 6 * minuteMs;
  expect(tank.told()).toEqual(['c 23:50 Missed', 'c 23:55 Missed', 'c 00:00 Missed', 'c 00:05 Waiting']);
});

test('what is late by a change of its terms says by which', () => {
  const tank = new Tank();
  tank.cronJob('c', '*/5 * * * *', { concurrencyPolicy: 'Forbid' });
  tank.nowMs = at(5);
  tank.job('c-5', 'c', at(5));
  tank.nowMs = at(12);
  tank.cronJob('c', '*/5 * * * *');
  tank.nowMs = at(12, 1);
  tank.job('c-10', 'c', at(10));
  tank.nowMs = at(14);
  tank.cronJob('c', '*/13 * * * *');
  tank.nowMs = at(14, 1);
  tank.job('c-13', 'c', at(13));
  expect(minuteOf(tank, 10)).toBe('Ran: late by 2m1s: forbidden until 2026-01-01T00:12:00Z');
  expect(minuteOf(tank, 13)).toBe('Ran: late by 1m1s: by a schedule that came at 2026-01-01T00:14:00Z');
});
