/** Areas as the engine packs them: four numbers for each step, each in force until the next one. */
export interface AreaStep {
  readonly fromMs: number;
  readonly toMs: number;
  readonly wished: number;
  readonly ready: number;
  /** Ready or not. */
  readonly there: number;
}

/** Numbers of a step. */
export const stepWidth = 4;

interface Read {
  readonly endMs: number;
  readonly steps: readonly AreaStep[];
}

/** Of areas as they were read last: a view that moves paints the same again in each frame. */
const lastRead = new WeakMap<readonly number[], Read>();

function areaSteps(area: readonly number[], endMs: number): readonly AreaStep[] {
  const last = lastRead.get(area);
  if (last?.endMs === endMs) return last.steps;
  const steps = readSteps(area, endMs);
  lastRead.set(area, { endMs, steps });
  return steps;
}

function readSteps(area: readonly number[], endMs: number): readonly AreaStep[] {
  const steps: AreaStep[] = [];
  for (let at = 0; at < area.length; at += stepWidth) {
    const fromMs = area[at] ?? 0;
    const wished = area[at + 1] ?? 0;
    const ready = area[at + 2] ?? 0;
    const there = area[at + 3] ?? 0;
    const toMs = Math.min(endMs, area[at + stepWidth] ?? endMs);
    if (fromMs <= endMs) steps.push({ fromMs, toMs, wished, ready, there });
  }
  return steps;
}

/** What was in force at an instant. */
export function areaAt(area: readonly number[], ms: number, endMs: number): AreaStep | undefined {
  return areaSteps(area, endMs).findLast(({ fromMs }) => fromMs <= ms);
}

const peaks = new WeakMap<readonly number[], number>();

/** The tallest that the area has to show. */
export function areaPeak(area: readonly number[]): number {
  let peak = peaks.get(area);
  if (peak === undefined) peaks.set(area, (peak = findPeak(area)));
  return peak;
}

function findPeak(area: readonly number[]): number {
  let peak = 1;
  for (let at = 0; at < area.length; at += stepWidth) peak = Math.max(peak, area[at + 1] ?? 0, area[at + 2] ?? 0);
  return peak;
}
