/** A lane per CronJob: planned times as open ticks, starts as dots at their true time, runs as bars, missed runs as crosses. */
import { CalendarClock, LocateFixed } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { TimelineMark, TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import type { AnyObject } from '../../api/objects.ts';
import { useCollection } from '../../api/watches.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { formatDate, formatDuration, formatTime, plural } from '../../lib/format.ts';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useTimeline } from '../../timeline/query.ts';
import { useRange } from '../../timeline/range.ts';
import { TimeCanvas } from '../../timeline/TimeCanvas.tsx';
import { zoomAround, pan } from '../../timeline/viewport.ts';
import { useKeys } from '../../lib/keys.ts';
import { lanesOf } from './lanes.ts';
import { paintLane } from './paint-lane.ts';
import { planOf, type Plan } from './plan.ts';
import type { RowFrame } from '../../timeline/paint-row.ts';
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
  const onSelect = useCallback(
    (row: TimelineRow, mark: TimelineMark | undefined) => {
      select(runsOf.get(row.id)?.find((run) => mark !== undefined && mark.text.includes(run.name))?.id ?? row.id);
    },
    [select, runsOf],
  );
  const fit = useCallback(
    (row: TimelineRow) => {
      show({ fromMs: row.createdMs - 1000, toMs: (row.deletedMs ?? useClock.getState().nowMs) + 1000 });
    },
    [show],
  );
  const zoom = (factor: number) => {
    if (range) show(zoomAround(range, (range.fromMs + range.toMs) / 2, factor));
  };
  useKeys({
    w: () => zoom(0.7),
    s: () => zoom(1 / 0.7),
    a: () => range && show(pan(range, -0.2)),
    d: () => range && show(pan(range, 0.2)),
    f: () => {
      const { nowMs: now, startMs } = useClock.getState();
      useRange.getState().fit(now, startMs);
    },
    l: () => setFollow(!follow),
  });
  const cronJobs = useCollection('/apis/batch/v1/cronjobs', 'full');
  const plannedAt = Math.floor(nowMs / 1000) * 1000;
  const plans = useMemo(
    () =>
      new Map(
        [...cronJobs.rows.values()].map((one) => [
          `cronjobs.batch/${one.metadata.namespace ?? ''}/${one.metadata.name ?? ''}`,
          range ? planOf(one as AnyObject, range, plannedAt) : undefined,
        ]),
      ),
    [cronJobs.version, cronJobs.rows, range, plannedAt],
  );
  const paint = useCallback(
    (context: CanvasRenderingContext2D, row: TimelineRow, frame: RowFrame, layer: 'bars' | 'marks') =>
      paintLane(context, row, runsOf.get(row.id) ?? none, plans.get(row.id), frame, layer),
    [runsOf, plans],
  );
  const ahead = () => {
    const last = Math.max(0, ...[...plans.values()].map((plan) => plan?.next[nextShown - 1] ?? 0));
    if (last > 0) {
      const span = last - nowMs;
      show({ fromMs: nowMs - span * 0.25, toMs: last + span * 0.05 });
    }
  };
  const lane = lanes.find(({ row, runs }) => row.id === selected || runs.some((run) => run.id === selected));
  return (
    <>
      <div className="view-head">
        <h1>CronJobs</h1>
        <div className="legend" aria-hidden>
          <span>□ planned</span>
          <span>● started</span>
          <span>■ finished</span>
          <span className="bad">✕ missed</span>
          <span className="warn">⊘ skipped</span>
        </div>
        <div className="grow" />
        <button type="button" className="button" onClick={ahead} title="Show the next ten runs of every CronJob">
          <CalendarClock size={14} aria-hidden />
          Next ten
        </button>
        <button type="button" className="button" aria-pressed={follow} onClick={() => setFollow(!follow)} title="Follow now (L)">
          <LocateFixed size={14} aria-hidden />
          Follow
        </button>
      </div>
      {error ? <ErrorBox title="The runs cannot be read" detail={error} /> : null}
      <div className="view-body">
        <div className="split lanes">
          <div className="main" style={lanes.length > 0 ? { flexBasis: lanes.length * 44 + 29 } : {}}>
            {timeline && lanes.length === 0 ? (
              <Empty title="No CronJobs">
                Create one and its runs appear here: <code>kubectl create cronjob hello --image=busybox --schedule="*/5 * * * *" -- echo hello</code>
              </Empty>
            ) : null}
            {range ? (
              <TimeCanvas
                label="CronJobs over time"
                rowAt={rowAt}
                total={lanes.length}
                rowHeight={44}
                range={range}
                loaded={timeline?.range ?? range}
                nowMs={nowMs}
                knownMs={timeline?.range.nowMs ?? nowMs}
                faults={timeline?.faults ?? none}
                selected={lane?.row.id ?? ''}
                cursorMs={undefined}
                onRange={show}
                onVisible={onVisible}
                onSelect={onSelect}
                onFit={fit}
                paint={paint}
                renderLabel={(row) => (
                  <button type="button" style={{ paddingLeft: 12 }} onClick={() => select(row.id)}>
                    <span className="lane-name">
                      <span className="ellipsis">{row.name}</span>
                      <span className="muted ellipsis">
                        {laneText(plans.get(row.id), nowMs) || `${row.namespace ?? ''} · ${plural(runsOf.get(row.id)?.length ?? 0, 'run')}`}
                      </span>
                    </span>
                  </button>
                )}
              />
            ) : null}
          </div>
          <div className="side-table" tabIndex={0} role="region" aria-label="Runs">
            <RunsTable lanes={lane ? [lane] : lanes} />
          </div>
        </div>
      </div>
    </>
  );
}

const none: readonly never[] = [];
const nextShown = 10;
const dayMs = 86_400_000;

/** `0 3 * * * Europe/Berlin · next in 4m 10s`. */
function laneText(plan: Plan | undefined, nowMs: number): string {
  if (!plan) return '';
  if (plan.problem) return `schedule cannot be read: ${plan.problem}`;
  const next = plan.next[0];
  const when = plan.suspended
    ? 'suspended'
    : next === undefined
      ? 'never due again'
      : next - nowMs < dayMs
        ? `next ${formatTime(next)}, in ${formatDuration(next - nowMs)}`
        : `next ${formatDate(next)}`;
  return `${plan.schedule}${plan.zone ? ` ${plan.zone}` : ''} · ${when}`;
}
