/**
 * Pods that were reserved a place and wait until what they need there is ready (PreBind of upstream's binding cycle). What they wait
 * for is data: a wait is saved, shown and taken up again.
 */
import { assert } from '../base/assert.ts';
import { json, list, number, record, text } from '../base/codecs.ts';
import type { JsonValue } from '../base/json.ts';
import type { Slots } from '../base/slots.ts';

export interface WaitingBind {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  /** What plugins asked to wait for. */
  readonly waits: readonly PluginWait[];
}

export interface PluginWait {
  readonly plugin: string;
  readonly waitsFor: JsonValue;
  readonly untilMs: number;
}

/** By uid of the pod, in the order in which they began to wait. */
export class WaitingBinds {
  readonly #waiting: Map<string, WaitingBind>;

  constructor(slots: Slots) {
    this.#waiting = slots.map(
      'waiting',
      record<WaitingBind>({
        namespace: text,
        name: text,
        node: text,
        waits: list(record<PluginWait>({ plugin: text, waitsFor: json, untilMs: number })),
      }),
    );
  }

  add(uid: string, wait: WaitingBind): void {
    assert(!this.#waiting.has(uid), 'a pod waits in one place');
    this.#waiting.set(uid, wait);
  }

  get(uid: string): WaitingBind | undefined {
    return this.#waiting.get(uid);
  }

  delete(uid: string): void {
    this.#waiting.delete(uid);
  }

  entries(): Iterable<readonly [uid: string, wait: WaitingBind]> {
    return this.#waiting;
  }
}
