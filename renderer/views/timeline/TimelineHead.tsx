/** What the timeline shows, chosen: kinds, which rows, their order; and what is done with it. */
import { ChevronsDownUp, ChevronsUpDown, Crosshair, GitCompareArrows, LocateFixed, Table2 } from 'lucide-react';
import { memo } from 'react';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { texts } from '../../texts/texts.ts';
import type { Grouping, Sorting } from '../../timeline/query.ts';
import { useRange } from '../../timeline/range.ts';

const words = texts.timeline;

export const scopes = {
  Workloads: ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'CronJob', 'Job', 'Pod', 'Service'],
  Nodes: ['Node'],
  All: [],
} as const;
export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as readonly Scope[];
export const groupings: readonly Grouping[] = ['owner', 'node', 'namespace', 'kind'];
export const sortings: readonly Sorting[] = ['trouble', 'time', 'size'];
const filters = Object.keys(words.filters) as readonly (keyof typeof words.filters)[];

export interface TimelineHeadProps {
  readonly scope: Scope;
  readonly order: Grouping | Sorting;
  readonly isCollapsed: boolean;
  readonly onCollapse: (all: boolean) => void;
  readonly table: boolean;
  readonly onTable: (shown: boolean) => void;
  readonly onCompare: () => void;
}

export const TimelineHead = memo(function TimelineHead({ scope, order, isCollapsed, onCollapse, table, onTable, onCompare }: TimelineHeadProps) {
  const { search, filter, compared, go } = useNavigation();
  const follow = useRange((state) => state.follow);
  const setFollow = useRange((state) => state.setFollow);
  const collapse = isCollapsed ? words.openGroups : words.collapseGroups;
  return (
    <div className="view-head timeline-head">
      <h1>{words.title}</h1>
      <input
        type="search"
        className="field"
        placeholder={words.search}
        aria-label={words.searchLabel}
        value={search}
        onChange={(event) => go({ search: event.target.value })}
      />
      <div className="segmented" role="group" aria-label={words.kinds}>
        {scopeNames.map((one) => (
          <button key={one} type="button" aria-pressed={scope === one} onClick={() => go({ kind: one === 'Workloads' ? '' : one.toLowerCase() })}>
            {one}
          </button>
        ))}
      </div>
      <select
        className="field"
        aria-label={words.rows}
        value={filters.find((one) => one === filter) ?? ''}
        onChange={(event) => go({ filter: event.target.value })}
      >
        {filters.map((one) => (
          <option key={one} value={one}>
            {words.filters[one]}
          </option>
        ))}
      </select>
      <select
        className="field"
        aria-label={words.groupBy}
        value={order}
        onChange={(event) => {
          go({ group: event.target.value === 'owner' ? '' : event.target.value, folded: '' });
        }}
      >
        {[...groupings, ...sortings].map((one) => (
          <option key={one} value={one}>
            {words.orders[one]}
          </option>
        ))}
      </select>
      <button type="button" className="button icon quiet" aria-label={collapse} title={collapse} onClick={() => onCollapse(!isCollapsed)}>
        {isCollapsed ? <ChevronsUpDown size={14} aria-hidden /> : <ChevronsDownUp size={14} aria-hidden />}
      </button>
      <div className="grow" />
      <button type="button" className="button" aria-pressed={compared !== undefined} onClick={onCompare} title={texts.changes.compareTitle}>
        <GitCompareArrows size={14} aria-hidden />
        <span className="follow-word">{texts.changes.compare}</span>
      </button>
      <button type="button" className="button" aria-pressed={follow} onClick={() => setFollow(!follow)} title={words.followTitle}>
        <LocateFixed size={14} aria-hidden />
        <span className="follow-word">{words.follow}</span>
      </button>
      <button
        type="button"
        className="button icon"
        onClick={() => {
          const { nowMs, startMs } = useClock.getState();
          useRange.getState().fit(nowMs, startMs);
        }}
        aria-label={words.fit}
        title={words.fitTitle}
      >
        <Crosshair size={14} aria-hidden />
      </button>
      <button type="button" className="button icon" aria-pressed={table} onClick={() => onTable(!table)} aria-label={words.table} title={words.table}>
        <Table2 size={14} aria-hidden />
      </button>
    </div>
  );
});
