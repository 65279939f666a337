/**
 * The event recorder over a client. Mirrors k8s.io/client-go tools/record events_cache.go: a spam filter per source and object,
 * aggregation of more than ten similar events in ten minutes, and one Event whose count grows for equal ones.
 */
import type { Cause } from '../base/causes.ts';
import { fixed, list, number, record, text } from '../base/codecs.ts';
import { Slots } from '../base/slots.ts';
import { flat } from '../base/text.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { Event, ObjectReference } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { StatusError } from '../apimachinery/status.ts';
import { Seconds } from '../apimachinery/time.ts';
import type { Client } from './client.ts';
import type { EventOptions, EventRecorder } from './event-recorder.ts';
import { keyOf } from './informer.ts';
import { RateLimiter } from './rate-limiter.ts';
import { events } from './resources.ts';

const spamBurst = 25;
const spamQps = 1 / 300;
const similarMax = 10;
const similarWindowMs = 600_000;
const cacheMax = 4096;
/** A filter that rested for so long is full again, as a new one. */
const filterMs = (spamBurst / spamQps) * 1000;
/** Longer than Events live: what was seen before would be written anew anyway. */
const seenMs = 2 * 3_600_000;

interface Seen {
  readonly name: string;
  readonly namespace: string;
  readonly count: number;
  readonly lastMs: number;
}

interface Similar {
  readonly messages: readonly string[];
  readonly lastMs: number;
}

const seenCodec = record<Seen>({ name: text, namespace: text, count: number, lastMs: number });
const similarCodec = record<Similar>({ messages: list(text), lastMs: number });

export interface RecorderOptions {
  readonly loop: Pick<TaskLoop, 'nowMs' | 'track'>;
  readonly client: Client;
  /** `source.component` and `reportingComponent`. */
  readonly component: string;
  /** `source.host`, for kubelets. */
  readonly host?: string;
  /** Shared with other recorders. */
  readonly seconds?: Seconds;
}

export class CorrelatingRecorder implements EventRecorder {
  readonly #options: RecorderOptions;
  readonly slots = new Slots();
  readonly #seen = this.slots.map('seen', fixed(seenCodec));
  readonly #similar = this.slots.map('similar', fixed(similarCodec));
  readonly #filters = this.slots.map('filters', RateLimiter.codec(spamQps, spamBurst));
  readonly #seconds: Seconds;
  readonly #source: Event['source'];
  #lastNameMs = 0;
  #sameNames = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { component, host } = options;
    this.#seconds = options.seconds ?? new Seconds();
    this.#source = host === undefined ? { component } : { component, host };
    this.slots.field(
      'names',
      record<{ lastMs: number; same: number }>({ lastMs: number, same: number }),
      () => ({ lastMs: this.#lastNameMs, same: this.#sameNames }),
      ({ lastMs, same }) => {
        this.#lastNameMs = lastMs;
        this.#sameNames = same;
      },
    );
  }

  event(object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string, causes: readonly Cause[], options: EventOptions = {}): void {
    const nowMs = this.#options.loop.nowMs();
    const involvedObject = referenceTo(object, options);
    const objectKey = identityOf(involvedObject);
    if (!this.#admit(objectKey, nowMs)) return;
    const similarKey = [objectKey, options.fieldPath ?? '', type, reason].join('|');
    const many = this.#aggregate(similarKey, message, nowMs);
    const words = many ? `(combined from similar events): ${message}` : message;
    const key = many ? similarKey : [similarKey, message].join('|');
    this.#options.loop.track(
      this.#write(key, involvedObject, type, reason, words, causes, nowMs),
      this.#options.component,
      `event ${reason} of ${keyOf(object)}`,
    );
  }

  #admit(objectKey: string, nowMs: number): boolean {
    const filter = this.#filters.get(objectKey) ?? new RateLimiter(spamQps, spamBurst);
    const admitted = filter.tryTake(nowMs);
    remember(this.#filters, objectKey, filter, nowMs - filterMs);
    return admitted;
  }

  /** Whether more than ten different messages of this sort came in the last ten minutes. */
  #aggregate(key: string, message: string, nowMs: number): boolean {
    const before = this.#similar.get(key);
    const messages = before === undefined || nowMs - before.lastMs > similarWindowMs ? [] : before.messages;
    const next = messages.includes(message) ? messages : messages.slice(messages.length >= similarMax ? 1 : 0).concat(message);
    remember(this.#similar, key, { messages: next, lastMs: nowMs }, nowMs - similarWindowMs);
    return next.length >= similarMax;
  }

  async #write(
    key: string,
    involvedObject: ObjectReference,
    type: string,
    reason: string,
    message: string,
    causes: readonly Cause[],
    nowMs: number,
  ): Promise<void> {
    const client = this.#options.client.because(causes);
    const seen = this.#seen.get(key);
    const nowText = this.#seconds.text(nowMs);
    try {
      if (seen !== undefined) {
        const count = seen.count + 1;
        remember(this.#seen, key, { ...seen, count, lastMs: nowMs }, nowMs - seenMs);
        try {
          await client.patch(events, seen.namespace, seen.name, 'strategic', { count, lastTimestamp: nowText, message });
          return;
        } catch (error) {
          if (!(error instanceof StatusError) || error.status.code !== 404) throw error;
        }
      }
      const namespace = involvedObject.namespace ?? 'default';
      const name = this.#name(involvedObject.name ?? '', nowMs);
      remember(this.#seen, key, { name, namespace, count: 1, lastMs: nowMs }, nowMs - seenMs);
      await client.create(events, this.#build(name, namespace, involvedObject, type, reason, message, nowText));
    } catch (error) {
      // Upstream drops an event that the API server refuses (namespace gone, quota) after logging it.
      if (!(error instanceof StatusError)) throw error;
    }
  }

  #build(name: string, namespace: string, involvedObject: ObjectReference, type: string, reason: string, message: string, nowText: string): Event {
    const { component, host } = this.#options;
    return {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: { name, namespace },
      involvedObject,
      reason,
      message,
      source: this.#source,
      firstTimestamp: nowText,
      lastTimestamp: nowText,
      count: 1,
      type,
      // Canonical as it is, it is stored as it is.
      eventTime: null,
      reportingComponent: component,
      reportingInstance: host ?? '',
    } as unknown as Event;
  }

  /** `<object>.<nanoseconds in hex>`, unique among the names this recorder gave. */
  #name(objectName: string, nowMs: number): string {
    this.#sameNames = nowMs === this.#lastNameMs ? this.#sameNames + 1 : 0;
    this.#lastNameMs = nowMs;
    const nanoseconds = BigInt(Math.round(nowMs * 1000)) * 1000n + BigInt(this.#sameNames);
    return flat([objectName, '.', nanoseconds.toString(16)]);
  }
}

/** A uid is nobody else's: it stands for all that upstream joins into its keys. */
function identityOf({ uid, kind, namespace, name, apiVersion }: ObjectReference): string {
  return uid ? uid : [kind, namespace, name, apiVersion].join('|');
}

function referenceTo(object: KubeObject, options: EventOptions): ObjectReference {
  const { kind, apiVersion, metadata } = object;
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    kind,
    ...(namespace ? { namespace } : {}),
    ...(name === undefined ? {} : { name }),
    ...(uid === undefined ? {} : { uid }),
    apiVersion,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(options.fieldPath === undefined ? {} : { fieldPath: options.fieldPath }),
  };
}

/** A bounded map, least recently used first, that forgets what is over its number or was last used before `oldestMs`. */
function remember<T extends { readonly lastMs: number }>(map: Map<string, T>, key: string, value: T, oldestMs: number): void {
  map.delete(key);
  map.set(key, value);
  for (const [oldest, { lastMs }] of map) {
    if (map.size <= cacheMax && lastMs >= oldestMs) break;
    map.delete(oldest);
  }
}
