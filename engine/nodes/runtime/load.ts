/**
 * What a program uses of its machine while it runs: curves of CPU and memory over the time since it started. Points are joined by
 * straight lines, so that use at an instant, use up to an instant and the first instant beyond a limit are computed exactly, at any
 * time and in any order. Nothing of it is remembered.
 */
import { assert } from '../../base/assert.ts';

/** `value` holds `atMs` milliseconds after the start; before the first point its value, after the last one that of the last. */
export interface LoadPoint {
  readonly atMs: number;
  readonly value: number;
}

/** Absent curves are those of an idle program (`physics.ts`). */
export interface LoadProfile {
  /** Thousandths of a core. */
  readonly milliCpu?: readonly LoadPoint[];
  /** Bytes of the working set. More than the container may have kills it. */
  readonly memoryBytes?: readonly LoadPoint[];
  /** Bytes in its own file system. */
  readonly diskBytes?: readonly LoadPoint[];
  readonly processes?: number;
  /** All curves begin anew after so long. */
  readonly periodMs?: number;
}

/** A curve and how often it comes. */
export interface Curve {
  readonly points: readonly LoadPoint[];
  readonly periodMs?: number | undefined;
}

export function flatCurve(value: number): Curve {
  return { points: [{ atMs: 0, value }] };
}

/** The value `ms` after the start. */
export function valueAt({ points, periodMs }: Curve, ms: number): number {
  return lineAt(points, periodMs === undefined ? ms : ms % periodMs);
}

/** Value times milliseconds, from the start up to `ms`. */
export function areaUpTo({ points, periodMs }: Curve, ms: number): number {
  if (ms <= 0) return 0;
  if (periodMs === undefined || ms <= periodMs) return lineArea(points, ms);
  const rounds = Math.floor(ms / periodMs);
  return rounds * lineArea(points, periodMs) + lineArea(points, ms - rounds * periodMs);
}

/** The first time at which the value is above `limit`; undefined when it never is. */
export function firstAbove({ points, periodMs }: Curve, limit: number): number | undefined {
  const [first] = points;
  if (first === undefined || first.value > limit) return first === undefined ? undefined : 0;
  for (let i = 1; i < points.length; i++) {
    const before = points[i - 1] as LoadPoint;
    const after = points[i] as LoadPoint;
    if (after.value <= limit) continue;
    const share = (limit - before.value) / (after.value - before.value);
    const atMs = before.atMs + share * (after.atMs - before.atMs);
    return periodMs !== undefined && atMs >= periodMs ? undefined : atMs;
  }
  return undefined;
}

/** The same curve, held down to `limit`: what a throttled program gets. */
export function clipped({ points, periodMs }: Curve, limit: number): Curve {
  if (points.every(({ value }) => value <= limit)) return { points, periodMs };
  const kept: LoadPoint[] = [];
  points.forEach((point, i) => {
    const before = points[i - 1];
    if (before !== undefined && before.value > limit !== point.value > limit) {
      const share = (limit - before.value) / (point.value - before.value);
      kept.push({ atMs: before.atMs + share * (point.atMs - before.atMs), value: limit });
    }
    kept.push({ atMs: point.atMs, value: Math.min(point.value, limit) });
  });
  return { points: kept, periodMs };
}

function lineAt(points: readonly LoadPoint[], ms: number): number {
  let before: LoadPoint | undefined;
  for (const point of points) {
    if (point.atMs > ms) return before === undefined ? point.value : between(before, point, ms);
    before = point;
  }
  return before?.value ?? 0;
}

function between(before: LoadPoint, after: LoadPoint, ms: number): number {
  assert(after.atMs > before.atMs, 'points stand in the order of time');
  return before.value + ((after.value - before.value) * (ms - before.atMs)) / (after.atMs - before.atMs);
}

function lineArea(points: readonly LoadPoint[], ms: number): number {
  let area = 0;
  let fromMs = 0;
  let from = points[0]?.value ?? 0;
  for (const { atMs, value } of points) {
    const untilMs = Math.min(atMs, ms);
    const until = atMs <= ms ? value : lineAt(points, ms);
    if (untilMs > fromMs) area += ((from + until) / 2) * (untilMs - fromMs);
    if (atMs > ms) return area;
    fromMs = atMs;
    from = value;
  }
  return area + from * (ms - fromMs);
}
