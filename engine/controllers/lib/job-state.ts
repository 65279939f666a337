/** Whether and how a Job has finished. Mirrors pkg/controller/job/util. Read by the job, cronjob and ttl controllers. */
import type { Job, JobCondition } from '../../api/batch/v1/types.gen.ts';

/** The condition Complete or Failed that is True. */
export function finishedConditionOf(job: Job): JobCondition | undefined {
  return (job.status?.conditions ?? []).find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
}

export function isJobFinished(job: Job): boolean {
  return finishedConditionOf(job) !== undefined;
}
