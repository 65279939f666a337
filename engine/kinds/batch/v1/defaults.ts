/** Defaults of jobs and cron jobs. Mirrors pkg/apis/batch/v1/defaults.go. */
import type { CronJob, Job, JobSpec } from '../../../api/batch/v1/types.gen.ts';
import { defaultPodTemplate } from '../../core/v1/pod-defaults.ts';
import { edit, editEach, ensure, fill, fillZero } from '../../shared/defaulting.ts';

const jobDefaults = Object.freeze({ parallelism: 1, completionMode: 'NonIndexed', suspend: false, manualSelector: false });
const cronDefaults = Object.freeze({ suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
const cronZero = Object.freeze({ concurrencyPolicy: 'Allow' });
const patternDefaults = Object.freeze({ status: 'True' });
const backoffUnlimited = 2147483647;

export function defaultJob(object: Job): Job {
  const labels = object.spec?.template?.metadata?.labels;
  const next = ensure(object, 'spec', (spec) => {
    const single = absent(spec.completions) && absent(spec.parallelism) ? { ...spec, completions: 1, parallelism: 1 } : spec;
    let filled: JobSpec = fill(single, jobDefaults);
    if (absent(filled.backoffLimit)) filled = { ...filled, backoffLimit: absent(filled.backoffLimitPerIndex) ? 6 : backoffUnlimited };
    if (absent(filled.podReplacementPolicy)) filled = { ...filled, podReplacementPolicy: filled.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed' };
    return defaultJobParts(filled);
  });
  if (labels === undefined || Object.keys(next.metadata.labels ?? {}).length > 0) return next;
  return { ...next, metadata: { ...next.metadata, labels } };
}

/** What a job spec fills wherever it stands. */
function defaultJobParts(spec: JobSpec): JobSpec {
  const next = edit(spec, 'podFailurePolicy', (policy) =>
    editEach(policy, 'rules', (rule) => editEach(rule, 'onPodConditions', (pattern) => fillZero(pattern, patternDefaults))),
  );
  return ensure(next, 'template', defaultPodTemplate);
}

export function defaultCronJob(object: CronJob): CronJob {
  return ensure(object, 'spec', (spec) => {
    const filled = fillZero(fill(spec, cronDefaults), cronZero);
    return ensure(filled, 'jobTemplate', (template) => ensure(template, 'spec', defaultJobParts));
  });
}

function absent(value: unknown): boolean {
  return value === undefined || value === null;
}
