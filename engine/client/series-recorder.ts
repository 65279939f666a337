/**
 * Events of events.k8s.io/v1, as kube-scheduler writes them. Mirrors client-go tools/events: the same once more makes a series of an Event
 * by a patch; from the third time on it is only counted, and the count is written every half hour and when the series has ended, which is
 * when nothing has been added to it for six minutes.
 *
 *   FailedScheduling of pod p at revision 7, three times → one create, one patch {count: 2}; {count: 3} when it has ended
 */
import { Turns } from './turns.ts';
import type { ObjectReference } from '../api/core/v1/types.gen.ts';
import type { Event } from '../api/events/v1/types.gen.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { formatMicroTime } from '../apimachinery/time.ts';
import { assert } from '../base/assert.ts';
import type { Cause } from '../base/causes.ts';
import { list, nullable, number, record, text } from '../base/codecs.ts';
import type { JsonObject } from '../base/json.ts';
import { Slots } from '../base/slots.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { Client } from './client.ts';
import { referenceTo } from './correlating-recorder.ts';
import { EventNames } from './event-names.ts';
import type { EventOptions, EventRecorder } from './event-recorder.ts';
import { keyOf } from './informer.ts';
import { newEvents } from './resources.ts';

const finishMs = 6 * 60_000;
/** A multiple of the time above. */
const refreshMs = 30 * 60_000;
const finishTimer = 'finish';

export interface SeriesRecorderOptions {
  readonly loop: Pick<TaskLoop, 'nowMs' | 'track' | 'setTimer'>;
  readonly client: Client;
  /** `reportingController`. */
  readonly controller: string;
  /** `reportingInstance` is the controller on this machine. */
  readonly host: string;
}

interface Series {
  readonly count: number;
  readonly lastMs: number;
}

/** An Event that was written, and may become a series; its key says the rest. */
interface Told {
  readonly name: string;
  readonly note: string;
  readonly atMs: number;
  readonly series: Series | null;
  readonly causes: readonly Cause[];
}

/** What makes a series: all but the note. */
interface Sort {
  readonly type: string;
  readonly action: string;
  readonly reason: string;
  readonly regarding: ObjectReference;
  readonly related?: ObjectReference;
}

/** The oldest are forgotten, and would begin anew; upstream has no bound. */
const toldMax = 16_384;
const told = record<Told>({
  name: text,
  note: text,
  atMs: number,
  series: nullable(record<Series>({ count: number, lastMs: number })),
  causes: list(text),
});

export class SeriesRecorder implements EventRecorder, Component {
  readonly name: string;
  readonly slots = new Slots();
  readonly #options: SeriesRecorderOptions;
  readonly #names = new EventNames(this.slots);
  /** By their sorts, as text. */
  readonly #told = this.slots.map('told', told);
  /** Writes of one Event come one after the other, as upstream's one broadcaster makes them: a series is patched once its Event is there. */
  readonly #turns = new Turns();

  constructor(options: SeriesRecorderOptions) {
    this.#options = options;
    this.name = `events of ${options.controller}`;
  }

  event(object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string, causes: readonly Cause[], options: EventOptions = {}): void {
    const nowMs = this.#options.loop.nowMs();
    const related = options.related === undefined ? {} : { related: referenceTo(options.related) };
    const sort: Sort = { type, action: options.action ?? '', reason, regarding: referenceTo(object, options), ...related };
    const key = JSON.stringify(sort);
    const known = this.#told.get(key);
    if (known === undefined) {
      if (this.#told.size === 0) this.#setTimer();
      const fresh: Told = { name: this.#names.next(object.metadata.name ?? '', nowMs), note: message, atMs: nowMs, series: null, causes };
      this.#told.set(key, fresh);
      if (this.#told.size > toldMax) this.#told.delete(this.#told.keys().next().value as string);
      this.#write(sort, fresh, `event ${reason} of ${keyOf(object)}`);
      return;
    }
    const count = (known.series?.count ?? 1) + 1;
    assert(nowMs >= (known.series?.lastMs ?? known.atMs), 'a series goes on in time');
    const grown: Told = { ...known, series: { count, lastMs: nowMs }, causes };
    this.#told.set(key, grown);
    if (count === 2) this.#write(sort, grown, `event ${reason} of ${keyOf(object)}`);
  }

  onTimer(): void {
    const nowMs = this.#options.loop.nowMs();
    const refreshes = nowMs % refreshMs < finishMs;
    for (const [key, one] of [...this.#told]) {
      const ended = (one.series?.lastMs ?? one.atMs) < nowMs - finishMs;
      if (ended) this.#told.delete(key);
      if (one.series !== null && (ended || refreshes)) this.#write(JSON.parse(key) as Sort, one, 'series of an event');
    }
    if (this.#told.size > 0) this.#setTimer();
  }

  #setTimer(): void {
    const { loop } = this.#options;
    loop.setTimer(this.name, (Math.floor(loop.nowMs() / finishMs) + 1) * finishMs, finishTimer);
  }

  #build(sort: Sort, { name, note, atMs }: Told): Event {
    const { controller, host } = this.#options;
    return {
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      metadata: { name, namespace: sort.regarding.namespace ?? 'default' },
      eventTime: formatMicroTime(atMs),
      reportingController: controller,
      reportingInstance: `${controller}-${host}`,
      ...sort,
      note,
    } as Event;
  }

  #write(sort: Sort, one: Told, what: string): void {
    this.#options.loop.track(this.#send(sort, one), this.name, what);
  }

  async #send(sort: Sort, one: Told): Promise<void> {
    const client = this.#options.client.because(one.causes);
    const event = this.#build(sort, one);
    const { series } = one;
    assert(series === null || series.count > 1, 'a series has more than one');
    try {
      if (series === null) {
        await this.#turns.of(one.name, () => client.create(newEvents, event, { unread: true }));
        return;
      }
      const patch: JsonObject = { series: { count: series.count, lastObservedTime: formatMicroTime(series.lastMs) } };
      try {
        await this.#turns.of(one.name, () => client.patch(newEvents, event.metadata.namespace, one.name, 'strategic', patch));
      } catch (error) {
        if (!(error instanceof StatusError) || error.status.code !== 404) throw error;
        await this.#turns.of(one.name, () => client.create(newEvents, { ...event, ...patch } as Event, { unread: true }));
      }
    } catch (error) {
      // Upstream drops an event that the API server refuses (namespace gone, quota) after logging it.
      if (!(error instanceof StatusError)) throw error;
    }
  }
}
