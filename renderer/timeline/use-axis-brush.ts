/** A drag on the axis takes two instants, to be compared. */
import { useRef, type PointerEvent } from 'react';
import { msAt, type Range } from './viewport.ts';

export interface AxisBrushOptions {
  /** What is seen. */
  readonly shown: () => Range;
  readonly width: number;
  readonly setBrush: (brush: readonly [number, number] | undefined) => void;
  readonly onCompare: ((fromMs: number, toMs: number) => void) | undefined;
}

const dragMin = 5;

export function useAxisBrush({ shown, width, setBrush, onCompare }: AxisBrushOptions) {
  const down = useRef<number | undefined>(undefined);
  if (!onCompare) return {};
  const at = (event: PointerEvent<HTMLCanvasElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const stop = () => {
    down.current = undefined;
    setBrush(undefined);
  };
  return {
    className: 'is-brushed',
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      down.current = at(event);
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
      if (down.current !== undefined) setBrush([down.current, at(event)]);
    },
    onPointerUp: (event: PointerEvent<HTMLCanvasElement>) => {
      const [from, to] = [down.current, at(event)];
      stop();
      if (from === undefined || Math.abs(to - from) < dragMin) return;
      const range = shown();
      onCompare(msAt(Math.min(from, to), range, width), msAt(Math.max(from, to), range, width));
    },
    onPointerCancel: stop,
  };
}
