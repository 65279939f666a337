/** Jobs that a CronJob removes: those beyond its history, and those that make room for the next. */
import type { Job } from '../../api/batch/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { jobs } from '../../client/resources.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import { finishedConditionOf } from '../lib/job-state.ts';
import { byStartTime } from './order.ts';

export type Tell = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

/** The oldest of those that ended so, beyond the limit; none without one. */
export function beyondHistory(owned: readonly Job[], type: 'Complete' | 'Failed', limit: number | undefined): readonly Job[] {
  if (limit === undefined) return [];
  const finished = owned.filter((job) => finishedConditionOf(job)?.type === type);
  return finished.toSorted(byStartTime).slice(0, Math.max(0, finished.length - limit));
}

/** False when it was refused; either way an Event tells. `drop` hears of a job that goes before that. */
export async function removeJob({ client }: ReconcileContext, job: Job, drop: (uid: string) => void, tell: Tell): Promise<boolean> {
  const { namespace, name = '', uid = '' } = job.metadata;
  try {
    await client.delete(jobs, namespace, name, { propagationPolicy: 'Background' });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    tell('Warning', 'FailedDelete', `Deleted job: ${error.message}`);
    return false;
  }
  drop(uid);
  tell('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
  return true;
}
