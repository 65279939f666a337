/** What the job controller remembers beside its caches, as plain data. Mirrors tracking_utils.go and the stores of job_controller.go. */
import type { JsonValue } from '../../base/json.ts';
import { Expectations } from '../lib/expectations.ts';
import { type BackoffRecord, noBackoff } from './backoff.ts';

interface Saved {
  readonly expectations: JsonValue;
  readonly finalizers: readonly (readonly [string, readonly string[]])[];
  readonly backoff: readonly (readonly [string, number, number | null])[];
  readonly finished: readonly string[];
}

const nobody: ReadonlySet<string> = new Set();

export class JobMemory {
  readonly expectations: Expectations;
  /** UIDs of jobs whose end has been written but not been seen in the cache. */
  readonly finished = new Set<string>();
  /** By job, UIDs of pods whose finalizer has been removed but is still in the cache. */
  readonly #finalizers = new Map<string, Set<string>>();
  readonly #backoff = new Map<string, BackoffRecord>();

  constructor(nowMs: () => number) {
    this.expectations = new Expectations(nowMs);
  }

  removedFinalizers(key: string): ReadonlySet<string> {
    return this.#finalizers.get(key) ?? nobody;
  }

  expectFinalizerRemoved(key: string, uid: string): void {
    const uids = this.#finalizers.get(key) ?? new Set<string>();
    uids.add(uid);
    this.#finalizers.set(key, uids);
  }

  finalizerRemovalObserved(key: string, uid: string): void {
    const uids = this.#finalizers.get(key);
    uids?.delete(uid);
    if (uids?.size === 0) this.#finalizers.delete(key);
  }

  backoffOf(key: string): BackoffRecord {
    return this.#backoff.get(key) ?? noBackoff;
  }

  setBackoff(key: string, record: BackoffRecord): void {
    if (record.failures === 0) this.#backoff.delete(key);
    else this.#backoff.set(key, record);
  }

  forget(key: string): void {
    this.expectations.delete(key);
    this.#finalizers.delete(key);
    this.#backoff.delete(key);
  }

  save(): JsonValue {
    return {
      expectations: this.expectations.save(),
      finalizers: [...this.#finalizers].map(([key, uids]) => [key, [...uids]]),
      backoff: [...this.#backoff].map(([key, { failures, lastFailureMs }]) => [key, failures, lastFailureMs ?? null]),
      finished: [...this.finished],
    };
  }

  restore(value: JsonValue): void {
    const saved = value as unknown as Saved;
    this.expectations.restore(saved.expectations);
    for (const [key, uids] of saved.finalizers) this.#finalizers.set(key, new Set(uids));
    for (const [key, failures, lastFailureMs] of saved.backoff) this.#backoff.set(key, { failures, lastFailureMs: lastFailureMs ?? undefined });
    for (const uid of saved.finished) this.finished.add(uid);
  }
}
