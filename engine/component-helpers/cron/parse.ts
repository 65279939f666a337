/**
 * Text of a cron schedule: five fields, descriptors, `@every`, a zone in front. Mirrors parser.go of robfig/cron v3 as
 * ParseCronScheduleWithPanicRecovery of pkg/util/parsers calls it, with its error texts.
 */
import { getOwn } from '../../base/dictionary.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { parseDuration } from '../../apimachinery/time.ts';
import { createEvery, createFieldSchedule, type CronField, type CronSchedule } from './schedule.ts';
import { loadTimeZone, type TimeZone } from './time-zone.ts';

export class CronParseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CronParseError';
  }
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const minutes: Bounds = { min: 0, max: 59 };
const hours: Bounds = { min: 0, max: 23 };
const days: Bounds = { min: 1, max: 31 };
const months: Bounds = { min: 1, max: 12, names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] };
const weekdays: Bounds = { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] };

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Throws CronParseError. */
export function parseCronSchedule(text: string): CronSchedule {
  if (text === '') throw new CronParseError('empty spec string');
  const { zone, rest } = takeZone(text);
  if (rest.startsWith('@')) return parseDescriptor(rest, zone);
  return parseFields(rest, zone);
}

function takeZone(text: string): { readonly zone: TimeZone | undefined; readonly rest: string } {
  if (!text.startsWith('TZ=') && !text.startsWith('CRON_TZ=')) return { zone: undefined, rest: text };
  const space = text.indexOf(' ');
  if (space < 0) throw new CronParseError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  const name = text.slice(text.indexOf('=') + 1, space);
  const zone = loadTimeZone(name);
  if (zone === undefined) throw new CronParseError(`provided bad location ${name}: unknown time zone ${name}`);
  return { zone, rest: text.slice(space).trim() };
}

function parseDescriptor(descriptor: string, zone: TimeZone | undefined): CronSchedule {
  const fields = Object.hasOwn(descriptors, descriptor) ? getOwn(descriptors, descriptor) : undefined;
  if (fields !== undefined) return parseFields(fields, zone);
  const every = '@every ';
  if (!descriptor.startsWith(every)) throw new CronParseError(`unrecognized descriptor: ${descriptor}`);
  const duration = descriptor.slice(every.length);
  const ms = parseDuration(duration);
  if (ms === undefined) throw new CronParseError(`failed to parse duration ${duration}: time: invalid duration ${goQuote(duration)}`);
  return createEvery(ms);
}

function parseFields(text: string, zone: TimeZone | undefined): CronSchedule {
  const fields = text.split(/\s+/).filter((field) => field !== '');
  const [minute, hour, day, month, weekday] = fields;
  if (fields.length !== 5 || minute === undefined || hour === undefined || day === undefined || month === undefined || weekday === undefined) {
    throw new CronParseError(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`);
  }
  return createFieldSchedule({
    minute: parseField(minute, minutes),
    hour: parseField(hour, hours),
    day: parseField(day, days),
    month: parseField(month, months),
    weekday: parseField(weekday, weekdays),
    zone,
  });
}

function parseField(text: string, bounds: Bounds): CronField {
  const allowed = new Array<boolean>(bounds.max + 1).fill(false);
  let isStar = false;
  for (const expression of text.split(',')) {
    if (expression === '') continue;
    const { start, end, step, star } = parseRange(expression, bounds);
    for (let value = start; value <= end; value += step) allowed[value] = true;
    isStar ||= star;
  }
  return { allowed, isStar };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  /** Whether any value will do, which matters for the two kinds of day. */
  readonly star: boolean;
}

function parseRange(expression: string, bounds: Bounds): Range {
  const [range = '', stepText, ...tooMany] = expression.split('/');
  const [low = '', high, ...hyphens] = range.split('-');
  const isAny = low === '*' || low === '?';
  if (!isAny && hyphens.length > 0) throw new CronParseError(`too many hyphens: ${expression}`);
  const start = isAny ? bounds.min : parseValue(low, bounds);
  let end = isAny ? bounds.max : high === undefined ? start : parseValue(high, bounds);
  if (tooMany.length > 0) throw new CronParseError(`too many slashes: ${expression}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (stepText !== undefined && high === undefined) end = bounds.max;
  if (start < bounds.min) throw new CronParseError(`beginning of range (${start}) below minimum (${bounds.min}): ${expression}`);
  if (end > bounds.max) throw new CronParseError(`end of range (${end}) above maximum (${bounds.max}): ${expression}`);
  if (start > end) throw new CronParseError(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  if (step === 0) throw new CronParseError(`step of range should be a positive number: ${expression}`);
  return { start, end, step, star: isAny && step === 1 };
}

function parseValue(text: string, bounds: Bounds): number {
  const named = text === '' ? -1 : (bounds.names?.indexOf(text.toLowerCase()) ?? -1);
  return named >= 0 ? named : parseNumber(text);
}

function parseNumber(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new CronParseError(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  const value = Number(text);
  if (value < 0) throw new CronParseError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
