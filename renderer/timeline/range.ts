/** The shown stretch of time, shared by all views on time. While it follows, now stays near the right edge. */
import { create } from 'zustand';
import type { Range } from './viewport.ts';

/** How much before and after now a view shows by itself. */
export interface Lead {
  readonly pastMs: number;
  readonly aheadMs: number;
}

interface RangeState {
  readonly range: Range | undefined;
  readonly follow: boolean;
  /** How much of the past a followed range shows until somebody zooms; undefined after that. */
  readonly autoSpanMs: number | undefined;
  /** Of the view that is open, if it has one; gone once somebody chooses what is shown. */
  readonly lead: Lead | undefined;
  /** How many views take a range that follows a rushing clock along with what they read. */
  readonly pacers: number;
  /** For a view that is opened, and undefined for one without: it counts only while nobody has chosen. */
  lean(lead: Lead | undefined): void;
  show(range: Range): void;
  setFollow(follow: boolean): void;
  /** Follows with that much of the past, what is shown at first where it is undefined. */
  followLast(spanMs: number | undefined): void;
  /** Called with the clock: sets the first range, and moves along when following. */
  tick(nowMs: number, startMs: number): void;
  /** Returns what ends it. */
  pace(): () => void;
  /** Follows now with that much of the past, everything unless told. */
  fit(nowMs: number, startMs: number, spanMs?: number): void;
}

const nowShare = 0.92;
const firstSpanMs = 15 * 60_000;
const spanFloorMs = 20_000;
const grains = 4_000;

export const useRange = create<RangeState>()((set, get) => ({
  range: undefined,
  follow: true,
  autoSpanMs: firstSpanMs,
  lead: undefined,
  pacers: 0,
  lean: (lead) => {
    const { follow, autoSpanMs } = get();
    set({ lead: follow && autoSpanMs === firstSpanMs ? lead : undefined });
  },
  show: (range) => {
    set({ range, follow: false, autoSpanMs: undefined, lead: undefined });
  },
  setFollow: (follow) => {
    set({ follow });
  },
  followLast: (spanMs = firstSpanMs) => {
    set({ follow: true, autoSpanMs: spanMs, lead: undefined });
  },
  tick: (nowMs, startMs) => {
    const { range, follow } = get();
    if (range !== undefined && !follow) return;
    const next = followed(get(), nowMs, startMs);
    // All that shows the range would be painted again for what nobody can see: on a clock that stands still, or takes a second for a pixel.
    if (range === undefined || isSeen(next.fromMs - range.fromMs, next) || isSeen(next.toMs - range.toMs, next)) set({ range: next });
  },
  pace: () => {
    set({ pacers: get().pacers + 1 });
    return () => set({ pacers: get().pacers - 1 });
  },
  fit: (nowMs, startMs, spanMs = Infinity) => {
    set({ range: around(Math.max(startMs, nowMs - spanMs), nowMs), follow: true, autoSpanMs: spanMs, lead: undefined });
  },
}));

/** What is shown at that instant by who follows. */
export function followed({ range, autoSpanMs, lead }: Pick<RangeState, 'range' | 'autoSpanMs' | 'lead'>, nowMs: number, startMs: number): Range {
  if (lead) return { fromMs: Math.max(startMs, nowMs - lead.pastMs), toMs: nowMs + lead.aheadMs };
  if (range !== undefined && autoSpanMs === undefined) return moved(range, nowMs);
  return around(Math.max(startMs, nowMs - (autoSpanMs ?? firstSpanMs)), nowMs);
}

/** How much of the past is followed, where that is not what is shown at first. */
export function followedSpan({ range, autoSpanMs }: Pick<RangeState, 'range' | 'autoSpanMs'>): number | undefined {
  if (autoSpanMs !== undefined) return autoSpanMs === firstSpanMs ? undefined : autoSpanMs;
  return range && Math.max(1, Math.round((range.toMs - range.fromMs) * nowShare));
}

/** How long a range is that goes along with now, and how far beyond now it reaches; undefined for one that does not, or has just begun. */
export function goesAlong({
  range,
  follow,
  lead,
}: Pick<RangeState, 'range' | 'follow' | 'lead'>): { readonly spanMs: number; readonly aheadMs: number } | undefined {
  if (range === undefined || !follow) return undefined;
  const spanMs = Math.round(range.toMs - range.fromMs);
  return spanMs <= spanFloorMs ? undefined : { spanMs, aheadMs: Math.round(lead?.aheadMs ?? spanMs * (1 - nowShare)) };
}

/** A fraction of a pixel, however wide the window is. */
export function grainMs({ fromMs, toMs }: Range): number {
  return (toMs - fromMs) / grains;
}

function isSeen(byMs: number, range: Range): boolean {
  return Math.abs(byMs) >= grainMs(range);
}

function moved({ fromMs, toMs }: Range, nowMs: number): Range {
  const span = toMs - fromMs;
  const byMs = nowMs + span * (1 - nowShare) - toMs;
  return { fromMs: fromMs + byMs, toMs: toMs + byMs };
}

/** In its first moments a cluster has no past to show: now goes from the left edge to where it stays. */
function around(fromMs: number, nowMs: number): Range {
  return { fromMs, toMs: fromMs + Math.max(spanFloorMs, (nowMs - fromMs) / nowShare) };
}
