/**
 * Events whose objects somebody has to convert first: they wait until whoever converts has answered, in order, and those that came
 * meanwhile are asked for together. Who converts and fails ends the stream, as upstream's cache does that cannot read what is stored.
 */
import { newInternalError } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { AskLater, GivenAnswer } from '../../contracts/questions.ts';
import type { ServedEvent, ServedListener } from '../../contracts/rest-storage.ts';
import { Asked, askWith } from '../../registry/attempt.ts';
import type { Core } from '../../registry/core.ts';
import type { Resource } from '../../registry/resource.ts';

export class ConvertedEvents {
  readonly #core: Core;
  readonly #resource: Resource;
  readonly #later: AskLater;
  readonly #listener: ServedListener;
  #waiting: ServedEvent[] = [];
  #isAsking = false;
  #isOver = false;

  constructor(core: Core, resource: Resource, later: AskLater, listener: ServedListener) {
    this.#core = core;
    this.#resource = resource;
    this.#later = later;
    this.#listener = listener;
  }

  /** `event` has its object as it is stored. */
  push(event: ServedEvent): void {
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

  #tell(batch: readonly ServedEvent[], answers: readonly GivenAnswer[]): void {
    if (this.#isOver) return;
    const kept = batch.filter(isObjectEvent);
    let shown: readonly KubeObject[];
    try {
      const objects = kept.map(({ object }) => object as KubeObject);
      shown = this.#core.asking(askWith(answers)).allFromStorage(objects, this.#resource);
    } catch (error) {
      if (error instanceof Asked) return this.#ask(error, batch, answers);
      return this.#fail(error);
    }
    const converted = new Map(kept.map((event, i) => [event, shown[i] as KubeObject]));
    for (const event of batch) {
      const object = converted.get(event);
      this.#listener(object === undefined ? event : { ...event, object });
    }
  }

  #ask({ questions }: Asked, batch: readonly ServedEvent[], answers: readonly GivenAnswer[]): void {
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

function isObjectEvent({ type }: ServedEvent): boolean {
  return type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';
}
