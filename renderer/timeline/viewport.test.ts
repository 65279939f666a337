import { describe, expect, it } from 'vitest';
import { ticksOf, zoomAround } from './viewport.ts';

const start = Date.UTC(2026, 0, 5, 8);

describe('zoom', () => {
  it('keeps the instant under the pointer where it is', () => {
    const range = zoomAround({ fromMs: start, toMs: start + 1000 }, start + 250, 0.5);
    expect(range).toEqual({ fromMs: start + 125, toMs: start + 625 });
  });
});

describe('ticks', () => {
  it.each([
    ['minutes', 10 * 60_000, '08:01'],
    ['seconds', 10_000, '08:00:01'],
    ['milliseconds', 10, '08:00:00.001'],
    ['hours, over midnight', 30 * 3_600_000, '6 Jan'],
    ['days', 20 * 86_400_000, '9 Jan'],
    ['months', 300 * 86_400_000, 'Feb 2026'],
    ['years of five digits', Date.UTC(20_000, 0), '12000'],
  ])('are round in %s', (_name, span, label) => {
    expect(ticksOf({ fromMs: start, toMs: start + span }, 1100).map((tick) => tick.label)).toContain(label);
  });
});
