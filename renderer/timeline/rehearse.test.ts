import { expect, it, vi } from 'vitest';
import { PixelBoxes } from './pixel-boxes.ts';
import { rehearseRows } from './rehearse.ts';

vi.stubGlobal('Path2D', class {});

it('what is rehearsed are rows as busy as a rollout has them, a few at a time while the page rests', async () => {
  const counts: number[] = [];
  const painted = vi.spyOn(PixelBoxes.prototype, 'fillRect');
  const hatched = vi.spyOn(PixelBoxes.prototype, 'fillHatched');
  const context = new Proxy({}, { get: (_, name) => (name === 'measureText' ? () => ({ width: 9 }) : () => undefined), set: () => true });
  await rehearseRows(context as CanvasRenderingContext2D, () => {
    counts.push(painted.mock.calls.length);
    return Promise.resolve();
  });
  expect(counts[0]).toBe(0);
  counts.push(painted.mock.calls.length);
  for (let round = 1; round < counts.length; round++) expect((counts[round] as number) - (counts[round - 1] as number)).toBeGreaterThan(1000);
  expect(counts.length).toBeGreaterThan(4);
  expect(hatched).toHaveBeenCalled();
});
