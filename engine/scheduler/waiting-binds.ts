/**
 * Pods that were reserved a place and wait: until plugins permit them to go on, then until what they need there is ready (WaitOnPermit
 * and PreBind of upstream's binding cycle). What they wait for is data: a wait is saved, shown and taken up again.
 */
import { assert } from '../base/assert.ts';
import { json, list, number, oneOf, optional, record, text } from '../base/codecs.ts';
import type { JsonValue } from '../base/json.ts';
import type { Slots } from '../base/slots.ts';
import type { PlacedVerdict } from './verdicts.ts';

export interface WaitingBind {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  /** What plugins asked to wait for. */
  readonly waits: readonly PluginWait[];
  /** Plugins that have not permitted it yet; absent where all have. */
  readonly permits: readonly AwaitedPermit[] | undefined;
  /** What was said so far; absent in what an older build saved. */
  readonly verdicts: readonly PlacedVerdict[] | undefined;
}

export interface AwaitedPermit {
  readonly plugin: string;
  readonly timeoutMs: number;
  readonly untilMs: number;
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
        permits: optional(list(record<AwaitedPermit>({ plugin: text, timeoutMs: number, untilMs: number }))),
        verdicts: optional(
          list(
            record<PlacedVerdict>({
              point: oneOf('Reserve', 'Permit', 'PreBind', 'Bind'),
              plugin: text,
              verdict: oneOf('Success', 'Skip', 'Wait', 'Unschedulable', 'Error'),
            }),
          ),
        ),
      }),
    );
  }

  add(uid: string, wait: WaitingBind): void {
    assert(!this.#waiting.has(uid), 'a pod waits in one place');
    this.#waiting.set(uid, wait);
  }

  /** Goes on waiting for less. */
  set(uid: string, wait: WaitingBind): void {
    assert(this.#waiting.has(uid), 'a pod goes on waiting');
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
