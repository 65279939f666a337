/** Jobs that failed or are refused their pods, and CronJobs that nobody can read. */
import type { Job } from '../../api/batch/v1/types.gen.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { findCondition } from '../../component-helpers/pod.ts';
import { defineDetector } from '../finding.ts';

export const jobDetector = defineDetector<Job>({
  resource: 'jobs.batch',
  isSuspect: ({ status }) => findCondition(status?.conditions, 'Failed')?.status === 'True',
  find: ({ status }) => {
    const failed = findCondition(status?.conditions, 'Failed');
    if (failed === undefined) return undefined;
    const sinceMs = parseTime(failed.lastTransitionTime ?? '');
    return { reason: failed.reason ?? 'Failed', ...(sinceMs === undefined ? {} : { sinceMs }), summary: failed.message ?? 'the Job failed' };
  },
});
