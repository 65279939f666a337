/** Watch events by object over virtual time: states as bars, changes as marks, faults as bands. */
import { Crosshair, LocateFixed, Table2 } from 'lucide-react';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import type { TimelineMark, TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { paintLife, paintMarks, type RowFrame } from '../../timeline/paint-row.ts';
import { useTimeline } from '../../timeline/query.ts';
import { useRange } from '../../timeline/range.ts';
import { TimeCanvas } from '../../timeline/TimeCanvas.tsx';
import { EntryTable } from '../../timeline/EntryTable.tsx';
import { Legend } from './Legend.tsx';
import { RowLabel } from './RowLabel.tsx';
import { useTimelineKeys } from './use-timeline-keys.ts';

const scopes = { Workloads: ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'CronJob', 'Job', 'Pod'], Nodes: ['Node'], All: [] } as const;
type Scope = keyof typeof scopes;
const pageRows = 60;

export function TimelineView() {
  const { selected, select, search, go } = useNavigation();
  const { range, follow, show, setFollow } = useRange();
  const nowMs = useClock((state) => state.nowMs);
  const [scope, setScope] = useState<Scope>('Workloads');
  const [table, setTable] = useState(false);
  const [visible, setVisible] = useState({ first: 0, count: 0, width: 0 });
  const [cursor, setCursor] = useState<TimelineMark | undefined>();
  const offset = Math.max(0, Math.floor((visible.first - pageRows / 2) / pageRows) * pageRows);
  const { timeline, offset: at, error } = useTimeline({ range, width: visible.width, kinds: scopes[scope], search: useDeferredValue(search), offset, limit: pageRows * 3 });
  const rows = timeline?.rows;
  const rowAt = useCallback((index: number) => rows?.[index - at], [rows, at]);
  const depths = useMemo(() => depthsOf(rows ?? []), [rows]);
  const onVisible = useCallback((first: number, count: number, width: number) => { setVisible((before) => (before.first === first && before.count === count && before.width === width ? before : { first, count, width })); }, []);
  const onSelect = useCallback((row: TimelineRow, mark: TimelineMark | undefined) => { select(row.id); setCursor(mark); }, [select]);
  const fitRow = useCallback((row: TimelineRow) => { show(fitted(row, useClock.getState().nowMs)); }, [show]);
  const loaded = timeline?.range ?? range;
  const selectedIndex = rows?.findIndex((row) => row.id === selected) ?? -1;
  const reveal = useTimelineKeys({ rows: rows ?? [], offset: at, selectedIndex, cursor, setCursor, fitRow });
  return (
    <>
      <div className="view-head">
        <h1>Timeline</h1>
        <input type="search" className="field" placeholder="Search   /" aria-label="Search objects" value={search} onChange={(event) => go({ search: event.target.value })} style={{ width: 150 }} />
        <div className="segmented" role="group" aria-label="Kinds">{(Object.keys(scopes) as Scope[]).map((one) => <button key={one} type="button" aria-pressed={scope === one} onClick={() => setScope(one)}>{one}</button>)}</div>
        <div style={{ flex: 1 }} />
        <Legend />
        <button type="button" className="button" aria-pressed={follow} onClick={() => setFollow(!follow)} title="Follow now (L)"><LocateFixed size={14} aria-hidden />Follow</button>
        <button type="button" className="button icon" onClick={() => { const { nowMs: now, startMs } = useClock.getState(); useRange.getState().fit(now, startMs); }} aria-label="Fit everything" title="Fit everything (F)"><Crosshair size={14} aria-hidden /></button>
        <button type="button" className="button icon" aria-pressed={table} onClick={() => setTable(!table)} aria-label="Entries as a table" title="Entries as a table"><Table2 size={14} aria-hidden /></button>
      </div>
      {error ? <ErrorBox title="The timeline cannot be read" detail={error} /> : null}
      <div className="view-body">
        {timeline?.total === 0 ? <Empty title={search ? `Nothing is called “${search}”` : 'Nothing has happened yet'}>{search ? 'Clear the search, or choose All kinds.' : 'Apply a manifest with kubectl, or run a scenario, and its objects appear here as they change.'}</Empty> : null}
        <div className="split">
          <div className="main">
            {range && loaded ? <TimeCanvas label="Objects over time" rowAt={rowAt} total={timeline?.total ?? 0} rowHeight={18} range={range} loaded={loaded} nowMs={nowMs} faults={timeline?.faults ?? none} selected={selected} cursorMs={cursor?.ms} paint={paintRow} onRange={show} onVisible={onVisible} onSelect={onSelect} onFit={fitRow} revealIndex={reveal}
              renderLabel={(row) => <RowLabel row={row} depth={depths.get(row.id) ?? 0} onSelect={onSelect} />} /> : null}
          </div>
          <div className={table ? 'side-table' : 'sr-only'} tabIndex={table ? 0 : -1} role="region" aria-label="Entries"><EntryTable rows={rows?.slice(Math.max(0, visible.first - at), Math.max(0, visible.first - at) + visible.count) ?? []} range={range} max={table ? 400 : 60} /></div>
        </div>
      </div>
    </>
  );
}

const none: readonly never[] = [];

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
