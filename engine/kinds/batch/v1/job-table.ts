/** Cells of `kubectl get jobs`. Mirrors printJob of pkg/printers/internalversion. */
import type { Job } from '../../../api/batch/v1/types.gen.ts';
import type { TableContext } from '../../../contracts/kind.ts';
import { formatLabelSelector } from '../../../apimachinery/labels.ts';
import type { JsonValue } from '../../../base/json.ts';
import { humanDuration, parseTime } from '../../../apimachinery/time.ts';
import { getJobCondition } from '../../../component-helpers/job.ts';
import { ageOf, containerCells, nameOf } from '../../shared/table.ts';

export function jobCells(job: Job, context: TableContext): readonly JsonValue[] {
  const [names, images] = containerCells(job.spec?.template?.spec?.containers);
  const selector = formatLabelSelector(job.spec?.selector);
  return [nameOf(job), statusText(job), completionsText(job), durationText(job, context), ageOf(job, context), names, images, selector];
}

function statusText(job: Job): string {
  const holds = (type: string): boolean => getJobCondition(job, type)?.status === 'True';
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}

function completionsText(job: Job): string {
  const succeeded = job.status?.succeeded ?? 0;
  const { completions, parallelism = 0 } = job.spec ?? {};
  if (completions !== undefined && completions !== null) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText(job: Job, context: TableContext): string {
  const start = parseTime(job.status?.startTime ?? '');
  if (start === undefined) return '';
  return humanDuration((parseTime(job.status?.completionTime ?? '') ?? context.nowMs) - start);
}
