/** What `/debug/api_priority_and_fairness/…` shows, in columns. Mirrors apiserver pkg/util/flowcontrol/apf_controller_debug.go. */
import { formatDuration, formatMicroTime } from '../../apimachinery/time.ts';
import type { Occupied } from './occupied.ts';
import type { PriorityLevel } from './priority-level.ts';
import { workOf } from './queue-set.ts';

const root = '/debug/api_priority_and_fairness/';

/** Undefined for other paths. */
export function dumpOf(path: string, levels: readonly PriorityLevel[], withDetails: boolean): string | undefined {
  const sorted = [...levels].sort((a, b) => (a.name < b.name ? -1 : 1));
  switch (path.startsWith(root) ? path.slice(root.length) : '') {
    case 'dump_priority_levels':
      return inColumns([levelHead, ...sorted.map(levelRow)]);
    case 'dump_queues':
      return inColumns([queueHead, ...sorted.flatMap(queueRows)]);
    case 'dump_requests':
      return inColumns([[...requestHead, ...(withDetails ? detailHead : [])], ...sorted.flatMap((level) => requestRows(level, withDetails))]);
    default:
      return undefined;
  }
}

const levelHead = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
];

function levelRow(level: PriorityLevel): readonly unknown[] {
  const { name, isIdle, isExempt, isQuiescing, waiting, active: executing, dispatched, rejected, timedOut, cancelled, queues } = level;
  const activeQueues = (queues?.list() ?? []).filter((queue) => queue.waiting.length > 0).length;
  return [name, activeQueues, isIdle && !isExempt, isQuiescing, waiting, executing, dispatched, rejected, timedOut, cancelled];
}

const queueHead = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum',
];

function queueRows({ name, queues }: PriorityLevel): readonly (readonly unknown[])[] {
  return (queues?.list() ?? []).map(({ index, waiting, executing, seatsInUse, nextR }) => {
    const initial = waiting.reduce((sum, { estimate }) => sum + estimate.initialSeats, 0);
    const most = waiting.reduce((sum, { width }) => sum + width, 0);
    return [name, index, waiting.length, executing, seatsInUse, seatSeconds(nextR), initial, most, seatSeconds(workOf(waiting))];
  });
}

function seatSeconds(value: number): string {
  return `${value.toFixed(8)}ss`;
}

const requestHead = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];
const detailHead = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

/** Of a request that has not begun: Go's zero time. */
const never = '0001-01-01T00:00:00Z';

function requestRows(level: PriorityLevel, withDetails: boolean): readonly (readonly unknown[])[] {
  const waiting = (level.queues?.list() ?? []).flatMap((queue) => queue.waiting.map((seat, index) => requestRow(level, seat, index, withDetails)));
  const executing = [...level.executing].map((seat) => requestRow(level, seat, -1, withDetails));
  return [...waiting, ...executing];
}

function requestRow({ name }: PriorityLevel, seat: Occupied, index: number, withDetails: boolean): readonly unknown[] {
  const { counts, queue, distinguisher, arrivedMs, startedMs, estimate, details } = seat;
  const { info, request } = details.exchange;
  const place = info.isResource ? info : { namespace: '', name: '', version: '', resource: '', subresource: '' };
  const { initialSeats, finalSeats, additionalMs } = estimate;
  const times = [formatMicroTime(arrivedMs), initialSeats, finalSeats, formatDuration(additionalMs), index >= 0 ? never : formatMicroTime(startedMs)];
  const row = [name, counts.schema, queue?.index ?? -1, index, queue === undefined ? '' : distinguisher, ...times];
  if (!withDetails) return row;
  return [...row, details.identity.name, info.verb, request.path, place.namespace, place.name, place.version, place.resource, place.subresource];
}

/** As Go's tabwriter lays cells out: at least eight wide, the last as it is. */
function inColumns(rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map((value, index) => (index === row.length - 1 ? String(value) : `${String(value)},`)));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(8, ...cells.map((row) => (row[column] ?? '').length + 1)));
  return cells
    .map((row) => `${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('')}\n`)
    .join('');
}
