/**
 * The words in which expected timelines are derived: each is a flag or a physical quantity, in milliseconds from and to, by release. What
 * is drawn at random, or depends on when somebody looks next, has a range; what does not has one value, and is compared to the second.
 */
import {
  bootMaxMs,
  bootMinMs,
  connectionDeadMs,
  containerStartMaxMs,
  containerStartMinMs,
  heartbeatMs,
  kubeletRestartMs,
  registerMaxMs,
  registerMinMs,
  relistMs,
  runtimeAskMs,
  runtimeSilenceMs,
  runtimeUpMaxMs,
  runtimeUpMinMs,
  sandboxMaxMs,
  sandboxMinMs,
  statusRetryMs,
  teardownMaxMs,
} from '../../engine/nodes/physics.ts';

export type Release = '1.36' | '1.13';
type Range = readonly [fromMs: number, toMs: number];

const exactly = (ms: number): Range => [ms, ms];
const within = (ms: number): Range => [0, ms];
/** Requests and watches on their way. */
const latenciesMs = 300;

const terms = {
  'node-monitor-grace-period': { '1.36': exactly(50_000), '1.13': exactly(40_000) },
  'default-unreachable-toleration-seconds': exactly(300_000),
  /** Until the node monitor looks again, and sees what has changed. */
  'node-monitor-period': within(5_000),
  /** A node is tainted by what a pass has found written: the pass that finds it silent has not. */
  'pass that taints': { '1.36': exactly(0), '1.13': exactly(5_000) },
  /** 1/node-eviction-rate */
  'a turn at 0.1/s': exactly(10_000),
  'eviction-pressure-transition-period': exactly(300_000),
  'next heartbeat': within(1.04 * heartbeatMs),
  'boot of the machine': [bootMinMs, bootMaxMs],
  'kubelet registers': [registerMinMs, registerMaxMs + latenciesMs],
  'runtime answers': [runtimeUpMinMs, runtimeUpMaxMs + latenciesMs],
  'connection given up': exactly(connectionDeadMs),
  'pod starts': [sandboxMinMs + containerStartMinMs, sandboxMaxMs + containerStartMaxMs + relistMs + 3 * latenciesMs],
  'pod ends': [0, teardownMaxMs + 2 * relistMs + 3 * latenciesMs],
  'runtime silent': [runtimeSilenceMs - runtimeAskMs, runtimeSilenceMs],
  RestartSec: exactly(kubeletRestartMs),
  /** podgc: how long a node has to be gone, and how often it looks. */
  'podgc quarantine': { '1.36': exactly(40_000), '1.13': exactly(0) },
  'podgc period': within(20_000),
  relist: within(relistMs + latenciesMs),
  /** What the API refused of a pod's status is told again with the next batch. */
  'status batch': within(statusRetryMs + latenciesMs),
} as const;

export type Term = keyof typeof terms;

export interface Expected {
  readonly what: string;
  /** Another event of the timeline, the fault itself, or its end. */
  readonly after: string;
  readonly terms: readonly Term[];
  /** It may come so much earlier. */
  readonly isUpTo?: Term;
}

export function rangeOf({ terms: names, isUpTo }: Expected, release: Release): Range {
  const earlierMs = isUpTo === undefined ? 0 : valueOf(isUpTo, release)[1];
  return names.reduce<Range>(
    ([from, to], name) => {
      const [fromMs, toMs] = valueOf(name, release);
      return [from + fromMs, to + toMs];
    },
    [-earlierMs, 0],
  );
}

function valueOf(name: Term, release: Release): Range {
  const term: Range | Readonly<Record<Release, Range>> = terms[name];
  return isByRelease(term) ? term[release] : term;
}

function isByRelease(term: Range | Readonly<Record<Release, Range>>): term is Readonly<Record<Release, Range>> {
  return '1.36' in term;
}

/** `node-monitor-grace-period + boot`, or `at once`. */
export function derivation({ terms: names, isUpTo }: Expected): string {
  const sum = names.length === 0 ? 'at once' : names.join(' + ');
  return isUpTo === undefined ? sum : `${sum}, less the ${isUpTo}`;
}
