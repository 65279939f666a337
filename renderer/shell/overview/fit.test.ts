import { describe, expect, it } from 'vitest';
import { type FigureText, fitStrip, type StateText } from './fit.ts';

const figures: readonly FigureText[] = [
  { value: '3 of 4', name: 'nodes ready', isFlat: false },
  { value: '7', name: 'short of pods', isFlat: false },
  { value: '0', name: 'late CronJobs', isFlat: true },
  { value: '1', name: 'fault', isFlat: false },
  { value: '4', name: 'warnings/min', isFlat: false },
  { value: '53', name: 'req/s', isFlat: false },
];
const states: readonly StateText[] = [
  { state: 'Running', count: '12', word: 'ready' },
  { state: 'Stuck', count: '3', word: 'stuck' },
  { state: 'Troubled', count: '6', word: 'troubled' },
  { state: 'Succeeded', count: '3', word: 'succeeded' },
];

describe('what of the strip has room', () => {
  it('is all of it in a wide window', () => {
    expect(fitStrip(1920, figures, states)).toEqual({ curve: 72, withFlat: true, words: new Set(['Running', 'Stuck', 'Troubled', 'Succeeded']) });
  });

  it('curves give way before words, and words of what is well before those of what is not', () => {
    const widths = Array.from({ length: 100 }, (_, index) => 1920 - index * 12);
    const fits = widths.map((width) => fitStrip(width, figures, states));
    for (const [index, { curve, words }] of fits.entries()) {
      const wider = fits[index - 1];
      if (wider === undefined) continue;
      expect(curve).toBeLessThanOrEqual(wider.curve);
      if (curve > 36) expect(words.size).toBe(states.length);
      if (words.has('Succeeded')) expect(words).toContain('Running');
      if (words.has('Running')) expect(words).toContain('Stuck');
    }
    expect(fits.at(-1)).toEqual({ curve: 0, withFlat: false, words: new Set() });
  });

  it('trouble has its words at 1280', () => {
    const { words, curve } = fitStrip(1280, figures, states);
    expect([...words]).toEqual(expect.arrayContaining(['Stuck', 'Troubled']));
    expect(curve).toBe(36);
  });

  it('trouble has its words before a curve has its room, whatever note stands at the end', () => {
    for (const note of ['', 'of now', 'as of 19:15:48', 'as of 23 Nov 2026 19:15:48'])
      for (let width = 1920; width > 1000; width -= 8) {
        const { words, curve } = fitStrip(width, figures, states, note);
        if (curve > 0) expect([...words], `${width} ${note}`).toEqual(expect.arrayContaining(['Stuck', 'Troubled']));
      }
    expect(fitStrip(1280, figures, states, 'as of 19:15:48').words).toContain('Troubled');
    expect(fitStrip(1280, figures, states, 'as of 19:15:48').curve).toBeLessThan(fitStrip(1280, figures, states).curve);
  });
});
