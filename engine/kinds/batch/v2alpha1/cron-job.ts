/** Cron jobs as they were first; stored as batch/v1, which has the same fields. */
import type { CronJob } from '../../../api/batch/v2alpha1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { cronJobKind as stored } from '../v1/cron-job.ts';

export const cronJobKind = defineKind<CronJob>(
  olderForm(stored, {
    group: 'batch',
    version: 'v2alpha1',
    schema: 'io.k8s.api.batch.v2alpha1.CronJob',
    deprecated: 19,
    removed: 21,
  }),
);
