/** Name of a row, indented under its owner; what owns others can be collapsed. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { shorten } from '../../lib/shorten.ts';
import { texts } from '../../texts/texts.ts';
import type { TimelineMark, TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';

const words = texts.timeline;
/** Of some kinds any text is a name. */
const nameMax = 260;
const shortKinds: Readonly<Record<string, string>> = {
  Pod: 'po',
  Deployment: 'dep',
  ReplicaSet: 'rs',
  StatefulSet: 'sts',
  DaemonSet: 'ds',
  Job: 'job',
  CronJob: 'cj',
  Node: 'node',
  Service: 'svc',
  ConfigMap: 'cm',
  Namespace: 'ns',
};

/** Deeper ones stand below one another: a name needs its room too. */
const indentsMax = 8;

export interface RowLabelProps {
  readonly row: TimelineRow;
  readonly depth: number;
  /** How it is at the instant that is shown, for who hears it. */
  readonly said: string;
  /** Then, and not later. */
  readonly isDeleted: boolean;
  /** Where neither an owner above nor the group tells it. */
  readonly withNamespace: boolean;
  readonly onSelect: (row: TimelineRow, mark: TimelineMark | undefined) => void;
  /** How many rows it owns; absent where none. */
  readonly owns: number | undefined;
  readonly collapsed: boolean;
  readonly onToggle: (id: string) => void;
}

export const RowLabel = memo(function RowLabel({ row, depth, said, isDeleted, withNamespace, onSelect, owns, collapsed, onToggle }: RowLabelProps) {
  const indent = Math.min(depth, indentsMax) * 12;
  const name = shorten(row.name, nameMax);
  const Chevron = collapsed ? ChevronRight : ChevronDown;
  return (
    <>
      {owns === undefined ? null : (
        <button
          type="button"
          className="twist"
          style={{ left: 2 + indent }}
          aria-expanded={!collapsed}
          aria-label={collapsed ? words.open(name) : words.collapse(name)}
          onClick={() => onToggle(row.id)}
        >
          <Chevron size={12} aria-hidden />
        </button>
      )}
      <button
        type="button"
        style={{ paddingLeft: 18 + indent }}
        onClick={() => onSelect(row, undefined)}
        title={`${row.kind} ${row.namespace ? `${row.namespace}/` : ''}${name}`}
      >
        <span className="kind" aria-hidden>
          {shortKinds[row.kind] ?? row.kind.slice(0, 3).toLowerCase()}
        </span>
        <span className={`ellipsis ${isDeleted ? 'is-deleted' : ''}`}>{name}</span>
        {withNamespace && row.namespace && row.namespace !== 'default' ? (
          <span className="muted namespace ellipsis" aria-hidden>
            {row.namespace}
          </span>
        ) : null}
        {collapsed && owns !== undefined ? <span className="muted count">{words.owned(owns)}</span> : null}
        <span className="sr-only">{said}</span>
      </button>
    </>
  );
});
