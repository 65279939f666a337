/** What the runner remembers of one ScenarioRun, as plain data (law 9), and how its status tells it. */
import type { ExpectationStatus, ScenarioRunStatus, ScenarioSpec } from '../api/sim/v1alpha1/scenario.ts';
import { formatTime } from '../apimachinery/time.ts';
import type { Cause } from '../base/causes.ts';
import type { SavedState } from './machine.ts';

export interface StepTimes {
  readonly name: string;
  startedMs: number;
  /** 0 while it lasts. */
  finishedMs: number;
}

export interface ExpectationState {
  readonly name: string;
  result: ExpectationStatus['result'];
  decidedMs: number;
  message: string;
}

export interface RunState {
  readonly name: string;
  readonly uid: string;
  /** It runs in somebody's cluster: only what it made itself may it touch. */
  readonly touchesOwnOnly: boolean;
  readonly spec: ScenarioSpec;
  /** Why the run was started. */
  readonly causes: readonly Cause[];
  readonly startedMs: number;
  state: SavedState;
  readonly steps: StepTimes[];
  readonly expectations: ExpectationState[];
  /** Timers of delayed events, by the event's id. */
  readonly timers: { [id: string]: number };
  phase: 'Running' | 'Passed' | 'Failed';
  finishedMs: number;
  message: string;
  digest: string;
  /** What is here differs from what the object's status tells. */
  dirty: boolean;
}

export function statusOf(run: RunState): ScenarioRunStatus {
  return {
    phase: run.phase,
    state: run.state.value,
    context: run.state.context,
    startedAt: formatTime(run.startedMs),
    ...(run.finishedMs === 0 ? {} : { finishedAt: formatTime(run.finishedMs) }),
    steps: run.steps.map(({ name, startedMs, finishedMs }) => ({
      name,
      startedAt: formatTime(startedMs),
      ...(finishedMs === 0 ? {} : { finishedAt: formatTime(finishedMs) }),
    })),
    expectations: run.expectations.map(({ name, result, decidedMs, message }) => ({
      name,
      result,
      ...(decidedMs === 0 ? {} : { decidedAt: formatTime(decidedMs) }),
      ...(message === '' ? {} : { message }),
    })),
    ...(run.message === '' ? {} : { message: run.message }),
    ...(run.digest === '' ? {} : { digest: run.digest }),
  };
}

/** Instant zero of an expectation; undefined while its step has not begun. */
export function zeroOf(run: RunState, since: string | undefined): number | undefined {
  return since === undefined ? run.startedMs : run.steps.find(({ name }) => name === since)?.startedMs;
}

export function copyRun(run: RunState): RunState {
  return {
    ...run,
    steps: run.steps.map((one) => ({ ...one })),
    expectations: run.expectations.map((one) => ({ ...one })),
    timers: { ...run.timers },
  };
}
