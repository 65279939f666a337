/**
 * What the engine computes when it is read (problems, the overview, runs of CronJobs): read again once a second while somebody looks, the page is
 * seen, the engine is heard, and anything moved since. All of the page reads them here.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useClock } from '../state/clock.ts';
import { isAbort, messageOf, request } from './request.ts';

export interface Reading<T> {
  /** Undefined until the first answer. */
  readonly value: T | undefined;
  /** Virtual milliseconds that it is true of. */
  readonly atMs: number;
  readonly error: string;
}

interface Poll {
  path: string;
  /** What was asked last, and when by wall time. */
  askedPath: string;
  askedMoment: string;
  askedWallMs: number;
  reading: Reading<unknown>;
  readonly listeners: Set<() => void>;
  timer: ReturnType<typeof setInterval> | undefined;
  abort: AbortController | undefined;
}

const lookMs = 100;
const paceMs = 1000;
const unread: Reading<never> = { value: undefined, atMs: 0, error: '' };
const polls = new Map<string, Poll>();

/** Everyone who gives the same `key` shares one reading, of the path that was given last; without a path nothing is read. */
export function useComputed<T>(key: string, path: string | undefined): Reading<T> {
  const subscribe = useRef<{ readonly key: string; readonly on: (listener: () => void) => () => void }>({ key: '', on: () => () => undefined });
  if (subscribe.current.key !== key) subscribe.current = { key, on: (listener) => follow(key, listener) };
  useEffect(() => {
    if (path !== undefined) pollOf(key).path = path;
  }, [key, path]);
  return useSyncExternalStore(subscribe.current.on, () => polls.get(key)?.reading ?? unread) as Reading<T>;
}

function pollOf(key: string): Poll {
  const known = polls.get(key);
  if (known) return known;
  const made: Poll = {
    path: '',
    askedPath: '',
    askedMoment: '',
    askedWallMs: -paceMs,
    reading: unread,
    listeners: new Set(),
    timer: undefined,
    abort: undefined,
  };
  polls.set(key, made);
  return made;
}

function follow(key: string, listener: () => void): () => void {
  const poll = pollOf(key);
  poll.listeners.add(listener);
  poll.timer ??= setInterval(() => look(poll), lookMs);
  return () => {
    poll.listeners.delete(listener);
    if (poll.listeners.size > 0) return;
    clearInterval(poll.timer);
    poll.timer = undefined;
    poll.abort?.abort();
    poll.abort = undefined;
    poll.askedMoment = '';
  };
}

/** One question at a time; a slow answer is waited for. */
function look(poll: Poll): void {
  const { nowMs, clock, hearing } = useClock.getState();
  if (poll.abort !== undefined || poll.path === '' || document.hidden || hearing !== 'heard') return;
  const moment = `${nowMs} ${clock?.status.revision ?? 0}`;
  const isDue = performance.now() - poll.askedWallMs >= paceMs;
  if (!isDue || (moment === poll.askedMoment && poll.path === poll.askedPath)) return;
  Object.assign(poll, { askedMoment: moment, askedPath: poll.path, askedWallMs: performance.now() });
  void read(poll, nowMs);
}

async function read(poll: Poll, atMs: number): Promise<void> {
  const abort = new AbortController();
  poll.abort = abort;
  try {
    poll.reading = { value: await request<unknown>(poll.path, { signal: abort.signal, quiet: true }), atMs, error: '' };
  } catch (error) {
    if (isAbort(error)) return;
    poll.reading = { ...poll.reading, error: messageOf(error) };
    // What could not be read is asked for again though nothing moved.
    poll.askedMoment = '';
  }
  if (poll.abort === abort) poll.abort = undefined;
  for (const listener of poll.listeners) listener();
}
