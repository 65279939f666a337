/** What the runner remembers of one ScenarioRun, as plain data (law 9), and how its status tells it. */
import type { ExpectationStatus, ScenarioRunStatus, ScenarioSpec } from '../api/sim/v1alpha1/scenario.ts';
import { formatTime } from '../apimachinery/time.ts';
import type { Cause } from '../base/causes.ts';
import { type Codec, data, flag, list, mapOf, nullable, number, oneOf, record, text } from '../base/codecs.ts';
import { causesCodec } from '../base/slots.ts';
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
  /** The step that is to be performed, or is being performed. */
  acting: number | null;
  steps: readonly StepTimes[];
  readonly expectations: readonly ExpectationState[];
  /** Timers of delayed events, by the event's id. */
  readonly timers: Map<string, number>;
  phase: 'Running' | 'Passed' | 'Failed';
  finishedMs: number;
  message: string;
  digest: string;
  /** What is here differs from what the object's status tells. */
  dirty: boolean;
}

export const runCodec: Codec<RunState> = record<RunState>({
  name: text,
  uid: text,
  touchesOwnOnly: flag,
  spec: data(),
  causes: causesCodec,
  startedMs: number,
  state: record<SavedState>({ value: text, context: data() }),
  acting: nullable(number),
  steps: list(record<StepTimes>({ name: text, startedMs: number, finishedMs: number })),
  expectations: list(record<ExpectationState>({ name: text, result: oneOf('Pending', 'Met', 'Missed'), decidedMs: number, message: text })),
  timers: mapOf(number),
  phase: oneOf('Running', 'Passed', 'Failed'),
  finishedMs: number,
  message: text,
  digest: text,
  dirty: flag,
});

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
