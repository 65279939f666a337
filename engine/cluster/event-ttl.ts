/**
 * Events live for an hour after their last write, as etcd's leases make them upstream; and old revisions leave the watch window.
 * That window never enters history: the host may widen it by wall time for clients outside.
 */
import { timerCause } from '../base/causes.ts';
import { fixedList, flag, list, number, record } from '../base/codecs.ts';
import { Slots } from '../base/slots.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Change, Store } from '../store/store.ts';
import { apiServerIdentity } from './identities.ts';

const sweepMs = 60_000;
const eventsPrefix = '/registry/events/';
/** So many revisions at most stay for the sake of wall time: at full speed five wall minutes can hold years. */
const wallRevisionsMax = 30_000;
/** Values of this weight may be remembered beside those in force; then the oldest are freed down to half of it. */
export const rememberedMax = 256 << 20;
/** So much stays even where what is in force leaves no space: clients go on watching. */
const rememberedMin = 8 << 20;
const bucketWeight = 1 << 20;
/** Of a change by itself: who, when, why. */
const changeWeight = 400;
const freeTimer = 'free';
const eventTimesMin = 100;

interface Compaction {
  readonly revision: number;
  readonly atMs: number;
  readonly wallMs: number;
}

/** Changes in a row, up to a revision, and what is remembered because of them: the values that they replaced or removed. */
interface Bucket {
  revision: number;
  weight: number;
}

const bucketCodec = record<Bucket>({ revision: number, weight: number });
const markCodec = record<Pick<Compaction, 'revision' | 'atMs'>>({ revision: number, atMs: number });

export interface RetentionOptions {
  readonly loop: TaskLoop;
  readonly store: Store<KubeObject>;
  readonly eventTtlMs: number;
  readonly compactionMs: number;
  readonly wallMs: () => number;
  /** Revisions younger than this in wall time stay too. */
  readonly wallWindowMs: number;
  /** What changes made of their objects is about to be forgotten: who has not looked yet looks now. */
  readonly beforeFreeing?: () => void;
}

/**
 * A component of the loop: one timer a minute, and one when too much is remembered. Two floors move. The visible one is part of history
 * (an input may ask for an old revision), so virtual time and bytes alone decide it. What is freed, and what clients outside may still
 * read, wall time decides too.
 */
export class Retention implements Component {
  readonly name = 'retention';
  readonly #options: RetentionOptions;
  /** Revisions at past sweeps, oldest first. */
  #marks: Compaction[] = [];
  /** The visible window. */
  #window: Bucket[] = [];
  #windowWeight = 0;
  /** Beneath it, and not freed yet. */
  #beneath: Bucket[] = [];
  #isFreeing = false;
  /** When each Event was last written, oldest first. */
  readonly #events = new Map<string, number>();
  /** The same to be saved: revision, time, revision, time … What was written at a revision or after it was written at that time or later. */
  #eventTimes: number[] = [];
  readonly slots = new Slots();

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#declare();
    options.loop.register(this);
    options.store.watch({ prefix: eventsPrefix, onChanges: (changes) => changes.forEach((change) => this.#onEvent(change)) });
  }

  start(): void {
    this.#schedule();
  }

  onChanged({ revision, previous }: Pick<Change<KubeObject>, 'revision' | 'previous'>): void {
    const weight = changeWeight + (previous?.weight ?? 0);
    const last = this.#window.at(-1);
    if (last === undefined || last.weight >= bucketWeight) this.#window.push({ revision, weight });
    else {
      last.revision = revision;
      last.weight += weight;
    }
    this.#windowWeight += weight;
    if (this.#isFreeing || this.#windowWeight <= this.#budget) return;
    this.#isFreeing = true;
    const { loop } = this.#options;
    loop.setTimer(this.name, loop.nowMs(), freeTimer);
  }

  onTimer(name: string): void {
    if (name === freeTimer) {
      this.#freeOverBudget();
      return;
    }
    this.#expireEvents();
    this.#compact();
    this.#schedule();
  }

  #declare(): void {
    const { store, wallMs } = this.#options;
    this.slots.field(
      'window',
      list(bucketCodec),
      () => this.#window,
      (window) => {
        this.#window = [...window];
        this.#windowWeight = weightOf(window);
        this.#beneath = [];
      },
    );
    this.slots.field(
      'isFreeing',
      flag,
      () => this.#isFreeing,
      (isFreeing) => {
        this.#isFreeing = isFreeing;
      },
    );
    this.slots.field(
      'marks',
      list(markCodec),
      () => this.#marks.filter(({ revision }) => revision > store.compactedRevision()),
      (marks) => {
        this.#marks = marks.map((mark) => ({ ...mark, wallMs: wallMs() }));
      },
    );
    this.slots.field(
      'eventTimes',
      fixedList(number),
      () => this.#eventTimes.slice(),
      (times) => {
        this.#eventTimes = [...times];
      },
    );
    this.slots.onRestored(() => this.#recallEvents());
  }

  /** Of each Event that is stored, by its revision. */
  #recallEvents(): void {
    this.#events.clear();
    const times = this.#eventTimes;
    const events = [...this.#options.store.range({ prefix: eventsPrefix }).items].sort((a, b) => a.modRevision - b.modRevision);
    let at = 0;
    for (const { key, modRevision } of events) {
      while (at + 2 < times.length && (times[at + 2] as number) <= modRevision) at += 2;
      this.#events.set(key, times[at + 1] ?? 0);
    }
  }

  /** What is in force comes first. */
  get #budget(): number {
    const { quota, livingWeight } = this.#options.store;
    return Math.max(rememberedMin, Math.min(rememberedMax, quota - livingWeight));
  }

  #onEvent({ key, current, meta }: Change<KubeObject>): void {
    this.#events.delete(key);
    if (current === undefined) return;
    this.#events.set(key, meta.virtualMs);
    const times = this.#eventTimes;
    if (times.at(-1) !== meta.virtualMs) times.push(current.modRevision, meta.virtualMs);
    if (times.length > 4 * (this.#events.size + eventTimesMin)) this.#forgetEventTimes();
  }

  /** Times at which nothing was written that is still there. */
  #forgetEventTimes(): void {
    const { store } = this.#options;
    this.#eventTimes = [];
    for (const [key, ms] of this.#events) {
      const revision = store.get(key)?.modRevision;
      if (revision !== undefined && this.#eventTimes.at(-1) !== ms) this.#eventTimes.push(revision, ms);
    }
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
    const settled = this.#marks.filter((mark) => mark.atMs <= nowMs - compactionMs);
    this.#raiseVisible(settled.at(-1)?.revision ?? 0);
    const isOld = (mark: Compaction): boolean => mark.wallMs <= wallMs - wallWindowMs || mark.revision <= revision - wallRevisionsMax;
    const passed = settled.filter(isOld);
    this.#free(passed.at(-1)?.revision ?? 0);
    this.#marks = [...this.#marks.slice(passed.length), { revision, atMs: nowMs, wallMs }];
    this.#freeBeneath();
  }

  #raiseVisible(floor: number): void {
    const { store } = this.#options;
    if (floor <= store.compactedRevision()) return;
    store.compact(floor);
    const kept = this.#window.findIndex((bucket) => bucket.revision > floor);
    this.#beneath.push(...this.#window.splice(0, kept < 0 ? this.#window.length : kept));
    this.#windowWeight = weightOf(this.#window);
  }

  #free(floor: number): void {
    const { store } = this.#options;
    if (floor === 0) return;
    this.#options.beforeFreeing?.();
    store.expire(floor);
    store.retain(floor);
    this.#beneath = this.#beneath.filter((bucket) => bucket.revision > floor);
  }

  #freeOverBudget(): void {
    this.#isFreeing = false;
    const budget = this.#budget;
    let weight = this.#windowWeight;
    let floor = 0;
    for (const bucket of this.#window) {
      if (weight <= budget / 2) break;
      weight -= bucket.weight;
      floor = bucket.revision;
    }
    this.#raiseVisible(floor);
    this.#free(floor);
  }

  /** What clients outside may still read gives way to what history needs. */
  #freeBeneath(): void {
    const budget = this.#budget;
    while (this.#beneath.length > 0 && this.#windowWeight + weightOf(this.#beneath) > budget) this.#free((this.#beneath[0] as Bucket).revision);
  }
}

function weightOf(buckets: readonly Bucket[]): number {
  return buckets.reduce((sum, { weight }) => sum + weight, 0);
}
