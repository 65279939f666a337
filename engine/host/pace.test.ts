import { describe, expect, it } from 'vitest';
import { PaceMeter } from './pace.ts';

describe('how fast time passed', () => {
  it('says nothing at first, then an average of the last two seconds', () => {
    const meter = new PaceMeter();
    expect(meter.look(0, 0)).toBeUndefined();
    expect(meter.look(300, 3_000)).toBeUndefined();
    expect(meter.look(1_000, 10_000)).toBe(10);
    for (let wallMs = 1_100; wallMs <= 6_000; wallMs += 100) meter.look(wallMs, 10_000 + (wallMs - 1_000) * 2);
    expect(meter.look(6_100, 20_200)).toBe(2);
  });

  it('tells whoever looks seldom of the whole time between', () => {
    const meter = new PaceMeter();
    meter.look(0, 0);
    expect(meter.look(60_000, 30_000)).toBe(0.5);
    expect(meter.look(120_000, 150_000)).toBe(2);
  });

  it('forgets what was before another speed was wished', () => {
    const meter = new PaceMeter();
    meter.look(0, 0);
    meter.reset();
    expect(meter.look(1_000, 50_000)).toBeUndefined();
    expect(meter.look(2_000, 51_000)).toBe(1);
  });
});
