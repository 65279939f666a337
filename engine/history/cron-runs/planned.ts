/**
 * The planned instants of a CronJob's life: those of the schedule that was in force, walked with the controller's own arithmetic. `@every`
 * counts from the run before (or from the beginning), as the controller does; other schedules from no instant in particular.
 */
import { countWhile } from '../../base/bisect.ts';
import { CronParseError, type CronReader, parseCronSchedule } from '../../component-helpers/cron/parse.ts';
import type { CronSchedule } from '../../component-helpers/cron/schedule.ts';
import type { CronJobRecord, Terms } from './record.ts';
import type { RunIndex } from './run-index.ts';

/** How much further back the next walk begins. */
const spanFactor = 4;
/** A first walk finds so many times as many as are wanted at most. */
const guessFactor = 8;
/** For a schedule that is never due again. */
const dayMs = 86_400_000;

interface Stretch {
  readonly terms: Terms;
  readonly schedule: CronSchedule | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

export class PlannedTimes {
  readonly #record: CronJobRecord;
  readonly #stretches: readonly Stretch[];

  readonly #runs: RunIndex;

  constructor(record: CronJobRecord, runs: RunIndex, reader: CronReader) {
    this.#runs = runs;
    this.#record = record;
    const { terms } = record;
    const known = new Map<string, CronSchedule | undefined>();
    this.#stretches = terms.map((one, index) => ({
      terms: one,
      schedule: readOnce(one.schedule, reader, known),
      fromMs: one.fromMs,
      toMs: terms[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY,
    }));
  }

  /** The terms that were in force; those it began with for an instant before. */
  termsAt(ms: number): Terms | undefined {
    return this.#stretches[Math.max(0, this.#begunBy(ms) - 1)]?.terms;
  }

  /** When a schedule that was in force gave way to another. */
  changedAfter(ms: number, schedule: string): number | undefined {
    for (let index = this.#begunBy(ms); index < this.#stretches.length; index++) {
      const { terms } = this.#stretches[index] as Stretch;
      if (terms.schedule !== schedule) return terms.fromMs;
    }
    return undefined;
  }

  /** When the deadline of an instant passed, by the terms of then, unless that was at `endMs` or later. */
  deadlineWithin(plannedMs: number, endMs: number): { readonly passedMs: number; readonly deadlineMs: number } | undefined {
    for (let index = Math.max(0, this.#begunBy(plannedMs) - 1); index < this.#stretches.length; index++) {
      const { terms, fromMs, toMs } = this.#stretches[index] as Stretch;
      if (fromMs >= endMs) return undefined;
      if (terms.deadlineMs === null) continue;
      const passedMs = Math.max(fromMs, plannedMs + terms.deadlineMs);
      if (passedMs < Math.min(toMs, endMs)) return { passedMs, deadlineMs: terms.deadlineMs };
    }
    return undefined;
  }

  /** How many stretches have begun. */
  #begunBy(ms: number): number {
    return countWhile(this.#stretches.length, (index) => (this.#stretches[index] as Stretch).fromMs <= ms);
  }

  /** Those after `fromMs` and not after `toMs`, in order, the newest `most` of them. None is planned once the CronJob has gone. */
  within(fromMs: number, toMs: number, most: number): readonly number[] {
    const { createdMs, deletedMs } = this.#record;
    const last = deletedMs === 0 ? toMs : Math.min(toMs, deletedMs);
    let found: number[] = [];
    for (let index = this.#stretches.length - 1; index >= 0 && found.length < most; index--) {
      const stretch = this.#stretches[index] as Stretch;
      const from = Math.max(fromMs, createdMs, stretch.fromMs - 1);
      // An instant at which the terms change is under the new ones.
      const to = Math.min(last, stretch.toMs === Number.POSITIVE_INFINITY ? last : stretch.toMs - 1);
      if (to > from) found = [...this.#newest(stretch, from, to, most - found.length), ...found];
    }
    return found;
  }

  /** The first planned instant after this one, whatever the terms are by then. */
  after(ms: number): number | undefined {
    for (let index = Math.max(0, this.#begunBy(ms) - 1); index < this.#stretches.length; index++) {
      const stretch = this.#stretches[index] as Stretch;
      const from = Math.max(ms, stretch.fromMs - 1);
      const at = stretch.schedule === undefined ? undefined : this.#next(stretch.schedule, from);
      if (at !== undefined && at < stretch.toMs) return at;
    }
    return undefined;
  }

  /** The newest instants of a stretch. A walk goes forward only: it is begun ever earlier until it has found enough. */
  #newest({ schedule }: Stretch, fromMs: number, toMs: number, most: number): readonly number[] {
    if (schedule === undefined) return [];
    const stepMs = this.#usualStep(schedule, toMs);
    // Of most schedules the steps are alike, and one walk finds them; of others it may go through many more than are wanted.
    const guess = this.#walk(schedule, Math.max(fromMs, toMs - stepMs * most), toMs, most * guessFactor);
    if (guess !== undefined && (guess.length >= most || stepMs * most >= toMs - fromMs)) return guess.slice(-most);
    for (let spanMs = stepMs; ; spanMs *= spanFactor) {
      const begin = Math.max(fromMs, toMs - spanMs);
      const found = this.#walk(schedule, begin, toMs, Infinity) ?? [];
      if (begin === fromMs || found.length >= most) return found.slice(-most);
    }
  }

  /** Undefined where there are more than so many. */
  #walk(schedule: CronSchedule, fromMs: number, toMs: number, atMost: number): number[] | undefined {
    const found: number[] = [];
    for (let at = this.#next(schedule, fromMs); at !== undefined && at <= toMs; at = this.#next(schedule, at)) {
      if (found.length >= atMost) return undefined;
      found.push(at);
    }
    return found;
  }

  #usualStep(schedule: CronSchedule, ms: number): number {
    const first = schedule.next(ms);
    const second = first === undefined ? undefined : schedule.next(first);
    return first === undefined || second === undefined ? dayMs : second - first;
  }

  #next(schedule: CronSchedule, ms: number): number | undefined {
    const next = schedule.next(this.#anchored(schedule, ms));
    if (schedule.everyMs === undefined || next === undefined) return next;
    // A run off the beat (a deadline moves it) begins another.
    return Math.min(this.#runs.plannedAfter(ms) ?? next, next);
  }

  /** From where the schedule is asked for what comes after `ms`. */
  #anchored(schedule: CronSchedule, ms: number): number {
    const { everyMs } = schedule;
    if (everyMs === undefined) return ms;
    const base = Math.floor((this.#runs.plannedUntil(ms) ?? this.#record.createdMs) / 1000) * 1000;
    return ms < base ? base : base + Math.floor((ms - base) / everyMs) * everyMs;
  }
}

function readOnce(text: string, reader: CronReader, known: Map<string, CronSchedule | undefined>): CronSchedule | undefined {
  if (!known.has(text)) known.set(text, read(text, reader));
  return known.get(text);
}

/** Undefined for what is no schedule: the controller does nothing with it. */
function read(schedule: string, { grammar, loadZone }: CronReader): CronSchedule | undefined {
  try {
    return parseCronSchedule(schedule, grammar, loadZone);
  } catch (error) {
    if (error instanceof CronParseError) return undefined;
    throw error;
  }
}
