/** What the job controller remembers beside its caches, as plain data. Mirrors tracking_utils.go and the stores of job_controller.go. */
import { number, optional, record, text, texts } from '../../base/codecs.ts';
import type { Slots } from '../../base/slots.ts';
import { Expectations } from '../lib/expectations.ts';
import { type BackoffRecord, noBackoff } from './backoff.ts';

const backoffCodec = record<BackoffRecord>({ failures: number, lastFailureMs: optional(number) });

const nobody: ReadonlySet<string> = new Set();

export class JobMemory {
  readonly expectations: Expectations;
  /** UIDs of jobs whose end has been written but not been seen in the cache. */
  readonly finished: Set<string>;
  /** By job, its PodGroup while that has been made and is not in the cache. */
  readonly gangs: Map<string, string>;
  /** By job, UIDs of pods whose finalizer has been removed but is still in the cache. */
  readonly #finalizers: Map<string, Set<string>>;
  readonly #backoff: Map<string, BackoffRecord>;
  /** By job, calls of its batch that the rate limiter has not let through yet. */
  readonly #batches: Map<string, number>;

  constructor(nowMs: () => number, slots: Slots) {
    this.expectations = new Expectations(nowMs, slots);
    this.finished = slots.set('finished');
    this.gangs = slots.map('gangs', text);
    this.#finalizers = slots.map('finalizers', texts);
    this.#backoff = slots.map('backoff', backoffCodec);
    this.#batches = slots.map('batches', number);
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

  /** Undefined when no batch has begun. */
  batchLeft(key: string): number | undefined {
    return this.#batches.get(key);
  }

  setBatchLeft(key: string, calls: number): void {
    if (calls === 0) this.#batches.delete(key);
    else this.#batches.set(key, calls);
  }

  forget(key: string): void {
    this.#batches.delete(key);
    this.gangs.delete(key);
    this.expectations.delete(key);
    this.#finalizers.delete(key);
    this.#backoff.delete(key);
  }
}
