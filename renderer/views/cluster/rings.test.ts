import { describe, expect, it } from 'vitest';
import type { MapCountdown } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import type { Palette } from '../../timeline/palette.ts';
import { ring } from './paint-parts.ts';
import { tellCountdown } from './tell.ts';

const palette = { background: 'ground', warning: 'warning' } as Palette;
const turn = Math.PI * 2;

/** How much of the ring is drawn in the colour of what is left, from the top on: of 1. */
function shareLeft(countdown: MapCountdown, nowMs: number): number {
  const arcs: { colour: string; share: number }[] = [];
  const context = {
    strokeStyle: '',
    lineWidth: 0,
    beginPath: () => undefined,
    stroke: () => undefined,
    arc: (_x: number, _y: number, _radius: number, from: number, to: number) => arcs.push({ colour: context.strokeStyle, share: (to - from) / turn }),
  };
  ring(context as unknown as CanvasRenderingContext2D, 10, 10, 8, countdown, nowMs, palette);
  expect(arcs.map(({ colour }) => colour)).toEqual(['ground', 'warning']);
  return arcs[1]?.share ?? Number.NaN;
}

describe('what runs down', () => {
  it.each([
    ['unreachable', 50, 0, 1, '50 s until it is marked unreachable'],
    ['unreachable', 50, 40, 0.2, '10 s until it is marked unreachable'],
    ['eviction', 300, 75, 0.75, '3m 45s until its pods are evicted'],
    ['restart', 40, 30, 0.25, 'restarts in 10 s'],
    ['kill', 30, 15, 0.5, 'is killed in 15 s'],
  ] as const)('%s of %d s after %d s is a ring of %d and says “%s”', (what, seconds, passed, share, told) => {
    const countdown = { what, fromMs: 1_000_000, untilMs: 1_000_000 + seconds * 1000 };
    const nowMs = countdown.fromMs + passed * 1000;
    expect(shareLeft(countdown, nowMs)).toBeCloseTo(share);
    expect(tellCountdown(countdown, nowMs)).toBe(told);
  });

  it('a pod is told that it is evicted itself', () =>
    expect(tellCountdown({ what: 'eviction', fromMs: 0, untilMs: 300_000 }, 60_000, true)).toBe('evicted in 4m'));

  it('is empty when it is over, and no less', () => {
    const countdown: MapCountdown = { what: 'restart', fromMs: 0, untilMs: 10_000 };
    expect(shareLeft(countdown, 60_000)).toBe(0);
    expect(shareLeft(countdown, -60_000)).toBe(1);
    expect(tellCountdown(countdown, 60_000)).toBe('at any moment now');
    expect(tellCountdown({ ...countdown, what: 'unreachable' }, 60_000)).toBe('about to be marked unreachable');
  });
});
