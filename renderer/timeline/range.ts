/** The shown stretch of time, shared by all views on time. While it follows, now stays near the right edge. */
import { create } from 'zustand';
import type { Range } from './viewport.ts';

interface RangeState {
  readonly range: Range | undefined;
  readonly follow: boolean;
  /** How much of the past a followed range shows until somebody zooms; undefined after that. */
  readonly autoSpanMs: number | undefined;
  show(range: Range): void;
  setFollow(follow: boolean): void;
  /** Called with the clock: sets the first range, and moves along when following. */
  tick(nowMs: number, startMs: number): void;
  /** Follows now with that much of the past, everything unless told. */
  fit(nowMs: number, startMs: number, spanMs?: number): void;
}

const nowShare = 0.92;
const firstSpanMs = 15 * 60_000;
const spanFloorMs = 20_000;

export const useRange = create<RangeState>()((set, get) => ({
  range: undefined,
  follow: true,
  autoSpanMs: firstSpanMs,
  show: (range) => {
    set({ range, follow: false, autoSpanMs: undefined });
  },
  setFollow: (follow) => {
    set({ follow });
  },
  tick: (nowMs, startMs) => {
    const { range, follow, autoSpanMs } = get();
    if (range !== undefined && !follow) return;
    const next =
      range === undefined || autoSpanMs !== undefined ? around(Math.max(startMs, nowMs - (autoSpanMs ?? firstSpanMs)), nowMs) : moved(range, nowMs);
    // The engine says five times a second that nothing has happened: all that shows the range would be painted again for it.
    if (next.fromMs !== range?.fromMs || next.toMs !== range.toMs) set({ range: next });
  },
  fit: (nowMs, startMs, spanMs = Infinity) => {
    set({ range: around(Math.max(startMs, nowMs - spanMs), nowMs), follow: true, autoSpanMs: spanMs });
  },
}));

function moved({ fromMs, toMs }: Range, nowMs: number): Range {
  const span = toMs - fromMs;
  const end = nowMs + span * (1 - nowShare);
  return end === toMs ? { fromMs, toMs } : { fromMs: end - span, toMs: end };
}

/** In its first moments a cluster has no past to show: now goes from the left edge to where it stays. */
function around(fromMs: number, nowMs: number): Range {
  return { fromMs, toMs: fromMs + Math.max(spanFloorMs, (nowMs - fromMs) / nowShare) };
}
