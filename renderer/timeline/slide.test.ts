import { describe, expect, it } from 'vitest';
import { covers, marginOf, slideOf, transformOf } from './slide.ts';
import { pan, xOf, zoomAround } from './viewport.ts';

const width = 1000;
const margin = marginOf(width);
const painted = { fromMs: 10_000, toMs: 20_000 };

describe('a picture that is moved', () => {
  it.each([0.05, -0.1])('shows each instant where it would be painted: by %s of the window', (share) => {
    const shown = pan(painted, share);
    for (const ms of [10_000, 12_345, 20_000]) expect(slideOf(painted, shown, width) + xOf(ms, painted, width)).toBeCloseTo(xOf(ms, shown, width), 6);
  });

  it('is enough as long as nothing comes into sight that was not painted, and as much time is shown', () => {
    const share = margin / width;
    expect(covers(painted, painted, width, margin)).toBe(true);
    expect(covers(painted, pan(painted, share * 0.99), width, margin)).toBe(true);
    expect(covers(painted, pan(painted, share * 1.01), width, margin)).toBe(false);
    expect(covers(painted, pan(painted, -share * 1.01), width, margin)).toBe(false);
    expect(covers(painted, pan(painted, 0.001), width, 0)).toBe(false);
    expect(covers(painted, zoomAround(painted, 15_000, 0.9), width, margin)).toBe(false);
  });

  it('stays on whole pixels of the screen', () => {
    expect(transformOf(-33.3, 2)).toBe('translateX(-33.5px)');
    expect(transformOf(0.4, 1)).toBe('');
  });
});
