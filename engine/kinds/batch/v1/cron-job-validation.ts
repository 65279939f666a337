/** Cron jobs. Mirrors validateCronJobSpec of pkg/apis/batch/validation. */
import type { CronJob, CronJobSpec, JobSpec } from '../../../api/batch/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, invalid, notSupportedOf, required } from '../../../apimachinery/field-errors.ts';
import { CronParseError, parseCronSchedule } from '../../../component-helpers/cron/parse.ts';
import { loadTimeZone } from '../../../component-helpers/cron/time-zone.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { nonnegative } from '../../apps/v1/validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { metadataPath, specPath } from '../../shared/strategy.ts';
import { validateJobSpec } from './job-validation.ts';

const policies = ['Allow', 'Forbid', 'Replace'];
const noJob: JobSpec = Object.freeze({ template: Object.freeze({}) });
const noSpec: CronJobSpec = Object.freeze({ schedule: '', jobTemplate: Object.freeze({}) });
const longestName = 52;

export function validateCronJob(object: CronJob, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const name = object.metadata.name ?? '';
  validateSpec(object.spec ?? noSpec, undefined, context, out);
  // Eleven characters of the job's name are the controller's.
  if (name.length > longestName) out.push(invalid(metadataPath.child('name'), name, `must be no more than ${longestName} characters`));
  return out;
}

export function validateCronJobUpdate(next: CronJob, old: CronJob, context: StrategyContext): FieldErrorList {
  if (next.spec === old.spec) return [];
  const out: Faults = [];
  validateSpec(next.spec ?? noSpec, old.spec ?? noSpec, context, out);
  return out;
}

function validateSpec(spec: CronJobSpec, old: CronJobSpec | undefined, context: StrategyContext, out: Faults): void {
  if (!spec.schedule) out.push(required(specPath.child('schedule')));
  else validateSchedule(spec, old?.schedule?.includes('TZ') === true, specPath.child('schedule'), context, out);
  nonnegative(spec.startingDeadlineSeconds, specPath.child('startingDeadlineSeconds'), out);
  if (spec.timeZone !== undefined && (old === undefined || old.timeZone !== spec.timeZone))
    validateZone(spec.timeZone, specPath.child('timeZone'), out);
  const policy = spec.concurrencyPolicy;
  if (!policy) out.push(required(specPath.child('concurrencyPolicy')));
  else if (!policies.includes(policy)) out.push(notSupportedOf(specPath.child('concurrencyPolicy'), policy, policies));
  const job = spec.jobTemplate?.spec ?? noJob;
  const at = specPath.child('jobTemplate', 'spec');
  validateJobSpec(job, context, at, out);
  if (job.selector) out.push(invalid(at.child('selector'), job.selector, '`selector` will be auto-generated'));
  if (job.manualSelector === true) out.push(notSupportedOf(at.child('manualSelector'), true, ['nil', 'false']));
  nonnegative(spec.successfulJobsHistoryLimit, specPath.child('successfulJobsHistoryLimit'), out);
  nonnegative(spec.failedJobsHistoryLimit, specPath.child('failedJobsHistoryLimit'), out);
}

/** Schedules that have a zone in them since long may keep it. */
function validateSchedule({ schedule, timeZone }: CronJobSpec, mayHaveZone: boolean, path: FieldPath, context: StrategyContext, out: Faults): void {
  const hasZones = context.ratcheted('ZonedSchedules');
  try {
    parseCronSchedule(schedule, hasZones ? 'v3' : 'v1');
  } catch (error) {
    if (!(error instanceof CronParseError)) throw error;
    out.push(invalid(path, schedule, error.message));
  }
  if (!hasZones || !schedule.includes('TZ')) return;
  if (!mayHaveZone) out.push(invalid(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
  else if (timeZone !== undefined) out.push(invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
}

function validateZone(zone: string, path: FieldPath, out: Faults): void {
  if (zone === '') return void out.push(invalid(path, zone, 'timeZone must be nil or non-empty string'));
  const unknown = invalid(path, zone, `unknown time zone ${zone}`);
  if (zone.split('/').some((part) => part === '.' || part === '..' || part.startsWith('-') || !/^[A-Za-z.\-_0-9+]{1,14}$/.test(part)))
    return void out.push(unknown);
  if (zone.toLowerCase() === 'local')
    out.push(invalid(path, zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'));
  if (!isZone(zone)) out.push(unknown);
}

/** Names of zones are files for Go: capitals count. */
function isZone(zone: string): boolean {
  return zone.split('/').every((part) => /^[A-Z]/.test(part)) && loadTimeZone(zone) !== undefined;
}
