/** A lane per CronJob: planned times as open ticks, starts as dots at their true time, runs as bars, missed runs as crosses. */
import { LocateFixed } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { TimelineMark, TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { plural } from '../../lib/format.ts';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useTimeline } from '../../timeline/query.ts';
import { useRange } from '../../timeline/range.ts';
import { TimeCanvas } from '../../timeline/TimeCanvas.tsx';
import { zoomAround, pan } from '../../timeline/viewport.ts';
import { useKeys } from '../../lib/keys.ts';
import { lanesOf } from './lanes.ts';
import { paintLane } from './paint-lane.ts';
import { RunsTable } from './RunsTable.tsx';

export function CronJobsView() {
  const { selected, select } = useNavigation();
  const { range, follow, show, setFollow } = useRange();
  const nowMs = useClock((state) => state.nowMs);
  const [width, setWidth] = useState(0);
  const { timeline, error } = useTimeline({ range, width, kinds: ['CronJob', 'Job'], search: '', offset: 0, limit: 1000 });
  const lanes = useMemo(() => lanesOf(timeline?.rows ?? []), [timeline]);
  const rowAt = useCallback((index: number) => lanes[index]?.row, [lanes]);
  const runsOf = useMemo(() => new Map(lanes.map(({ row, runs }) => [row.id, runs])), [lanes]);
  const onVisible = useCallback((_first: number, _count: number, plot: number) => setWidth(plot), []);
  const onSelect = useCallback((row: TimelineRow, mark: TimelineMark | undefined) => { select(runsOf.get(row.id)?.find((run) => mark !== undefined && mark.text.includes(run.name))?.id ?? row.id); }, [select, runsOf]);
  const fit = useCallback((row: TimelineRow) => { show({ fromMs: row.createdMs - 1000, toMs: (row.deletedMs ?? useClock.getState().nowMs) + 1000 }); }, [show]);
  const zoom = (factor: number) => { if (range) show(zoomAround(range, (range.fromMs + range.toMs) / 2, factor)); };
  useKeys({ w: () => zoom(0.7), s: () => zoom(1 / 0.7), a: () => range && show(pan(range, -0.2)), d: () => range && show(pan(range, 0.2)), f: () => { const { nowMs: now, startMs } = useClock.getState(); useRange.getState().fit(now, startMs); }, l: () => setFollow(!follow) });
  const lane = lanes.find(({ row, runs }) => row.id === selected || runs.some((run) => run.id === selected));
  return (
    <>
      <div className="view-head">
        <h1>CronJobs</h1>
        <div className="legend" aria-hidden><span>□ planned</span><span>● started</span><span>■ finished</span><span className="bad">✕ missed</span><span className="warn">⊘ skipped</span></div>
        <div style={{ flex: 1 }} />
        <button type="button" className="button" aria-pressed={follow} onClick={() => setFollow(!follow)} title="Follow now (L)"><LocateFixed size={14} aria-hidden />Follow</button>
      </div>
      {error ? <ErrorBox title="The runs cannot be read" detail={error} /> : null}
      <div className="view-body"><div className="split">
        <div className="main">
          {timeline && lanes.length === 0 ? <Empty title="No CronJobs">Create one and its runs appear here: <code>kubectl create cronjob hello --image=busybox --schedule="*/5 * * * *" -- echo hello</code></Empty> : null}
          {range ? <TimeCanvas label="CronJobs over time" rowAt={rowAt} total={lanes.length} rowHeight={44} range={range} loaded={timeline?.range ?? range} nowMs={nowMs} faults={timeline?.faults ?? none} selected={lane?.row.id ?? ''} cursorMs={undefined} onRange={show} onVisible={onVisible} onSelect={onSelect} onFit={fit}
            paint={(context, row, frame, layer) => paintLane(context, row, runsOf.get(row.id) ?? none, frame, layer)}
            renderLabel={(row) => <button type="button" style={{ paddingLeft: 12 }} onClick={() => select(row.id)}><span style={{ display: 'grid' }}><span className="ellipsis">{row.name}</span><span className="muted">{row.namespace} · {plural(runsOf.get(row.id)?.length ?? 0, 'run')}</span></span></button>} /> : null}
        </div>
        <div className="side-table" tabIndex={0} role="region" aria-label="Runs"><RunsTable lanes={lane ? [lane] : lanes} /></div>
      </div></div>
    </>
  );
}

const none: readonly never[] = [];
