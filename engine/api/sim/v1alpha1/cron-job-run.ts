/** `cronjobruns`: what became of each planned instant of each CronJob, as a computed API object. */
import type { KubeObject } from '../../../apimachinery/object.ts';

/**
 * - `Ran`: a Job was started for it. `Replaced`: likewise, and it took the place of the one before.
 * - `SkippedByForbid`: the run before it went on until the next instant was due, or its deadline had passed.
 * - `Suspended`: the CronJob was suspended when it was due (or before its controller could come), and nothing started it later.
 * - `DeadlineExceeded`: nothing had started it when `startingDeadlineSeconds` were over.
 * - `Missed`: any other reason, which `reason` tells.
 * - `Waiting`: not due yet, or due and still to be decided.
 */
export type CronJobRunFate = 'Ran' | 'Replaced' | 'SkippedByForbid' | 'Suspended' | 'DeadlineExceeded' | 'Missed' | 'Waiting';

/** Longer than a controller takes for what is due: a run that waits beyond it is late, in figures, problems and lanes alike. */
export const latePatienceMs = 60_000;

export interface CronJobRunStatus {
  readonly cronJob: string;
  /** RFC 3339, like all times here. */
  readonly plannedTime: string;
  readonly fate: CronJobRunFate;
  /** One sentence; empty where the fate says it all. */
  readonly reason?: string;
  /** When its Job was created: late by as much as lies between. */
  readonly startTime?: string;
  /** When its Job ended, was replaced or deleted. */
  readonly finishTime?: string;
  /** `Running`, `Complete`, `Failed`, `Replaced` or `Deleted`. */
  readonly result?: string;
  readonly job?: string;
}

/** Named `<CronJob>-<seconds since the epoch of the planned instant>`, labelled `sim.wavetank.dev/cronjob`. */
export interface CronJobRun extends KubeObject {
  readonly status: CronJobRunStatus;
}

/** On the oldest that is told of a CronJob that had more in the stretch that was asked for, left out or no longer remembered. */
export const cutAnnotation = 'sim.wavetank.dev/cut';
