/**
 * The event recorder over a client. Mirrors k8s.io/client-go tools/record events_cache.go: a spam filter per source and object,
 * aggregation of more than ten similar events in ten minutes, and one Event whose count grows for equal ones.
 */
import type { Cause } from '../base/causes.ts';
import { deepEqual } from '../base/equal.ts';
import { Slots } from '../base/slots.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { Event, ObjectReference } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { StatusError } from '../apimachinery/status.ts';
import { Seconds } from '../apimachinery/time.ts';
import type { Client } from './client.ts';
import { EventNames } from './event-names.ts';
import type { EventOptions, EventRecorder } from './event-recorder.ts';
import { keyOf } from './informer.ts';
import { events } from './resources.ts';
import { type EventSort, ToldEvents } from './told-events.ts';
import { Turns } from './turns.ts';

export interface RecorderOptions {
  readonly loop: Pick<TaskLoop, 'nowMs' | 'track'>;
  readonly client: Client;
  /** `source.component` and `reportingComponent`. */
  readonly component: string;
  /** `source.host`, for kubelets. */
  readonly host?: string;
  /** What the clock of its machine shows at an instant; absent: the cluster's time. */
  clockAt?(ms: number): number;
  /** Whether Events say who reports them, beside where they come from; they do unless said otherwise. */
  readonly namesReporter?: boolean;
  /** Shared with other recorders. */
  readonly seconds?: Seconds;
}

/** One event on its way. */
interface Telling {
  readonly objectKey: string;
  readonly involvedObject: ObjectReference;
  readonly sort: EventSort;
  /** The message; null where one Event stands for all of the sort. */
  readonly key: string | null;
  readonly message: string;
  readonly action: string | undefined;
  readonly annotations: EventOptions['annotations'];
  readonly causes: readonly Cause[];
  readonly nowMs: number;
}

export class CorrelatingRecorder implements EventRecorder {
  readonly #options: RecorderOptions;
  readonly slots = new Slots();
  readonly #told = new ToldEvents(this.slots);
  readonly #names = new EventNames(this.slots);
  readonly #seconds: Seconds;
  readonly #source: Event['source'];
  /** Writes of one Event come one after the other, as upstream's one broadcaster makes them: a series is patched once its Event is there. */
  readonly #turns = new Turns();
  #lastReference: ObjectReference = {};

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { component, host } = options;
    this.#seconds = options.seconds ?? new Seconds();
    this.#source = host === undefined ? { component } : { component, host };
  }

  event(object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string, causes: readonly Cause[], options: EventOptions = {}): void {
    const nowMs = this.#options.loop.nowMs();
    const involvedObject = this.#reference(object, options);
    const objectKey = identityOf(involvedObject);
    if (!this.#told.admit(objectKey, nowMs)) return;
    const sort = { type, reason, fieldPath: options.fieldPath ?? '' };
    const many = this.#told.isOneOfMany(objectKey, sort, message, nowMs);
    const words = many ? `(combined from similar events): ${message}` : message;
    this.#options.loop.track(
      this.#write({
        objectKey,
        involvedObject,
        sort,
        key: many ? null : message,
        message: words,
        action: options.action,
        annotations: options.annotations,
        causes,
        nowMs,
      }),
      this.#options.component,
      `event ${reason} of ${keyOf(object)}`,
    );
  }

  async #write({ objectKey, involvedObject, sort, key, message, action, annotations, causes, nowMs }: Telling): Promise<void> {
    const client = this.#options.client.because(causes);
    const namespace = involvedObject.namespace ?? 'default';
    const seen = this.#told.find(objectKey, sort, key, nowMs);
    const nowText = this.#seconds.text(this.#options.clockAt?.(nowMs) ?? nowMs);
    try {
      if (seen !== undefined) {
        const { name, count } = seen;
        this.#told.remember(objectKey, sort, { message: key, name, count: count + 1, lastMs: nowMs });
        try {
          await this.#turns.of(name, () => client.patch(events, namespace, name, 'strategic', { count: count + 1, lastTimestamp: nowText, message }));
          return;
        } catch (error) {
          if (!(error instanceof StatusError) || error.status.code !== 404) throw error;
        }
      }
      const name = this.#names.next(involvedObject.name ?? '', nowMs);
      this.#told.remember(objectKey, sort, { message: key, name, count: 1, lastMs: nowMs });
      const event = this.#build(name, namespace, involvedObject, { ...sort, action, annotations }, message, nowText);
      // One that stands for many has no reporting component, as upstream's aggregate has none.
      const made = key === null ? ({ ...event, reportingComponent: '' } as Event) : event;
      await this.#turns.of(name, () => client.create(events, made));
    } catch (error) {
      // Upstream drops an event that the API server refuses (namespace gone, quota) after logging it.
      if (!(error instanceof StatusError)) throw error;
    }
  }

  /** What is told of an object one after the other refers to it by one value. */
  #reference(object: KubeObject, options: EventOptions): ObjectReference {
    const next = referenceTo(object, options);
    if (!deepEqual(next, this.#lastReference)) this.#lastReference = next;
    return this.#lastReference;
  }

  #build(
    name: string,
    namespace: string,
    involvedObject: ObjectReference,
    { type, reason, action, annotations }: EventSort & Pick<Telling, 'action' | 'annotations'>,
    message: string,
    nowText: string,
  ): Event {
    const { component, host, namesReporter = true } = this.#options;
    return {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: { name, namespace, ...(annotations === undefined ? {} : { annotations }) },
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
      ...(action === undefined ? {} : { action }),
      reportingComponent: namesReporter ? component : '',
      reportingInstance: namesReporter ? (host ?? '') : '',
    } as unknown as Event;
  }
}

/** A uid is nobody else's: it stands for all that upstream joins into its keys. */
function identityOf({ uid, kind, namespace, name, apiVersion }: ObjectReference): string {
  return uid ? uid : [kind, namespace, name, apiVersion].join('|');
}

/** As client-go's GetReference makes it. */
export function referenceTo(object: KubeObject, options: Pick<EventOptions, 'fieldPath'> = {}): ObjectReference {
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
