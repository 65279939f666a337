/** The page's side of the watches: live collections, shared by everyone who looks at the same path, updated at most once per frame. */
import { useSyncExternalStore } from 'react';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { PageRows } from '../../engine/component-helpers/page-rows.ts';
import type { FromWorker, ToWorker } from './watch-messages.ts';
import { useClock } from '../state/clock.ts';

/** Whole objects, or the rows that the engine makes of them. */
export interface Projections extends PageRows {
  readonly full: KubeObject;
}
export type ProjectionName = keyof Projections;

export interface Collection<T> {
  readonly rows: ReadonlyMap<string, T>;
  readonly version: number;
  readonly synced: boolean;
  readonly error: string;
}

interface Live {
  id: number;
  users: number;
  /** Of what has come. */
  asOfMs: number;
  /** Of what listeners were told: they are told with the next frame. */
  toldMs: number;
  rows: Map<string, object>;
  snapshot: Collection<object>;
  listeners: Set<() => void>;
}

const empty: Collection<object> = { rows: new Map(), version: 0, synced: false, error: '' };
const lives = new Map<string, Live>();
const byId = new Map<number, Live>();
const lingerMs = 15_000;
let nextId = 1;
let worker: Worker | undefined;
const changed = new Set<Live>();

function theWorker(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./watch-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => receive(data));
  return worker;
}

/** Opens the socket before any view asks, for the clock. */
export function startWatching(): void {
  theWorker();
}

function receive(message: FromWorker): void {
  if (message.type === 'clock') {
    useClock.getState().receive(message.clock);
    return;
  }
  if (message.type === 'connection') {
    useClock.getState().setHearing(message.hearing);
    return;
  }
  const live = byId.get(message.id);
  if (!live) return;
  if (message.type === 'error') {
    publish(live, { error: message.message });
    return;
  }
  live.asOfMs = message.asOfMs ?? live.asOfMs;
  // What was told is still so, at a later instant: nobody has anything to draw for that.
  if (message.changes.length === 0 && !message.reset && message.synced && live.snapshot.synced) {
    if (!changed.has(live)) live.toldMs = live.asOfMs;
    return;
  }
  if (message.reset) live.rows = new Map();
  for (const { key, row } of message.changes) {
    if (row === undefined) live.rows.delete(key);
    else live.rows.set(key, row);
  }
  publish(live, { synced: message.synced, error: '' });
}

/** `rows` is one living map; `version` tells that it changed. Copying ten thousand entries per frame would be the larger sin. */
function publish(live: Live, part: Partial<Collection<object>>): void {
  const isFirst = part.synced === true && !live.snapshot.synced;
  live.snapshot = { ...live.snapshot, ...part, rows: live.rows, version: live.snapshot.version + 1 };
  if (isFirst) {
    // Drawn for the next frame, and not in it.
    changed.delete(live);
    tell(live);
    return;
  }
  if (changed.size === 0) requestAnimationFrame(notify);
  changed.add(live);
}

function notify(): void {
  const due = [...changed];
  changed.clear();
  for (const live of due) tell(live);
}

function tell(live: Live): void {
  live.toldMs = live.asOfMs;
  for (const listener of [...live.listeners]) listener();
}

/** A watch of whole objects for one listener, which nobody shares. */
export interface OpenWatch {
  readonly snapshot: Collection<object>;
  /** Virtual milliseconds that is true of what the listener was told last, of what the engine computes; 0 until it was told. */
  readonly asOfMs: number;
  close(): void;
}

export function openWatch(path: string, listener: () => void): OpenWatch {
  const live = begin(path);
  live.listeners.add(listener);
  return {
    get snapshot() {
      return live.snapshot;
    },
    get asOfMs() {
      return live.toldMs;
    },
    close: () => {
      live.listeners.clear();
      end(live);
    },
  };
}

function begin(path: string): Live {
  const live: Live = { id: nextId++, users: 0, asOfMs: 0, toldMs: 0, rows: new Map(), snapshot: empty, listeners: new Set() };
  byId.set(live.id, live);
  theWorker().postMessage({ open: { id: live.id, path } } satisfies ToWorker);
  return live;
}

function end(live: Live): void {
  byId.delete(live.id);
  theWorker().postMessage({ close: live.id } satisfies ToWorker);
}

function acquire(path: string, projection: ProjectionName): Live {
  const key = `${projection} ${path}`;
  let live = lives.get(key);
  if (!live) {
    live = begin(projection === 'full' ? path : withRows(path, projection));
    lives.set(key, live);
  }
  live.users++;
  return live;
}

function withRows(path: string, projection: ProjectionName): string {
  return `${path}${path.includes('?') ? '&' : '?'}rows=${projection}`;
}

function release(key: string, live: Live): void {
  live.users--;
  setTimeout(() => {
    if (live.users > 0 || lives.get(key) !== live) return;
    lives.delete(key);
    end(live);
  }, lingerMs);
}

/** Opens the watch for who will look at it within a few seconds. */
export function watchAhead(path: string, projection: ProjectionName): void {
  release(`${projection} ${path}`, acquire(path, projection));
}

/** Watches `path` while the component is mounted; undefined watches nothing. */
export function useCollection<P extends ProjectionName>(path: string | undefined, projection: P): Collection<Projections[P]> {
  const key = path === undefined ? '' : `${projection} ${path}`;
  const subscribe = subscriberOf(key, path, projection);
  return useSyncExternalStore(subscribe, () => (lives.get(key)?.snapshot ?? empty) as unknown as Collection<Projections[P]>);
}

const subscribers = new Map<string, (listener: () => void) => () => void>();

/** One function per key, because React subscribes anew whenever the function differs. */
function subscriberOf(key: string, path: string | undefined, projection: ProjectionName): (listener: () => void) => () => void {
  const known = subscribers.get(key);
  if (known) return known;
  const made = (listener: () => void) => {
    if (path === undefined) return () => undefined;
    const live = acquire(path, projection);
    live.listeners.add(listener);
    return () => {
      live.listeners.delete(listener);
      release(key, live);
    };
  };
  if (subscribers.size > 500) subscribers.clear();
  subscribers.set(key, made);
  return made;
}
