import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { marginOf } from './slide.ts';
import { Gesture, paceMs, type Part, restMs } from './use-slide.ts';
import { pan, type Range, zoomAround } from './viewport.ts';

const width = 1000;
const frameMs = 16;
const begin: Range = { fromMs: 0, toMs: 10_000 };

/** A page that paints what it is told of, at once. */
function aPage() {
  const part: Part = { style: { transform: '' }, dataset: {} };
  const page = { range: begin, isMoving: false, isLate: false, told: [] as Range[], axis: [] as Range[], part };
  const margin = (): number => (page.isMoving ? marginOf(width) : 0);
  const gesture = new Gesture(
    () => ({
      parts: () => [part],
      picture: () => part,
      range: page.range,
      width,
      onRange: (range) => {
        page.told.push(range);
        paint(range);
      },
      paint: (shown) => page.axis.push(shown),
    }),
    (movement) => {
      const isAlong = movement === 'along';
      if (page.isMoving === isAlong) return;
      page.isMoving = isAlong;
      paint(page.range);
    },
  );
  const paint = (range: Range): void => {
    page.range = range;
    if (!page.isLate) picture();
    gesture.painted(range);
  };
  const picture = (): void => {
    part.dataset['margin'] = String(margin());
    gesture.pictured([part], page.range);
  };
  paint(begin);
  return { page, gesture, paint, picture };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('devicePixelRatio', 1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a movement is painted a few times, is seen in each frame, and is exact where it rests', () => {
  const { page, gesture } = aPage();
  const steps = Array.from({ length: 60 }, (_, index) => pan(begin, (index + 1) / 500));
  const seen = steps.map((step) => {
    gesture.move(step);
    vi.advanceTimersByTime(frameMs);
    // One is here, or what was painted is moved to it.
    expect(gesture.shown()).toEqual(step);
    return `${page.range.fromMs} ${page.part.style.transform}`;
  });
  expect(new Set(seen).size).toBe(steps.length);
  expect(page.told.length).toBeGreaterThan(1);
  expect(page.told.length).toBeLessThanOrEqual(1 + Math.ceil((steps.length * frameMs) / paceMs));
  vi.advanceTimersByTime(restMs);
  expect([page.range, page.isMoving, page.part.style.transform]).toEqual([steps.at(-1), false, '']);
});

it('more than was painted beside the window is painted at once', () => {
  const { page, gesture } = aPage();
  gesture.move(pan(begin, 0.01));
  const far = pan(begin, 0.3);
  gesture.move(far);
  expect([page.told.length, page.range, page.part.style.transform]).toEqual([2, far, '']);
});

it('who goes elsewhere meanwhile is there, and stays', () => {
  const { page, gesture, paint } = aPage();
  gesture.move(pan(begin, 0.01));
  gesture.move(pan(begin, 0.02));
  expect(page.part.style.transform).toBe('translateX(-10px)');
  const elsewhere = { fromMs: 70_000, toMs: 80_000 };
  paint(elsewhere);
  vi.advanceTimersByTime(10 * restMs);
  expect([gesture.shown(), page.range, page.isMoving, page.part.style.transform]).toEqual([elsewhere, elsewhere, false, '']);
  expect(page.axis.at(-1)).toEqual(elsewhere);
});

it('what is painted again while it moves, of the same stretch, is seen where it was', () => {
  const { page, gesture, paint } = aPage();
  gesture.move(pan(begin, 0.01));
  gesture.move(pan(begin, 0.03));
  page.part.style.transform = '';
  paint(page.range);
  expect(page.part.style.transform).toBe('translateX(-20px)');
  expect(page.axis.at(-1)).toEqual(pan(begin, 0.03));
});

it('rows that are painted a frame after the page was told are seen where they belong meanwhile', () => {
  const { page, gesture, picture } = aPage();
  gesture.move(pan(begin, 0.01));
  vi.advanceTimersByTime(restMs - 1);
  gesture.move(pan(begin, 0.01));
  vi.advanceTimersByTime(restMs - 1);
  page.isLate = true;
  expect(gesture.canWait()).toBe(true);
  gesture.move(pan(begin, 0.05));
  expect([page.range, page.part.style.transform]).toEqual([pan(begin, 0.05), 'translateX(-40px)']);
  picture();
  expect(page.part.style.transform).toBe('');
  page.isLate = false;
  gesture.move(pan(begin, 0.4));
  expect([page.range, page.part.style.transform]).toEqual([pan(begin, 0.4), '']);
});

it('who zooms sees each step painted', () => {
  const { page, gesture } = aPage();
  const steps = [0.9, 0.8, 0.7].map((factor) => zoomAround(begin, 5000, factor));
  for (const step of steps) {
    gesture.move(step);
    expect([page.range, page.part.style.transform]).toEqual([step, '']);
    vi.advanceTimersByTime(frameMs);
  }
  vi.advanceTimersByTime(restMs);
  expect([page.told, page.range]).toEqual([steps, steps.at(-1)]);
});
