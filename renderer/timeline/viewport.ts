/** The stretch of virtual time that is on screen, and how it is divided into round ticks. */
import { scaleUtc } from 'd3-scale';
import { formatTick } from '../lib/format.ts';

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}
export interface Tick {
  readonly ms: number;
  readonly label: string;
  readonly major: boolean;
}

/** Spans that are the same differ by what numbers of today's size cannot tell. */
const sameScale = 1e-6;
const spanMin = 0.05;
const spanMax = 400 * 86_400_000;

/** Of two spans of time, or of two numbers of pixels for the same time. */
export function isSameScale(one: number, other: number): boolean {
  return Math.abs(one / other - 1) < sameScale;
}

/** `factor` below 1 shows less time; the instant under the pointer stays where it is. */
export function zoomAround({ fromMs, toMs }: Range, atMs: number, factor: number): Range {
  const span = Math.min(spanMax, Math.max(spanMin, (toMs - fromMs) * factor));
  const share = (atMs - fromMs) / (toMs - fromMs);
  const from = atMs - span * share;
  return { fromMs: from, toMs: from + span };
}
export function pan({ fromMs, toMs }: Range, share: number): Range {
  const by = (toMs - fromMs) * share;
  return { fromMs: fromMs + by, toMs: toMs + by };
}
export function xOf(ms: number, { fromMs, toMs }: Range, width: number): number {
  return ((ms - fromMs) / (toMs - fromMs)) * width;
}
export function msAt(x: number, { fromMs, toMs }: Range, width: number): number {
  return fromMs + (x / width) * (toMs - fromMs);
}

/** Ticks about 110 px apart. Below a second the step is a round number of micro- or milliseconds, above it calendar units. */
export function ticksOf(range: Range, width: number): readonly Tick[] {
  const last = lastTicks.get(range);
  if (last?.width === width) return last.ticks;
  const ticks = findTicks(range, width);
  lastTicks.set(range, { width, ticks });
  return ticks;
}

interface Ticks {
  readonly width: number;
  readonly ticks: readonly Tick[];
}

/** The axis and the grid have the same. */
const lastTicks = new WeakMap<Range, Ticks>();

function findTicks(range: Range, width: number): readonly Tick[] {
  const span = range.toMs - range.fromMs;
  const count = Math.max(2, Math.floor(width / 110));
  if (span / count >= 1000) {
    const scale = scaleUtc().domain([range.fromMs, range.toMs]);
    return scale
      .ticks(count)
      .map((date) => ({ ms: date.getTime(), label: formatTick(date.getTime(), span / count), major: date.getTime() % 3_600_000 === 0 }));
  }
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const base = Math.floor(range.fromMs / 1000) * 1000;
  const ticks: Tick[] = [];
  for (let n = Math.ceil((range.fromMs - base) / step); base + n * step <= range.toMs; n++) {
    const ms = base + n * step;
    ticks.push({ ms, label: formatTick(ms, step), major: Math.abs(ms % 1000) < 1e-6 });
  }
  return ticks;
}

/** For a question to the engine: no cluster's clock stands before 1970, but a picture of its first minutes reaches back there. */
export function instant(ms: number): string {
  return String(Math.max(0, ms));
}
