/** What is remembered of a life of a CronJob: the terms it was under, the runs it had, and what its controller said. Plain data. */
import { flag, list, nullable, number, record, text } from '../../base/codecs.ts';

/** What a CronJob's spec said from an instant on. */
export interface Terms {
  readonly fromMs: number;
  /** With its zone in front, as the parser takes it. */
  readonly schedule: string;
  readonly isSuspended: boolean;
  readonly deadlineMs: number | null;
  /** `Allow`, `Forbid` or `Replace`. */
  readonly policy: string;
}

/** A Job that was started for a planned instant. Absent numbers are 0, absent texts ''. */
export interface Run {
  readonly plannedMs: number;
  readonly startMs: number;
  readonly job: string;
  readonly uid: string;
  finishMs: number;
  /** `Complete`, `Failed`, `Replaced`, `Deleted`; '' while it goes on. */
  result: string;
  /** The Job whose place it took. */
  replaced: string;
}

/** Something that the controller could not, or would not do. */
export interface Word {
  readonly ms: number;
  readonly reason: string;
  readonly message: string;
}

/** A Job that was deleted while it ran, and by whom. */
export interface Cut {
  readonly job: string;
  readonly by: string;
}

export interface CronJobRecord {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly createdMs: number;
  deletedMs: number;
  /** Runs before this instant are no longer remembered; 0 while all are. */
  forgottenMs: number;
  terms: readonly Terms[];
  runs: readonly Run[];
  words: readonly Word[];
  /** Jobs that somebody deleted while they ran, since the last one was started. */
  cut: readonly Cut[];
}

export const cronJobRecordCodec = record<CronJobRecord>({
  uid: text,
  namespace: text,
  name: text,
  createdMs: number,
  deletedMs: number,
  forgottenMs: number,
  terms: list(record<Terms>({ fromMs: number, schedule: text, isSuspended: flag, deadlineMs: nullable(number), policy: text })),
  runs: list(record<Run>({ plannedMs: number, startMs: number, job: text, uid: text, finishMs: number, result: text, replaced: text })),
  words: list(record<Word>({ ms: number, reason: text, message: text })),
  cut: list(record<Cut>({ job: text, by: text })),
});
