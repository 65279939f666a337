/** Keys of the timeline: zoom and pan, from mark to mark of the selection, from row to row. */
import { useState } from 'react';
import type { TimelineMark, TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { useKeys } from '../../lib/keys.ts';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useRange } from '../../timeline/range.ts';
import { pan, zoomAround } from '../../timeline/viewport.ts';

export interface TimelineKeys {
  readonly rows: readonly TimelineRow[];
  readonly offset: number;
  readonly selectedIndex: number;
  readonly cursor: TimelineMark | undefined;
  readonly setCursor: (mark: TimelineMark | undefined) => void;
  readonly fitRow: (row: TimelineRow) => void;
  /** A mark was gone to. */
  readonly onMark: (row: TimelineRow, mark: TimelineMark) => void;
  readonly compareShown: () => void;
}

/** Gives back the row to bring into view. */
export function useTimelineKeys({ rows, offset, selectedIndex, cursor, setCursor, fitRow, onMark, compareShown }: TimelineKeys): number | undefined {
  const [reveal, setReveal] = useState<number | undefined>();
  const row = rows[selectedIndex];
  const zoom = (factor: number) => {
    const { range, show } = useRange.getState();
    if (range) show(zoomAround(range, cursor?.ms ?? (range.fromMs + range.toMs) / 2, factor));
  };
  const move = (share: number) => {
    const { range, show } = useRange.getState();
    if (range) show(pan(range, share));
  };
  const toMark = (direction: 1 | -1, sameType: boolean) => {
    if (!row) return;
    const marks = sameType && cursor ? row.marks.filter(({ type }) => type === cursor.type) : row.marks;
    const at = cursor?.ms ?? (direction > 0 ? -Infinity : Infinity);
    const next = direction > 0 ? marks.find(({ ms }) => ms > at) : marks.findLast(({ ms }) => ms < at);
    if (!next) return;
    onMark(row, next);
    const { range, show } = useRange.getState();
    if (range && (next.ms < range.fromMs || next.ms > range.toMs))
      show(pan(range, (next.ms - (range.fromMs + range.toMs) / 2) / (range.toMs - range.fromMs)));
  };
  const toRow = (by: 1 | -1) => {
    const index = selectedIndex < 0 ? 0 : selectedIndex + by;
    const next = rows[index];
    if (!next) return;
    useNavigation.getState().select(next.id);
    setCursor(undefined);
    setReveal(offset + index);
  };
  useKeys({
    w: () => zoom(0.7),
    s: () => zoom(1 / 0.7),
    a: () => move(-0.2),
    d: () => move(0.2),
    ArrowLeft: () => toMark(-1, false),
    ArrowRight: () => toMark(1, false),
    '[': () => toMark(-1, true),
    ']': () => toMark(1, true),
    ArrowUp: () => toRow(-1),
    ArrowDown: () => toRow(1),
    f: () => {
      if (row) fitRow(row);
      else {
        const { nowMs, startMs } = useClock.getState();
        useRange.getState().fit(nowMs, startMs);
      }
    },
    m: compareShown,
    l: () => {
      const { follow, setFollow } = useRange.getState();
      setFollow(!follow);
    },
  });
  return reveal;
}
