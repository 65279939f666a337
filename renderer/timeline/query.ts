/** Asks the engine for the rows and the time on screen, and again when either moved. Answers are kept until the next one is here. */
import { useEffect, useRef, useState } from 'react';
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { isAbort, messageOf, request } from '../api/request.ts';
import { useClock } from '../state/clock.ts';
import type { Range } from './viewport.ts';

export interface TimelineQuery { readonly range: Range | undefined; readonly width: number; readonly kinds: readonly string[]; readonly search: string; readonly namespace?: string; readonly owner?: string; readonly offset: number; readonly limit: number }
export interface TimelineAnswer { readonly timeline: Timeline | undefined; readonly offset: number; readonly error: string }

const debounceMs = 90;
const refreshMs = 500;

export function useTimeline(query: TimelineQuery): TimelineAnswer {
  const [answer, setAnswer] = useState<TimelineAnswer>({ timeline: undefined, offset: 0, error: '' });
  const path = pathOf(query);
  const latest = useRef({ path, offset: query.offset });
  latest.current = { path, offset: query.offset };
  const shown = useRef({ path: '', revision: -1, nowMs: -1 });
  useEffect(() => {
    let stopped = false;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async (): Promise<void> => {
      const { path: asked, offset } = latest.current;
      const { nowMs, clock } = useClock.getState();
      const revision = clock?.status.revision ?? 0;
      const stale = asked !== shown.current.path || nowMs !== shown.current.nowMs || revision !== shown.current.revision;
      if (asked && stale) {
        shown.current = { path: asked, revision, nowMs };
        try {
          const timeline = sorted(await request<Timeline>(asked));
          if (!stopped) setAnswer({ timeline, offset, error: '' });
        } catch (error) {
          if (!stopped && !isAbort(error)) setAnswer((before) => ({ ...before, error: messageOf(error) }));
        }
      }
      if (!stopped) timer = setTimeout(() => { void ask(); }, asked === latest.current.path ? refreshMs : debounceMs);
    };
    timer = setTimeout(() => { void ask(); }, debounceMs / 3);
    return () => { stopped = true; clearTimeout(timer); };
  }, [path]);
  return answer;
}

/** Half a screen more on both sides, so that panning shows something at once. */
function pathOf({ range, width, kinds, search, namespace, owner, offset, limit }: TimelineQuery): string {
  if (!range || width === 0) return '';
  const span = range.toMs - range.fromMs;
  const grain = span > 2000 ? 10 ** Math.floor(Math.log10(span / 20)) : 0.001;
  const params = new URLSearchParams({
    from: String(Math.floor((range.fromMs - span / 2) / grain) * grain), to: String(Math.ceil((range.toMs + span / 2) / grain) * grain),
    buckets: String(Math.min(2000, Math.max(100, Math.round(width)))), offset: String(offset), limit: String(limit),
  });
  if (kinds.length > 0) params.set('kind', kinds.join(','));
  if (search) params.set('search', search);
  if (namespace) params.set('namespace', namespace);
  if (owner) params.set('owner', owner);
  return `/apis/sim.wavetank.dev/v1alpha1/timelines/main?${params.toString()}`;
}

function sorted(timeline: Timeline): Timeline {
  return { ...timeline, rows: timeline.rows.map((row) => ({ ...row, marks: row.marks.toSorted((a, b) => a.ms - b.ms) })) };
}
