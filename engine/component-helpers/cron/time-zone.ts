/**
 * Offsets of time zones: the one place where the engine asks Intl, whose zone data is part of the runtime. Mirrors time.Location
 * and time.Date of Go as far as the cron schedule needs them.
 */

/** A calendar reading; month from 1, weekday from 0 (Sunday). */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
}

export interface TimeZone {
  readonly name: string;
  /** East of Greenwich is positive. */
  offsetMs(atMs: number): number;
  localTime(atMs: number): LocalTime;
  /** The instant of a reading; fields out of range roll over, readings that a clock change skips resolve as in Go. */
  instantOf(year: number, month: number, day: number, hour: number, minute: number, second: number): number;
}

/** Undefined when there is no such zone. */
export type LoadZone = (name: string) => TimeZone | undefined;

const bucketMs = 15 * 60_000;
const dayMs = 86_400_000;
const cacheMax = 4096;
const zonesMax = 100;

/** Undefined when there is no such zone. The empty name and `UTC` are UTC. */
export function loadTimeZone(name: string): TimeZone | undefined {
  if (name === '' || name === 'UTC' || name === 'Local') return createZone(name === '' ? 'UTC' : name, () => 0);
  if (!/^[A-Za-z]/.test(name) || name.includes('..')) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    const field = 'numeric' as const;
    const options = { timeZone: name, hourCycle: 'h23' as const, year: field, month: field, day: field, hour: field, minute: field, second: field };
    format = new Intl.DateTimeFormat('en-US', { ...options, era: 'short' });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const offsets = new Map<number, number>();
  const offsetAt = (atMs: number): number => {
    let offset = offsets.get(atMs);
    if (offset === undefined) {
      if (offsets.size >= cacheMax) offsets.clear();
      offset = readOffset(format, atMs);
      offsets.set(atMs, offset);
    }
    return offset;
  };
  return createZone(name, (atMs) => {
    const day = Math.floor(atMs / dayMs) * dayMs;
    const offset = offsetAt(day);
    // No zone has changed twice within a day of UTC: between two midnights that are alike nothing has to be asked, and asking is dear.
    return offset === offsetAt(day + dayMs) ? offset : offsetAt(Math.floor(atMs / bucketMs) * bucketMs);
  });
}

/** Zones are dear to make: who asks for the same ones again and again keeps them. */
export function keepZones(): LoadZone {
  const zones = new Map<string, TimeZone | undefined>();
  return (name) => {
    if (zones.has(name)) return zones.get(name);
    if (zones.size >= zonesMax) zones.clear();
    const zone = loadTimeZone(name);
    zones.set(name, zone);
    return zone;
  };
}

function createZone(name: string, offsetMs: (atMs: number) => number): TimeZone {
  return {
    name,
    offsetMs,
    localTime: (atMs) => {
      const local = new Date(atMs + offsetMs(atMs));
      return {
        year: local.getUTCFullYear(),
        month: local.getUTCMonth() + 1,
        day: local.getUTCDate(),
        hour: local.getUTCHours(),
        minute: local.getUTCMinutes(),
        second: local.getUTCSeconds(),
        weekday: local.getUTCDay(),
      };
    },
    instantOf: (year, month, day, hour, minute, second) => {
      const reading = Date.UTC(year, month - 1, day, hour, minute, second);
      // Go looks the reading up as if it were UTC, and once more where that was on the other side of a change.
      const guess = offsetMs(reading);
      return guess === 0 ? reading : reading - offsetMs(reading - guess);
    },
  };
}

function readOffset(format: Intl.DateTimeFormat, atMs: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of format.formatToParts(new Date(atMs))) parts[type] = value;
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const local = Date.UTC(year, Number(parts.month) - 1, Number(parts.day), Number(parts.hour), Number(parts.minute), Number(parts.second));
  return local - Math.floor(atMs / 1000) * 1000;
}
