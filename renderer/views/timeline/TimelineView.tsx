/** Watch events by object over virtual time: states as bars, changes as marks, faults as bands. */
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { TimelineMark, TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { useRested } from '../../lib/use-rested.ts';
import { useWindowSize } from '../../lib/use-window-size.ts';
import type { Place } from '../../state/address.ts';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { rushesThrough } from '../../state/rush.ts';
import { isDeletedAt, rowWords, statesIn } from '../../timeline/row-words.ts';
import { paintLife, paintMarks, type RowFrame } from '../../timeline/paint-row.ts';
import { groupedLines, isCollapsed, type Line, plainLines } from '../../timeline/lines.ts';
import { type TimelineQuery, useTimeline } from '../../timeline/query.ts';
import { grainMs, useRange } from '../../timeline/range.ts';
import type { Range } from '../../timeline/viewport.ts';
import { TimeCanvas } from '../../timeline/TimeCanvas.tsx';
import { EntryTable } from '../../timeline/EntryTable.tsx';
import { goToChange } from '../../shell/inspector/use-change-keys.ts';
import { texts } from '../../texts/texts.ts';
import { RunRows } from '../scenarios/RunRows.tsx';
import { Differences } from './Differences.tsx';
import { Forgotten, isCut } from './Forgotten.tsx';
import { GroupHead } from './GroupHead.tsx';
import { Legend } from './Legend.tsx';
import { toldMarks } from './legend-states.ts';
import { HiddenRow } from './HiddenRow.tsx';
import { OutOfTime } from './OutOfTime.tsx';
import { RowLabel } from './RowLabel.tsx';
import { groupings, type Scope, scopeNames, scopes, sortings, TimelineHead } from './TimelineHead.tsx';
import { askForDifferences } from './use-differences.ts';
import { useLinks } from './use-links.ts';
import { useTimelineKeys } from './use-timeline-keys.ts';

const words = texts.timeline;
const rowHeight = 18;
/**
 * What is asked for fits the window, not what the canvas is just now: an inspector beside it or a comparison below it asks nothing anew, and nobody waits for
 * it to be measured. Rows come by pages: what is seen, with a half before it at least and one after it.
 */
const plotShare = 0.7;
const frameHeight = 230;
const pageStep = 10;
const restMs = 300;
/** What came at the instant at which a picture ends is no part of it. */
const beforeEndMs = 0.001;

export function TimelineView() {
  const { selected, select, revision, search, kind, filter, group: givenOrder, folded, compared, table, go } = useNavigation();
  const { range, follow, show } = useRange();
  // As far as it can be seen to move: at the speed of a wall clock it takes a second for a pixel.
  const grain = range ? grainMs(range) : 1;
  const clockMs = useClock((state) => (grain < 1 ? state.nowMs : Math.floor(state.nowMs / grain) * grain));
  const isRush = useClock((state) => follow && rushesThrough(state, range));
  const startMs = useClock((state) => state.startMs);
  const { scope, order } = choiceOf(kind, givenOrder);
  const [visible, setVisible] = useState({ first: 0, count: 0 });
  const [cursor, setCursor] = useState<TimelineMark | undefined>();
  const [offset, setOffset] = useState(0);
  const view = useWindowSize();
  const pageRows = Math.max(1, Math.ceil((view.height - frameHeight) / rowHeight / pageStep)) * pageStep;
  const queryAt = (place: Place, at: Range | undefined): TimelineQuery => {
    const { scope, group, sort } = choiceOf(place.kind, place.group);
    const { search, filter } = place;
    const limit = pageRows * 3;
    // A change may be of a row that stands elsewhere, which is gone to.
    const seen = place.revision === undefined ? Math.max(pageRows, visible.first + visible.count - offset) : limit;
    const shown = { range: at, width: view.width * plotShare, offset, limit, seen };
    return { ...shown, kinds: scopes[scope], search, filter, group, sort, collapsed: [...foldedOf(place.folded)] };
  };
  const {
    timeline,
    query,
    offset: at,
    error,
  } = useTimeline(queryAt(useNavigation.getState(), range), (place, to) => (place.view === 'timeline' ? queryAt(place, to) : undefined));
  const nowMs = isRush ? Math.min(clockMs, timeline?.range.nowMs ?? clockMs) : clockMs;
  const rows = timeline?.rows;
  // Rows stand as they were asked for, until those that are asked for now are here.
  const group = query?.group ?? 'owner';
  const shownOrder = query?.sort ?? group;
  const collapsed = useMemo<ReadonlySet<string>>(() => new Set(query?.collapsed), [query]);
  const lines = useMemo(
    () => (shownOrder === group && group !== 'owner' ? groupedLines(timeline?.groups ?? none, collapsed) : plainLines(timeline?.total ?? 0)),
    [timeline, group, shownOrder, collapsed],
  );
  const owning = useMemo(
    () => new Map((shownOrder === 'owner' ? (timeline?.groups ?? none) : none).map(({ key, count }) => [key, count])),
    [timeline, shownOrder],
  );
  const rowAt = useCallback(
    (index: number) => {
      const row = lines.rowAt(index);
      return row === undefined ? undefined : rows?.[row - at];
    },
    [rows, at, lines],
  );
  const toggle = useCallback(
    (key: string) => {
      const next = new Set(foldedOf(useNavigation.getState().folded));
      if (!next.delete(key)) next.add(key);
      go({ folded: [...next].join(',') });
    },
    [go],
  );
  useEffect(() => {
    setOffset(Math.max(0, Math.floor(((lines.rowAt(visible.first) ?? lines.lineAt(visible.first)?.row ?? 0) - pageRows / 2) / pageRows) * pageRows));
  }, [lines, visible.first, pageRows]);
  const depths = useMemo(() => depthsOf(rows ?? []), [rows]);
  const onVisible = useCallback((first: number, count: number) => {
    setVisible((before) => (before.first === first && before.count === count ? before : { first, count }));
  }, []);
  const onSelect = useCallback(
    (row: TimelineRow, mark: TimelineMark | undefined) => {
      if (mark?.revision === undefined) select(row.id);
      else goToChange(row.id, mark.revision);
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
  // Nobody who looks at the canvas waits for its table.
  const listed = useDeferredValue(seen);
  const statesSeen = useMemo(() => (range ? statesIn(seen, range.fromMs, range.toMs).join(' ') : ''), [seen, range]);
  const states = useMemo(() => statesSeen.split(' ').filter((one) => one !== ''), [statesSeen]);
  const marksSeen = useMemo(() => (range ? toldMarks(seen, range.fromMs, range.toMs).join(' ') : ''), [seen, range]);
  const loaded = timeline?.range ?? range;
  const forgottenUntilMs = timeline?.range.forgottenUntilMs;
  const selectedIndex = rows?.findIndex((row) => row.id === selected) ?? -1;
  const shown = useLinks({ rows, offset: at, lines });
  const ofChange = revision === undefined ? undefined : rows?.[selectedIndex]?.marks.find((mark) => mark.revision === revision);
  const compare = useCallback(
    (fromMs: number, toMs: number) => {
      const compared = [Math.floor(fromMs), Math.ceil(toMs)] as const;
      const { became, find } = useNavigation.getState();
      askForDifferences({ compared, change: became, search: find });
      go({ compared });
    },
    [go],
  );
  /** The ends of what is shown, as far as time has come. */
  const compareShown = useCallback(() => {
    const shown = useRange.getState().range;
    if (compared) go({ compared: undefined });
    else if (shown) compare(Math.max(1, shown.fromMs), Math.min(shown.toMs, useClock.getState().nowMs));
  }, [compared, compare, go]);
  const onCollapse = useCallback((all: boolean) => go({ folded: all ? '*' : '' }), [go]);
  const onTable = useCallback((shown: boolean) => go({ table: shown }), [go]);
  const revealed = useTimelineKeys({
    rows: rows ?? [],
    offset: at,
    selectedIndex,
    cursor: ofChange ?? cursor,
    onMark: onSelect,
    setCursor,
    fitRow,
    compareShown,
  });
  const renderHead = useCallback(
    ({ group: { key, count } }: Line) => <GroupHead by={group} name={key} count={count} collapsed={isCollapsed(collapsed, key)} onToggle={toggle} />,
    [group, collapsed, toggle],
  );
  // Nobody who moves hears how each row is meanwhile.
  const saidMs = useRested(Math.min((range?.toMs ?? 0) - beforeEndMs, timeline?.range.nowMs ?? 0), restMs);
  const renderLabel = useCallback(
    (row: TimelineRow) => (
      <RowLabel
        row={row}
        said={rowWords(row, saidMs)}
        isDeleted={isDeletedAt(row, saidMs)}
        depth={shownOrder === 'owner' ? (depths.get(row.id) ?? 0) : 0}
        withNamespace={shownOrder !== 'namespace' && (shownOrder !== 'owner' || !depths.get(row.id))}
        onSelect={onSelect}
        owns={owning.get(row.id)}
        collapsed={isCollapsed(collapsed, row.id)}
        onToggle={toggle}
      />
    ),
    [shownOrder, depths, owning, collapsed, onSelect, toggle, saidMs],
  );
  const above = useMemo(() => (range ? <RunRows range={range} nowMs={nowMs} /> : null), [range, nowMs]);
  const reveal = shown.reveal ?? (revealed === undefined ? undefined : lines.indexOf(revealed));
  return (
    <>
      <TimelineHead
        scope={scope}
        order={order}
        isCollapsed={folded !== ''}
        onCollapse={onCollapse}
        table={table}
        onTable={onTable}
        onCompare={compareShown}
      />
      {error ? <ErrorBox title={words.cannotRead} detail={error} /> : null}
      {range ? <OutOfTime range={range} /> : null}
      {range ? <Forgotten range={range} untilMs={forgottenUntilMs} onRange={show} /> : null}
      <HiddenRow change={shown.change} line={shown.line} isLoaded={timeline !== undefined} />
      <div className="view-body">
        {timeline?.total === 0 && range && range.toMs >= startMs ? (
          <Empty
            title={
              search
                ? words.nothingCalled(search)
                : filter
                  ? words.nothingMatches
                  : isCut(forgottenUntilMs, range)
                    ? words.nothingKept
                    : words.nothingYet
            }
          >
            {search || filter || isCut(forgottenUntilMs, range) ? words.widen : words.begin}
          </Empty>
        ) : null}
        <div className="split">
          <div className="main">
            {range && loaded ? (
              <TimeCanvas
                label={words.canvas}
                rowAt={rowAt}
                total={lines.total}
                lines={lines}
                renderHead={renderHead}
                rowHeight={rowHeight}
                range={range}
                loaded={loaded}
                nowMs={nowMs}
                knownMs={timeline?.range.nowMs ?? nowMs}
                faults={timeline?.faults ?? none}
                cluster={timeline ? timeline.cluster : 'coming'}
                above={above}
                selected={selected}
                cursorMs={shown.change?.ms ?? cursor?.ms}
                links={shown.links}
                compared={compared}
                onCompare={compare}
                forgottenUntilMs={forgottenUntilMs}
                paint={paintRow}
                onRange={show}
                onVisible={onVisible}
                onSelect={onSelect}
                onFit={fitRow}
                revealIndex={reveal}
                renderLabel={renderLabel}
              />
            ) : null}
          </div>
          <Legend states={states} seen={marksSeen} />
          {compared ? <Differences key={compared.join()} compared={compared} forgottenUntilMs={forgottenUntilMs} /> : null}
          <div className={table && !compared ? 'side-table' : 'sr-table'} tabIndex={table ? 0 : -1} role="region" aria-label={words.entries}>
            <EntryTable rows={listed} max={table ? 400 : 60} />
          </div>
        </div>
      </div>
    </>
  );
}

const none: readonly never[] = [];

function choiceOf(kind: string, given: string) {
  const scope: Scope = scopeNames.find((name) => name.toLowerCase() === kind) ?? 'Workloads';
  const group = groupings.find((name) => name === given) ?? 'owner';
  const sort = sortings.find((name) => name === given);
  return { scope, group, sort, order: sort ?? group };
}

function foldedOf(folded: string): ReadonlySet<string> {
  return new Set(folded.split(',').filter((key) => key !== ''));
}

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
