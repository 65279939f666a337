/**
 * What the clock of a machine shows. All work is done by the cluster's time; times that the machine tells (status, leases, Events, log
 * stamps) are read off its own clock at the instant that they are about, so that a clock put right changes nothing that was told before.
 */
import type { Machine } from './machine.ts';

/** From then on the clock is ahead by so much. */
export interface ClockStep {
  readonly fromMs: number;
  readonly aheadMs: number;
}

/** Times before the first step that is kept are told as they were. */
const stepsMax = 64;

export function clockAt({ clockSteps }: Pick<Machine, 'clockSteps'>, atMs: number): number {
  if (clockSteps.length === 0) return atMs;
  const step = clockSteps.findLast(({ fromMs }) => fromMs <= atMs);
  return atMs + (step?.aheadMs ?? 0);
}

export function setClock(machine: Machine, aheadMs: number, nowMs: number): void {
  if ((machine.clockSteps.at(-1)?.aheadMs ?? 0) === aheadMs) return;
  machine.clockSteps = [...machine.clockSteps.filter(({ fromMs }) => fromMs < nowMs), { fromMs: nowMs, aheadMs }].slice(-stepsMax);
}
