import { describe, expect, it } from 'vitest';
import type { TimelineFault } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { heightOf, laneHeight, paintFaultNames, placeFaultNames } from './fault-names.ts';
import type { Palette } from './palette.ts';

const range = { fromMs: 0, toMs: 1000 };
const fault = (type: string, fromMs: number, toMs?: number): TimelineFault =>
  ({ id: type, type, fromMs, affected: [], ...(toMs === undefined ? {} : { toMs }) }) as unknown as TimelineFault;

describe('names of faults', () => {
  it('stand beside each other where there is room, and below each other where they would touch', () => {
    const names = placeFaultNames([fault('partition', 0, 500), fault('disk-full', 20, 900), fault('dns', 600, 700)], range, 1000, 1000);
    expect(names.map(({ lane }) => lane)).toEqual([0, 1, 0]);
    expect(heightOf(names)).toBe(2 * laneHeight);
    for (const a of names)
      for (const b of names) if (a !== b && a.lane === b.lane) expect(a.left + a.width <= b.left || b.left + b.width <= a.left).toBe(true);
  });

  it('take no room where no fault lies in the range, and stay within the axis at its end', () => {
    expect(heightOf(placeFaultNames([fault('dns', 2000)], range, 1000, 3000))).toBe(0);
    expect(placeFaultNames([fault('dns', -500, -10)], range, 1000, 3000)).toEqual([]);
    expect(placeFaultNames([fault('dns', 900)], range, 1000, 500).map(({ text }) => text)).toEqual(['◷ dns, planned']);
    const [last] = placeFaultNames([fault('node-power-loss', 999)], range, 1000, 1000);
    expect((last?.left ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(1000);
  });

  it('are filled from their instant on and nowhere before it', () => {
    for (const fromMs of [100, 960]) {
      const filled: number[] = [];
      const context = { fillRect: (x: number) => filled.push(x), strokeRect: () => undefined, fillText: () => undefined };
      const names = placeFaultNames([fault('node-power-loss', fromMs)], range, 1000, 1000);
      paintFaultNames(context as unknown as CanvasRenderingContext2D, names, 0, {} as Palette);
      expect(filled).toEqual([fromMs]);
    }
  });
});
