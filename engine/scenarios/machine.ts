/**
 * Compiles a scenario to an XState machine: a state per step, then `judging`, then `passed` or `failed`. The machine is only ever
 * asked for its next state (`initialTransition`, `transition`); what it wants done comes back as data, time is the cluster's, and
 * its context is plain, so that a run can be saved at any quiet instant (law 9).
 */
import { setOwn } from '../base/dictionary.ts';
import { assign, createMachine, initialTransition, transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import type { ScenarioSpec, ScenarioStep } from '../api/sim/v1alpha1/scenario.ts';
import type { JsonObject } from '../base/json.ts';
import { parseDuration } from '../apimachinery/time.ts';
import { actOf } from '../component-helpers/scenario.ts';

/** What can happen to a run. Delayed events have the names that XState gives them. */
export type RunEvent =
  | { readonly type: 'ACTED' }
  | { readonly type: 'REFUSED'; readonly message: string }
  | { readonly type: 'OBSERVED'; readonly held: boolean }
  | { readonly type: 'JUDGED'; readonly passed: boolean; readonly message: string }
  | { readonly type: string };

/** What the machine wants done. */
export type Effect =
  | { readonly type: 'begin' | 'end' | 'act' | 'watch'; readonly step: number }
  | { readonly type: 'judge' | 'finish' }
  | { readonly type: 'delay'; readonly id: string; readonly event: string; readonly delayMs: number }
  | { readonly type: 'cancel'; readonly id: string };

export interface SavedState {
  readonly value: string;
  readonly context: JsonObject;
}

export interface Transitioned {
  readonly state: SavedState;
  readonly effects: readonly Effect[];
}

const waitForTimeoutDefault = '10m';

export class ScenarioMachine {
  readonly #machine: AnyStateMachine;

  constructor(spec: ScenarioSpec) {
    this.#machine = compile(spec);
  }

  start(): Transitioned {
    return plain(...(initialTransition(this.#machine) as [AnyMachineSnapshot, readonly unknown[]]));
  }

  next({ value, context }: SavedState, event: RunEvent): Transitioned {
    const snapshot = this.#machine.resolveState({ value, context });
    return plain(...(transition(this.#machine, snapshot, event) as [AnyMachineSnapshot, readonly unknown[]]));
  }
}

const refused = { target: 'failed', actions: assign({ message: ({ event }) => (event as { message?: string }).message ?? '' }) };

function compile({ steps }: ScenarioSpec): AnyStateMachine {
  const states: { [name: string]: object } = {};
  const delays: { [name: string]: number } = {};
  steps.forEach((step, index) => {
    setOwn(states, step.name, stepState(step, index, steps[index + 1]?.name ?? 'judging', delays));
  });
  states['judging'] = {
    entry: { type: 'judge' },
    on: {
      JUDGED: [{ guard: ({ event }: { event: { passed?: boolean } }) => event.passed === true, target: 'passed', actions: refused.actions }, refused],
    },
  };
  states['passed'] = { type: 'final', entry: { type: 'finish' } };
  states['failed'] = { type: 'final', entry: { type: 'finish' } };
  const config = { id: 'scenario', initial: steps[0]?.name ?? 'judging', context: { message: '' }, states };
  return createMachine(config as never, { delays } as never);
}

function stepState(step: ScenarioStep, index: number, next: string, delays: { [name: string]: number }): object {
  const begin = { type: 'begin', params: { step: index } };
  const exit = { type: 'end', params: { step: index } };
  const act = actOf(step);
  if (act === 'wait') {
    const name = `wait of ${step.name}`;
    setOwn(delays, name, parseDuration(step.wait ?? '') ?? 0);
    return { entry: begin, exit, after: { [name]: next } };
  }
  if (act !== 'waitFor') return { entry: [begin, { type: 'act', params: { step: index } }], exit, on: { ACTED: next, REFUSED: refused } };
  const timeout = step.waitFor?.timeout ?? waitForTimeoutDefault;
  const name = `timeout of ${step.name}`;
  setOwn(delays, name, parseDuration(timeout) ?? 0);
  return {
    entry: [begin, { type: 'watch', params: { step: index } }],
    exit,
    on: { OBSERVED: { guard: ({ event }: { event: { held?: boolean } }) => event.held === true, target: next } },
    after: { [name]: { target: 'failed', actions: assign({ message: `step ${step.name}: what it waits for did not come true within ${timeout}` }) } },
  };
}

function plain(snapshot: AnyMachineSnapshot, actions: readonly unknown[]): Transitioned {
  const effects = actions.map((action) => effectOf(action as { readonly type: string; readonly params?: { readonly [key: string]: unknown } }));
  return { state: { value: String(snapshot.value), context: snapshot.context as JsonObject }, effects };
}

function effectOf({ type, params = {} }: { readonly type: string; readonly params?: { readonly [key: string]: unknown } }): Effect {
  switch (type) {
    case 'xstate.raise':
      return { type: 'delay', id: String(params['id']), event: (params['event'] as { type: string }).type, delayMs: Number(params['delay']) };
    case 'xstate.cancel':
      return { type: 'cancel', id: String(params['sendId']) };
    case 'judge':
    case 'finish':
      return { type };
    default:
      return { type: type as 'begin', step: Number(params['step']) };
  }
}
