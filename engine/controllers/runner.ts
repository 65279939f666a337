/**
 * Runs one controller: feeds its queue from informers, wakes workers, retries with back-off, keeps its timers. Mirrors the frame
 * that every controller of kube-controller-manager repeats. It is a component of the task loop named `controller/<name>`.
 */
import { timerCause, type Cause } from '../base/causes.ts';
import type { RandomStream } from '../base/random.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import type { Informer, InformerFactory } from '../client/informer.ts';
import { workerWakeUpMs } from '../client/physics.ts';
import { defaultBackoff, WorkQueue } from '../client/work-queue.ts';
import { RetryError } from './retry-error.ts';
import type { Controller, ControllerDefinition, ControllerEnvironment, ControllerOptions } from './controller.ts';

export interface RunnerOptions {
  readonly definition: ControllerDefinition;
  readonly loop: TaskLoop;
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly recorder: EventRecorder;
  readonly random: RandomStream;
  readonly options: ControllerOptions;
  /** All kinds that can be listed, watched and deleted, as of now, in a fixed order. */
  readonly deletableResources: () => readonly ResourceType[];
  /** Hears of every failed reconcile; for the log of the cluster. */
  readonly onError: (controller: string, key: string, error: StatusError | Error) => void;
}

const queueTimer = 'queue/add';
const ownTimer = 'own/';

export class ControllerRunner implements Component {
  readonly name: string;
  readonly #options: RunnerOptions;
  readonly #queue: WorkQueue;
  readonly #controller: Controller;
  readonly #workersMax: number;
  #wakeUps = 0;

  constructor(options: RunnerOptions) {
    const { definition, loop } = options;
    this.name = `controller/${definition.name}`;
    this.#options = options;
    this.#workersMax = definition.workers(options.options);
    this.#queue = new WorkQueue(
      {
        nowMs: () => loop.nowMs(),
        delay: (delayMs, key) => loop.setTimer(this.name, loop.nowMs() + delayMs, queueTimer, key),
        cancelDelay: (timer) => loop.cancelTimer(timer),
        wake: () => this.#wake(),
      },
      definition.backoff ?? defaultBackoff,
    );
    loop.register(this);
    this.#controller = definition.create(this.#environment());
    for (const watch of definition.watches) {
      options.informers.informer(watch.type).addHandler((event) => {
        for (const key of watch.keysOf(event, this.#controller)) this.#queue.add(key, event.causes);
      }, this.name);
    }
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  start(): void {
    this.#controller.start?.();
  }

  onTimer(name: string, payload: JsonValue): void | Promise<void> {
    if (name === queueTimer) {
      this.#queue.ready(payload as string, [timerCause(this.name, 'requeue')]);
      return undefined;
    }
    return this.#controller.onTimer?.(name.slice(ownTimer.length), payload);
  }

  save(): JsonValue {
    return { queue: this.#queue.save(), own: this.#controller.save?.() ?? null };
  }

  restore(saved: JsonValue): void {
    const { queue, own } = saved as JsonObject;
    this.#controller.restore?.(own ?? null);
    this.#queue.restore(queue ?? null);
  }

  #environment(): ControllerEnvironment {
    const { loop, client, informers, recorder, random, options } = this.#options;
    return {
      nowMs: () => loop.nowMs(),
      informer: <T extends KubeObject>(type: ResourceType<T>): Informer<T> => informers.informer(type),
      client,
      recorder,
      random,
      options,
      enqueue: (key, causes) => this.#queue.add(key, causes),
      enqueueAfter: (key, delayMs, causes) => this.#queue.addAfter(key, delayMs, causes),
      enqueueRateLimited: (key, causes) => this.#queue.addRateLimited(key, causes),
      forget: (key) => this.#queue.forget(key),
      retries: (key) => this.#queue.retries(key),
      setTimer: (delayMs, name, payload = null) => loop.setTimer(this.name, loop.nowMs() + delayMs, ownTimer + name, payload),
      cancelTimer: (id) => loop.cancelTimer(id),
      deletableResources: () => this.#options.deletableResources(),
    };
  }

  /** One wake-up per free worker and waiting key at most. */
  #wake(): void {
    if (this.#wakeUps + this.#queue.processing >= this.#workersMax) return;
    this.#wakeUps++;
    this.#options.loop.soon(workerWakeUpMs, this.name, () => {
      this.#wakeUps--;
      return this.#work();
    });
  }

  /** A worker: takes keys until none waits. */
  async #work(): Promise<void> {
    for (let taken = this.#queue.take(); taken !== undefined; taken = this.#queue.take()) {
      await this.#reconcile(taken.key, taken.causes);
    }
  }

  async #reconcile(key: string, causes: readonly Cause[]): Promise<void> {
    try {
      await this.#controller.reconcile({ client: this.#options.client.because(causes), causes }, key);
      this.#queue.forget(key);
    } catch (error) {
      if (isRefusal(error)) this.#options.onError(this.#options.definition.name, key, error);
      else this.#options.loop.crashed(this.name, key, error);
      this.#queue.addRateLimited(key, causes);
    }
    this.#queue.done(key);
  }
}

/** What the API server refused, or the controller itself gave up for now; anything else is a crash. Both are retried. */
function isRefusal(error: unknown): error is Error {
  return error instanceof StatusError || error instanceof RetryError;
}
