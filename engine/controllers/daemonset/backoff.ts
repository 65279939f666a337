/** How long a failed pod stays before it is made anew: a second, then twice as long each time. Mirrors client-go's util/flowcontrol Backoff; plain data. */
import { number, record } from '../../base/codecs.ts';
import type { Slots } from '../../base/slots.ts';

interface Entry {
  readonly delayMs: number;
  readonly atMs: number;
}

const firstMs = 1_000;
const longestMs = 15 * 60_000;
/** What has been quiet for so long begins anew. */
const expiryMs = 2 * longestMs;
const pruneEveryMs = 60_000;

export class FailedPodBackoff {
  readonly #entries: Map<string, Entry>;
  #prunedAtMs = 0;

  constructor(slots: Slots) {
    this.#entries = slots.map('failedPods', record<Entry>({ delayMs: number, atMs: number }));
    slots.field(
      'prunedAtMs',
      number,
      () => this.#prunedAtMs,
      (atMs) => {
        this.#prunedAtMs = atMs;
      },
    );
  }

  /** The delay of a key that is still within it. */
  delayOf(key: string, nowMs: number): number | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || isExpired(entry, nowMs) || nowMs - entry.atMs >= entry.delayMs ? undefined : entry.delayMs;
  }

  /** It has failed again. */
  next(key: string, nowMs: number): void {
    if (nowMs - this.#prunedAtMs >= pruneEveryMs) this.#prune(nowMs);
    const entry = this.#entries.get(key);
    const delayMs = entry === undefined || isExpired(entry, nowMs) ? firstMs : Math.min(2 * entry.delayMs, longestMs);
    this.#entries.set(key, { delayMs, atMs: nowMs });
  }

  #prune(nowMs: number): void {
    this.#prunedAtMs = nowMs;
    for (const [key, entry] of this.#entries) if (isExpired(entry, nowMs)) this.#entries.delete(key);
  }
}

function isExpired({ atMs }: Entry, nowMs: number): boolean {
  return nowMs - atMs > expiryMs;
}
