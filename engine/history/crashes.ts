/**
 * What crashed and was recovered: which component, at what, with which error. Like records in a row are one that counts. Bounded;
 * the oldest leave first.
 */
import type { TimelineCrash } from '../api/sim/v1alpha1/timeline.ts';
import type { CrashRecord } from '../api/sim/v1alpha1/crash-record.ts';
import { formatTime } from '../apimachinery/time.ts';
import { number, record, text } from '../base/codecs.ts';
import { Slots } from '../base/slots.ts';
import { ownText } from '../base/text.ts';
import { Subscribers } from './subscribers.ts';

/** A crash as it is remembered and as it enters the digest. */
export interface CrashNote extends TimelineCrash {
  readonly id: number;
}

const noteCodec = record<CrashNote>({ id: number, component: text, key: text, error: text, firstMs: number, lastMs: number, count: number });
const notesMax = 1_000;
const errorMax = 1_000;

export class Crashes {
  readonly slots = new Slots();
  /** By component, key and error; in the order of their last time. */
  readonly #notes = this.slots.map('notes', noteCodec);
  /** Hear of each record that came, counted on or went. */
  readonly subscribers = new Subscribers();
  #lastId = 0;

  constructor() {
    this.slots.field(
      'lastId',
      number,
      () => this.#lastId,
      (id) => {
        this.#lastId = id;
      },
    );
  }

  add(component: string, key: string, error: unknown, nowMs: number): CrashNote {
    const said = errorText(error);
    const id = JSON.stringify([component, key, said]);
    const before = this.#notes.get(id);
    const note: CrashNote = {
      id: before?.id ?? ++this.#lastId,
      component,
      key,
      error: said,
      firstMs: before?.firstMs ?? nowMs,
      lastMs: nowMs,
      count: (before?.count ?? 0) + 1,
    };
    this.#notes.delete(id);
    this.#notes.set(id, note);
    this.subscribers.tell(undefined, nameOf(note.id));
    for (const [oldest, { id: oldestId }] of this.#notes) {
      if (this.#notes.size <= notesMax) break;
      this.#notes.delete(oldest);
      this.subscribers.tell(undefined, nameOf(oldestId));
    }
    return note;
  }

  /** In the order of their last time. */
  notes(): readonly CrashNote[] {
    return [...this.#notes.values()];
  }

  get(name: string): CrashRecord | undefined {
    const note = this.notes().find(({ id }) => nameOf(id) === name);
    return note === undefined ? undefined : show(note);
  }

  list(): readonly CrashRecord[] {
    return this.notes().map(show);
  }

  within(fromMs: number, toMs: number): readonly TimelineCrash[] {
    return this.notes()
      .filter(({ firstMs, lastMs }) => firstMs <= toMs && lastMs >= fromMs)
      .map(({ component, key, error, firstMs, lastMs, count }) => ({ component, key, error, firstMs, lastMs, count }));
  }
}

function errorText(error: unknown): string {
  return ownText((error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, errorMax));
}

function nameOf(id: number): string {
  return `crash-${id}`;
}

function show({ id, component, key, error, firstMs, lastMs, count }: CrashNote): CrashRecord {
  return {
    kind: 'CrashRecord',
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    metadata: { name: nameOf(id), creationTimestamp: formatTime(firstMs) },
    component,
    key,
    error,
    count,
    firstAt: formatTime(firstMs),
    lastAt: formatTime(lastMs),
  };
}
