/** Decides expectations: each must become true within its window, which is counted from the beginning of a step or of the run. */
import type { ScenarioExpectation } from '../api/sim/v1alpha1/scenario.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { formatDuration, parseDuration } from '../apimachinery/time.ts';
import { checkExpectation, verdictWords } from './check.ts';
import { type ExpectationState, type RunState, zeroOf } from './run-state.ts';

export type ObjectsOf = (expectation: ScenarioExpectation) => readonly KubeObject[];

export function newExpectations(expectations: readonly ScenarioExpectation[] = []): ExpectationState[] {
  return expectations.map(({ name }, index) => ({ name: name ?? `expectation ${index + 1}`, result: 'Pending', decidedMs: 0, message: '' }));
}

/** Looks at every undecided expectation; `isOver` when nothing will happen any more. Tells whether one was decided. */
export function decideExpectations(run: RunState, nowMs: number, isOver: boolean, objectsOf: ObjectsOf): boolean {
  let decided = false;
  run.spec.expectations?.forEach((expectation, index) => {
    const state = run.expectations[index];
    if (state === undefined || state.result !== 'Pending') return;
    decide(expectation, state, run, nowMs, isOver, objectsOf);
    decided ||= (state.result as string) !== 'Pending';
  });
  return decided;
}

/** When undecided expectations have to be looked at, whatever happens. */
export function nextDeadline(run: RunState, nowMs: number): number | undefined {
  let next: number | undefined;
  run.spec.expectations?.forEach(({ since, before }, index) => {
    const zeroMs = zeroOf(run, since);
    if (run.expectations[index]?.result !== 'Pending' || zeroMs === undefined || before === undefined) return;
    const dueMs = zeroMs + (parseDuration(before) ?? 0);
    if (dueMs > nowMs && (next === undefined || dueMs < next)) next = dueMs;
  });
  return next;
}

function decide(
  expectation: ScenarioExpectation,
  state: ExpectationState,
  run: RunState,
  nowMs: number,
  isOver: boolean,
  objectsOf: ObjectsOf,
): void {
  const { since, after, before } = expectation;
  const zeroMs = zeroOf(run, since);
  const end = (result: 'Met' | 'Missed', message: string): void => void Object.assign(state, { result, message, decidedMs: nowMs });
  if (zeroMs === undefined) {
    if (isOver) end('Missed', `step ${since ?? ''} never began`);
    return;
  }
  const sinceMs = nowMs - zeroMs;
  const from = since === undefined ? 'the start' : `step ${since} began`;
  const openMs = parseDuration(after ?? '0') ?? 0;
  const closeMs = parseDuration(before ?? '') ?? Number.POSITIVE_INFINITY;
  const verdict = checkExpectation(expectation, objectsOf(expectation));
  const when = `${formatDuration(Math.round(sinceMs))} after ${from}`;
  if (verdict.holds) {
    if (sinceMs < openMs) end('Missed', `came true ${when}, earlier than ${after ?? ''}`);
    else if (sinceMs <= closeMs) end('Met', `${verdictWords(verdict, expectation)}, ${when}`);
    else end('Missed', `came true ${when}, later than ${before ?? ''}`);
  } else if (sinceMs >= closeMs || (isOver && before === undefined)) {
    end('Missed', `${verdictWords(verdict, expectation)}${expected(expectation)} ${when}`);
  }
}

function expected({ count }: ScenarioExpectation): string {
  const { equals, atLeast, atMost } = count ?? { atLeast: 1 };
  const bounds = [
    equals === undefined ? '' : `exactly ${equals}`,
    atLeast === undefined ? '' : `at least ${atLeast}`,
    atMost === undefined ? '' : `at most ${atMost}`,
  ];
  return ` instead of ${bounds.filter((bound) => bound !== '').join(' and ')}`;
}
