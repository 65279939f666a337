/**
 * Pure questions about jobs. Mirrors pkg/controller/job/utils.go.
 */
import type { Job, JobCondition } from '../api/batch/v1/types.gen.ts';
import { findCondition } from './pod.ts';

/** Of a Job that a CronJob's controller made: the instant that it was planned for. */
export const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

export function getJobCondition(job: Job, type: string): JobCondition | undefined {
  return findCondition(job.status?.conditions, type);
}

/** Complete or Failed, and true; undefined while the job runs. */
function finishedCondition(job: Job): JobCondition | undefined {
  return job.status?.conditions?.find((condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True');
}

export function isJobFinished(job: Job): boolean {
  return finishedCondition(job) !== undefined;
}
