/**
 * What an event recorder remembers of what it told, by object: how many events more it may tell of it, which messages of a sort came
 * lately, and the Event that stands for each. Mirrors k8s.io/client-go tools/record events_cache.go, whose three caches are by longer keys.
 *
 *   u1: tokens 23, sorts [{Normal Started c: "Container started" is Event x.17, once}, {… and similar ones}]
 *
 * Values are plain and replaced, never changed: a state that is saved often shares what has stayed.
 */
import { assert } from '../base/assert.ts';
import { type Codec, list, nullable, number, record, text } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';

const spamBurst = 25;
const spamQps = 1 / 300;
const similarMax = 10;
const similarWindowMs = 600_000;
const objectsMax = 4096;
/** Longer than Events live: what was seen before would be written anew anyway. */
const seenMs = 2 * 3_600_000;
/** Who rested for so long may tell as much as one that is new. */
const restedMs = (spamBurst / spamQps) * 1000;

/** What events have in common that differ in their message only. */
export interface EventSort {
  readonly type: string;
  readonly reason: string;
  readonly fieldPath: string;
}

/** An Event that stands for all with its message; with none for all of its sort. */
export interface SeenEvent {
  readonly message: string | null;
  readonly name: string;
  readonly count: number;
  readonly lastMs: number;
}

/** Most sorts have one message for ever; `others` is null for those. */
interface Sort extends EventSort, SeenEvent {
  readonly others: Others | null;
}

interface Others {
  /** Of the sort. */
  readonly lastMs: number;
  /** Different ones that came lately, the oldest first. */
  readonly messages: readonly string[];
  /** Without the first of the sort. */
  readonly seen: readonly SeenEvent[];
}

interface Told {
  readonly tokens: number;
  readonly lastMs: number;
  readonly sorts: readonly Sort[];
}

const seen = { message: nullable(text), name: text, count: number, lastMs: number };
const others = record<Others>({ lastMs: number, messages: list(text), seen: list(record<SeenEvent>(seen)) });
const sort = record<Sort>({ type: text, reason: text, fieldPath: text, ...seen, others: nullable(others) });
const told = record<Told>({ tokens: number, lastMs: number, sorts: list(sort) });
/** Plain already. */
const codec: Codec<Told> = { encode: (value) => value as never, decode: (saved, path) => told.decode(saved, path) };

const none: readonly Sort[] = [];

export class ToldEvents {
  /** Least recently used first. */
  readonly #objects: Map<string, Told>;

  constructor(slots: Slots) {
    this.#objects = slots.map('objects', codec);
  }

  /** Whether one more event of this object may be told. */
  admit(object: string, nowMs: number): boolean {
    const before = this.#objects.get(object);
    const tokens = before === undefined ? spamBurst : Math.min(spamBurst, before.tokens + ((nowMs - before.lastMs) / 1000) * spamQps);
    assert(tokens <= spamBurst, 'no more than a burst is saved up');
    const isAdmitted = tokens >= 1;
    this.#keep(object, { tokens: isAdmitted ? tokens - 1 : tokens, lastMs: nowMs, sorts: before?.sorts ?? none });
    return isAdmitted;
  }

  /** Whether with this one ten different messages of the sort or more came in the last ten minutes: then one Event stands for all. */
  isOneOfMany(object: string, wanted: EventSort, message: string, nowMs: number): boolean {
    const known = this.#sort(object, wanted);
    if (known === undefined) return false;
    const { message: first, lastMs, others } = known;
    if (others === null && first === message) return false;
    const isRecent = nowMs - (others?.lastMs ?? lastMs) <= similarWindowMs;
    const before = !isRecent ? [] : (others?.messages ?? [first as string]);
    const messages = before.includes(message) ? before : before.slice(before.length >= similarMax ? 1 : 0).concat(message);
    this.#replace(object, known, { ...known, others: { lastMs: nowMs, messages, seen: others?.seen ?? [] } });
    return messages.length >= similarMax;
  }

  /** The Event that stands for this message. */
  find(object: string, wanted: EventSort, message: string | null, nowMs: number): SeenEvent | undefined {
    const known = this.#sort(object, wanted);
    const found = known?.message === message ? known : known?.others?.seen.find((one) => one.message === message);
    return found !== undefined && found.lastMs >= nowMs - seenMs ? found : undefined;
  }

  /** From now on this Event stands for its message. */
  remember(object: string, wanted: EventSort, event: SeenEvent): void {
    const known = this.#sort(object, wanted);
    if (known === undefined) {
      // It may have been forgotten since it was admitted.
      const { tokens, lastMs, sorts } = this.#objects.get(object) ?? { tokens: spamBurst, lastMs: event.lastMs, sorts: none };
      this.#keep(object, { tokens, lastMs, sorts: sorts.concat(madeSort(wanted, event, null)) });
    } else if (known.message === event.message) {
      this.#replace(object, known, madeSort(known, event, known.others));
    } else {
      const { lastMs, messages, seen } = known.others ?? { lastMs: known.lastMs, messages: [known.message as string], seen: [] };
      const left = seen.filter((one) => one.message !== event.message && one.lastMs >= event.lastMs - seenMs);
      this.#replace(object, known, { ...known, others: { lastMs, messages, seen: [...left, event] } });
    }
  }

  #sort(object: string, { type, reason, fieldPath }: EventSort): Sort | undefined {
    return this.#objects.get(object)?.sorts.find((one) => one.reason === reason && one.fieldPath === fieldPath && one.type === type);
  }

  #replace(object: string, known: Sort, next: Sort): void {
    const { tokens, lastMs, sorts } = this.#objects.get(object) as Told;
    this.#keep(object, { tokens, lastMs, sorts: sorts.map((one) => (one === known ? next : one)) });
  }

  #keep(object: string, next: Told): void {
    this.#objects.delete(object);
    this.#objects.set(object, next);
    const oldestMs = next.lastMs - restedMs;
    for (const [oldest, { lastMs }] of this.#objects) {
      if (this.#objects.size <= objectsMax && lastMs >= oldestMs) break;
      this.#objects.delete(oldest);
    }
  }
}

function madeSort({ type, reason, fieldPath }: EventSort, { message, name, count, lastMs }: SeenEvent, others: Others | null): Sort {
  return { type, reason, fieldPath, message, name, count, lastMs, others };
}
