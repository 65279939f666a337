/**
 * One of several replicas leads, and the others wait. Mirrors client-go tools/leaderelection: a record in an object of the cluster,
 * renewed at the retry period, given up after the renew deadline; times are the observer's own, never those of the record.
 */
import type { RandomStream } from '../../base/random.ts';
import type { JsonValue } from '../../base/json.ts';
import { Slots } from '../../base/slots.ts';
import type { Component, TaskLoop } from '../../base/task-loop.ts';
import { deepEqual } from '../../base/equal.ts';
import { reasonForError } from '../../apimachinery/errors.ts';
import type { LeaderRecord, ResourceLock } from './resource-locks.ts';
import { badUsage } from './flag-set.ts';

export interface ElectionTimes {
  readonly leaseMs: number;
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

export interface ElectionOptions {
  /** Its name on the loop. */
  readonly component: string;
  readonly loop: Pick<TaskLoop, 'nowMs' | 'setTimer' | 'cancelTimer'>;
  readonly random: RandomStream;
  readonly lock: ResourceLock;
  /** Of this replica, unlike every other. */
  readonly identity: string;
  readonly times: ElectionTimes;
  readonly onStartedLeading: () => void;
  /** It leads no more, and did not want to. */
  readonly onStoppedLeading: () => void;
  readonly onNewLeader: (identity: string) => void;
  readonly onError: (error: Error) => void;
}

/** Waits are longer by up to this share, so that replicas do not knock together. */
const jitterFactor = 1.2;
/** An answer that does not come counts as a failure after this share of the renew deadline, as in upstream's client of the lock. */
const answerShare = 0.5;
const lateTimer = 'late';

/** Throws a CommandError when the times do not fit together. */
export function checkElectionTimes({ leaseMs, renewDeadlineMs, retryMs }: ElectionTimes): void {
  if (leaseMs <= renewDeadlineMs) throw badUsage("couldn't create leader elector: leaseDuration must be greater than renewDeadline");
  if (renewDeadlineMs <= jitterFactor * retryMs)
    throw badUsage("couldn't create leader elector: renewDeadline must be greater than retryPeriod*JitterFactor");
  if (retryMs < 1) throw badUsage("couldn't create leader elector: retryPeriod must be greater than zero");
}

export class LeaderElector implements Component {
  readonly name: string;
  readonly slots = new Slots();
  readonly #options: ElectionOptions;
  #observed: LeaderRecord | undefined;
  #observedMs = 0;
  #isLeading = false;
  #renewedMs = 0;
  #stopped = false;
  /** The number of the try that is under way. */
  #attempt = 0;

  constructor(options: ElectionOptions) {
    checkElectionTimes(options.times);
    this.#options = options;
    this.name = options.component;
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** Who leads, as far as this replica knows. */
  get leader(): string {
    return this.#observed?.holderIdentity ?? '';
  }

  /** Whether it leads and has not renewed for so long that another one may lead; `healthz` fails then. Mirrors leaderelection/healthzadaptor.go. */
  isOverdue(timeoutMs: number): boolean {
    return this.#isLeading && this.#options.loop.nowMs() > this.#observedMs + this.#options.times.leaseMs + timeoutMs;
  }

  start(): void {
    this.#wait(0);
  }

  onTimer(name: string, payload: JsonValue): void | Promise<void> {
    if (name !== lateTimer) return this.#turn();
    if (this.#stopped || payload !== this.#attempt) return undefined;
    this.#options.onError(new Error('the API server did not answer in time'));
    this.#turned(false);
  }

  /** Leaves the place to others; `releases` says so in the record too, so that they need not wait for it to run out. */
  async stop(releases: boolean): Promise<void> {
    this.#stopped = true;
    // A try that only reads yet must not take what is given back here.
    this.#attempt++;
    if (!releases || !this.#isLeading || this.#observed === undefined) return;
    this.#isLeading = false;
    await this.#release(this.#observed);
  }

  /** A renewal that was on its way has made another revision of the object: then it is read once more. */
  async #release(observed: LeaderRecord): Promise<void> {
    const { identity, lock, loop } = this.#options;
    const nowMs = loop.nowMs();
    const release = (): Promise<void> => lock.update({ ...observed, holderIdentity: '', leaseSeconds: 1, acquiredMs: nowMs, renewedMs: nowMs });
    try {
      await release();
    } catch (error) {
      if (reasonForError(error) !== 'Conflict') throw error;
      const found = await lock.get();
      if (found?.holderIdentity === identity) await release();
    }
  }

  #wait(ms: number): void {
    const { loop } = this.#options;
    loop.setTimer(this.name, loop.nowMs() + ms, 'try');
  }

  async #turn(): Promise<void> {
    if (this.#stopped) return;
    const { loop } = this.#options;
    const attempt = ++this.#attempt;
    const late = loop.setTimer(this.name, loop.nowMs() + this.#answerMs(), lateTimer, attempt);
    const isHeld = await this.#tryAcquireOrRenew(attempt);
    // What comes too late for its try is nobody's answer.
    if (this.#stopped || attempt !== this.#attempt) return;
    loop.cancelTimer(late);
    this.#turned(isHeld);
  }

  /** How long an answer is waited for: a leader gives up at its deadline, whether or not anybody answers. */
  #answerMs(): number {
    const { loop, times } = this.#options;
    const answerMs = times.renewDeadlineMs * answerShare;
    return this.#isLeading ? Math.max(0, Math.min(answerMs, this.#renewedMs + times.renewDeadlineMs - loop.nowMs())) : answerMs;
  }

  #turned(isHeld: boolean): void {
    const { loop, random, times } = this.#options;
    this.#attempt++;
    if (isHeld) this.#renewed();
    else if (this.#isLeading && loop.nowMs() - this.#renewedMs >= times.renewDeadlineMs) {
      this.#isLeading = false;
      this.#stopped = true;
      this.#options.onStoppedLeading();
      return;
    }
    this.#wait(this.#isLeading ? times.retryMs : times.retryMs * random.between(1, 1 + jitterFactor));
  }

  #renewed(): void {
    this.#renewedMs = this.#options.loop.nowMs();
    if (this.#isLeading) return;
    this.#isLeading = true;
    this.#options.onStartedLeading();
  }

  /** Whether the record is this replica's now. */
  async #tryAcquireOrRenew(attempt: number): Promise<boolean> {
    const { loop, lock, identity, times, onError } = this.#options;
    const mine = (): LeaderRecord => ({
      holderIdentity: identity,
      leaseSeconds: times.leaseMs / 1000,
      acquiredMs: loop.nowMs(),
      renewedMs: loop.nowMs(),
      transitions: 0,
    });
    try {
      const found = await lock.get();
      if (attempt !== this.#attempt) return false;
      if (found === undefined) {
        const record = mine();
        await lock.create(record);
        if (attempt === this.#attempt) this.#observe(record);
        return true;
      }
      if (!deepEqual(found, this.#observed)) this.#observe(found);
      const isMine = found.holderIdentity === identity;
      if (!isMine && found.holderIdentity !== '' && this.#observedMs + times.leaseMs > loop.nowMs()) return false;
      const record = {
        ...mine(),
        ...(isMine ? { acquiredMs: found.acquiredMs, transitions: found.transitions } : { transitions: found.transitions + 1 }),
      };
      await lock.update(record);
      if (attempt === this.#attempt) this.#observe(record);
      return true;
    } catch (error) {
      // Somebody else was quicker: that is no failure, and the next turn will see it.
      if (attempt === this.#attempt && reasonForError(error) !== 'AlreadyExists' && reasonForError(error) !== 'Conflict') onError(error as Error);
      return false;
    }
  }

  #observe(record: LeaderRecord): void {
    const before = this.#observed?.holderIdentity;
    this.#observed = record;
    this.#observedMs = this.#options.loop.nowMs();
    if (record.holderIdentity !== before && record.holderIdentity !== '') this.#options.onNewLeader(record.holderIdentity);
  }
}
