/**
 * What the engine computes (problems, the overview, runs of CronJobs, requests of clients), watched over the page's one socket while somebody
 * looks and the page is seen. All of the page reads them here: everyone who gives the same key shares one watch.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { openWatch, type OpenWatch } from './watches.ts';

export interface Reading<T> {
  /** In no order that may be relied on. Undefined until the first answer. */
  readonly items: readonly T[] | undefined;
  /** Virtual milliseconds that it is true of: when the engine read it, however long it was on its way. */
  readonly atMs: number;
  readonly error: string;
  /** What was asked for them, which may be a path before the one that is followed now. */
  readonly path: string;
}

interface Open {
  readonly path: string;
  readonly watch: OpenWatch;
}

interface Followed {
  path: string;
  /** What is shown, and what takes its place once it is whole. */
  shown: Open | undefined;
  next: Open | undefined;
  openedWallMs: number;
  toldWallMs: number;
  reading: Reading<unknown>;
  readonly listeners: Set<() => void>;
  timer: ReturnType<typeof setInterval> | undefined;
}

const lookMs = 250;
/** Another path is asked for at most so often, and a reading that does not change is told to be still true. */
const paceMs = 1000;
/** Who was expected to look and does not after so long went elsewhere. */
const aheadMs = 2000;
const unread: Reading<never> = { items: undefined, atMs: 0, error: '', path: '' };
const all = new Map<string, Followed>();

/** Of the path that was given last: while that is on its way, what was read before stays; without one nothing is read. */
export function useComputed<T>(key: string, path: string | undefined): Reading<T> {
  const subscribe = useRef<{ readonly key: string; readonly on: (listener: () => void) => () => void }>({ key: '', on: () => () => undefined });
  if (subscribe.current.key !== key) subscribe.current = { key, on: (listener) => follow(key, listener) };
  useEffect(() => {
    const followed = followedOf(key);
    followed.path = path ?? '';
    if (followed.listeners.size > 0) look(followed);
  }, [key, path]);
  return useSyncExternalStore(subscribe.current.on, () => all.get(key)?.reading ?? unread) as Reading<T>;
}

/** What somebody else watches under the key, as it is told. */
export function useReading<T>(key: string): Reading<T> {
  const subscribe = useRef<((listener: () => void) => () => void) | undefined>(undefined);
  subscribe.current ??= (listener) => follow(key, listener);
  return useSyncExternalStore(subscribe.current, () => all.get(key)?.reading ?? unread) as Reading<T>;
}

/** For who will look at it at once: the watch is open when they do. */
export function computeAhead(key: string, path: string): void {
  const followed = followedOf(key);
  if (followed.listeners.size > 0) return;
  followed.path = path;
  look(followed);
  setTimeout(() => {
    if (followed.listeners.size === 0) close(followed);
  }, aheadMs);
}

function followedOf(key: string): Followed {
  let followed = all.get(key);
  if (!followed) {
    followed = {
      path: '',
      shown: undefined,
      next: undefined,
      openedWallMs: -paceMs,
      toldWallMs: 0,
      reading: unread,
      listeners: new Set(),
      timer: undefined,
    };
    all.set(key, followed);
  }
  return followed;
}

function follow(key: string, listener: () => void): () => void {
  const followed = followedOf(key);
  followed.listeners.add(listener);
  if (followed.timer === undefined) {
    followed.timer = setInterval(() => look(followed), lookMs);
    // Whoever is first to look does not wait for the next look.
    look(followed);
  }
  return () => {
    followed.listeners.delete(listener);
    if (followed.listeners.size > 0) return;
    clearInterval(followed.timer);
    followed.timer = undefined;
    close(followed);
  };
}

/** A page that nobody sees watches nothing. */
function look(followed: Followed): void {
  if (document.hidden || followed.path === '') return close(followed);
  const wallMs = performance.now();
  const path = followed.next?.path ?? followed.shown?.path;
  if (path !== followed.path && wallMs - followed.openedWallMs >= paceMs) open(followed, wallMs);
  if (followed.shown?.watch.snapshot.synced !== true || wallMs - followed.toldWallMs < paceMs) return;
  const atMs = followed.shown.watch.asOfMs;
  if (atMs !== followed.reading.atMs) tell(followed, { atMs });
}

function open(followed: Followed, wallMs: number): void {
  followed.next?.watch.close();
  followed.openedWallMs = wallMs;
  const { path } = followed;
  const watch: OpenWatch = openWatch(path, () => take(followed, watch));
  followed.next = { path, watch };
}

function take(followed: Followed, watch: OpenWatch): void {
  const { error, synced, rows } = watch.snapshot;
  if (error !== '') return tell(followed, { error });
  if (!synced) return;
  if (followed.next?.watch === watch) {
    followed.shown?.watch.close();
    followed.shown = followed.next;
    followed.next = undefined;
  }
  if (followed.shown?.watch === watch) tell(followed, { items: [...rows.values()], atMs: watch.asOfMs, error: '', path: followed.shown.path });
}

function tell(followed: Followed, part: Partial<Reading<unknown>>): void {
  followed.reading = { ...followed.reading, ...part };
  followed.toldWallMs = performance.now();
  for (const listener of followed.listeners) listener();
}

function close(followed: Followed): void {
  followed.shown?.watch.close();
  followed.next?.watch.close();
  followed.shown = followed.next = undefined;
  followed.openedWallMs = -paceMs;
}
