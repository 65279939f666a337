/**
 * Text of a cron schedule: five fields, descriptors, `@every`, a zone in front. Mirrors parser.go of robfig/cron v3 as
 * ParseCronScheduleWithPanicRecovery of pkg/util/parsers calls it, with its error texts. Before release 1.21 it was v1, which knows no
 * zones, begins its errors with a capital, and wants both of a step of all days and a day of the week.
 */
import { getOwn } from '../../base/dictionary.ts';
import { compactInt64, type Int64 } from '../../base/int64.ts';
import { durationFault } from '../../apimachinery/duration-fault.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { parseDuration } from '../../apimachinery/time.ts';
import { createEvery, createFieldSchedule, type CronField, type CronSchedule } from './schedule.ts';
import { type LoadZone, loadTimeZone, type TimeZone } from './time-zone.ts';

export class CronParseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CronParseError';
  }
}

/** `v3`: the present one. */
export type CronGrammar = 'v1' | 'v3';

/** How schedules are read. */
export interface CronReader {
  readonly grammar: CronGrammar;
  readonly loadZone: LoadZone;
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
export function parseCronSchedule(text: string, grammar: CronGrammar = 'v3', loadZone: LoadZone = loadTimeZone): CronSchedule {
  if (grammar === 'v3') return parseText(text, grammar, loadZone);
  try {
    return parseText(text, grammar, loadZone);
  } catch (error) {
    if (!(error instanceof CronParseError)) throw error;
    throw new CronParseError(error.message.charAt(0).toUpperCase() + error.message.slice(1));
  }
}

function parseText(text: string, grammar: CronGrammar, loadZone: LoadZone): CronSchedule {
  if (text === '') throw new CronParseError('empty spec string');
  const { zone, rest } = grammar === 'v1' ? { zone: undefined, rest: text } : takeZone(text, loadZone);
  if (rest.startsWith('@')) return parseDescriptor(rest, zone, grammar);
  return parseFields(rest, zone, grammar);
}

function takeZone(text: string, loadZone: LoadZone): { readonly zone: TimeZone | undefined; readonly rest: string } {
  if (!text.startsWith('TZ=') && !text.startsWith('CRON_TZ=')) return { zone: undefined, rest: text };
  const space = text.indexOf(' ');
  if (space < 0) throw new CronParseError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  const name = text.slice(text.indexOf('=') + 1, space);
  const zone = loadZone(name);
  if (zone === undefined) throw new CronParseError(`provided bad location ${name}: unknown time zone ${name}`);
  return { zone, rest: text.slice(space).trim() };
}

function parseDescriptor(descriptor: string, zone: TimeZone | undefined, grammar: CronGrammar): CronSchedule {
  const fields = Object.hasOwn(descriptors, descriptor) ? getOwn(descriptors, descriptor) : undefined;
  if (fields !== undefined) return parseFields(fields, zone, grammar);
  const every = '@every ';
  if (!descriptor.startsWith(every)) throw new CronParseError(`unrecognized descriptor: ${descriptor}`);
  const duration = descriptor.slice(every.length);
  const ms = parseDuration(duration);
  if (ms === undefined) throw new CronParseError(badDuration(descriptor, duration, grammar));
  return createEvery(ms);
}

/** Go of the age of v1 put no quotes around what it shows. */
function badDuration(descriptor: string, duration: string, grammar: CronGrammar): string {
  const why = grammar === 'v3' ? durationFault(duration) : durationFault(duration, (text) => text);
  return `failed to parse duration ${descriptor}: time: ${why}`;
}

function parseFields(text: string, zone: TimeZone | undefined, grammar: CronGrammar): CronSchedule {
  const fields = text.split(/\s+/).filter((field) => field !== '');
  const [minute, hour, day, month, weekday] = fields;
  if (fields.length !== 5 || minute === undefined || hour === undefined || day === undefined || month === undefined || weekday === undefined) {
    const shown = grammar === 'v1' ? text : `[${fields.join(' ')}]`;
    throw new CronParseError(`expected exactly 5 fields, found ${fields.length}: ${shown}`);
  }
  return createFieldSchedule({
    minute: parseField(minute, minutes, grammar),
    hour: parseField(hour, hours, grammar),
    day: parseField(day, days, grammar),
    month: parseField(month, months, grammar),
    weekday: parseField(weekday, weekdays, grammar),
    zone,
  });
}

function parseField(text: string, bounds: Bounds, grammar: CronGrammar): CronField {
  const allowed = new Array<boolean>(bounds.max + 1).fill(false);
  let isStar = false;
  for (const expression of text.split(',')) {
    if (expression === '') continue;
    const { start, end, step, isAny } = parseRange(expression, bounds);
    for (let value = start; value <= end; value += step) allowed[value] = true;
    isStar ||= isAny && (step === 1 || grammar === 'v1');
  }
  return { allowed, isStar };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  /** Whether it begins with any value, which matters for the two kinds of day. */
  readonly isAny: boolean;
}

function parseRange(expression: string, bounds: Bounds): Range {
  const [range = '', stepText, ...tooMany] = expression.split('/');
  const [low = '', high, ...hyphens] = range.split('-');
  const isAny = low === '*' || low === '?';
  const start = isAny ? bounds.min : parseValue(low, bounds);
  let end = isAny ? bounds.max : high === undefined || hyphens.length > 0 ? start : parseValue(high, bounds);
  if (!isAny && hyphens.length > 0) throw new CronParseError(`too many hyphens: ${expression}`);
  if (tooMany.length > 0) throw new CronParseError(`too many slashes: ${expression}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (stepText !== undefined && high === undefined) end = bounds.max;
  if (start < bounds.min) throw new CronParseError(`beginning of range (${start}) below minimum (${bounds.min}): ${expression}`);
  if (end > bounds.max) throw new CronParseError(`end of range (${end}) above maximum (${bounds.max}): ${expression}`);
  if (start > end) throw new CronParseError(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  if (step === 0) throw new CronParseError(`step of range should be a positive number: ${expression}`);
  return { start: Number(start), end: Number(end), step: Number(step), isAny };
}

function parseValue(text: string, bounds: Bounds): Int64 {
  const named = text === '' ? -1 : (bounds.names?.indexOf(text.toLowerCase()) ?? -1);
  return named >= 0 ? named : parseNumber(text);
}

function parseNumber(text: string): Int64 {
  const refuse = (why: string): never => {
    throw new CronParseError(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${why}`);
  };
  if (!/^[+-]?\d+$/.test(text)) return refuse('invalid syntax');
  const value = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(64, value) !== value) return refuse('value out of range');
  if (value < 0n) throw new CronParseError(`negative number (${value}) not allowed: ${text}`);
  return compactInt64(value);
}
