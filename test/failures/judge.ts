/** Plays a timed case and compares what happened, and when, with what was derived. */
import { derivation, type Expected, rangeOf, type Release } from './timing.ts';
import type { TimingCase } from './timing-cases.ts';
import { type Happening, Watched } from './watched.ts';

export interface Row {
  readonly what: string;
  readonly derivation: string;
  /** Seconds after the fault; undefined where the event that it follows has not come. */
  readonly expected: readonly [from: number, to: number] | undefined;
  /** Undefined where it has not happened. */
  readonly measured: number | undefined;
  readonly isRight: boolean;
}

/** To the second. */
const toleranceMs = 500;

export async function playTimed(timed: TimingCase, release: Release, seed = 1): Promise<readonly Row[]> {
  const watched = await Watched.start({ seed, nodes: 4, release });
  await watched.toLook();
  const faultMs = watched.nowMs;
  const { tank } = watched;
  const { fault, acts = {}, healSecond } = timed;
  const path = '/apis/sim.wavetank.dev/v1alpha1/faults';
  if (fault !== undefined) {
    const spec = { target: { node: watched.victim }, ...fault };
    tank.call('POST', path, { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Fault', metadata: { name: 'x' }, spec });
  }
  const steps: (readonly [number, () => void])[] = Object.entries(acts).map(([second, act]) => [Number(second), () => act(watched)]);
  if (healSecond !== undefined) steps.push([healSecond, () => void tank.call('DELETE', `${path}/x`)]);
  for (const [second, step] of steps.toSorted(([a], [b]) => a - b)) {
    await tank.cluster.loop.run(faultMs + second * 1000);
    step();
  }
  await tank.cluster.loop.run(faultMs + timed.seconds * 1000);
  return judge(timed, release, watched.happenings, faultMs);
}

function judge({ expected, healSecond = 0 }: TimingCase, release: Release, happenings: readonly Happening[], faultMs: number): readonly Row[] {
  const left = happenings.map(({ ms, what }) => ({ ms: ms - faultMs, what }));
  const found = new Map<Expected, number | undefined>();
  for (const one of expected) {
    const i = left.findIndex(({ what }) => what === one.what);
    found.set(one, i < 0 ? undefined : left.splice(i, 1)[0]?.ms);
  }
  const anchorMs = (name: string): number | undefined => {
    if (name === 'fault') return 0;
    if (name === 'heal') return healSecond * 1000;
    if (/^\d+ s$/.test(name)) return Number.parseInt(name) * 1000;
    return found.get(expected.find(({ what }) => what === name) as Expected);
  };
  const rows = expected.map((one): Row => {
    const after = anchorMs(one.after);
    const ms = found.get(one);
    const [fromMs, toMs] = rangeOf(one, release);
    const wanted = after === undefined ? undefined : ([after + fromMs, after + toMs] as const);
    const isRight = wanted !== undefined && ms !== undefined && ms > wanted[0] - toleranceMs && ms < wanted[1] + toleranceMs;
    return {
      what: one.what,
      derivation: one.after === 'fault' ? derivation(one) : `${one.after}: ${derivation(one)}`,
      expected: wanted === undefined ? undefined : [seconds(wanted[0]), seconds(wanted[1])],
      measured: ms === undefined ? undefined : seconds(ms),
      isRight,
    };
  });
  const more = left.map(({ ms, what }): Row => ({ what, derivation: 'nothing says so', expected: undefined, measured: seconds(ms), isRight: false }));
  return [...rows, ...more].toSorted((a, b) => (a.measured ?? 0) - (b.measured ?? 0));
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** A line of the table. */
export function rowText({ what, derivation: why, expected, measured, isRight }: Row): string {
  const wanted = expected === undefined ? '-' : expected[0] === expected[1] ? String(expected[0]) : `${expected[0]} … ${expected[1]}`;
  return `${isRight ? ' ' : '!'} ${what.padEnd(34)} ${wanted.padStart(15)} ${String(measured ?? '-').padStart(7)}   ${why}`;
}
