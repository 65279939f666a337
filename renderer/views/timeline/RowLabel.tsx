/** Name of a row, indented under its owner. */
import type { TimelineMark, TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';

const shortKinds: Readonly<Record<string, string>> = { Pod: 'po', Deployment: 'dep', ReplicaSet: 'rs', StatefulSet: 'sts', DaemonSet: 'ds', Job: 'job', CronJob: 'cj', Node: 'no', Service: 'svc', ConfigMap: 'cm', Namespace: 'ns' };

export function RowLabel({ row, depth, onSelect }: { readonly row: TimelineRow; readonly depth: number; readonly onSelect: (row: TimelineRow, mark: TimelineMark | undefined) => void }) {
  return (
    <button type="button" style={{ paddingLeft: 10 + depth * 12 }} onClick={() => onSelect(row, undefined)} title={`${row.kind} ${row.namespace ? `${row.namespace}/` : ''}${row.name}`}>
      <span className="kind" aria-hidden>{shortKinds[row.kind] ?? row.kind.slice(0, 3).toLowerCase()}</span>
      <span className={`ellipsis ${row.deletedMs === undefined ? '' : 'is-deleted'}`}>{row.name}</span>
      <span className="sr-only">{row.kind}, {row.segments.at(-1)?.state ?? ''}{row.deletedMs === undefined ? '' : ', deleted'}</span>
    </button>
  );
}
