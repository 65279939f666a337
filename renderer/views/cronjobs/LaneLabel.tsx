/** A CronJob's name, its schedule, and when it is due next. */
import type { TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import type { AnyObject } from '../../api/objects.ts';
import { formatDate, formatDuration, formatWhen } from '../../lib/format.ts';
import { shorten } from '../../lib/shorten.ts';
import { texts } from '../../texts/texts.ts';
import { isOverdue, type Run } from './ledger.ts';

const words = texts.cronJobs;
const dayMs = 86_400_000;

interface Props {
  readonly row: TimelineRow;
  /** Undefined once it is deleted. */
  readonly cronJob: AnyObject | undefined;
  /** Undefined until they were read. */
  readonly runs: readonly Run[] | undefined;
  readonly nowMs: number;
  readonly onSelect: (id: string) => void;
}

export function LaneLabel({ row, cronJob, runs, nowMs, onSelect }: Props) {
  const schedule = cronJob ? scheduleOf(cronJob) : '';
  const next = cronJob ? nextOf(cronJob, runs, nowMs) : (row.namespace ?? '');
  return (
    <button type="button" style={{ paddingLeft: 12 }} title={[row.name, schedule, next].join('\n')} onClick={() => onSelect(row.id)}>
      <span className="lane-name">
        <span className="lane-head">
          <span className={`ellipsis ${row.deletedMs === undefined ? '' : 'is-deleted'}`}>{shorten(row.name, 80)}</span>
          <span className="muted ellipsis">{schedule}</span>
        </span>
        <span className="muted ellipsis">{next}</span>
      </span>
    </button>
  );
}

/** `0 3 * * * Europe/Berlin`. */
function scheduleOf({ spec = {} }: AnyObject): string {
  const zone = typeof spec['timeZone'] === 'string' ? ` ${spec['timeZone']}` : '';
  return `${shorten(String(spec['schedule'] ?? ''), 60)}${zone}`;
}

/** `next 03:00:00, in 4m 10s`. */
function nextOf({ spec = {} }: AnyObject, runs: readonly Run[] | undefined, nowMs: number): string {
  if (spec['suspend'] === true) return words.suspended;
  return runs === undefined ? '' : whenNext(runs, nowMs);
}

function whenNext(runs: readonly Run[], nowMs: number): string {
  const overdue = runs.findLast((run) => isOverdue(run, nowMs));
  if (overdue) return words.overdue(formatDuration(nowMs - overdue.plannedMs));
  if (runs.some(({ fate, plannedMs }) => fate === 'Waiting' && plannedMs <= nowMs)) return words.dueNow;
  const next = runs.find(({ fate, plannedMs }) => fate === 'Waiting' && plannedMs > nowMs)?.plannedMs;
  if (next === undefined) return words.never;
  return next - nowMs < dayMs ? words.next(formatWhen(next, nowMs), formatDuration(next - nowMs)) : words.nextDate(formatDate(next));
}
