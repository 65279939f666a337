/**
 * Times and durations as text: RFC 3339 with second or microsecond precision, Go's duration notation, and the ages of tables. All
 * arithmetic is on milliseconds of the virtual clock. Mirrors metav1.Time, metav1.MicroTime, time.Duration and pkg/util/duration.
 */

import { readTime } from './rfc3339.ts';

/** RFC 3339 in UTC with second precision, the fraction cut off. */
export function formatTime(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** The same, one text for each second: what is written by the thousand in a second says so with one text. */
export class Seconds {
  readonly #texts = new Map<number, string>();

  /** As `formatTime`. */
  text(ms: number): string {
    const second = Math.floor(ms / 1000);
    const known = this.#texts.get(second);
    if (known !== undefined) return known;
    if (this.#texts.size >= secondsMax) this.#texts.clear();
    const text = formatTime(ms);
    this.#texts.set(second, text);
    return text;
  }
}

/** Most texts are of the last seconds. */
const secondsMax = 100;

/** RFC 3339 in UTC with six digits of fraction. */
export function formatMicroTime(ms: number): string {
  const micros = Math.floor(ms * 1000);
  const seconds = Math.floor(micros / 1_000_000);
  return microTimeText(seconds * 1000, String(micros - seconds * 1_000_000).padStart(6, '0'));
}

/** Of a whole second and its six digits. */
export function microTimeText(secondMs: number, digits: string): string {
  return `${new Date(secondMs).toISOString().slice(0, 19)}.${digits}Z`;
}

const shortestTime = '2006-01-02T5:04:05Z'.length;

/** Milliseconds since the epoch, with the fraction kept; undefined when the text is no RFC 3339 time. */
export function parseTime(text: string): number | undefined {
  // Absent times are asked about with every write: of them nothing has to be told.
  if (text.length < shortestTime) return undefined;
  const read = readTime(text, 'seconds');
  if (typeof read === 'string') return undefined;
  return read.fraction === '' ? read.secondMs : read.secondMs + Number(`0.${read.fraction}`) * 1000;
}

const nanosOf: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const durationMaxNanos = 9_223_372_036_854_775_807n;
/** More digits than these make a duration that nobody could hold, or a fraction finer than a nanosecond. */
const digitsMax = 30;
const durationPart = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

/** Go's time.ParseDuration, exact in nanoseconds; undefined when the text is none or none that 64 bits hold. One look at each character. */
export function parseDurationNanos(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const body = negative || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '') return undefined;
  let nanos = 0n;
  durationPart.lastIndex = 0;
  while (durationPart.lastIndex < body.length) {
    const part = durationPart.exec(body);
    if (part === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = part;
    if (whole === '' && fraction === '') return undefined;
    const significant = whole.replace(/^0+/, '');
    if (significant.length > digitsMax) return undefined;
    const size = nanosOf.get(unit) ?? 1n;
    const digits = fraction.slice(0, digitsMax);
    nanos += BigInt(significant === '' ? '0' : significant) * size + (BigInt(digits === '' ? '0' : digits) * size) / 10n ** BigInt(digits.length);
    if (nanos > durationMaxNanos + (negative ? 1n : 0n)) return undefined;
  }
  return negative ? -nanos : nanos;
}

/** The same in milliseconds, near enough to calculate with. */
export function parseDuration(text: string): number | undefined {
  const nanos = parseDurationNanos(text);
  return nanos === undefined ? undefined : Number(nanos) / 1e6;
}

/** Go's Duration.String of nanoseconds, e.g. `1m30s`, `1.5s`, `250ms`, `0s`. */
export function formatDurationNanos(duration: bigint): string {
  const exactMax = 9_007_199_254_740_991n;
  if (duration <= exactMax && duration >= -exactMax) return formatDuration(Number(duration) / 1e6);
  const nanos = duration < 0n ? -duration : duration;
  const minutes = nanos / 60_000_000_000n;
  const seconds = fixed(Number(nanos % 60_000_000_000n), 1e9);
  return `${duration < 0n ? '-' : ''}${minutes / 60n}h${minutes % 60n}m${seconds}s`;
}

/** The same of milliseconds. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  const sign = ms < 0 ? '-' : '';
  const nanos = Math.round(Math.abs(ms) * 1e6);
  if (nanos < 1e3) return `${sign}${nanos}ns`;
  if (nanos < 1e6) return `${sign}${fixed(nanos, 1e3)}µs`;
  if (nanos < 1e9) return `${sign}${fixed(nanos, 1e6)}ms`;
  const minutes = Math.floor(nanos / 60e9);
  const seconds = `${fixed(nanos - minutes * 60e9, 1e9)}s`;
  if (minutes === 0) return `${sign}${seconds}`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60}m${seconds}`;
}

/** A count of nanoseconds in a larger unit, without trailing zeros. */
function fixed(nanos: number, unit: number): string {
  const whole = Math.floor(nanos / unit);
  const digits = String(unit).length - 1;
  const fraction = String(nanos - whole * unit)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return fraction === '' ? String(whole) : `${whole}.${fraction}`;
}

function two(first: number, firstUnit: string, second: number, secondUnit: string): string {
  return second === 0 ? `${first}${firstUnit}` : `${first}${firstUnit}${second}${secondUnit}`;
}

/** An age as tables show it: two or three significant figures. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return two(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return hours < 24 * 365 * 8 ? two(years, 'y', days % 365, 'd') : `${years}y`;
}

const unitSeconds: readonly (readonly [unit: string, seconds: number])[] = [
  ['y', 31_536_000],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
];

/** What `humanDuration` says in its largest unit alone, as ShortHumanDuration does; what is no duration stays. */
export function inOneUnit(text: string): string {
  if (!/^(?:\d+[ydhms])+$/.test(text)) return text;
  const secondsOf = (unit: string): number => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0);
  const seconds = unitSeconds.reduce((sum, [unit, each]) => sum + secondsOf(unit) * each, 0);
  const [unit, each] = unitSeconds.find(([, least]) => seconds >= least) ?? ['s', 1];
  return `${Math.floor(seconds / each)}${unit}`;
}
