/**
 * Changes to objects that somebody has to convert first: they wait until whoever converts has answered, in order, and those that came
 * meanwhile are asked for together. Selectors look at what was converted, as those of upstream's cache do, which is filled for each
 * version: so what was there before a change is asked for too where there are any. Who converts and fails ends the stream, as upstream's
 * cache does that cannot read what is stored.
 */
import { newInternalError } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { AskLater, GivenAnswer } from '../../contracts/questions.ts';
import type { ServedEvent, ServedListener } from '../../contracts/rest-storage.ts';
import { Asked, askWith } from '../../registry/attempt.ts';
import type { Core } from '../../registry/core.ts';
import type { Resource } from '../../registry/resource.ts';
import type { Selection } from '../../registry/selection.ts';
import { goneEvent, lastSeen, type ResourceEvent } from '../../registry/watch.ts';

export interface ConvertedEventsOptions {
  readonly core: Core;
  readonly resource: Resource;
  readonly selection: Selection;
  readonly later: AskLater;
  readonly listener: ServedListener;
}

export class ConvertedEvents {
  readonly #core: Core;
  readonly #resource: Resource;
  readonly #selection: Selection;
  readonly #later: AskLater;
  readonly #listener: ServedListener;
  #waiting: ResourceEvent[] = [];
  #isAsking = false;
  #isOver = false;

  constructor({ core, resource, selection, later, listener }: ConvertedEventsOptions) {
    this.#core = core;
    this.#resource = resource;
    this.#selection = selection;
    this.#later = later;
    this.#listener = listener;
  }

  /** `event` is of watchChanges. */
  push(event: ResourceEvent): void {
    if (this.#isOver) return;
    this.#waiting.push(event);
    if (!this.#isAsking) this.#goOn();
  }

  cancel(): void {
    this.#isOver = true;
    this.#waiting = [];
  }

  #goOn(): void {
    while (!this.#isAsking && !this.#isOver && this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#tell(batch, []);
    }
  }

  #tell(batch: readonly ResourceEvent[], answers: readonly GivenAnswer[]): void {
    if (this.#isOver) return;
    let shown: ReadonlyMap<KubeObject, KubeObject>;
    try {
      const stored = [...new Set(batch.flatMap((event) => this.#objectsOf(event)))];
      const converted = this.#core.asking(askWith(answers)).allFromStorage(stored, this.#resource);
      shown = new Map(stored.map((object, i) => [object, converted[i] as KubeObject]));
    } catch (error) {
      if (error instanceof Asked) return this.#ask(error, batch, answers);
      return this.#fail(error);
    }
    for (const event of batch) {
      const selected = this.#select(event, shown);
      if (selected !== undefined) this.#listener(selected);
    }
  }

  /** What of an event is to be converted. */
  #objectsOf(event: ResourceEvent): readonly KubeObject[] {
    if (!isObjectEvent(event)) return [];
    const objects = [event.object as KubeObject];
    if (event.before !== undefined && !this.#selection.everything) objects.push(event.before.value);
    return objects;
  }

  /** The event as the client is told it; undefined if it does not concern her. */
  #select({ before, ...event }: ResourceEvent, shown: ReadonlyMap<KubeObject, KubeObject>): ServedEvent | undefined {
    const object = shown.get(event.object as KubeObject);
    if (object === undefined || !isObjectEvent(event)) return event;
    const { type, revision } = event;
    if (this.#selection.everything) return { ...event, object };
    const is = this.#selection.matches(object);
    const old = before === undefined ? undefined : shown.get(before.value);
    const was = old !== undefined && this.#selection.matches(old);
    if (is) return { ...event, type: type === 'MODIFIED' && !was ? 'ADDED' : type, object };
    return was && before !== undefined ? goneEvent(before, lastSeen(old, revision), revision) : undefined;
  }

  #ask({ questions }: Asked, batch: readonly ResourceEvent[], answers: readonly GivenAnswer[]): void {
    this.#isAsking = true;
    this.#later(questions, (given) => {
      this.#isAsking = false;
      this.#tell(batch, [...answers, ...given]);
      this.#goOn();
    });
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    const { status } = error instanceof StatusError ? error : newInternalError(error instanceof Error ? error : String(error));
    this.#listener({ type: 'ERROR', object: status, revision: this.#core.store.currentRevision() });
  }
}

function isObjectEvent({ type }: Pick<ResourceEvent, 'type'>): boolean {
  return type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';
}
