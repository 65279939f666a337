import { expect, test } from 'vitest';
import type { KubeObject } from '../../apimachinery/object.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { createStore } from '../../store/memory-store.ts';
import { createHistoryRecorder } from '../recorder.ts';
import { CronLedger } from './ledger.ts';
import { cronJobRunsResource } from './resource.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const minuteMs = 60_000;
const plurals: Readonly<Record<string, string>> = { CronJob: 'cronjobs', Job: 'jobs' };

class Tank {
  readonly ledger = new CronLedger('v3');
  readonly #store = createStore<KubeObject>();
  nowMs = startMs;

  constructor() {
    const recorder = createHistoryRecorder({
      startMs,
      resourceOf: (_group, kind) => plurals[kind],
      stored: () => undefined,
      observers: [this.ledger],
    });
    this.#store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => recorder.onChange(change)) });
  }

  put(kind: string, name: string, rest: object): void {
    const object = { apiVersion: 'batch/v1', kind, ...rest } as KubeObject;
    this.#store.create(`/registry/${plurals[kind] ?? ''}/default/${name}`, object, { virtualMs: this.nowMs, identity: 'somebody', causes: [] });
  }

  cronJob(name: string, schedule = '* * * * *'): void {
    this.put('CronJob', name, { metadata: { namespace: 'default', name, uid: name }, spec: { schedule, concurrencyPolicy: 'Allow' } });
  }

  job(name: string, cronJob: string, plannedMs: number): void {
    const annotations = { 'batch.kubernetes.io/cronjob-scheduled-timestamp': formatTime(plannedMs) };
    const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'CronJob', name: cronJob, uid: cronJob, controller: true }];
    this.put('Job', name, { metadata: { namespace: 'default', name, uid: name, annotations, ownerReferences } });
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
