/** Jobs and cron jobs. Mirrors pkg/apis/batch/validation. */
import type { CronJob, Job, JobSpec } from '../../../api/batch/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, invalid, notSupported, notSupportedOf, required } from '../../../apimachinery/field-errors.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { labelSelectorAsSelector } from '../../../apimachinery/labels.ts';
import { validateImmutableField, validateLabelSelector } from '../../../apimachinery/validation.ts';
import { nonnegative } from '../../apps/v1/validation.ts';
import { validatePodTemplate } from '../../core/v1/pod-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { metadataPath, specPath } from '../../shared/strategy.ts';

const maxIndexed = 100000;
const counters = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished', 'backoffLimitPerIndex'] as const;

export function validateJob(object: Job, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const { spec } = object;
  if (spec === undefined) return [required(specPath.child('template'))];
  validateJobSpec(spec, context, specPath, out);
  if (!spec.selector) out.push(required(specPath.child('selector')));
  else {
    out.push(...validateLabelSelector(spec.selector, specPath.child('selector')));
    const labels = spec.template?.metadata?.labels ?? {};
    if (out.length === 0 && !labelSelectorAsSelector(spec.selector).matches(labels)) {
      out.push(
        invalid(
          specPath.child('template', 'metadata', 'labels'),
          spec.template?.metadata?.labels ?? null,
          '`selector` does not match template `labels`',
        ),
      );
    }
  }
  return out;
}

const replacements = ['Failed', 'TerminatingOrFailed'];

function validateJobSpec(spec: JobSpec, context: StrategyContext, path: FieldPath, out: Faults): void {
  for (const name of counters) nonnegative(spec[name], path.child(name), out);
  if (spec.completionMode !== undefined) validateMode(spec, path, out);
  const replacement = spec.podReplacementPolicy;
  if (replacement !== undefined && !replacements.includes(replacement))
    out.push(notSupported(path.child('podReplacementPolicy'), replacement, replacements));
  validatePodTemplate(spec.template, context, path.child('template'), out);
  const policy = spec.template.spec?.restartPolicy ?? '';
  const at = path.child('template', 'spec', 'restartPolicy');
  if (policy === '' || policy === 'Always') out.push(required(at, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') out.push(notSupportedOf(at, policy, ['OnFailure', 'Never']));
  else if (spec.podFailurePolicy && policy !== 'Never') out.push(invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified'));
}

function validateMode(spec: JobSpec, path: FieldPath, out: Faults): void {
  if (spec.completionMode !== 'NonIndexed' && spec.completionMode !== 'Indexed') {
    return void out.push(notSupportedOf(path.child('completionMode'), spec.completionMode, ['NonIndexed', 'Indexed']));
  }
  if (spec.completionMode === 'NonIndexed') {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
      if (spec[name] !== undefined) out.push(invalid(path.child(name), spec[name], 'requires indexed completion mode'));
    }
    return;
  }
  if (spec.completions === undefined) out.push(required(path.child('completions'), `when completion mode is Indexed`));
  if ((spec.parallelism ?? 0) > maxIndexed)
    out.push(invalid(path.child('parallelism'), spec.parallelism, `must be less than or equal to ${maxIndexed} when completion mode is Indexed`));
}

export function validateJobUpdate(next: Job, old: Job, context: StrategyContext): FieldErrorList {
  if (next.spec === old.spec) return [];
  const out: Faults = [...validateJob(next, context)];
  const [now, before] = [next.spec, old.spec];
  if (now === undefined || before === undefined) return out;
  const elastic = now.completionMode === 'Indexed' && now.completions === now.parallelism;
  if (now.completions !== before.completions && !elastic)
    out.push(...validateImmutableField(now.completions, before.completions, specPath.child('completions')));
  out.push(...validateImmutableField(now.selector, before.selector, specPath.child('selector')));
  const mutable = before.suspend === true && old.status?.startTime === undefined;
  if (!mutable) out.push(...validateImmutableField(now.template, before.template, specPath.child('template')));
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const) {
    out.push(...validateImmutableField(now[name], before[name], specPath.child(name)));
  }
  return out;
}

const policies = ['Allow', 'Forbid', 'Replace'];

export function validateCronJob(object: CronJob, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const { spec } = object;
  const name = object.metadata.name ?? '';
  if (spec === undefined) return [required(specPath.child('schedule'))];
  if (!spec.schedule) out.push(required(specPath.child('schedule')));
  else validateSchedule(spec, out);
  nonnegative(spec.startingDeadlineSeconds, specPath.child('startingDeadlineSeconds'), out);
  if (!spec.concurrencyPolicy) out.push(required(specPath.child('concurrencyPolicy')));
  else if (!policies.includes(spec.concurrencyPolicy)) out.push(notSupported(specPath.child('concurrencyPolicy'), spec.concurrencyPolicy, policies));
  const at = specPath.child('jobTemplate', 'spec');
  if (spec.jobTemplate?.spec) validateJobSpec(spec.jobTemplate.spec, context, at, out);
  if (spec.jobTemplate?.spec?.manualSelector === true) out.push(notSupported(at.child('manualSelector'), true, ['nil', 'false']));
  nonnegative(spec.successfulJobsHistoryLimit, specPath.child('successfulJobsHistoryLimit'), out);
  nonnegative(spec.failedJobsHistoryLimit, specPath.child('failedJobsHistoryLimit'), out);
  // Eleven characters of the job's name are the controller's.
  if (name.length > 52) out.push(invalid(metadataPath.child('name'), name, 'must be no more than 52 characters'));
  return out;
}

function validateSchedule(spec: NonNullable<CronJob['spec']>, out: Faults): void {
  const path = specPath.child('schedule');
  if (spec.schedule.includes('TZ')) {
    if (spec.timeZone !== undefined) out.push(invalid(path, spec.schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
    else out.push(invalid(path, spec.schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
    return;
  }
  const fields = spec.schedule.trim().split(/\s+/);
  if (!spec.schedule.startsWith('@') && fields.length !== 5) {
    out.push(invalid(path, spec.schedule, `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`));
  }
  if (spec.timeZone === '') out.push(invalid(specPath.child('timeZone'), '', 'timeZone must be nil or non-empty string'));
}

export function validateCronJobUpdate(next: CronJob, old: CronJob, context: StrategyContext): FieldErrorList {
  return next.spec === old.spec ? [] : validateCronJob(next, context);
}
