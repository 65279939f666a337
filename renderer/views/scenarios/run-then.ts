/** A run as it stood at an instant of its own clock. */
import type { ScenarioRunStatus } from '../../../engine/api/sim/v1alpha1/scenario.ts';

export interface RunThen {
  readonly phase: NonNullable<ScenarioRunStatus['phase']>;
  /** The step that it was at, '' before the first and after the last. */
  readonly step: string;
  readonly met: number;
  readonly missed: number;
  readonly all: number;
}

export function runThen({ phase = 'Pending', startedAt, finishedAt, steps = [], expectations = [] }: ScenarioRunStatus, ms: number): RunThen {
  const isPast = (time: string | undefined): boolean => time !== undefined && Date.parse(time) <= ms;
  const isOver = (phase === 'Passed' || phase === 'Failed') && isPast(finishedAt);
  const decided = expectations.filter(({ decidedAt }) => isPast(decidedAt));
  const count = (result: string): number => decided.filter((one) => one.result === result).length;
  return {
    phase: isOver ? phase : isPast(startedAt) ? 'Running' : 'Pending',
    step: isOver ? '' : (steps.findLast((step) => isPast(step.startedAt) && !isPast(step.finishedAt))?.name ?? ''),
    met: count('Met'),
    missed: count('Missed'),
    all: expectations.length,
  };
}
