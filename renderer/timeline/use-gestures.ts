/** Pointer and wheel on the plot: wheel zooms around the pointer, shift-wheel scrolls rows, a drag brushes a range, double click fits. */
import { useEffect, useRef, type PointerEvent as ReactPointerEvent, type RefObject } from 'react';
import type { TimelineMark, TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
import type { Hover } from './TimeCanvas.tsx';
import { msAt, pan, zoomAround, type Range } from './viewport.ts';

export interface GestureOptions {
  readonly plot: RefObject<HTMLDivElement | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** What is seen. */
  readonly shown: () => Range;
  readonly width: number;
  /** Steps of a movement: pan and zoom. */
  readonly onMove: (range: Range) => void;
  readonly onRange: (range: Range) => void;
  readonly hit: (x: number, y: number) => Hover;
  readonly setHover: (hover: Hover | undefined) => void;
  readonly setBrush: (brush: readonly [number, number] | undefined) => void;
  readonly onSelect: (row: TimelineRow, mark: TimelineMark | undefined) => void;
  readonly onFit: (row: TimelineRow) => void;
}

const dragMin = 5;

export function useGestures(options: GestureOptions) {
  const latest = useRef(options);
  latest.current = options;
  const down = useRef<{ x: number; range: Range; panning: boolean } | undefined>(undefined);
  useEffect(() => {
    const element = options.plot.current;
    if (!element) return undefined;
    // Wheels send more events than there are frames: the range moves once per frame.
    let wanted: Range | undefined;
    let frame = 0;
    const move = (next: Range) => {
      if (!wanted)
        frame = requestAnimationFrame(() => {
          if (wanted) latest.current.onMove(wanted);
          wanted = undefined;
        });
      wanted = next;
    };
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const { width, scroller } = latest.current;
      const range = wanted ?? latest.current.shown();
      if (event.shiftKey) {
        if (scroller.current) scroller.current.scrollTop += event.deltaY || event.deltaX;
        return;
      }
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        move(pan(range, event.deltaX / width));
        return;
      }
      const x = event.clientX - element.getBoundingClientRect().left;
      move(zoomAround(range, msAt(x, range, width), 1.0015 ** Math.max(-300, Math.min(300, event.deltaY))));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('wheel', wheel);
    };
  }, [options.plot]);

  const at = (event: { readonly clientX: number; readonly clientY: number; readonly currentTarget: EventTarget & HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  return {
    onPointerDown: (event: ReactPointerEvent<HTMLDivElement>) => {
      if (event.button > 1) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      down.current = { x: at(event).x, range: options.shown(), panning: event.button === 1 };
    },
    onPointerMove: (event: ReactPointerEvent<HTMLDivElement>) => {
      const { x, y } = at(event);
      const from = down.current;
      if (from?.panning) {
        options.onMove(pan(from.range, (from.x - x) / options.width));
        return;
      }
      if (from && Math.abs(x - from.x) > dragMin) {
        options.setBrush([from.x, x]);
        return;
      }
      options.setHover(options.hit(x, y));
    },
    onPointerUp: (event: ReactPointerEvent<HTMLDivElement>) => {
      const from = down.current;
      down.current = undefined;
      options.setBrush(undefined);
      if (!from || from.panning) return;
      const { x, y } = at(event);
      if (Math.abs(x - from.x) > dragMin) {
        const range = options.shown();
        options.onRange({ fromMs: msAt(Math.min(x, from.x), range, options.width), toMs: msAt(Math.max(x, from.x), range, options.width) });
        return;
      }
      const { row, mark } = options.hit(x, y);
      if (row) options.onSelect(row, mark);
    },
    onPointerLeave: () => {
      options.setHover(undefined);
    },
    onPointerCancel: () => {
      down.current = undefined;
      options.setBrush(undefined);
    },
    onDoubleClick: (event: React.MouseEvent<HTMLDivElement>) => {
      const { x, y } = at(event);
      const { row } = options.hit(x, y);
      if (row) options.onFit(row);
    },
  };
}
