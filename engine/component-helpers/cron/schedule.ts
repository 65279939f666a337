/**
 * When a cron schedule is due next. Mirrors spec.go and constantdelay.go of robfig/cron v3, with its behaviour where clocks are
 * put forward or back. Without a zone of its own a schedule runs in UTC, the controller manager's zone.
 */
import { loadTimeZone, type LocalTime, type TimeZone } from './time-zone.ts';

export interface CronSchedule {
  /** The first due time after this one; undefined when there is none within five years. */
  next(afterMs: number): number | undefined;
  /** There where it counts from the time it is asked about (`@every`). */
  readonly everyMs?: number;
}

export interface CronField {
  readonly allowed: readonly boolean[];
  readonly isStar: boolean;
}

export interface CronFields {
  readonly minute: CronField;
  readonly hour: CronField;
  readonly day: CronField;
  readonly month: CronField;
  readonly weekday: CronField;
  readonly zone: TimeZone | undefined;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

export function createEvery(durationMs: number): CronSchedule {
  const delayMs = durationMs < secondMs ? secondMs : durationMs - (durationMs % secondMs);
  return { next: (afterMs) => Math.floor(afterMs / secondMs) * secondMs + delayMs, everyMs: delayMs };
}

export function createFieldSchedule(fields: CronFields): CronSchedule {
  const zone = fields.zone ?? loadTimeZone('UTC');
  if (zone === undefined) throw new Error('UTC is a time zone');
  return { next: (afterMs) => new Search(fields, zone, afterMs).run() };
}

/** Moves a time forward field by field until all match; a wrap-around of a field starts over with the larger ones. */
class Search {
  readonly #fields: CronFields;
  readonly #zone: TimeZone;
  readonly #lastYear: number;
  #ms: number;
  #local: LocalTime;
  /** Whether the smaller fields stand at their beginning already. */
  #moved = false;

  constructor(fields: CronFields, zone: TimeZone, afterMs: number) {
    this.#fields = fields;
    this.#zone = zone;
    this.#ms = (Math.floor(afterMs / secondMs) + 1) * secondMs;
    this.#local = zone.localTime(this.#ms);
    this.#lastYear = this.#local.year + 5;
  }

  run(): number | undefined {
    while (this.#local.year <= this.#lastYear) {
      if (this.#month() && this.#day() && this.#hour() && this.#minute() && this.#second()) return this.#ms;
    }
    return undefined;
  }

  #goTo(ms: number): void {
    this.#ms = ms;
    this.#local = this.#zone.localTime(ms);
  }

  #startAt(ms: number): void {
    if (this.#moved) return;
    this.#moved = true;
    this.#goTo(ms);
  }

  #month(): boolean {
    while (this.#fields.month.allowed[this.#local.month] !== true) {
      this.#startAt(this.#zone.instantOf(this.#local.year, this.#local.month, 1, 0, 0, 0));
      const { year, month, day, hour, minute, second } = this.#local;
      this.#goTo(this.#zone.instantOf(year, month + 1, day, hour, minute, second));
      if (this.#local.month === 1) return false;
    }
    return true;
  }

  #day(): boolean {
    while (!this.#dayMatches()) {
      this.#startAt(this.#zone.instantOf(this.#local.year, this.#local.month, this.#local.day, 0, 0, 0));
      const { year, month, day, hour, minute, second } = this.#local;
      this.#goTo(this.#zone.instantOf(year, month, day + 1, hour, minute, second));
      // Where a change of clocks skips midnight, the day begins at another hour.
      const shifted = this.#local.hour;
      if (shifted !== 0) this.#goTo(this.#ms + (shifted > 12 ? 24 - shifted : -shifted) * hourMs);
      if (this.#local.day === 1) return false;
    }
    return true;
  }

  #hour(): boolean {
    while (this.#fields.hour.allowed[this.#local.hour] !== true) {
      const { year, month, day, hour } = this.#local;
      this.#startAt(this.#zone.instantOf(year, month, day, hour, 0, 0));
      this.#goTo(this.#ms + hourMs);
      if (this.#local.hour === 0) return false;
    }
    return true;
  }

  #minute(): boolean {
    while (this.#fields.minute.allowed[this.#local.minute] !== true) {
      this.#startAt(Math.floor(this.#ms / minuteMs) * minuteMs);
      this.#goTo(this.#ms + this.#minutesOn() * minuteMs);
      if (this.#local.minute === 0) return false;
    }
    return true;
  }

  /** Minute by minute to the next one that is allowed, or the end of the hour: in one step where no change of clocks lies between. */
  #minutesOn(): number {
    const { allowed } = this.#fields.minute;
    let count = 1;
    while (this.#local.minute + count < 60 && allowed[this.#local.minute + count] !== true) count++;
    const { offsetMs } = this.#zone;
    return offsetMs(this.#ms) === offsetMs(this.#ms + count * minuteMs) ? count : 1;
  }

  #second(): boolean {
    while (this.#local.second !== 0) {
      this.#moved = true;
      this.#goTo(this.#ms + (60 - this.#local.second) * secondMs);
      if (this.#local.second === 0) return false;
    }
    return true;
  }

  /** A star in either kind of day leaves the choice to the other; otherwise either may match. */
  #dayMatches(): boolean {
    const { day, weekday } = this.#fields;
    const dayMatches = day.allowed[this.#local.day] === true;
    const weekdayMatches = weekday.allowed[this.#local.weekday] === true;
    return day.isStar || weekday.isStar ? dayMatches && weekdayMatches : dayMatches || weekdayMatches;
  }
}
