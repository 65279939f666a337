/**
 * Thresholds of a kubelet's eviction as its options write them: `memory.available<100Mi,nodefs.available<10%`. Mirrors
 * ParseThresholdConfig of pkg/kubelet/eviction/helpers.go.
 */
import { parseQuantity, QuantityError, quantityToFloat } from '../apimachinery/quantity.ts';
import { parseDuration } from '../apimachinery/time.ts';

const evictionSignals = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
] as const;

/** Upstream's, and the share of process numbers that managed clusters keep. */
export const defaultHardThresholds =
  'memory.available<100Mi,nodefs.available<10%,nodefs.inodesFree<5%,imagefs.available<15%,imagefs.inodesFree<5%,pid.available<10%';

export type EvictionSignal = (typeof evictionSignals)[number];

/** An amount, or a share of the capacity. */
export type ThresholdValue = { readonly amount: number; readonly share?: never } | { readonly share: number; readonly amount?: never };

export interface EvictionThreshold {
  readonly signal: EvictionSignal;
  readonly value: ThresholdValue;
  /** 0 for hard ones. */
  readonly graceMs: number;
  readonly isHard: boolean;
  /** So much more than the threshold has to be there before it counts as over. */
  readonly minReclaim: ThresholdValue | undefined;
}

export interface EvictionTexts {
  readonly hard: string;
  readonly soft: string;
  readonly softGracePeriod: string;
  readonly minimumReclaim: string;
}

/** Throws an Error with upstream's words for what is none. */
export function parseThresholds({ hard, soft, softGracePeriod, minimumReclaim }: EvictionTexts): readonly EvictionThreshold[] {
  const graces = new Map(pairs(softGracePeriod, '=').map(([signal, text]) => [signal, durationOf(signal, text)]));
  const reclaims = new Map(pairs(minimumReclaim, '=').map(([signal, text]) => [signalOf(signal), valueOf(signal, text)]));
  const make = ([name, text]: Pair, isHard: boolean): EvictionThreshold => {
    const signal = signalOf(name);
    const graceMs = isHard ? 0 : graces.get(signal);
    if (graceMs === undefined) throw new Error(`grace period must be specified for the soft eviction threshold ${signal}`);
    return { signal, value: valueOf(name, text), graceMs, isHard, minReclaim: reclaims.get(signal) };
  };
  return [...pairs(hard, '<').map((pair) => make(pair, true)), ...pairs(soft, '<').map((pair) => make(pair, false))];
}

type Pair = readonly [name: string, value: string];

function pairs(text: string, sign: '<' | '='): readonly Pair[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf(sign);
      if (at < 1) throw new Error(`invalid eviction threshold syntax ${part}, expected <signal>${sign}<value>`);
      return [part.slice(0, at), part.slice(at + 1)];
    });
}

function signalOf(name: string): EvictionSignal {
  const known = evictionSignals.find((signal) => signal === name);
  if (known === undefined) throw new Error(`unsupported eviction signal ${name}`);
  return known;
}

function valueOf(signal: string, text: string): ThresholdValue {
  if (text.endsWith('%')) {
    const percent = Number(text.slice(0, -1));
    if (!(percent >= 0 && percent <= 100) || text.length < 2)
      throw new Error(`eviction percentage threshold ${signal} must be >= 0% and <= 100%: ${text}`);
    return { share: percent / 100 };
  }
  try {
    const amount = quantityToFloat(parseQuantity(text));
    if (amount < 0) throw new Error(`eviction threshold ${signal} must be positive: ${text}`);
    return { amount };
  } catch (error) {
    if (error instanceof QuantityError) throw new Error(error.message, { cause: error });
    throw error;
  }
}

function durationOf(signal: string, text: string): number {
  signalOf(signal);
  const ms = parseDuration(text);
  if (ms === undefined || ms < 0) throw new Error(`invalid eviction grace period for ${signal}: ${text}`);
  return ms;
}
