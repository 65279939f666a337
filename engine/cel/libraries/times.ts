/** Points in time and durations, exact in nanoseconds (cel-go common/types/timestamp.go, duration.go). */
import { readTime } from '../../apimachinery/rfc3339.ts';
import { formatTime, parseDurationNanos } from '../../apimachinery/time.ts';
import { loadTimeZone } from '../../component-helpers/cron/time-zone.ts';
import { global, member, type Overload } from '../functions.ts';
import { int64Max } from '../lexer.ts';
import { bool, type CelType, duration as d, int, string, timestamp as t } from '../types.ts';
import { CelError, type CelObject, type CelValue } from '../values.ts';

const second = 1_000_000_000n;
/** Of the years 1 to 9999. */
const secondMin = -62_135_596_800n;
const secondMax = 253_402_300_799n;

export class CelDuration implements CelObject {
  readonly celType = 'google.protobuf.Duration';
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelDuration && other.nanos === this.nanos;
  }

  toString(): string {
    return durationText(this);
  }
}

export class CelTimestamp implements CelObject {
  readonly celType = 'google.protobuf.Timestamp';
  /** Since the epoch. */
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelTimestamp && other.nanos === this.nanos;
  }

  toString(): string {
    return timestampText(this);
  }
}

/** In seconds, as many digits as it takes. */
export function durationText({ nanos }: CelDuration): string {
  return `${decimals(nanos)}s`;
}

/** RFC 3339 in UTC. */
function timestampText({ nanos }: CelTimestamp): string {
  const seconds = floorDiv(nanos, second);
  const fraction = String(nanos - seconds * second)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return formatTime(Number(seconds) * 1000).replace('Z', fraction === '' ? 'Z' : `.${fraction}Z`);
}

/** Upstream prints the nearest double. */
function decimals(nanos: bigint): string {
  const seconds = Number(nanos / second) + Number(nanos % second) / 1e9;
  const text = String(seconds);
  return text.includes('e') ? seconds.toFixed(9).replace(/\.?0+$/, '') : text;
}

function floorDiv(x: bigint, y: bigint): bigint {
  return x / y - (x % y < 0n ? 1n : 0n);
}

/** Throws CelError where 64 bits do not hold it. */
export function durationOf(nanos: bigint): CelDuration {
  if (nanos > int64Max || nanos < -int64Max - 1n) throw new CelError('integer overflow');
  return new CelDuration(nanos);
}

function timestampOf(nanos: bigint): CelTimestamp {
  const seconds = floorDiv(nanos, second);
  if (seconds < secondMin || seconds > secondMax) throw new CelError('timestamp overflow');
  return new CelTimestamp(nanos);
}

/** Undefined where the text is no RFC 3339 time. */
export function readTimestamp(text: string): CelTimestamp | undefined {
  const read = readTime(text, 'seconds');
  if (typeof read === 'string') return undefined;
  return new CelTimestamp(BigInt(read.secondMs / 1000) * second + BigInt(read.fraction.padEnd(9, '0')));
}

/** Whether a text is a time that upstream keeps. */
export function isTimestampText(text: string): boolean {
  const seconds = floorDiv(readTimestamp(text)?.nanos ?? (secondMax + 1n) * second, second);
  return seconds >= secondMin && seconds <= secondMax;
}

function timestampFrom(text: string): CelTimestamp {
  const found = readTimestamp(text);
  if (found === undefined) throw new CelError(`type conversion error from 'string' to 'google.protobuf.Timestamp'`);
  return timestampOf(found.nanos);
}

function durationFrom(text: string): CelDuration {
  const nanos = parseDurationNanos(text);
  if (nanos === undefined) throw new CelError(`type conversion error from 'string' to 'google.protobuf.Duration'`);
  return new CelDuration(nanos);
}

/** The time as a clock of the zone shows it, as if that were UTC. Upstream takes names of zones and offsets such as `-02:30`. */
function local({ nanos }: CelTimestamp, zone?: string): Date {
  const ms = Number(floorDiv(nanos, 1_000_000n));
  return new Date(ms + (zone === undefined ? 0 : offsetMs(zone, ms)));
}

function offsetMs(zone: string, atMs: number): number {
  const colon = zone.indexOf(':');
  if (colon < 0) {
    const found = loadTimeZone(zone);
    if (found === undefined) throw new CelError(`unknown time zone ${zone}`);
    return found.offsetMs(atMs);
  }
  const hours = wholeOf(zone.slice(0, colon));
  const minutes = wholeOf(zone.slice(colon + 1));
  return (zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes) * 60_000;
}

function wholeOf(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new CelError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

const dayMs = 86_400_000;
const readings: readonly (readonly [name: string, read: (date: Date) => number])[] = [
  ['getFullYear', (date) => date.getUTCFullYear()],
  ['getMonth', (date) => date.getUTCMonth()],
  ['getDayOfYear', (date) => Math.floor((Date.UTC(2000, date.getUTCMonth(), date.getUTCDate()) - Date.UTC(2000, 0, 1)) / dayMs) - skipped(date)],
  ['getDayOfMonth', (date) => date.getUTCDate() - 1],
  ['getDate', (date) => date.getUTCDate()],
  ['getDayOfWeek', (date) => date.getUTCDay()],
  ['getHours', (date) => date.getUTCHours()],
  ['getMinutes', (date) => date.getUTCMinutes()],
  ['getSeconds', (date) => date.getUTCSeconds()],
  ['getMilliseconds', (date) => date.getUTCMilliseconds()],
];

/** The day that a leap year has and this one lacks. */
function skipped(date: Date): number {
  const year = date.getUTCFullYear();
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return !isLeap && date.getUTCMonth() > 1 ? 1 : 0;
}

const parts: readonly (readonly [name: string, nanos: bigint])[] = [
  ['getHours', 3600n * second],
  ['getMinutes', 60n * second],
  ['getSeconds', second],
  ['getMilliseconds', 1_000_000n],
];

type Timed = { readonly nanos: bigint };
const orders: readonly (readonly [name: string, holds: (x: Timed, y: Timed) => boolean])[] = [
  ['_<_', (x, y) => x.nanos < y.nanos],
  ['_<=_', (x, y) => x.nanos <= y.nanos],
  ['_>_', (x, y) => x.nanos > y.nanos],
  ['_>=_', (x, y) => x.nanos >= y.nanos],
];
const both: readonly CelType[] = [t, d];

export const timeFunctions: readonly Overload[] = [
  global('timestamp', [t], t, (x: CelTimestamp) => x),
  global('timestamp', [int], t, (x: bigint) => timestampOf(x * second)),
  global('timestamp', [string], t, timestampFrom),
  global('duration', [d], d, (x: CelDuration) => x),
  global('duration', [int], d, (x: bigint) => new CelDuration(x)),
  global('duration', [string], d, durationFrom),
  global('int', [t], int, ({ nanos }: CelTimestamp) => floorDiv(nanos, second)),
  global('int', [d], int, ({ nanos }: CelDuration) => nanos),
  global('string', [t], string, timestampText),
  global('string', [d], string, durationText),
  global('_+_', [d, d], d, (x: CelDuration, y: CelDuration) => durationOf(x.nanos + y.nanos)),
  global('_+_', [d, t], t, (x: CelDuration, y: CelTimestamp) => timestampOf(x.nanos + y.nanos)),
  global('_+_', [t, d], t, (x: CelTimestamp, y: CelDuration) => timestampOf(x.nanos + y.nanos)),
  global('_-_', [d, d], d, (x: CelDuration, y: CelDuration) => durationOf(x.nanos - y.nanos)),
  global('_-_', [t, d], t, (x: CelTimestamp, y: CelDuration) => timestampOf(x.nanos - y.nanos)),
  global('_-_', [t, t], d, (x: CelTimestamp, y: CelTimestamp) => durationOf(x.nanos - y.nanos)),
  ...orders.flatMap(([name, holds]) => both.map((type) => global(name, [type, type], bool, (x: CelTimestamp, y: CelTimestamp) => holds(x, y)))),
  ...readings.flatMap(([name, read]) => [
    member(name, [t], int, (x: CelTimestamp) => BigInt(read(local(x)))),
    member(name, [t, string], int, (x: CelTimestamp, zone: string) => BigInt(read(local(x, zone)))),
  ]),
  ...parts.map(([name, size]) => member(name, [d], int, ({ nanos }: CelDuration) => nanos / size)),
];
