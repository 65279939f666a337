/**
 * Creates whose objects wait for initializers: they are done, and answered when their object is complete, when it never will be, or when the
 * client has waited long enough. Nothing of the wait is state. Who asks from outside waits in wall time, as all sockets do; a component's
 * call stays in flight, in virtual time.
 */
import { newTimeout } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { StatusError } from '../apimachinery/status.ts';
import { formatDuration, parseDuration } from '../apimachinery/time.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { ApiResult } from '../contracts/request.ts';
import type { HttpRequest } from '../apiserver/http-types.ts';
import type { Uninitialized } from '../apiserver/filters/uninitialized.ts';
import { outcomeOf } from '../registry/initialization.ts';
import type { Store } from '../store/store.ts';
import type { Outside } from './questions.ts';

type Waiting = Uninitialized['result'];
/** Gives the answer, or throws it. */
export type Outcome = () => ApiResult;

const component = 'apiserver';
/** How long a create may take, unless it says so; how long any request may. */
const timeoutMs = 30_000;
const requestMaxMs = 60_000;
/** How often a call in flight looks. */
const lookMs = 100;

export class InitializedObjects {
  readonly #loop: Pick<TaskLoop, 'after' | 'nowMs'>;
  readonly #store: Store<KubeObject>;
  readonly #outside: Outside;
  readonly #open = new Set<(outcome: Outcome) => void>();

  constructor(loop: Pick<TaskLoop, 'after' | 'nowMs'>, store: Store<KubeObject>, outside: Outside) {
    this.#loop = loop;
    this.#store = store;
    this.#outside = outside;
  }

  /** Throws nothing. A client that goes away is forgotten. */
  fromOutside(result: Waiting, { query, onGone }: HttpRequest): Promise<Outcome> {
    const asked = parseDuration(new URLSearchParams(query).get('timeout') ?? '') ?? timeoutMs;
    const within = Math.min(asked, requestMaxMs);
    const text = asked > requestMaxMs ? `within ${formatDuration(requestMaxMs)}` : `within requested timeout ${formatDuration(asked)}`;
    return new Promise((resolve) => {
      const ends: (() => void)[] = [];
      const settle = (outcome: Outcome): void => {
        if (!this.#open.delete(settle)) return;
        for (const end of ends) end();
        resolve(outcome);
      };
      this.#open.add(settle);
      const inVain = (): void => settle(() => refuse(text));
      ends.push(this.#follow(result, settle));
      if (!this.#open.has(settle)) return;
      const forget = onGone?.(inVain);
      if (forget !== undefined) ends.push(forget);
      ends.push(this.#outside.after?.(Math.max(0, within), inVain) ?? this.#afterVirtual(within, inVain));
    });
  }

  /** Of a component's call, in flight. */
  inside(result: Waiting): Promise<ApiResult> {
    const dueMs = this.#loop.nowMs() + timeoutMs;
    let outcome: Outcome | undefined;
    const end = this.#follow(result, (found) => {
      outcome ??= found;
    });
    const look = (): Promise<ApiResult> =>
      this.#loop.after(lookMs, component, () => {
        if (outcome === undefined && this.#loop.nowMs() < dueMs) return look();
        end();
        return outcome === undefined ? refuse(`within requested timeout ${formatDuration(timeoutMs)}`) : outcome();
      });
    return look();
  }

  /** Nobody waits any more. */
  close(): void {
    for (const settle of [...this.#open]) settle(() => refuse('before the server shut down'));
  }

  /** Tells once what becomes of the object. */
  #follow({ object, initializing }: Waiting, tell: (outcome: Outcome) => void): () => void {
    const { key } = initializing;
    const tellOf = (found: KubeObject | StatusError | undefined): void => {
      if (found instanceof StatusError) tell(() => raise(found));
      else if (found !== undefined) tell(() => initializing.complete(found));
    };
    tellOf(outcomeOf(object as KubeObject, undefined));
    const watcher = this.#store.watch({
      key,
      afterRevision: this.#store.currentRevision(),
      onChanges: (changes) => {
        // Of a dry run nothing is there, and what comes into being meanwhile is another one.
        for (const { current, previous } of changes) if (previous !== undefined) tellOf(outcomeOf(current?.value, previous.value));
      },
    });
    return () => watcher.cancel();
  }

  /** Where nobody has a clock of the wall. */
  #afterVirtual(delayMs: number, call: () => void): () => void {
    const dueMs = this.#loop.nowMs() + delayMs;
    let isOver = false;
    const look = async (): Promise<void> => {
      while (!isOver && this.#loop.nowMs() < dueMs) await this.#outside.hop();
      if (!isOver) call();
    };
    void look();
    return () => {
      isOver = true;
    };
  }
}

function refuse(within: string): never {
  throw newTimeout(`request did not complete ${within}`);
}

function raise(error: StatusError): never {
  throw error;
}
