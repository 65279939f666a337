/**
 * Who watches what. Watchers stand under their prefix or key, so a write visits only those that want it. A write made inside
 * a delivery waits until that delivery is over: everybody sees revisions in order. Mirrors etcd server/storage/mvcc/watchable_store.go.
 */
import { assert } from '../base/assert.ts';
import type { Change, Watcher, WatchOptions } from './store.ts';

interface Subscription<V> {
  readonly options: WatchOptions<V>;
  /** Changes up to here are delivered, or were before its time. */
  seenRevision: number;
  live: boolean;
}

type Group<V> = Set<Subscription<V>>;

export class WatchHub<V> {
  readonly #prefixes = new Map<string, Group<V>>();
  readonly #keys = new Map<string, Group<V>>();
  #waiting: Change<V>[] = [];
  #busy = false;
  /** Who is to be told how far she has seen. */
  #asking: readonly Subscription<V>[] = [];
  readonly #currentRevision: () => number;

  constructor(currentRevision: () => number) {
    this.#currentRevision = currentRevision;
  }

  /** Delivers `replay`, then everything after `seenRevision`. */
  add(options: WatchOptions<V>, seenRevision: number, replay: readonly Change<V>[]): Watcher {
    const [groups, name] = options.key === undefined ? [this.#prefixes, options.prefix ?? ''] : [this.#keys, options.key];
    assert(groups === this.#keys || name === '' || name.endsWith('/'), `watched prefix ${name} ends in a slash`);
    const group: Group<V> = groups.get(name) ?? new Set();
    groups.set(name, group);
    const subscription: Subscription<V> = { options, seenRevision, live: true };
    group.add(subscription);
    if (replay.length > 0) this.#exclusively(() => options.onChanges(replay));
    return {
      cancel: () => {
        subscription.live = false;
        group.delete(subscription);
        if (group.size === 0 && groups.get(name) === group) groups.delete(name);
      },
      tellProgress: () => this.#tellProgress([subscription]),
    };
  }

  publish(changes: readonly Change<V>[]): void {
    for (const change of changes) this.#waiting.push(change);
    this.#exclusively(undefined);
  }

  notifyProgress(): void {
    this.#tellProgress([...this.#prefixes.values(), ...this.#keys.values()].flatMap((group) => [...group]));
  }

  #tellProgress(asking: readonly Subscription<V>[]): void {
    this.#asking = [...new Set([...this.#asking, ...asking])];
    this.#exclusively(undefined);
  }

  /** Runs one delivery and then all that waits; inside another delivery only the first, since the outer one sees to the rest. */
  #exclusively(first: (() => void) | undefined): void {
    if (this.#busy) {
      first?.();
      return;
    }
    this.#busy = true;
    const errors: unknown[] = [];
    if (first !== undefined) attempt(first, errors);
    for (;;) {
      const changes = this.#waiting;
      if (changes.length > 0) {
        this.#waiting = [];
        for (const change of changes) this.#deliver(change, errors);
      } else if (this.#asking.length > 0) {
        const asking = this.#asking;
        this.#asking = [];
        this.#deliverProgress(asking, errors);
      } else break;
    }
    this.#busy = false;
    if (errors.length > 0) throw errors[0];
  }

  /** From the widest prefix to the key itself, and by age within each. */
  #deliver(change: Change<V>, errors: unknown[]): void {
    const { key } = change;
    const batch = [change];
    if (this.#prefixes.size > 0) {
      deliverTo(this.#prefixes.get(''), batch, change.revision, errors);
      for (let slash = key.indexOf('/'); slash !== -1; slash = key.indexOf('/', slash + 1)) {
        deliverTo(this.#prefixes.get(key.slice(0, slash + 1)), batch, change.revision, errors);
      }
    }
    if (this.#keys.size > 0) deliverTo(this.#keys.get(key), batch, change.revision, errors);
  }

  /** Nothing waits now, so everybody has seen the present revision; what is written from here on comes later. */
  #deliverProgress(asking: readonly Subscription<V>[], errors: unknown[]): void {
    const revision = this.#currentRevision();
    for (const subscription of asking) if (subscription.live) attempt(() => subscription.options.onProgress?.(revision), errors);
  }
}

function deliverTo<V>(group: Group<V> | undefined, batch: readonly Change<V>[], revision: number, errors: unknown[]): void {
  if (group === undefined) return;
  for (const subscription of group) {
    if (subscription.seenRevision >= revision) continue;
    subscription.seenRevision = revision;
    try {
      subscription.options.onChanges(batch);
    } catch (error) {
      errors.push(error);
    }
  }
}

/** A watcher that throws must not cost the others their change; its error reaches the writer when all are served. */
function attempt(step: () => void, errors: unknown[]): void {
  try {
    step();
  } catch (error) {
    errors.push(error);
  }
}
