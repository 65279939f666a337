/** Areas as the engine packs them: four numbers for each step, each in force until the next one. */
export interface AreaStep {
  readonly fromMs: number;
  readonly toMs: number;
  readonly wished: number;
  readonly ready: number;
  /** Ready or not. */
  readonly there: number;
}

const width = 4;

export function areaSteps(area: readonly number[], endMs: number): readonly AreaStep[] {
  const steps: AreaStep[] = [];
  for (let at = 0; at < area.length; at += width) {
    const [fromMs = 0, wished = 0, ready = 0, there = 0] = [area[at], area[at + 1], area[at + 2], area[at + 3]];
    const toMs = Math.min(endMs, area[at + width] ?? endMs);
    if (fromMs <= endMs) steps.push({ fromMs, toMs, wished, ready, there });
  }
  return steps;
}

/** What was in force at an instant. */
export function areaAt(area: readonly number[], ms: number, endMs: number): AreaStep | undefined {
  return areaSteps(area, endMs).findLast(({ fromMs }) => fromMs <= ms);
}

/** The tallest that the area has to show. */
export function areaPeak(area: readonly number[]): number {
  let peak = 1;
  for (let at = 0; at < area.length; at += width) peak = Math.max(peak, area[at + 1] ?? 0, area[at + 2] ?? 0);
  return peak;
}
