/** What a CronJob's row tells of its runs: planned, started, finished, replaced; missed and skipped ones come from its Events. */
import type { Job } from '../api/batch/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { parseTime } from '../apimachinery/time.ts';
import type { Change } from '../store/store.ts';
import { addMark, type MarkType, type Row } from './row.ts';
import { jobResult } from './states.ts';

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
const controllerSuffix = ':cronjob-controller';

/** Event reasons that mean that a planned run did not happen. */
const reasons: ReadonlyMap<string, MarkType> = new Map([
  ['MissSchedule', 'missed'],
  ['TooManyMissedTimes', 'missed'],
  ['JobAlreadyActive', 'skipped'],
]);

export function cronEventType(reason: string): MarkType | undefined {
  return reasons.get(reason);
}

/** `row` is the CronJob's; the change is one of a Job that it controls. */
export function markRun(row: Row, { current, previous, revision, meta }: Change<KubeObject>): void {
  const next = current?.value as Job | undefined;
  const old = previous?.value as Job | undefined;
  const job = next ?? old;
  if (job === undefined) return;
  const name = job.metadata.name ?? '';
  const mark = (type: MarkType, text: string, ms = meta.virtualMs): void => addMark(row, { ms, type, revision, text, level: '', by: meta.identity });
  if (old === undefined) {
    const plannedMs = parseTime(job.metadata.annotations?.[scheduledAnnotation] ?? '');
    if (plannedMs !== undefined) mark('scheduled', name, plannedMs);
    mark('started', name);
    return;
  }
  const wasOver = jobResult(old) !== undefined;
  const result = next === undefined ? undefined : jobResult(next);
  if (result !== undefined && !wasOver) mark('finished', `${name}: ${result}`);
  const isLeaving = next === undefined || next.metadata.deletionTimestamp !== undefined;
  if (isLeaving && old.metadata.deletionTimestamp === undefined && !wasOver && meta.identity.endsWith(controllerSuffix)) mark('replaced', name);
}
