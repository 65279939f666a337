/**
 * RFC 3339 as Go reads it, piece by piece of the layout: the hour may be one digit, a comma may stand before the fraction, an offset may be
 * 24 hours, and what is out of its range is told where it stands. Mirrors parse of Go's time/format.go.
 */
import { timeQuote } from './quote.ts';

/** Six digits behind the second are wanted, or any number of them may be there. */
export type TimeLayout = 'seconds' | 'micros';

const layouts: Readonly<Record<TimeLayout, string>> = { seconds: '2006-01-02T15:04:05Z07:00', micros: '2006-01-02T15:04:05.000000Z07:00' };
/** Nearly all texts: of them only the last days of a month need a second look. */
const usual = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?Z$/;
/** Finer than these digits Go does not read. */
const fractionDigits = 9;

/** Milliseconds since the epoch of a whole second, and the digits behind it: a double of both holds no microseconds of the year 1. */
export interface Instant {
  readonly secondMs: number;
  readonly fraction: string;
}

/** Of a text that is no time all that Go says of it. */
export function readTime(text: string, layout: TimeLayout): Instant | string {
  const [, year, month, day, hour, minute, second, fraction = ''] = usual.exec(text) ?? [];
  if (
    year !== undefined &&
    (layout === 'seconds' || fraction.length === 6) &&
    (Number(day) <= 28 || Number(day) <= daysOf(Number(year), Number(month)))
  )
    return { secondMs: instantOf(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second)), fraction };
  return new Reader(text, layout).read();
}

const firstMs = instantOf(0, 1, 1, 0, 0, 0);
const endMs = instantOf(10_000, 1, 1, 0, 0, 0);

function daysOf(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

function instantOf(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

class Misread extends Error {}

class Reader {
  readonly #text: string;
  readonly #layout: TimeLayout;
  #rest: string;

  constructor(text: string, layout: TimeLayout) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  read(): Instant | string {
    try {
      return this.#time();
    } catch (error) {
      if (error instanceof Misread) return error.message;
      throw error;
    }
  }

  #time(): Instant {
    const year = this.#number('2006', /^\d{4}/);
    this.#skip('-');
    const month = this.#within('01', /^\d\d/, 1, 12, 'month');
    this.#skip('-');
    const day = this.#number('02', /^\d\d/);
    this.#skip('T');
    const hour = this.#within('15', /^\d\d?/, 0, 23, 'hour');
    this.#skip(':');
    const minute = this.#within('04', /^\d\d/, 0, 59, 'minute');
    this.#skip(':');
    const second = this.#within('05', /^\d\d/, 0, 59, 'second');
    const fraction = this.#layout === 'micros' ? this.#micros() : this.#fraction();
    const offsetMinutes = this.#offset();
    if (this.#rest !== '') throw this.#fault(`extra text: ${timeQuote(this.#rest)}`);
    if (day < 1 || day > daysOf(year, month)) throw this.#outOfRange('day');
    const secondMs = instantOf(year, month, day, hour, minute - offsetMinutes, second);
    // Go reads such a time, and what it writes of it no more.
    if (secondMs < firstMs || secondMs >= endMs) throw this.#outOfRange('year');
    return { secondMs, fraction };
  }

  #take(piece: string, form: RegExp): string {
    const [found] = form.exec(this.#rest) ?? [];
    if (found === undefined) throw this.#unlike(piece);
    this.#rest = this.#rest.slice(found.length);
    return found;
  }

  #number(piece: string, form: RegExp): number {
    return Number(this.#take(piece, form));
  }

  #within(piece: string, form: RegExp, min: number, max: number, name: string): number {
    const value = this.#number(piece, form);
    if (value < min || value > max) throw this.#outOfRange(name);
    return value;
  }

  #skip(separator: string): void {
    if (!this.#rest.startsWith(separator)) throw this.#unlike(separator);
    this.#rest = this.#rest.slice(1);
  }

  #fraction(): string {
    const [found, digits = ''] = /^[.,](\d+)/.exec(this.#rest) ?? [''];
    this.#rest = this.#rest.slice(found.length);
    return digits.slice(0, fractionDigits);
  }

  /** Of six characters the first may be a sign, as Go's reader of numbers has it. */
  #micros(): string {
    const digits = this.#take('.000000', /^[.,](?:\d|[+-](?=\d))\d{5}/).slice(1);
    if (Number(digits) < 0) throw this.#outOfRange('fractional second');
    return digits.replace(/^[+-]/, '0');
  }

  /** Minutes by which the text is ahead of UTC. */
  #offset(): number {
    const piece = 'Z07:00';
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const [found, sign, hours, minutes] = /^(.)(\d\d):(\d\d)/s.exec(this.#rest) ?? [];
    if (found === undefined) throw this.#unlike(piece);
    if (Number(minutes) > 60) throw this.#outOfRange('time zone offset minute');
    if (Number(hours) > 24) throw this.#outOfRange('time zone offset hour');
    if (sign !== '+' && sign !== '-') throw this.#unlike(piece);
    this.#rest = this.#rest.slice(found.length);
    return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  }

  #unlike(piece: string): Misread {
    return new Misread(
      `parsing time ${timeQuote(this.#text)} as ${timeQuote(layouts[this.#layout])}: cannot parse ${timeQuote(this.#rest)} as ${timeQuote(piece)}`,
    );
  }

  #outOfRange(name: string): Misread {
    return this.#fault(`${name} out of range`);
  }

  #fault(why: string): Misread {
    return new Misread(`parsing time ${timeQuote(this.#text)}: ${why}`);
  }
}
