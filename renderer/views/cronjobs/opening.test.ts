import { describe, expect, it } from 'vitest';
import { openingOf } from './opening.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** At noon of some day. */
const nowMs = Date.UTC(2026, 10, 27, 12);

/** What the engine tells: the last day, and the next ten. */
function lane(name: string, everyMs: number, atMs: number) {
  const first = nowMs - dayMs + ((atMs - (nowMs - dayMs)) % everyMs);
  const last = Math.floor((nowMs - first) / everyMs);
  return Array.from({ length: last + 11 }, (_, index) => ({
    lane: name,
    plannedMs: first + index * everyMs,
    fate: index <= last ? ('Ran' as const) : ('Waiting' as const),
  }));
}
const ordered = (...lanes: ReturnType<typeof lane>[]) => lanes.flat().sort((a, b) => a.plannedMs - b.plannedMs);
const midnight = nowMs - 12 * hourMs;

describe('the stretch that CronJobs open on', () => {
  it.each([
    ['every five minutes', ordered(lane('a', 5 * minuteMs, midnight)), 15 * minuteMs, hourMs],
    ['every hour', ordered(lane('a', hourMs, midnight + 30 * minuteMs)), 3 * hourMs, 6 * hourMs],
    ['every day, beside one of five minutes', ordered(lane('a', 5 * minuteMs, midnight), lane('b', dayMs, midnight + 2 * hourMs)), dayMs, 2 * dayMs],
  ])('%s: past runs and the next are in it, and it is no longer than need be', (_what, runs, leastMs, mostMs) => {
    const { pastMs = 0, aheadMs = 0 } = openingOf(runs, nowMs) ?? {};
    for (const name of new Set(runs.map(({ lane: one }) => one))) {
      const planned = runs.filter(({ lane: one }) => one === name).map(({ plannedMs }) => plannedMs);
      expect(planned.some((ms) => ms <= nowMs && ms >= nowMs - pastMs)).toBe(true);
      expect(planned.some((ms) => ms > nowMs && ms <= nowMs + aheadMs)).toBe(true);
    }
    expect(pastMs).toBeGreaterThanOrEqual(leastMs);
    expect(pastMs + aheadMs).toBeLessThanOrEqual(mostMs * 1.1);
  });

  it('of one a week, of which the last day has no run, both are in it as well', () => {
    const weekly = [2, 9, 16].map((day) => ({ lane: 'w', plannedMs: nowMs + day * dayMs, fate: 'Waiting' as const }));
    const { pastMs = 0, aheadMs = 0 } = openingOf(weekly, nowMs) ?? {};
    expect(pastMs).toBeGreaterThan(5 * dayMs);
    expect(aheadMs).toBeGreaterThan(2 * dayMs);
  });

  it('one a month hides no others, and is seen where it is alone', () => {
    const monthly = [20, 50].map((day) => ({ lane: 'm', plannedMs: nowMs + day * dayMs, fate: 'Waiting' as const }));
    expect(openingOf(ordered(lane('a', hourMs, midnight)).concat(monthly as never), nowMs)?.aheadMs).toBeLessThan(2 * hourMs);
    expect(openingOf(monthly, nowMs)?.aheadMs).toBeGreaterThan(20 * dayMs);
  });

  it('what is suspended is seen with its last run, and nothing planned opens nothing', () => {
    expect(openingOf([{ lane: 's', plannedMs: nowMs - 5 * hourMs, fate: 'Ran' }], nowMs)?.pastMs).toBeGreaterThan(5 * hourMs);
    expect(openingOf([], nowMs)).toBeUndefined();
  });
});
