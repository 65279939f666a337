import { describe, expect, it } from 'vitest';
import { covers, marginOf, slideOf, transformOf } from './slide.ts';
import { pan, xOf, zoomAround } from './viewport.ts';

const width = 1000;
const margin = marginOf(width);
const painted = { fromMs: 10_000, toMs: 20_000 };

/** Where a picture with that transform shows what was painted at a pixel of the window. */
function shownAt(transform: string, x: number): number {
  const by = Number(/translateX\(([-\d.e]+)px\)/.exec(transform)?.[1] ?? 0);
  const scale = Number(/scaleX\(([-\d.e]+)\)/.exec(transform)?.[1] ?? 1);
  return -margin + by + scale * (x + margin);
}

describe('a picture that is moved and stretched', () => {
  it.each([
    ['panned', pan(painted, 0.05)],
    ['panned back', pan(painted, -0.1)],
    ['zoomed in around some place', zoomAround(painted, 13_000, 0.8)],
    ['zoomed out around another', zoomAround(painted, 19_000, 1.2)],
  ])('shows each instant where it would be painted: %s', (_how, shown) => {
    const transform = transformOf(slideOf(painted, shown, width), margin, 1);
    for (const ms of [10_000, 12_345, 20_000]) expect(shownAt(transform, xOf(ms, painted, width))).toBeCloseTo(xOf(ms, shown, width), 6);
  });

  it('is enough as long as nothing comes into sight that was not painted, and it can still be read', () => {
    const share = margin / width;
    expect(covers(painted, painted, width, margin)).toBe(true);
    expect(covers(painted, pan(painted, share * 0.99), width, margin)).toBe(true);
    expect(covers(painted, pan(painted, share * 1.01), width, margin)).toBe(false);
    expect(covers(painted, pan(painted, -share * 1.01), width, margin)).toBe(false);
    expect(covers(painted, pan(painted, 0.001), width, 0)).toBe(false);
    expect(covers(painted, zoomAround(painted, 15_000, 0.7), width, margin)).toBe(true);
    expect(covers(painted, zoomAround(painted, 15_000, 0.6), width, margin)).toBe(false);
    expect(covers(painted, zoomAround(painted, 15_000, 1.3), width, margin)).toBe(true);
    expect(covers(painted, zoomAround(painted, 10_000, 1.3), width, margin)).toBe(false);
  });

  it('stays on whole pixels of the screen while it is moved alone', () => {
    expect(transformOf(slideOf(painted, pan(painted, 0.0333), width), margin, 2)).toBe('translateX(-33.5px)');
    expect(transformOf(slideOf(painted, painted, width), margin, 1)).toBe('');
  });
});
