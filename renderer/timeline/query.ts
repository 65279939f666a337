/** Asks the engine for the rows and the time on screen, and again when either moved. Answers are kept until the next one is here. */
import { useEffect, useRef, useState } from 'react';
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { isAbort, messageOf, request } from '../api/request.ts';
import { useClock } from '../state/clock.ts';
import type { Range } from './viewport.ts';

export type Grouping = 'owner' | 'node' | 'namespace' | 'kind';
export type Sorting = 'trouble' | 'time' | 'size';
export interface TimelineQuery {
  readonly range: Range | undefined;
  readonly width: number;
  readonly kinds: readonly string[];
  readonly search: string;
  readonly group?: Grouping;
  /** Rows stand alone, what it says comes first. */
  readonly sort?: Sorting | undefined;
  /** Only rows that changed in the range, or that something was wrong with in it. */
  readonly filter?: string;
  readonly collapsed?: readonly string[];
  readonly namespace?: string;
  readonly owner?: string;
  readonly offset: number;
  readonly limit: number;
}
export interface TimelineAnswer {
  readonly timeline: Timeline | undefined;
  readonly offset: number;
  readonly error: string;
}

const lookMs = 60;
const refreshMs = 500;

export function useTimeline(query: TimelineQuery): TimelineAnswer {
  const [answer, setAnswer] = useState<TimelineAnswer>({ timeline: undefined, offset: 0, error: '' });
  const path = pathOf(query);
  const latest = useRef({ path, offset: query.offset });
  latest.current = { path, offset: query.offset };
  const shown = useRef({ path: '', moment: '' });
  useEffect(() => {
    let stopped = false;
    let askedAt = 0;
    const abort = new AbortController();
    const ask = async (path: string, offset: number, moment: string): Promise<void> => {
      askedAt = performance.now();
      try {
        const timeline = sorted(await request<Timeline>(path, { signal: abort.signal }));
        shown.current = { path, moment };
        if (!stopped) setAnswer({ timeline, offset, error: '' });
      } catch (error) {
        if (!isAbort(error)) setAnswer((before) => ({ ...before, error: messageOf(error) }));
      }
    };
    /** One question at a time, always the latest; a moving clock alone asks less often than a moving view. */
    const look = async (): Promise<void> => {
      const { path: wanted, offset } = latest.current;
      const { nowMs, clock, hearing } = useClock.getState();
      const moment = `${nowMs} ${clock?.status.revision ?? 0}`;
      const moved = moment !== shown.current.moment && performance.now() - askedAt > refreshMs;
      // Nobody answers for now; what is shown says so.
      const isHeard = hearing === 'heard' || hearing === 'opening';
      if (isHeard && wanted && (wanted !== shown.current.path || moved)) await ask(wanted, offset, moment);
      if (!stopped)
        timer = setTimeout(() => {
          void look();
        }, lookMs);
    };
    let timer = setTimeout(() => {
      void look();
    }, lookMs);
    return () => {
      stopped = true;
      abort.abort();
      clearTimeout(timer);
    };
  }, []);
  return answer;
}

/** Half a screen more on both sides, so that panning shows something at once. */
function pathOf({ range, width, kinds, search, group, sort, filter, collapsed, namespace, owner, offset, limit }: TimelineQuery): string {
  if (!range || width === 0) return '';
  const span = range.toMs - range.fromMs;
  const grain = span > 2000 ? 10 ** Math.floor(Math.log10(span / 20)) : 0.001;
  const params = new URLSearchParams({
    shownFrom: String(Math.floor(range.fromMs / grain) * grain),
    shownTo: String(Math.ceil(range.toMs / grain) * grain),
    from: String(Math.floor((range.fromMs - span / 2) / grain) * grain),
    to: String(Math.ceil((range.toMs + span / 2) / grain) * grain),
    buckets: String(Math.min(2000, Math.max(100, Math.round(width)))),
    offset: String(offset),
    limit: String(limit),
  });
  if (kinds.length > 0) params.set('kind', kinds.join(','));
  if (sort) params.set('sort', sort);
  else if (group) params.set('group', group);
  if (filter === 'changed') params.set('changed', 'true');
  if (filter === 'trouble') params.set('severity', 'warning');
  if (collapsed?.length) params.set('collapsed', collapsed.join(','));
  if (search) params.set(isLabel(search) ? 'label' : 'search', search);
  if (namespace) params.set('namespace', namespace);
  if (owner) params.set('owner', owner);
  return `/apis/sim.wavetank.dev/v1alpha1/timelines/main?${params.toString()}`;
}

/** `app=web` asks for labels; names have no such sign. */
function isLabel(search: string): boolean {
  return /^[^=\s]+=[^=\s]*$/.test(search);
}

function sorted(timeline: Timeline): Timeline {
  return { ...timeline, rows: timeline.rows.map((row) => ({ ...row, marks: row.marks.toSorted((a, b) => a.ms - b.ms) })) };
}
