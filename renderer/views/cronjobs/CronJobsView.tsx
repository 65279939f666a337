/** What became of each planned instant of each CronJob: as lanes over time, as a month, and as a table, all of one ledger. */
import { CalendarClock, LocateFixed } from 'lucide-react';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { TimelineMark, TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import type { AnyObject } from '../../api/objects.ts';
import { findResource, type Resource, useResources } from '../../api/resources.ts';
import { useCollection, watchAhead } from '../../api/watches.ts';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { formatDated } from '../../lib/format.ts';
import { useKeys } from '../../lib/keys.ts';
import { useClock } from '../../state/clock.ts';
import { Coming } from '../../shell/Coming.tsx';
import type { Place } from '../../state/address.ts';
import { onGoingTo } from '../../state/going.ts';
import { useNavigation } from '../../state/navigation.ts';
import { usePast } from '../../state/past.ts';
import { rushesThrough } from '../../state/rush.ts';
import { texts } from '../../texts/texts.ts';
import type { RowFrame } from '../../timeline/paint-row.ts';
import { askForTimeline, type TimelineQuery, useTimeline } from '../../timeline/query.ts';
import { useRange } from '../../timeline/range.ts';
import { TimeCanvas } from '../../timeline/TimeCanvas.tsx';
import { pan, type Range, zoomAround } from '../../timeline/viewport.ts';
import { Calendar, rangeOfMonth } from './Calendar.tsx';
import { LaneLabel } from './LaneLabel.tsx';
import { byLane, isPlannedIn, isSeenIn, marksOf, passes, type Run, runFilters } from './ledger.ts';
import { NoCronJobs, NoRuns, showLastDay } from './NoRuns.tsx';
import { openingOf } from './opening.ts';
import { paintLane } from './paint-lane.ts';
import { RunsSummary } from './RunsSummary.tsx';
import { RunsTable } from './RunsTable.tsx';
import { askForRuns, isWhole, mostOfMonth, useRuns } from './use-runs.ts';
import { zoneJumps } from './zone-jumps.ts';

const words = texts.cronJobs;
const laneHeight = 44;
const dayMs = 86_400_000;
const none: readonly never[] = [];
/** In the version that is served: releases before 1.21 have an older one alone. */
function cronJobsPath({ resources }: { readonly resources: readonly Resource[] }): string {
  return `/apis/batch/${findResource(resources, { resource: 'cronjobs', group: 'batch' })?.version ?? 'v1'}/cronjobs`;
}

const runsKey = 'cronjobruns';
/** Marks are the ledger's: of rows it is asked that they are there, in whatever resolution. */
const width = 1000;

onGoingTo('cronjobs', ({ group }) => {
  const { range, lead } = useRange.getState();
  if (range === undefined || group === 'month') return;
  // Lanes are asked for once: where nobody has chosen a stretch, when it is known which one is shown.
  if (lead) askForRuns(runsKey, range, mostOfMonth);
  else askForTimeline(lanesIn(range));
  watchAhead(cronJobsPath(useResources.getState()), 'full');
});

/** With what moves the range, and not after all was drawn for that. */
function ask(place: Place, range: Range | undefined): TimelineQuery | undefined {
  return place.view === 'cronjobs' ? lanesIn(range) : undefined;
}

function lanesIn(range: Range | undefined): TimelineQuery {
  return { range, width, kinds: ['CronJob'], search: '', offset: 0, limit: 1000, seen: 1000 };
}

export function CronJobsView() {
  const { selected, select, filter: given, group, month, go } = useNavigation();
  const { range: inLanes, lead, follow, show, setFollow } = useRange();
  const nowMs = useClock((state) => state.nowMs);
  const isPast = usePast() !== undefined;
  const isMonth = group === 'month';
  const day = Math.floor(nowMs / dayMs) * dayMs;
  const range = useMemo(() => (isMonth && day > 0 ? rangeOfMonth(month, day) : inLanes), [isMonth, month, day, inLanes]);
  const { runs, atMs, cutBeforeMs, read, error } = useRuns(
    isMonth ? 'cronjobruns of a month' : runsKey,
    range,
    isMonth,
    isMonth || lead ? mostOfMonth : undefined,
  );
  const isOpen = useOpening(runs, error, nowMs);
  const { timeline, error: rowsError } = useTimeline(lanesIn(isOpen ? inLanes : undefined), isOpen ? ask : undefined, false);
  const cronJobs = useCollection(useResources(cronJobsPath), 'full');
  const specs = useMemo(
    () =>
      new Map(
        [...cronJobs.rows.values()].map((one) => [`cronjobs.batch/${one.metadata.namespace ?? ''}/${one.metadata.name ?? ''}`, one as AnyObject]),
      ),
    [cronJobs.version, cronJobs.rows],
  );
  // What the ledger says of a run that was due is of when the ledger was told: who is further on would call it late.
  const second = Math.floor(Math.min(nowMs, runs ? atMs : nowMs) / 1000) * 1000;
  const isRush = useClock((state) => follow && rushesThrough(state, inLanes));
  // Lanes show what the ledger says: of a clock that rushes they go along with what was read of it.
  useLayoutEffect(() => {
    if (isRush && atMs > 0) useRange.getState().tick(atMs, useClock.getState().startMs);
  }, [isRush, atMs]);
  const lanesMs = isRush ? Math.min(nowMs, atMs) : nowMs;
  const lanes = useMemo(() => byLane(runs ?? none), [runs]);
  const rows = useMemo(
    () => (timeline?.rows ?? none).map((row) => ({ ...row, marks: marksOf(lanes.get(row.id) ?? none, second) })),
    [timeline, lanes, second],
  );
  const jumps = useMemo(
    () => new Map([...specs].map(([id, one]) => [id, inLanes ? zoneJumps(zoneOf(one), inLanes.fromMs, inLanes.toMs) : none])),
    [specs, inLanes],
  );
  const rowAt = useCallback((index: number) => rows[index], [rows]);
  const onSelect = useCallback(
    (row: TimelineRow, mark: TimelineMark | undefined) => {
      const run = lanes.get(row.id)?.find(({ job }) => mark !== undefined && job !== '' && mark.text.endsWith(job));
      select(run?.jobRow ?? row.id);
    },
    [select, lanes],
  );
  const onFit = useCallback(
    (row: TimelineRow) => show({ fromMs: row.createdMs - 1000, toMs: (row.deletedMs ?? useClock.getState().nowMs) + 1000 }),
    [show],
  );
  const paint = useCallback(
    (context: CanvasRenderingContext2D, row: TimelineRow, frame: RowFrame, layer: 'bars' | 'marks') =>
      paintLane(context, row, lanes.get(row.id) ?? none, jumps.get(row.id) ?? none, read, { ...frame, nowMs: Math.min(frame.nowMs, second) }, layer),
    [lanes, jumps, read, second],
  );
  useTimeKeys();
  const lane = rows.find(({ id }) => id === selected || (lanes.get(id) ?? none).some(({ jobRow }) => jobRow === selected));
  const filter = runFilters.find((one) => one === given) ?? '';
  const inRange = (run: Run): boolean => range !== undefined && (isMonth ? isPlannedIn(run, range) : isSeenIn(run, range, lanesMs));
  const listed = (lane ? (lanes.get(lane.id) ?? none) : (runs ?? none)).filter(
    (run) => passes(run, filter) && (inRange(run) || filter === 'waiting'),
  );
  const isNothing = range !== undefined && listed.length === 0 && isWhole(range, read, cutBeforeMs);
  const isEmpty = timeline !== undefined && rows.length === 0 && specs.size === 0;
  const last = Math.max(0, ...(runs ?? none).map(({ plannedMs }) => plannedMs));
  const showAhead = (): void => {
    const span = last - nowMs;
    go({ group: '', month: '', filter: 'waiting' });
    show({ fromMs: nowMs - span * 0.25, toMs: last + span * 0.05 });
  };
  const showAll = (): void => {
    go({ group: '', month: '', ...(filter === 'waiting' ? { filter: '' } : {}) });
    showLastDay();
  };
  return (
    <>
      <div className="view-head">
        <h1>{words.title}</h1>
        <div className="segmented" role="group" aria-label={words.shapes}>
          {[false, true].map((asMonth) => (
            <button
              key={String(asMonth)}
              type="button"
              aria-pressed={isMonth === asMonth}
              onClick={() => go({ group: asMonth ? 'month' : '', ...(asMonth ? {} : { month: '' }) })}
            >
              {asMonth ? words.calendar : words.lanes}
            </button>
          ))}
        </div>
        <div className="segmented" role="group" aria-label={words.filtersLabel}>
          {runFilters.map((one) => (
            <button key={one} type="button" aria-pressed={filter === one} onClick={() => go({ filter: one })}>
              {words.filters[one]}
            </button>
          ))}
        </div>
        <div className="grow" />
        <button type="button" className="button" disabled={isEmpty} onClick={showAll} title={words.lastDay}>
          {words.lastDayShort}
        </button>
        <button type="button" className="button" disabled={last <= nowMs} onClick={showAhead} title={words.nextTenTitle}>
          <CalendarClock size={14} aria-hidden />
          {words.nextTen}
        </button>
        <button type="button" className="button" aria-pressed={follow} onClick={() => setFollow(!follow)} title={words.followTitle}>
          <LocateFixed size={14} aria-hidden />
          {words.follow}
        </button>
      </div>
      {isPast ? <p className="map-note">{words.ofNow}</p> : null}
      {rowsError || error ? <ErrorBox title={words.cannotRead} detail={rowsError || error} /> : null}
      <div className="view-body">
        <div className="split lanes">
          <div className="main">
            {timeline && rows.length === 0 ? <NoCronJobs existNow={specs.size > 0} /> : null}
            {isMonth && nowMs > 0 ? (
              <Calendar
                atMs={nowMs}
                month={month}
                lane={lane?.id}
                runs={runs}
                cutBeforeMs={cutBeforeMs}
                onMonth={(other) => go({ month: other })}
                onDay={(day) => {
                  go({ group: '', month: '' });
                  show(day);
                }}
              />
            ) : !isOpen ? (
              <Coming />
            ) : inLanes && !isEmpty ? (
              <TimeCanvas
                label={words.overTime}
                rowAt={rowAt}
                total={rows.length}
                rowHeight={laneHeight}
                range={inLanes}
                loaded={timeline?.range ?? inLanes}
                nowMs={lanesMs}
                knownMs={isRush ? lanesMs : (timeline?.range.nowMs ?? nowMs)}
                faults={timeline?.faults ?? none}
                selected={lane?.id ?? ''}
                cursorMs={undefined}
                onRange={show}
                onSelect={onSelect}
                onFit={onFit}
                paint={paint}
                renderLabel={(row) => (
                  <LaneLabel row={row} cronJob={specs.get(row.id)} runs={runs && (lanes.get(row.id) ?? none)} nowMs={second} onSelect={select} />
                )}
              />
            ) : null}
          </div>
          <div className="side-table" hidden={isEmpty} tabIndex={0} role="region" aria-label={words.runs}>
            {runs && rows.length > 0 ? (
              <RunsSummary name={lane?.name ?? words.allOfThem} runs={(lane ? (lanes.get(lane.id) ?? none) : runs).filter(inRange)} />
            ) : null}
            {cutBeforeMs !== undefined && range && cutBeforeMs > range.fromMs ? (
              <p className="runs-summary warn" role="status">
                {words.cut(formatDated(cutBeforeMs))}
              </p>
            ) : null}
            {isNothing && rows.length > 0 ? <NoRuns filter={filter} /> : null}
            {listed.length > 0 ? <RunsTable runs={listed} nowMs={second} /> : null}
          </div>
        </div>
      </div>
    </>
  );
}

/**
 * Once it is known what is planned the view opens on that, if nobody has gone elsewhere meanwhile; what is planned later moves nothing. Whether it is known
 * which stretch is shown: before that nothing is asked for it.
 */
function useOpening(runs: readonly Run[] | undefined, error: string, nowMs: number): boolean {
  const isChosen = useRange(({ lead }) => lead === undefined);
  const [isKnown, setKnown] = useState(false);
  const isLeaned = useRef(false);
  useLayoutEffect(() => {
    if (runs === undefined && error === '') return;
    if (!isLeaned.current && runs !== undefined && runs.length > 0) {
      isLeaned.current = true;
      const { lead, lean } = useRange.getState();
      if (lead) lean(openingOf(runs, nowMs) ?? lead);
    }
    setKnown(true);
  }, [runs, error]);
  return isChosen || isKnown;
}

function zoneOf({ spec }: AnyObject): string {
  return typeof spec?.['timeZone'] === 'string' ? spec['timeZone'] : '';
}

function useTimeKeys(): void {
  const zoom = (factor: number): void => {
    const { range, show } = useRange.getState();
    if (range) show(zoomAround(range, (range.fromMs + range.toMs) / 2, factor));
  };
  const move = (share: number): void => {
    const { range, show } = useRange.getState();
    if (range) show(pan(range, share));
  };
  useKeys({
    w: () => zoom(0.7),
    s: () => zoom(1 / 0.7),
    a: () => move(-0.2),
    d: () => move(0.2),
    f: () => {
      const { nowMs, startMs } = useClock.getState();
      useRange.getState().fit(nowMs, startMs);
    },
    l: () => useRange.getState().setFollow(!useRange.getState().follow),
  });
}
