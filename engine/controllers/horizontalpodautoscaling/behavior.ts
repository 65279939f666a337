/**
 * From what metrics ask for to what is done: stabilization over recent recommendations, rates of change, the least and the most.
 * Mirrors the second half of pkg/controller/podautoscaler/horizontal.go.
 */
import type { HPAScalingRules } from '../../api/autoscaling/v2/types.gen.ts';
import { type Codec, list, number, record } from '../../base/codecs.ts';

export interface Recommendation {
  readonly replicas: number;
  readonly atMs: number;
}

export interface ScaleEvent {
  /** Never negative. */
  readonly change: number;
  readonly atMs: number;
}

/** What is remembered of one autoscaler. */
export interface Memory {
  recommendations: readonly Recommendation[];
  ups: readonly ScaleEvent[];
  downs: readonly ScaleEvent[];
}

export const memoryCodec: Codec<Memory> = record<Memory>({
  recommendations: list(record<Recommendation>({ replicas: number, atMs: number })),
  ups: list(record<ScaleEvent>({ change: number, atMs: number })),
  downs: list(record<ScaleEvent>({ change: number, atMs: number })),
});

export interface Rules {
  readonly up: HPAScalingRules;
  readonly down: HPAScalingRules;
}

export interface Wish {
  readonly current: number;
  readonly wanted: number;
  readonly min: number;
  readonly max: number;
  readonly nowMs: number;
  /** How long the highest recommendation holds against scaling down. */
  readonly downscaleStabilizationMs: number;
}

export interface Word {
  readonly reason: string;
  readonly message: string;
}

export interface Decision {
  readonly replicas: number;
  readonly ableToScale: Word;
  readonly limited: Word & { readonly is: boolean };
}

const ready: Word = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };
const downStabilized: Word = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};
const upStabilized: Word = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const within: Word = { reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' };
const tooFew: Word = { reason: 'TooFewReplicas', message: 'the desired replica count is less than the minimum replica count' };
const tooMany: Word = { reason: 'TooManyReplicas', message: 'the desired replica count is more than the maximum replica count' };
const upLimit: Word = { reason: 'ScaleUpLimit', message: 'the desired replica count is increasing faster than the maximum scale rate' };
const downLimit: Word = { reason: 'ScaleDownLimit', message: 'the desired replica count is decreasing faster than the maximum scale rate' };

const upFactor = 2;
const upLeast = 4;

/** Remembers the recommendation. Without rules: one window downwards, and at most twice as many at once. */
export function decide(memory: Memory, rules: Rules | undefined, wish: Wish): Decision {
  const { replicas: stable, word } = rules === undefined ? stabilizedDown(memory, wish) : stabilized(memory, rules, wish);
  const { replicas, word: limit } = rules === undefined ? limitedByDefault(stable, wish) : limitedByRules(memory, rules, { ...wish, wanted: stable });
  return { replicas, ableToScale: stable === wish.wanted ? ready : word, limited: { ...limit, is: replicas !== stable } };
}

/** What was done counts against the rates of change; without rules nobody asks. */
export function rememberScale(memory: Memory, rules: Rules | undefined, before: number, after: number, nowMs: number): void {
  if (rules === undefined) return;
  const isUp = after > before;
  const longestMs = Math.max(0, ...(rules[isUp ? 'up' : 'down'].policies ?? []).map(({ periodSeconds }) => (periodSeconds ?? 0) * 1000));
  const list = isUp ? memory.ups : memory.downs;
  const next = replaceOld(list, { change: Math.abs(after - before), atMs: nowMs }, ({ atMs }) => atMs < nowMs - longestMs);
  if (isUp) memory.ups = next;
  else memory.downs = next;
}

/** The new one takes the place of the last that is too old. */
function replaceOld<T>(values: readonly T[], next: T, isOld: (value: T) => boolean): readonly T[] {
  const at = values.findLastIndex(isOld);
  return at < 0 ? [...values, next] : values.with(at, next);
}

interface Step {
  readonly replicas: number;
  readonly word: Word;
}

function stabilizedDown(memory: Memory, { wanted, nowMs, downscaleStabilizationMs }: Wish): Step {
  const cutoffMs = nowMs - downscaleStabilizationMs;
  let replicas = wanted;
  for (const each of memory.recommendations) if (each.atMs >= cutoffMs) replicas = Math.max(replicas, each.replicas);
  memory.recommendations = replaceOld(memory.recommendations, { replicas: wanted, atMs: nowMs }, ({ atMs }) => atMs < cutoffMs);
  return { replicas, word: downStabilized };
}

function stabilized(memory: Memory, { up, down }: Rules, { current, wanted, nowMs, downscaleStabilizationMs }: Wish): Step {
  const upCutoffMs = nowMs - (up.stabilizationWindowSeconds ?? 0) * 1000;
  const downCutoffMs = nowMs - (down.stabilizationWindowSeconds === undefined ? downscaleStabilizationMs : down.stabilizationWindowSeconds * 1000);
  let lowest = wanted;
  let highest = wanted;
  for (const { replicas, atMs } of memory.recommendations) {
    if (atMs > upCutoffMs) lowest = Math.min(lowest, replicas);
    if (atMs > downCutoffMs) highest = Math.max(highest, replicas);
  }
  memory.recommendations = replaceOld(
    memory.recommendations,
    { replicas: wanted, atMs: nowMs },
    ({ atMs }) => atMs < upCutoffMs && atMs < downCutoffMs,
  );
  return { replicas: Math.min(Math.max(current, lowest), highest), word: wanted >= current ? upStabilized : downStabilized };
}

function limitedByDefault(wanted: number, { current, min, max }: Wish): Step {
  const rate = Math.max(upFactor * current, upLeast);
  if (wanted < min) return { replicas: min, word: tooFew };
  if (wanted > Math.min(max, rate)) return max > rate ? { replicas: rate, word: upLimit } : { replicas: max, word: tooMany };
  return { replicas: wanted, word: within };
}

function limitedByRules(memory: Memory, { up, down }: Rules, wish: Wish): Step {
  const { current, wanted, min, max } = wish;
  if (wanted > current) {
    const rate = Math.max(current, upRate(memory, up, wish));
    if (wanted > Math.min(max, rate)) return max > rate ? { replicas: rate, word: upLimit } : { replicas: max, word: tooMany };
  } else if (wanted < current) {
    const rate = Math.min(current, downRate(memory, down, wish));
    if (wanted < Math.max(min, rate)) return min < rate ? { replicas: rate, word: downLimit } : { replicas: min, word: tooFew };
  }
  return { replicas: wanted, word: within };
}

function upRate(memory: Memory, rules: HPAScalingRules, wish: Wish): number {
  if (rules.selectPolicy === 'Disabled') return wish.current;
  const proposals = (rules.policies ?? []).map(({ type, value = 0, periodSeconds = 0 }) => {
    const start = periodStart(memory, periodSeconds, wish);
    // Rounded up, or a small percentage would never lead anywhere.
    return type === 'Pods' ? start + value : Math.ceil(start * (1 + value / 100));
  });
  return rules.selectPolicy === 'Min' ? Math.min(int32Max, ...proposals) : Math.max(int32Min, ...proposals);
}

function downRate(memory: Memory, rules: HPAScalingRules, wish: Wish): number {
  if (rules.selectPolicy === 'Disabled') return wish.current;
  const proposals = (rules.policies ?? []).map(({ type, value = 0, periodSeconds = 0 }) => {
    const start = periodStart(memory, periodSeconds, wish);
    return type === 'Pods' ? start - value : Math.trunc(start * (1 - value / 100));
  });
  return rules.selectPolicy === 'Min' ? Math.max(int32Min, ...proposals) : Math.min(int32Max, ...proposals);
}

const int32Max = 2 ** 31 - 1;
const int32Min = -(2 ** 31);

/** How many there were when the period began. */
function periodStart({ ups, downs }: Memory, periodSeconds: number, { current, nowMs }: Wish): number {
  const cutoffMs = nowMs - periodSeconds * 1000;
  const changed = (events: readonly ScaleEvent[]): number => events.reduce((sum, { atMs, change }) => (atMs > cutoffMs ? sum + change : sum), 0);
  return current - changed(ups) + changed(downs);
}
