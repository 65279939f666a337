/** Events live for an hour after their last write, as etcd's leases make them upstream; and old revisions leave the watch window. */
import { timerCause } from '../base/causes.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { JsonValue, KubeObject } from '../apimachinery/object.ts';
import type { Store } from '../store/store.ts';
import { apiServerIdentity } from './identities.ts';

const sweepMs = 60_000;
const eventsPrefix = '/registry/events/';

interface Compaction {
  readonly revision: number;
  readonly atMs: number;
}

export interface RetentionOptions {
  readonly loop: TaskLoop;
  readonly store: Store<KubeObject>;
  readonly eventTtlMs: number;
  readonly compactionMs: number;
}

/** A component of the loop: one timer a minute. */
export class Retention implements Component {
  readonly name = 'retention';
  readonly #options: RetentionOptions;
  /** Revisions at past sweeps; the one older than the window becomes the floor. */
  #marks: Compaction[] = [];

  constructor(options: RetentionOptions) {
    this.#options = options;
    options.loop.register(this);
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
    return this.#marks.map(({ revision, atMs }) => [revision, atMs]);
  }

  restore(saved: JsonValue): void {
    this.#marks = (saved as [number, number][]).map(([revision, atMs]) => ({ revision, atMs }));
  }

  #schedule(): void {
    const { loop } = this.#options;
    loop.setTimer(this.name, loop.nowMs() + sweepMs, 'sweep');
  }

  #expireEvents(): void {
    const { store, loop, eventTtlMs } = this.#options;
    const oldest = loop.nowMs() - eventTtlMs;
    const meta = { virtualMs: loop.nowMs(), identity: apiServerIdentity.name, causes: [timerCause(this.name, 'event-ttl')] };
    for (const { key, modRevision } of store.range({ prefix: eventsPrefix }).items) {
      const written = store.changeAt(modRevision)?.meta.virtualMs;
      if (written === undefined || written <= oldest) store.remove(key, modRevision, meta);
    }
  }

  #compact(): void {
    const { store, loop, compactionMs } = this.#options;
    const nowMs = loop.nowMs();
    const passed = this.#marks.filter((mark) => mark.atMs <= nowMs - compactionMs);
    const floor = passed.at(-1)?.revision;
    this.#marks = [...this.#marks.slice(passed.length), { revision: store.currentRevision(), atMs: nowMs }];
    if (floor === undefined || floor <= store.compactedRevision()) return;
    store.compact(floor);
    store.retain(floor);
  }
}
