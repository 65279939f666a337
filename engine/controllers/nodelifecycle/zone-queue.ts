/**
 * The nodes of a zone that wait for a NoExecute taint, let through at the zone's rate. Mirrors RateLimitedTimedQueue of
 * pkg/controller/nodelifecycle/scheduler and client-go's token bucket; plain data.
 */
import type { Cause } from '../../base/causes.ts';
import { type Codec, list, madeOf, mapOf, number, optional, record, text } from '../../base/codecs.ts';
import { causesCodec } from '../../base/slots.ts';

/** Upstream looks ten times a second. */
export const passPeriodMs = 100;
const burst = 1;

interface Waiting {
  readonly processAtMs: number;
  readonly causes: readonly Cause[];
}

/** A node whose turn it is, and why it waited. */
export interface Taken {
  readonly node: string;
  readonly causes: readonly Cause[];
}

interface ZoneQueueData {
  readonly qps: number;
  readonly tokens: number;
  readonly atMs: number;
  readonly waiting: Map<string, Waiting>;
  readonly done: readonly string[] | undefined;
}

export class ZoneQueue {
  #qps: number;
  #tokens = burst;
  #atMs: number;
  /** In the order in which they are due. */
  readonly #waiting = new Map<string, Waiting>();
  /** Had their turn and do not come again before they are removed. */
  readonly #done = new Set<string>();

  constructor(qps: number, nowMs: number) {
    this.#qps = qps;
    this.#atMs = nowMs;
  }

  get size(): number {
    return this.#waiting.size;
  }

  has(node: string): boolean {
    return this.#waiting.has(node);
  }

  add(node: string, nowMs: number, causes: readonly Cause[]): boolean {
    if (this.#waiting.has(node) || this.#done.has(node)) return false;
    this.#waiting.set(node, { processAtMs: nowMs, causes });
    return true;
  }

  remove(node: string): boolean {
    const wasDone = this.#done.delete(node);
    return this.#waiting.delete(node) || wasDone;
  }

  /** It waits no more, and is not added again before it is removed. */
  retire(node: string): void {
    this.#waiting.delete(node);
    this.#done.add(node);
  }

  /** The first node, if the rate lets it through now. The caller removes or postpones it. */
  tryTake(nowMs: number): Taken | undefined {
    for (const [node, { processAtMs, causes }] of this.#waiting) {
      if (!this.#tryAccept(nowMs) || nowMs < processAtMs) return undefined;
      return { node, causes };
    }
    return undefined;
  }

  postpone(node: string, processAtMs: number): void {
    const waiting = this.#waiting.get(node);
    if (waiting === undefined) return;
    this.#waiting.delete(node);
    this.#waiting.set(node, { ...waiting, processAtMs });
  }

  /** When the next one may get through; undefined when none waits or none may. */
  nextMs(nowMs: number): number | undefined {
    if (this.#waiting.size === 0 || this.#qps <= 0) return undefined;
    this.#refill(nowMs);
    return nowMs + (this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.#qps) * 1000);
  }

  /** A new bucket is as empty as the old one was. */
  setRate(qps: number, nowMs: number): void {
    if (qps === this.#qps) return;
    const hadToken = qps > 0 && this.#tryAccept(nowMs);
    this.#qps = qps;
    this.#atMs = nowMs;
    this.#tokens = hadToken ? burst : 0;
  }

  /** What it is made of. */
  toData(): ZoneQueueData {
    return {
      qps: this.#qps,
      tokens: this.#tokens,
      atMs: this.#atMs,
      waiting: this.#waiting,
      done: this.#done.size > 0 ? [...this.#done] : undefined,
    };
  }

  static fromData({ qps, tokens, atMs, waiting, done = [] }: ZoneQueueData): ZoneQueue {
    const queue = new ZoneQueue(qps, atMs);
    queue.#tokens = tokens;
    for (const [node, one] of waiting) queue.#waiting.set(node, one);
    for (const node of done) queue.#done.add(node);
    return queue;
  }

  /** A rate of 0 lets nobody through. */
  #tryAccept(nowMs: number): boolean {
    if (this.#qps <= 0) return false;
    this.#refill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #refill(nowMs: number): void {
    if (nowMs <= this.#atMs) return;
    // Rounded to a millionth of a token, lest ten seconds at 0.1 fall short of one.
    this.#tokens = Math.min(burst, Math.round((this.#tokens + ((nowMs - this.#atMs) / 1000) * this.#qps) * 1e6) / 1e6);
    this.#atMs = nowMs;
  }
}

export const zoneQueueCodec: Codec<ZoneQueue> = madeOf(
  record<ZoneQueueData>({
    qps: number,
    tokens: number,
    atMs: number,
    waiting: mapOf(record<Waiting>({ processAtMs: number, causes: causesCodec })),
    done: optional(list(text)),
  }),
  (queue) => queue.toData(),
  (data) => ZoneQueue.fromData(data),
);
