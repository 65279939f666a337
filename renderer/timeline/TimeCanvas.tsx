/**
 * Rows over virtual time: sticky axis, labels, and two canvas layers: all boxes, with the grid and the faults that they stand on, and what is drawn on those. Two more are there
 * while something is on them: where rows are forgotten, below, and what lies over all rows. Each layer of a window costs a frame as much as painting its rows does.
 */
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Timeline, TimelineFault, TimelineMark, TimelineRow, TimelineSegment } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { prepareCanvas, prepareLayer } from '../lib/canvas.ts';
import { plural } from '../lib/format.ts';
import { useSize } from '../lib/use-size.ts';
import { engineIsHeard, useClock } from '../state/clock.ts';
import { token, useTheme } from '../state/theme.ts';
import { areaAt, type AreaStep } from './area-steps.ts';
import { ClusterRows } from './ClusterRows.tsx';
import { heightOf, paintFaultNames, placeFaultNames } from './fault-names.ts';
import { HoverCard } from './HoverCard.tsx';
import { paintAxis, paintBackground, paintForgotten, paintOverlay } from './paint-frame.ts';
import type { Box } from './paint-bar.ts';
import { type CausalLink, paintLinks } from './paint-links.ts';
import { marksNear, nearestMark, type RowFrame } from './paint-row.ts';
import { readPalette } from './palette.ts';
import { PixelBoxes } from './pixel-boxes.ts';
import { TimeLabels } from './TimeLabels.tsx';
import { useAxisBrush } from './use-axis-brush.ts';
import { useGestures } from './use-gestures.ts';
import { useSlide } from './use-slide.ts';
import type { Line, Lines } from './lines.ts';
import { msAt, type Range, xOf } from './viewport.ts';

export interface Hover {
  readonly x: number;
  readonly y: number;
  readonly ms: number;
  readonly row: TimelineRow | undefined;
  readonly mark: TimelineMark | undefined;
  readonly marks: readonly TimelineMark[];
  readonly segment: TimelineSegment | undefined;
  readonly step: AreaStep | undefined;
}
export interface TimeCanvasProps {
  readonly label: string;
  /** Rows by index; undefined where they are not loaded. */
  readonly rowAt: (index: number) => TimelineRow | undefined;
  readonly total: number;
  readonly rowHeight: number;
  readonly range: Range;
  readonly loaded: Range;
  readonly nowMs: number;
  /** The last instant that the rows speak of; what comes after it is not known yet. */
  readonly knownMs: number;
  readonly faults: readonly TimelineFault[];
  /** Stands over the rows; its place is kept while it comes, so that these are not painted again for another height. */
  readonly cluster?: Timeline['cluster'] | 'coming' | undefined;
  /** Stands over them too, on the same axis. */
  readonly above?: ReactNode;
  readonly selected: string;
  readonly cursorMs: number | undefined;
  /** Arrows over the rows. */
  readonly links?: readonly CausalLink[];
  /** Two instants that are compared. */
  readonly compared?: readonly [number, number] | undefined;
  /** Of a drag on the axis. */
  readonly onCompare?: (fromMs: number, toMs: number) => void;
  /** Rows of what was deleted before are no longer known. */
  readonly forgottenUntilMs?: number | undefined;
  readonly paint: (context: CanvasRenderingContext2D, row: TimelineRow, frame: RowFrame, layer: 'bars' | 'marks') => void;
  readonly marksOf?: (row: TimelineRow) => readonly TimelineMark[];
  readonly renderLabel: (row: TimelineRow, index: number) => ReactNode;
  /** Lines that are heads of groups. */
  readonly lines?: Lines;
  readonly renderHead?: (line: Line) => ReactNode;
  readonly onRange: (range: Range) => void;
  readonly onVisible?: (first: number, count: number) => void;
  readonly onSelect: (row: TimelineRow, mark: TimelineMark | undefined) => void;
  readonly onFit: (row: TimelineRow) => void;
  /** Row to bring into view when it changes. */
  readonly revealIndex?: number | undefined;
}

const noLinks: readonly CausalLink[] = [];
const none: readonly never[] = [];
const axisHeight = 28;

/** Looked at again when what it shows is another, not whenever its view is. */
export const TimeCanvas = memo(function TimeCanvas(props: TimeCanvasProps) {
  const {
    rowAt,
    total,
    rowHeight,
    range,
    nowMs,
    knownMs,
    faults,
    selected,
    cursorMs,
    paint,
    onVisible,
    loaded,
    revealIndex,
    lines,
    forgottenUntilMs,
  } = props;
  const [root, scroller] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const plot = useRef<HTMLDivElement>(null);
  const [axis, base, ground, body, overlay] = [
    useRef<HTMLCanvasElement>(null),
    useRef<HTMLCanvasElement>(null),
    useRef<HTMLCanvasElement>(null),
    useRef<HTMLCanvasElement>(null),
    useRef<HTMLCanvasElement>(null),
  ];
  const { height } = useSize(scroller);
  const { width } = useSize(plot);
  const [scrollTop, setScrollTop] = useState(0);
  const [hover, setHover] = useState<Hover | undefined>();
  const [brush, setBrush] = useState<readonly [number, number] | undefined>();
  const theme = useTheme(({ shown }) => shown);
  const palette = useMemo(() => {
    void theme;
    return readPalette(token);
  }, [theme]);
  const boxes = useMemo(() => new PixelBoxes(), []);
  const first = Math.floor(scrollTop / rowHeight);
  const count = Math.min(total - first, Math.ceil(height / rowHeight) + 1);

  useEffect(() => {
    onVisible?.(first, Math.max(0, count));
  }, [first, count, onVisible]);
  useLayoutEffect(() => {
    if (revealIndex === undefined || !scroller.current) return;
    const top = revealIndex * rowHeight;
    if (top < scroller.current.scrollTop || top > scroller.current.scrollTop + height - rowHeight * 2)
      scroller.current.scrollTop = Math.max(0, top - height / 2);
  }, [revealIndex, rowHeight, height]);

  // Of the rows as they were painted last.
  const words = useRef<readonly Box[]>([]);
  const painted = useRef({ by: [] as readonly unknown[], height: 0, count: 0, scrollTop: 0, selected: '' });
  const names = useMemo(() => placeFaultNames(faults, range, width, nowMs), [faults, range, width, nowMs]);
  const namesHeight = heightOf(names);
  const paintHead = useCallback(
    (shown: Range, names: ReturnType<typeof placeFaultNames>) => {
      const context = axis.current && width > 0 ? prepareCanvas(axis.current, width, axisHeight + namesHeight) : undefined;
      if (!context) return;
      paintAxis(context, shown, width, nowMs, palette);
      paintFaultNames(context, names, axisHeight, palette);
    },
    [axis, width, namesHeight, nowMs, palette],
  );
  const parts = useCallback(() => root.current?.querySelectorAll<HTMLElement>('.slides') ?? none, [root]);
  const paintShown = (shown: Range): void => paintHead(shown, shown === range ? names : placeFaultNames(faults, shown, width, nowMs));
  const picture = useCallback(() => ground.current ?? undefined, [ground]);
  const sliding = useSlide({ parts, picture, range, width, onRange: props.onRange, paint: paintShown });
  const { shown, move, painted: wasPainted, pictured, canWait, isMoving, margin } = sliding;
  const draw = useCallback(
    (context: CanvasRenderingContext2D, layer: 'bars' | 'marks', words: Box[], count: number) => {
      for (let index = first; index < first + count; index++) {
        const row = rowAt(index);
        const top = index * rowHeight - scrollTop;
        const known = { nowMs, knownMs: Math.min(knownMs, nowMs) };
        if (row) paint(context, row, { top, height: rowHeight, width, margin, range, ...known, palette, loaded, boxes, words }, layer);
        else if (lines?.lineAt(index)?.isHead) {
          if (layer === 'bars') {
            boxes.fillStyle = palette.stripe;
            boxes.fillRect(-margin, top, width + 2 * margin, rowHeight - 1);
          }
        } else if (layer === 'bars') {
          boxes.fillStyle = palette.grid;
          boxes.fillRect(0, top + rowHeight / 2 - 3, width * 0.6, 6);
        }
      }
    },
    [width, margin, first, rowAt, rowHeight, scrollTop, range, nowMs, knownMs, palette, paint, loaded, lines, boxes],
  );

  useLayoutEffect(() => paintHead(range, names), [paintHead, range, names]);
  const drawBehind = useCallback(
    (height: number, count: number) =>
      paintBackground(boxes, { range, width, margin, height, faults, palette, rowHeight, scrollTop, first, count, rowAt, selected, nowMs }),
    [boxes, range, width, margin, nowMs, palette, faults, rowHeight, scrollTop, first, rowAt, selected],
  );
  const forgets = forgottenUntilMs !== undefined && xOf(forgottenUntilMs, range, width) >= 0;
  useLayoutEffect(() => {
    const context = forgets && base.current && width > 0 ? prepareLayer(base.current, width, height) : undefined;
    if (context) paintForgotten(context, forgottenUntilMs ?? 0, { range, width, height, palette });
  }, [base, forgets, forgottenUntilMs, range, width, height, palette]);
  const waiting = useRef(false);
  useLayoutEffect(() => {
    // What comes below the rows covers some of them; when it goes they are still there.
    const { by, height: paintedHeight, count: paintedCount } = painted.current;
    if (by[0] === draw && by[1] === drawBehind && height <= paintedHeight && count <= paintedCount) return undefined;
    // Who is chosen first has an inspector come beside the rows: they are painted for the room that it leaves, within this frame, and not before that too.
    if (painted.current.selected !== selected && width > 0 && plot.current?.clientWidth !== width) return undefined;
    const paintRows = (): void => {
      waiting.current = false;
      const context = body.current && width > 0 ? prepareLayer(body.current, width, height, margin) : undefined;
      const under = ground.current && width > 0 ? prepareLayer(ground.current, width, height, margin) : undefined;
      if (!context || !under) return;
      boxes.begin(width + 2 * margin, height, devicePixelRatio || 1, margin);
      drawBehind(height, count);
      const gathered: Box[] = [];
      draw(context, 'bars', gathered, count);
      draw(context, 'marks', gathered, count);
      words.current = gathered;
      boxes.showOn(under);
      painted.current = { by: [draw, drawBehind], height, count, scrollTop, selected };
      pictured([under.canvas, context.canvas], range);
    };
    // Who moves has a picture for this frame: to look at the page again and to paint its rows is more than one frame has time for. Nobody waits twice.
    if (!isMoving || waiting.current || painted.current.scrollTop !== scrollTop || !canWait()) {
      paintRows();
      return undefined;
    }
    waiting.current = true;
    const frame = requestAnimationFrame(paintRows);
    return () => cancelAnimationFrame(frame);
  }, [body, ground, plot, boxes, width, margin, height, count, draw, drawBehind, range, scrollTop, selected, isMoving, pictured, canWait]);
  const links = props.links ?? noLinks;
  // Where there are arrows, they are painted again with the rows that they pass behind.
  const over = [props.compared, links, links.length > 0 ? draw : undefined];
  const unknownFromMs = useClock((state) => (engineIsHeard(state) ? undefined : Math.min(knownMs, nowMs)));
  const lies = links.length > 0 || [cursorMs, brush, unknownFromMs, props.compared].some((one) => one !== undefined);
  useLayoutEffect(() => {
    if (overlay.current && lies && width > 0)
      paintOverlay(prepareLayer(overlay.current, width, height), {
        range,
        width,
        height,
        nowMs,
        palette,
        cursorMs,
        brush,
        unknownFromMs,
        compared: props.compared,
        paintOver: (context) => paintLinks(context, links, { range, width, height, rowHeight, scrollTop, palette, words: words.current }),
      });
  }, [overlay, lies, range, width, height, nowMs, palette, cursorMs, brush, unknownFromMs, ...over, rowHeight, scrollTop]);

  useLayoutEffect(() => wasPainted(range));

  const hit = useCallback(
    (x: number, y: number): Hover => {
      // What is seen there, which may be further than what the page was told.
      const range = shown();
      const ms = msAt(x, range, width);
      const row = rowAt(Math.floor((y + scrollTop) / rowHeight));
      const reach = ((range.toMs - range.fromMs) / width) * 6;
      const found = row && nearestMark(props.marksOf?.(row) ?? row.marks, ms, reach);
      const segment = row?.segments.find((one) => one.fromMs <= ms && (one.toMs ?? nowMs) >= ms);
      const step = row?.area && ms <= (row.deletedMs ?? knownMs) ? areaAt(row.area, ms, row.deletedMs ?? knownMs) : undefined;
      return { x, y, ms, row, mark: found, marks: row ? marksNear(props.marksOf?.(row) ?? row.marks, ms, reach) : [], segment, step };
    },
    [shown, width, rowAt, scrollTop, rowHeight, nowMs, knownMs, props.marksOf],
  );
  const gestures = useGestures({
    plot,
    scroller,
    shown,
    width,
    onMove: move,
    onRange: props.onRange,
    hit,
    setHover,
    setBrush,
    onSelect: props.onSelect,
    onFit: props.onFit,
  });

  const axisGestures = useAxisBrush({ shown, width, setBrush, onCompare: props.onCompare });

  // What lies under a resting pointer changes with the range.
  const under = hover && !brush && !isMoving ? hit(hover.x, hover.y) : undefined;
  const nowX = xOf(nowMs, range, width);
  return (
    <div className={`tl ${isMoving ? 'is-moving' : ''} ${margin > 0 ? 'is-panned' : ''}`} ref={root}>
      <div className="tl-head" style={{ height: axisHeight + namesHeight }}>
        <div className="tl-corner" aria-hidden>
          {total > 0 ? plural(total, 'row') : ''}
        </div>
        <canvas ref={axis} aria-hidden {...axisGestures} />
      </div>
      {props.cluster === 'coming' ? (
        <div className="tl-cluster" />
      ) : props.cluster ? (
        <ClusterRows cluster={props.cluster} range={range} nowMs={nowMs} knownMs={knownMs} palette={palette} margin={margin} />
      ) : null}
      {props.above}
      <div
        className="tl-scroll"
        ref={scroller}
        onScroll={(event) => {
          setScrollTop(event.currentTarget.scrollTop);
          setHover(undefined);
        }}
        tabIndex={0}
        role="group"
        aria-label={props.label}
      >
        <div style={{ height: Math.max(total * rowHeight, 1) }}>
          <div className="tl-stick" style={{ height }}>
            <TimeLabels
              first={first}
              count={count}
              rowAt={rowAt}
              lines={lines}
              rowHeight={rowHeight}
              scrollTop={scrollTop}
              selected={selected}
              renderLabel={props.renderLabel}
              renderHead={props.renderHead}
            />
            <div className="tl-plot" ref={plot} {...gestures}>
              <canvas ref={base} className="slides" aria-hidden hidden={!forgets} />
              <canvas ref={ground} className="slides" aria-hidden />
              <canvas ref={body} className="slides" aria-hidden />
              <canvas ref={overlay} className="slides" aria-hidden hidden={!lies} />
              {width > 0 && nowX >= -margin && nowX <= width + margin ? (
                <div className="tl-now slides">
                  <Upright of="now" x={nowX} />
                </div>
              ) : null}
              {hover ? <Upright of="pointer" x={hover.x} /> : null}
              {under ? <HoverCard hover={under} width={width} height={height} /> : null}
            </div>
          </div>
        </div>
      </div>
    </div>
  );
});

/** A line over all rows. */
function Upright({ of, x }: { readonly of: 'now' | 'pointer'; readonly x: number }) {
  return <div className={`tl-upright ${of}`} style={{ transform: `translateX(${Math.round(x)}px)` }} aria-hidden />;
}
