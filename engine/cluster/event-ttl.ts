/**
 * Events live for an hour after their last write, as etcd's leases make them upstream; and old revisions leave the watch window.
 * That window never enters history: the host may widen it by wall time for clients outside.
 */
import { timerCause } from '../base/causes.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { Change, Store } from '../store/store.ts';
import { apiServerIdentity } from './identities.ts';

const sweepMs = 60_000;
const eventsPrefix = '/registry/events/';
/** So many revisions at most stay for the sake of wall time: at full speed five wall minutes can hold years. */
const wallRevisionsMax = 30_000;

interface Compaction {
  readonly revision: number;
  readonly atMs: number;
  readonly wallMs: number;
}

interface SavedRetention {
  readonly marks: readonly (readonly [number, number])[];
  /** By key. Their order is that of their revisions. */
  readonly events: Readonly<Record<string, number>>;
}

export interface RetentionOptions {
  readonly loop: TaskLoop;
  readonly store: Store<KubeObject>;
  readonly eventTtlMs: number;
  readonly compactionMs: number;
  readonly wallMs: () => number;
  /** Revisions younger than this in wall time stay too. */
  readonly wallWindowMs: number;
}

/** A component of the loop: one timer a minute. */
export class Retention implements Component {
  readonly name = 'retention';
  readonly #options: RetentionOptions;
  /** Revisions at past sweeps; the one older than the window becomes the floor. */
  #marks: Compaction[] = [];
  /** When each Event was last written, oldest first. */
  readonly #events = new Map<string, number>();

  constructor(options: RetentionOptions) {
    this.#options = options;
    options.loop.register(this);
    options.store.watch({ prefix: eventsPrefix, onChanges: (changes) => changes.forEach((change) => this.#onEvent(change)) });
  }

  start(): void {
    this.#schedule();
  }

  onTimer(): void {
    this.#expireEvents();
    this.#compact();
    this.#schedule();
  }

  save(): JsonValue {
    const saved: SavedRetention = { marks: this.#marks.map(({ revision, atMs }) => [revision, atMs]), events: Object.fromEntries(this.#events) };
    return saved as unknown as JsonValue;
  }

  restore(value: JsonValue): void {
    const { marks, events } = value as unknown as SavedRetention;
    const wallMs = this.#options.wallMs();
    this.#marks = marks.map(([revision, atMs]) => ({ revision, atMs, wallMs }));
    this.#events.clear();
    const { store } = this.#options;
    const keys = Object.keys(events).map((key) => [key, store.get(key)?.modRevision ?? 0] as const);
    for (const [key] of keys.sort(([, a], [, b]) => a - b)) this.#events.set(key, events[key] as number);
  }

  #onEvent({ key, current, meta }: Change<KubeObject>): void {
    this.#events.delete(key);
    if (current !== undefined) this.#events.set(key, meta.virtualMs);
  }

  #schedule(): void {
    const { loop } = this.#options;
    loop.setTimer(this.name, loop.nowMs() + sweepMs, 'sweep');
  }

  #expireEvents(): void {
    const { store, loop, eventTtlMs } = this.#options;
    const oldest = loop.nowMs() - eventTtlMs;
    const meta = { virtualMs: loop.nowMs(), identity: apiServerIdentity.name, causes: [timerCause(this.name, 'event-ttl')] };
    for (const [key, writtenMs] of this.#events) {
      if (writtenMs > oldest) break;
      store.remove(key, undefined, meta);
    }
  }

  #compact(): void {
    const { store, loop, compactionMs, wallWindowMs } = this.#options;
    const nowMs = loop.nowMs();
    const wallMs = this.#options.wallMs();
    const revision = store.currentRevision();
    const isOld = (mark: Compaction): boolean => mark.wallMs <= wallMs - wallWindowMs || mark.revision <= revision - wallRevisionsMax;
    const passed = this.#marks.filter((mark) => mark.atMs <= nowMs - compactionMs && isOld(mark));
    const floor = passed.at(-1)?.revision;
    this.#marks = [...this.#marks.slice(passed.length), { revision, atMs: nowMs, wallMs }];
    if (floor === undefined || floor <= store.compactedRevision()) return;
    store.compact(floor);
    store.retain(floor);
  }
}
