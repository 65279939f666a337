/** Watch events by object over virtual time: states as bars, changes as marks, faults as bands. */
import { ChevronsDownUp, ChevronsUpDown, Crosshair, LocateFixed, Table2 } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { TimelineMark, TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { paintLife, paintMarks, type RowFrame } from '../../timeline/paint-row.ts';
import { groupedLines, isCollapsed, plainLines } from '../../timeline/lines.ts';
import { useTimeline, type Grouping } from '../../timeline/query.ts';
import { useRange } from '../../timeline/range.ts';
import { TimeCanvas } from '../../timeline/TimeCanvas.tsx';
import { EntryTable } from '../../timeline/EntryTable.tsx';
import { Legend } from './Legend.tsx';
import { GroupHead } from './GroupHead.tsx';
import { RowLabel } from './RowLabel.tsx';
import { useTimelineKeys } from './use-timeline-keys.ts';

const scopes = {
  Workloads: ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'CronJob', 'Job', 'Pod', 'Service'],
  Nodes: ['Node'],
  All: [],
} as const;
type Scope = keyof typeof scopes;
const scopeNames = Object.keys(scopes) as readonly Scope[];
const pageRows = 60;

export function TimelineView() {
  const { selected, select, search, kind, group: givenGroup, go } = useNavigation();
  const { range, follow, show, setFollow } = useRange();
  const nowMs = useClock((state) => state.nowMs);
  const scope = scopeNames.find((name) => name.toLowerCase() === kind) ?? 'Workloads';
  const group = groupings.find((name) => name === givenGroup) ?? 'owner';
  const [table, setTable] = useState(false);
  const [visible, setVisible] = useState({ first: 0, count: 0, width: 0 });
  const [cursor, setCursor] = useState<TimelineMark | undefined>();
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(nothing);
  const [offset, setOffset] = useState(0);
  const {
    timeline,
    offset: at,
    error,
  } = useTimeline({
    range,
    width: visible.width,
    kinds: scopes[scope],
    search: useDeferredValue(search),
    group,
    collapsed: useMemo(() => [...collapsed], [collapsed]),
    offset,
    limit: pageRows * 3,
  });
  const rows = timeline?.rows;
  const lines = useMemo(
    () => (group === 'owner' ? plainLines(timeline?.total ?? 0) : groupedLines(timeline?.groups ?? none, collapsed)),
    [timeline, group, collapsed],
  );
  const owning = useMemo(
    () => new Map((group === 'owner' ? (timeline?.groups ?? none) : none).map(({ key, count }) => [key, count])),
    [timeline, group],
  );
  const rowAt = useCallback(
    (index: number) => {
      const row = lines.rowAt(index);
      return row === undefined ? undefined : rows?.[row - at];
    },
    [rows, at, lines],
  );
  const toggle = useCallback((key: string) => {
    setCollapsed((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  useEffect(() => {
    setOffset(Math.max(0, Math.floor(((lines.rowAt(visible.first) ?? lines.lineAt(visible.first)?.row ?? 0) - pageRows / 2) / pageRows) * pageRows));
  }, [lines, visible.first]);
  const depths = useMemo(() => depthsOf(rows ?? []), [rows]);
  const onVisible = useCallback((first: number, count: number, width: number) => {
    setVisible((before) => (before.first === first && before.count === count && before.width === width ? before : { first, count, width }));
  }, []);
  const onSelect = useCallback(
    (row: TimelineRow, mark: TimelineMark | undefined) => {
      select(row.id);
      setCursor(mark);
    },
    [select],
  );
  const fitRow = useCallback(
    (row: TimelineRow) => {
      show(fitted(row, useClock.getState().nowMs));
    },
    [show],
  );
  const seen = useMemo(() => {
    const found: TimelineRow[] = [];
    for (let i = visible.first; i < visible.first + visible.count; i++) {
      const row = rowAt(i);
      if (row) found.push(row);
    }
    return found;
  }, [visible, rowAt]);
  const loaded = timeline?.range ?? range;
  const selectedIndex = rows?.findIndex((row) => row.id === selected) ?? -1;
  const revealed = useTimelineKeys({ rows: rows ?? [], offset: at, selectedIndex, cursor, setCursor, fitRow });
  const reveal = revealed === undefined ? undefined : lines.indexOf(revealed);
  return (
    <>
      <div className="view-head">
        <h1>Timeline</h1>
        <input
          type="search"
          className="field"
          placeholder="Search   /"
          aria-label="Search objects"
          value={search}
          onChange={(event) => go({ search: event.target.value })}
        />
        <div className="segmented" role="group" aria-label="Kinds">
          {scopeNames.map((one) => (
            <button key={one} type="button" aria-pressed={scope === one} onClick={() => go({ kind: one === 'Workloads' ? '' : one.toLowerCase() })}>
              {one}
            </button>
          ))}
        </div>
        <label className="grouping">
          <span className="muted wide">Group by</span>
          <select
            className="field"
            aria-label="Group by"
            value={group}
            onChange={(event) => {
              go({ group: event.target.value === 'owner' ? '' : event.target.value });
              setCollapsed(nothing);
            }}
          >
            {groupings.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="button icon quiet"
          aria-label={collapsed.size > 0 ? 'Open all groups' : 'Collapse all groups'}
          title={collapsed.size > 0 ? 'Open all groups' : 'Collapse all groups'}
          onClick={() => setCollapsed(collapsed.size > 0 ? nothing : new Set(['*']))}
        >
          {collapsed.size > 0 ? <ChevronsUpDown size={14} aria-hidden /> : <ChevronsDownUp size={14} aria-hidden />}
        </button>
        <div className="grow" />
        <Legend />
        <button type="button" className="button" aria-pressed={follow} onClick={() => setFollow(!follow)} title="Follow now (L)">
          <LocateFixed size={14} aria-hidden />
          <span className="follow-word">Follow</span>
        </button>
        <button
          type="button"
          className="button icon"
          onClick={() => {
            const { nowMs: now, startMs } = useClock.getState();
            useRange.getState().fit(now, startMs);
          }}
          aria-label="Fit everything"
          title="Fit everything (F)"
        >
          <Crosshair size={14} aria-hidden />
        </button>
        <button
          type="button"
          className="button icon"
          aria-pressed={table}
          onClick={() => setTable(!table)}
          aria-label="Entries as a table"
          title="Entries as a table"
        >
          <Table2 size={14} aria-hidden />
        </button>
      </div>
      {error ? <ErrorBox title="The timeline cannot be read" detail={error} /> : null}
      <div className="view-body">
        {timeline?.total === 0 ? (
          <Empty title={search ? `Nothing is called “${search}”` : 'Nothing has happened yet'}>
            {search
              ? 'Clear the search, or choose All kinds.'
              : 'Apply a manifest with kubectl, or run a scenario, and its objects appear here as they change.'}
          </Empty>
        ) : null}
        <div className="split">
          <div className="main">
            {range && loaded ? (
              <TimeCanvas
                label="Objects over time"
                rowAt={rowAt}
                total={lines.total}
                lines={lines}
                renderHead={({ group: { key, count } }) => (
                  <GroupHead by={group} name={key} count={count} collapsed={isCollapsed(collapsed, key)} onToggle={toggle} />
                )}
                rowHeight={18}
                range={range}
                loaded={loaded}
                nowMs={nowMs}
                knownMs={timeline?.range.nowMs ?? nowMs}
                faults={timeline?.faults ?? none}
                cluster={timeline?.cluster}
                selected={selected}
                cursorMs={cursor?.ms}
                paint={paintRow}
                onRange={show}
                onVisible={onVisible}
                onSelect={onSelect}
                onFit={fitRow}
                revealIndex={reveal}
                renderLabel={(row) => (
                  <RowLabel
                    row={row}
                    depth={group === 'owner' ? (depths.get(row.id) ?? 0) : 0}
                    onSelect={onSelect}
                    owns={owning.get(row.id)}
                    collapsed={isCollapsed(collapsed, row.id)}
                    onToggle={toggle}
                  />
                )}
              />
            ) : null}
          </div>
          <div className={table ? 'side-table' : 'sr-only'} tabIndex={table ? 0 : -1} role="region" aria-label="Entries">
            <EntryTable rows={seen} range={range} max={table ? 400 : 60} />
          </div>
        </div>
      </div>
    </>
  );
}

const none: readonly never[] = [];
const nothing: ReadonlySet<string> = new Set();
const groupings: readonly Grouping[] = ['owner', 'node', 'namespace', 'kind'];

function paintRow(context: CanvasRenderingContext2D, row: TimelineRow, frame: RowFrame, layer: 'bars' | 'marks'): void {
  if (layer === 'bars') paintLife(context, row, frame);
  else paintMarks(context, row, frame);
}

function depthsOf(rows: readonly TimelineRow[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const row of rows) depths.set(row.id, row.owner === undefined ? 0 : (depths.get(row.owner) ?? (row.kind === 'Pod' ? 1 : 0)) + 1);
  return depths;
}

function fitted(row: TimelineRow, nowMs: number) {
  const to = row.deletedMs ?? nowMs;
  const margin = Math.max(1000, (to - row.createdMs) * 0.06);
  return { fromMs: row.createdMs - margin, toMs: to + margin };
}
