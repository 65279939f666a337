/** What an update of a job's status may say. Mirrors ValidateJobStatusUpdate of pkg/apis/batch/validation and getStatusValidationOptions of pkg/registry/batch/job. */
import type { Job, JobStatus } from '../../../api/batch/v1/types.gen.ts';
import { duplicate, type FieldErrorList, invalid, required } from '../../../apimachinery/field-errors.ts';
import { parseTime } from '../../../apimachinery/time.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { getJobCondition, isJobFinished } from '../../../component-helpers/job.ts';
import { nonnegative } from '../../apps/v1/validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { statusPath } from '../../shared/strategy.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { bare, parseIndexes, parseInterval } from './job-policy-validation.ts';

const conditionsPath = statusPath.child('conditions');
const completedAt = statusPath.child('completedIndexes');
const failedAt = statusPath.child('failedIndexes');
const completionAt = statusPath.child('completionTime');

function is(job: Job, type: string): boolean {
  return getJobCondition(job, type)?.status === 'True';
}

/** What differs between the two jobs; most rules look only at what changes. */
class Change {
  readonly next: Job;
  readonly old: Job;
  readonly now: JobStatus;
  readonly before: JobStatus;

  constructor(next: Job, old: Job) {
    [this.next, this.old] = [next, old];
    [this.now, this.before] = [next.status ?? {}, old.status ?? {}];
  }

  of(...members: readonly (keyof JobStatus)[]): boolean {
    return members.some((member) => !semanticEqual(this.now[member], this.before[member]));
  }

  becomes(...types: readonly string[]): boolean {
    return types.some((type) => is(this.next, type) !== is(this.old, type));
  }

  get finishes(): boolean {
    return isJobFinished(this.next) !== isJobFinished(this.old);
  }
}

export function validateJobStatusUpdate(next: Job, old: Job, context: Pick<StrategyContext, 'ratcheted'>): FieldErrorList {
  const out: Faults = [];
  const change = new Change(next, old);
  for (const name of ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const) nonnegative(change.now[name], statusPath.child(name), out);
  if (!context.ratcheted('ConsistentJobStatus')) return out;
  validateUncounted(change.now, out);
  validateCompletion(change, out);
  validateFinished(change, out);
  validateIndexes(change, out);
  validateEnd(change, out);
  validateHistory(change, out);
  return out;
}

function validateUncounted({ uncountedTerminatedPods: pods }: JobStatus, out: Faults): void {
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (pods?.[list] ?? []).entries()) {
      const at = statusPath.child('uncountedTerminatedPods').child(list).index(index);
      if (uid === '') out.push(invalid(at, uid, 'must not be empty'));
      else if (seen.has(uid)) out.push(duplicate(at, uid));
      seen.add(uid);
    }
  }
}

function validateCompletion(change: Change, out: Faults): void {
  const { next, now } = change;
  const isComplete = is(next, 'Complete');
  const ends = change.becomes('Complete') || change.of('completionTime');
  if (change.becomes('Complete', 'Failed') && isComplete && is(next, 'Failed'))
    out.push(bare(conditionsPath, 'cannot set Complete=True and Failed=true conditions'));
  if (change.becomes('Complete', 'FailureTarget') && isComplete && is(next, 'FailureTarget'))
    out.push(bare(conditionsPath, 'cannot set Complete=True and FailureTarget=true conditions'));
  if (ends && now.completionTime && !isComplete)
    out.push(invalid(completionAt, now.completionTime, 'cannot set completionTime when there is no Complete=True condition'));
  if (ends && !now.completionTime && isComplete) out.push(required(completionAt, 'completionTime is required for Complete jobs'));
  const [start, end] = [parseTime(now.startTime ?? ''), parseTime(now.completionTime ?? '')];
  if (change.of('startTime', 'completionTime') && start !== undefined && end !== undefined && end < start)
    out.push(invalid(completionAt, now.completionTime, 'must be equal to or after `startTime`'));
  if ((change.becomes('Failed') || change.of('failedIndexes')) && is(next, 'Failed') && !is(next, 'FailureTarget'))
    out.push(bare(conditionsPath, 'cannot set Failed=True condition without the FailureTarget=true condition'));
  if (change.becomes('Complete', 'SuccessCriteriaMet') && isComplete && !is(next, 'SuccessCriteriaMet'))
    out.push(bare(conditionsPath, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition'));
}

function validateFinished(change: Change, out: Faults): void {
  const { next, now } = change;
  if (!isJobFinished(next)) return;
  const { uncountedTerminatedPods: pods } = now;
  if ((change.finishes || change.of('active')) && (now.active ?? 0) > 0)
    out.push(invalid(statusPath.child('active'), now.active, 'active>0 is invalid for finished job'));
  const isEmpty = next.spec?.suspend === true && next.spec.completions === 0;
  if ((change.finishes || change.of('startTime')) && !isEmpty && !now.startTime)
    out.push(required(statusPath.child('startTime'), 'startTime is required for finished job'));
  if ((change.finishes || change.of('uncountedTerminatedPods')) && (pods?.failed?.length ?? 0) + (pods?.succeeded?.length ?? 0) > 0)
    out.push(invalid(statusPath.child('uncountedTerminatedPods'), pods, 'must be empty for finished job'));
}

function validateIndexes(change: Change, out: Faults): void {
  const { now, next } = change;
  const { completions, backoffLimitPerIndex, completionMode } = next.spec ?? {};
  const { completedIndexes: completed = '', failedIndexes: failed } = now;
  const [newCompleted, newFailed] = [change.of('completedIndexes'), change.of('failedIndexes')];
  if (newCompleted && completions !== undefined) {
    const parsed = parseIndexes(completed, completions);
    if (typeof parsed === 'string') out.push(invalid(completedAt, completed, `error parsing completedIndexes: ${parsed}`));
  }
  if (newFailed && completions !== undefined && backoffLimitPerIndex !== undefined && failed !== undefined) {
    const parsed = parseIndexes(failed, completions);
    if (typeof parsed === 'string') out.push(invalid(failedAt, failed, `error parsing failedIndexes: ${parsed}`));
  }
  if (newCompleted && completed !== '' && completionMode !== 'Indexed')
    out.push(invalid(completedAt, completed, 'cannot set non-empty completedIndexes when non-indexed completion mode'));
  if (newFailed && backoffLimitPerIndex === undefined && failed !== undefined)
    out.push(invalid(failedAt, failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'));
  if ((!newCompleted && !newFailed) || completions === undefined || failed === undefined) return;
  const overlap = overlapOf(completed, failed, completions);
  if (overlap !== undefined) out.push(invalid(failedAt, failed, `failedIndexes and completedIndexes overlap at index: ${overlap}`));
}

/** The first index that stands in both; what is no interval is passed over. */
function overlapOf(completed: string, failed: string, completions: number): number | undefined {
  const [left, right] = [completed, failed].map((text) =>
    (text === '' ? [] : text.split(',')).map((part) => parseInterval(part, completions)).filter((interval) => typeof interval !== 'string'),
  );
  let [i, j] = [0, 0];
  while (left?.[i] !== undefined && right?.[j] !== undefined) {
    const [[from = 0, to = 0] = [], [otherFrom = 0, otherTo = 0] = []] = [left[i], right[j]];
    if (from <= otherTo && otherFrom <= to) return Math.max(from, otherFrom);
    if (from <= otherFrom) i++;
    else j++;
  }
  return undefined;
}

function validateEnd(change: Change, out: Faults): void {
  const { next, now } = change;
  if ((change.finishes || change.of('terminating')) && (now.terminating ?? 0) > 0 && isJobFinished(next))
    out.push(invalid(statusPath.child('terminating'), now.terminating, 'terminating>0 is invalid for finished job'));
  if (change.of('ready', 'active') && now.ready !== undefined && now.ready > (now.active ?? 0))
    out.push(invalid(statusPath.child('ready'), now.ready, 'cannot set more ready pods than active'));
  if (is(next, 'SuccessCriteriaMet')) {
    if (is(next, 'Failed')) out.push(bare(conditionsPath, 'cannot set SuccessCriteriaMet=True and Failed=true conditions'));
    if (is(next, 'FailureTarget')) out.push(bare(conditionsPath, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'));
  } else if (next.spec?.successPolicy && is(next, 'Complete'))
    out.push(bare(conditionsPath, 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'));
}

function validateHistory(change: Change, out: Faults): void {
  const { next, old, now, before } = change;
  const { completions, parallelism, completionMode, suspend } = next.spec ?? {};
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (is(old, type) && !is(next, type)) out.push(bare(conditionsPath, `cannot disable the terminal ${type}=True condition`));
  if ((now.failed ?? 0) < (before.failed ?? 0)) out.push(invalid(statusPath.child('failed'), now.failed ?? 0, 'cannot decrease the failed counter'));
  const isElastic = completionMode === 'Indexed' && completions === parallelism;
  if (!isElastic && (now.succeeded ?? 0) < (before.succeeded ?? 0))
    out.push(invalid(statusPath.child('succeeded'), now.succeeded ?? 0, 'cannot decrease the succeeded counter'));
  if (now.completionTime && before.completionTime && now.completionTime !== before.completionTime)
    out.push(invalid(completionAt, now.completionTime, 'field is immutable'));
  const resumes = is(old, 'Suspended') && getJobCondition(next, 'Suspended')?.status === 'False';
  if (change.of('startTime') && !resumes && before.startTime && suspend !== true)
    out.push(invalid(statusPath.child('startTime'), now.startTime ?? null, 'field is immutable for unsuspended job once set'));
  if (is(old, 'SuccessCriteriaMet') && !is(next, 'SuccessCriteriaMet'))
    out.push(bare(conditionsPath, 'cannot disable the SuccessCriteriaMet=True condition'));
  if (is(old, 'Complete') && !is(old, 'SuccessCriteriaMet') && is(next, 'SuccessCriteriaMet'))
    out.push(bare(conditionsPath, 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'));
}
