/** Asks the engine for the rows and the time on screen, and again when either moved. Answers are kept until the next one is here. */
import { useEffect, useRef, useState } from 'react';
import { type PackedTimeline, unpackTimeline } from '../../engine/api/sim/v1alpha1/packed-timeline.ts';
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { AskedAhead } from '../api/asked-ahead.ts';
import { isAbort, messageOf, requestText } from '../api/request.ts';
import { engineIsHeard, useClock } from '../state/clock.ts';
import type { Place } from '../state/address.ts';
import { useNavigation } from '../state/navigation.ts';
import { KeptAnswers, type Moment } from './kept-answers.ts';
import { rushesThrough } from '../state/rush.ts';
import { followed, useRange } from './range.ts';
import { SameAnswer } from './same-answer.ts';
import { keepUnchanged } from './unchanged.ts';
import { instant, type Range } from './viewport.ts';
import { withRest } from './with-rest.ts';

export type Grouping = 'owner' | 'node' | 'namespace' | 'kind';
export type Sorting = 'trouble' | 'time' | 'size';
export interface TimelineQuery {
  readonly range: Range | undefined;
  /** Pixels that the range has at most, whatever stands beside it: another width alone asks nothing anew. Nothing is asked while it is 0. */
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
  /** So many of these are seen: another question, or one about another stretch of time, is answered with them first, and with the others when the page rests. */
  readonly seen: number;
}
export interface TimelineAnswer {
  readonly timeline: Timeline | undefined;
  /** What it answers, which may be what was asked before; undefined as long as there is none. */
  readonly query: TimelineQuery | undefined;
  readonly offset: number;
  readonly error: string;
}

interface Shown {
  /** '' where it is of the rows that are seen alone; then `first` is. */
  readonly path: string;
  readonly first: string;
  readonly moment: string;
  readonly shape: string;
  readonly subject: string;
  readonly query: TimelineQuery | undefined;
  readonly timeline: Timeline | undefined;
}

const nothing: Shown = { path: '', first: '', moment: '', shape: '', subject: '', query: undefined, timeline: undefined };

interface Asked {
  readonly query: TimelineQuery;
  readonly path: string;
  readonly shape: string;
  /** The same for the rows that are seen alone. */
  readonly firstPath: string;
  /** What is asked, wherever in time. */
  readonly subject: string;
}

const unanswered: TimelineAnswer = { timeline: undefined, query: undefined, offset: 0, error: '' };
const lookMs = 60;
/** Between two questions that differ in time alone: half a screen more than is shown is here on both sides meanwhile. */
const stepMs = 120;
const refreshMs = 500;
/** What only follows time costs the engine a twentieth of its own, but is not left to grow old. */
const share = 20;
const refreshMostMs = 3000;
/** Through a range that rushes by it goes in steps that somebody can see. */
const rushMs = 1000;
/** Who has just asked for something else may go on asking: rows beyond the window come after that, or with the first step towards them. */
const restMs = 900;

/** What is to be asked at a place before the view was drawn anew for it; undefined where the view is left. */
export type Ahead = (place: Place, range: Range | undefined) => TimelineQuery | undefined;

const keptAnswers = new KeptAnswers<TimelineAnswer>();
const askedAhead = new AskedAhead<Heard>();

interface Heard {
  readonly moment: Moment;
  readonly text: string;
}

/** For a view that is gone to just now. */
export function askForTimeline(query: TimelineQuery): void {
  const { path } = new AskedLast().of(query, useNavigation.getState().range);
  if (path !== '') askedAhead.keep(path, hear(path));
}

/** The answer is of the instant at which it was asked for, or later. */
async function hear(path: string, signal?: AbortSignal): Promise<Heard> {
  const moment = momentOf(useClock.getState());
  return { moment, text: await requestText(path, signal ? { signal } : {}) };
}

/**
 * `ahead` tells what a press asks at once, instead of after all of the page was drawn for it. `isPacer`: what follows a rushing clock goes along with
 * these answers.
 */
export function useTimeline(query: TimelineQuery, ahead?: Ahead, isPacer = true): TimelineAnswer {
  const named = useNavigation((state) => state.range);
  const words = useRef<AskedLast>(undefined);
  words.current ??= new AskedLast();
  const asked = words.current.of(query, named);
  const { path } = asked;
  const latest = useRef({ asked, ahead });
  latest.current = { asked, ahead };
  // Where somebody comes back to, what was seen last is shown until what is now is here.
  const [answer, setAnswer] = useState<TimelineAnswer>(() => keptAnswers.alike(asked.shape, momentOf(useClock.getState())) ?? unanswered);
  const shown = useRef<Shown>(nothing);
  const same = useRef<SameAnswer<TimelineAnswer>>(undefined);
  same.current ??= new SameAnswer();
  const lookNow = useRef(() => undefined as void);
  useEffect(() => {
    let stopped = false;
    let askedAt = 0;
    let costMs = 0;
    const abort = new AbortController();
    const take = ({ path, shape, subject, query }: Asked, { key }: Moment, taken: TimelineAnswer, first = ''): void => {
      shown.current = { path: first === '' ? path : '', moment: key, shape, subject, first, query, timeline: taken.timeline };
      if (!stopped) setAnswer(taken);
    };
    /** `alongMs`: what is shown goes to that instant with the answer. */
    const ask = async (wanted: Asked, alongMs?: number): Promise<void> => {
      askedAt = performance.now();
      const isNew = wanted.subject !== shown.current.subject;
      const first = (isNew || isMoved(wanted.query, shown.current.query)) && wanted.firstPath !== wanted.path ? wanted.firstPath : '';
      try {
        const path = first || wanted.path;
        const { moment, text } = await (askedAhead.take(path) ?? hear(path, abort.signal));
        const answer = first === '' || isNew ? answerTo(wanted, text) : withRestOf(answerTo(wanted, text), shown.current.timeline);
        // Reading it was a part of this frame; while somebody moves on, drawing it is for the next one.
        if (latest.current.asked.path !== wanted.path) await new Promise((resolve) => requestAnimationFrame(resolve));
        costMs = performance.now() - askedAt;
        keptAnswers.keep(first === '' ? wanted : { ...wanted, path: first }, moment, answer);
        take(wanted, moment, answer, first);
        if (alongMs !== undefined && !stopped) useRange.getState().tick(alongMs, useClock.getState().startMs);
      } catch (error) {
        if (!isAbort(error)) setAnswer((before) => ({ ...before, error: messageOf(error) }));
      }
    };
    const answerTo = ({ query, subject }: Asked, text: string): TimelineAnswer =>
      (same.current as SameAnswer<TimelineAnswer>).take({ subject, offset: query.offset }, text, () => {
        const timeline = keepUnchanged(unpackTimeline(JSON.parse(text) as PackedTimeline), shown.current.timeline);
        return { timeline, query, offset: query.offset, error: '' };
      });
    /** One question at a time, always the latest; a moving clock alone asks less often than a moving view. */
    const look = async (): Promise<void> => {
      const wanted = latest.current.asked;
      const state = useClock.getState();
      const moment = momentOf(state);
      const sinceMs = performance.now() - askedAt;
      const pauseMs = Math.min(refreshMostMs, costMs * share);
      const range = useRange.getState();
      const isRush = range.follow && rushesThrough(state, range.range);
      const moved = moment.key !== shown.current.moment && sinceMs > Math.max(isRush ? rushMs : refreshMs, pauseMs);
      // A view that follows is moved by the clock alone; who zooms, scrolls or filters does not wait.
      const isFollowed = range.follow && wanted.shape === shown.current.shape;
      const isPart = shown.current.first !== '' && wanted.firstPath === shown.current.first;
      const isOther = isPart ? sinceMs > restMs : wanted.path !== shown.current.path && (!isFollowed || sinceMs > pauseMs);
      const kept = isOther ? keptAnswers.same(wanted.path, moment) : undefined;
      // Who went elsewhere before the others were here sees what there was at once.
      const part = isOther && !kept && wanted.subject !== shown.current.subject ? keptAnswers.same(wanted.firstPath, moment) : undefined;
      if (kept) take(wanted, moment, kept);
      else if (part) {
        askedAt = performance.now();
        take(wanted, moment, part, wanted.firstPath);
      }
      // Nobody answers for now; what is shown says so.
      else if (engineIsHeard(state) && wanted.path && (isOther || moved)) {
        const next = isRush && isPacer && !isOther ? questionAt(followed(range, state.nowMs, state.startMs)) : undefined;
        await (next === undefined ? ask(wanted) : ask(next, state.nowMs));
      }
      isLooking = false;
      if (!stopped) timer = setTimeout(begin, lookMs);
    };
    const begin = (): void => {
      clearTimeout(timer);
      if (isLooking || stopped) return;
      // The first step of a movement asks at once; of those that follow closely each answer would cost frames, and be of where nobody looks any more.
      const waitMs = latest.current.asked.subject === shown.current.subject ? askedAt + stepMs - performance.now() : 0;
      if (waitMs > 0) {
        timer = setTimeout(begin, waitMs);
        return;
      }
      isLooking = true;
      void look();
    };
    const questionAt = (range: Range | undefined): Asked | undefined => {
      const place = useNavigation.getState();
      const next = latest.current.ahead?.(place, range);
      return next && (words.current as AskedLast).of(next, place.range);
    };
    const press = (): void => {
      const asked = questionAt(useRange.getState().range);
      if (asked === undefined || asked.path === latest.current.asked.path) return;
      latest.current = { ...latest.current, asked };
      begin();
    };
    let isLooking = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    lookNow.current = begin;
    const stops = [useNavigation.subscribe(press), useRange.subscribe(press)];
    return () => {
      stopped = true;
      abort.abort();
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);
  const isAhead = ahead !== undefined;
  useEffect(() => (isAhead ? useRange.getState().pace() : undefined), [isAhead]);
  // Who looks elsewhere does not wait for the next look.
  useEffect(() => lookNow.current(), [path]);
  return answer;
}

/** Each look at a view puts it in words anew, and most of them are the same: four addresses of a hundred letters are not written for that. */
class AskedLast {
  #key = '';
  #asked: Asked | undefined;
  #subjectKey = '';
  #subject = '';

  of(query: TimelineQuery, named: readonly [number, number] | undefined): Asked {
    const isExact = isNamed(query.range, named);
    const key = keyOf(query, isExact);
    if (this.#asked === undefined || key !== this.#key) {
      this.#key = key;
      this.#asked = askedOf(query, isExact, this.#subjectOf(query));
    }
    return this.#asked;
  }

  /** The same wherever in time a view moves. */
  #subjectOf(query: TimelineQuery): string {
    const somewhere = query.range && { fromMs: 1, toMs: 2 };
    const key = keyOf({ ...query, range: somewhere, offset: 0 }, false);
    if (key !== this.#subjectKey) {
      this.#subjectKey = key;
      this.#subject = pathOf({ ...query, range: { fromMs: 1, toMs: 2 }, offset: 0 }, false);
    }
    return this.#subject;
  }
}

/** Two questions with the same key are the same. */
function keyOf({ range, kinds, collapsed, ...rest }: TimelineQuery, isExact: boolean): string {
  return JSON.stringify([range?.fromMs, range?.toMs, kinds, collapsed, rest, isExact]);
}

function askedOf(query: TimelineQuery, isExact: boolean, subject: string): Asked {
  return {
    query,
    path: pathOf(query, isExact),
    shape: shapeOf(query),
    firstPath: pathOf({ ...query, limit: Math.min(query.seen, query.limit) }, isExact),
    subject,
  };
}

function momentOf({ nowMs, clock }: ReturnType<typeof useClock.getState>): Moment {
  return { nowMs, key: `${nowMs} ${clock?.status.revision ?? 0} ${clock?.status.digest ?? ''}` };
}

/** The question apart from where in time it looks; how much of it, roughly. */
function shapeOf(query: TimelineQuery): string {
  const { range } = query;
  return range ? pathOf({ ...query, range: { fromMs: 1, toMs: 1 + 2 ** Math.round(Math.log2(range.toMs - range.fromMs)) } }, false) : '';
}

/** Somebody looks along time or closer, and at the same rows. A view that follows is moved by the clock: it asks seldom, and for all. */
function isMoved({ range, offset }: TimelineQuery, before: TimelineQuery | undefined): boolean {
  if (before === undefined || useRange.getState().follow || before.offset !== offset) return false;
  return before.range?.fromMs !== range?.fromMs || before.range?.toMs !== range?.toMs;
}

function withRestOf(answer: TimelineAnswer, before: Timeline | undefined): TimelineAnswer {
  return answer.timeline === undefined ? answer : { ...answer, timeline: withRest(answer.timeline, before) };
}

/** The page came to rest at a stretch of time that its address names: what came just after it is no part of that picture. */
function isNamed(range: Range | undefined, named: readonly [number, number] | undefined): boolean {
  return (
    range !== undefined && named !== undefined && Math.round(range.fromMs) === Math.round(named[0]) && Math.round(range.toMs) === Math.round(named[1])
  );
}

/** Half a screen more on both sides, so that panning shows something at once; rows are those of the shown part, roughly while it moves. */
function pathOf(
  { range, width, kinds, search, group, sort, filter, collapsed, namespace, owner, offset, limit }: TimelineQuery,
  isExact: boolean,
): string {
  if (!range || width === 0) return '';
  const span = range.toMs - range.fromMs;
  const grain = span > 2000 ? 10 ** Math.floor(Math.log10(span / 20)) : 0.001;
  const params = new URLSearchParams({
    shownFrom: instant(isExact ? range.fromMs : Math.floor(range.fromMs / grain) * grain),
    shownTo: instant(isExact ? range.toMs : Math.ceil(range.toMs / grain) * grain),
    from: instant(Math.floor((range.fromMs - span / 2) / grain) * grain),
    to: instant(Math.ceil((range.toMs + span / 2) / grain) * grain),
    buckets: String(Math.min(2000, Math.max(100, Math.round(width)))),
    offset: String(offset),
    limit: String(limit),
    packed: 'true',
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
