/** Processes as they are written down in the home: by number and by when they began. */
import { startOfProcess } from '../persistence/process-start.ts';

export interface ProcessMark {
  readonly pid: number;
  /** Absent for a process that had ended when it was looked at. */
  readonly began?: string;
}

export function markOf(pid: number): ProcessMark {
  const began = startOfProcess(pid);
  return began === undefined ? { pid } : { pid, began };
}

/** Whether that very process still runs. */
export function isRunning({ pid, began }: ProcessMark): boolean {
  const now = startOfProcess(pid);
  return now !== undefined && (began === undefined || began === now);
}
