/**
 * Runs one controller: feeds its queue from informers, wakes workers, keeps its timers and what it remembers. Mirrors the frame that
 * every controller of kube-controller-manager repeats. It is a component of the task loop named `controller/<name>`.
 */
import type { Cause } from '../base/causes.ts';
import type { JsonValue } from '../base/json.ts';
import type { RandomStream } from '../base/random.ts';
import { Slots } from '../base/slots.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Client, ResourceType } from '../client/client.ts';
import { idOf } from '../client/cached-informer.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import type { Informer, InformerFactory } from '../client/informer.ts';
import { workerWakeUpMs } from '../client/physics.ts';
import type { RateLimiter } from '../client/rate-limiter.ts';
import type { Controller, ControllerDefinition, ControllerEnvironment, ControllerMetric, ServedTypes } from './controller.ts';
import { KeyedWorkers } from './keyed-workers.ts';

export interface RunnerOptions<O = unknown> {
  readonly definition: ControllerDefinition<Controller, O>;
  readonly loop: Pick<TaskLoop, 'nowMs' | 'register' | 'setTimer' | 'cancelTimer' | 'soon' | 'track' | 'crashed'>;
  readonly client: Client;
  /**
   * A process that begins in a cluster which is there already: nothing is worked on before all that the controller looks at is known,
   * and `start` was called. Mirrors WaitForNamedCacheSync, which stands before the workers of every controller.
   */
  readonly waitsForCaches?: boolean;
  /** The limiter that the client waits for. */
  readonly limiter?: RateLimiter;
  readonly informers: InformerFactory;
  readonly recorder: EventRecorder;
  readonly random: RandomStream;
  readonly options: O;
  /** All kinds that can be listed, watched and deleted, as of now, in a fixed order. */
  readonly deletableResources: () => readonly ResourceType[];
  /** See ControllerEnvironment; no group is known when absent. */
  readonly versionsOf?: (group: string) => Promise<readonly string[] | undefined>;
  /** See ControllerEnvironment; nothing has any when absent. */
  readonly hasSubresource?: (type: ResourceType, name: string) => Promise<boolean>;
  /** Nothing is known of any kind when absent. */
  readonly types?: ServedTypes;
  /** Hears of every failed reconcile; for the log of the cluster. */
  readonly onError: (controller: string, key: string, error: Error) => void;
}

const nothingServed: ServedTypes = { kindsOf: () => [], typeOf: () => undefined };
const queueTimer = 'queue/add';
const ownTimer = 'own/';

export class ControllerRunner<O = unknown> implements Component {
  readonly name: string;
  readonly #options: RunnerOptions<O>;
  readonly slots = new Slots();
  readonly #workers: KeyedWorkers;
  readonly #controller: Controller;
  /** What the controller looks at from its beginning. */
  readonly #informers = new Map<string, Informer<KubeObject>>();
  /** Which of the handlers of its informers are its own: others in the same process have some too. */
  readonly #handlers = new Map<Informer<KubeObject>, { readonly from: number; to: number }>();

  constructor(options: RunnerOptions<O>) {
    const { definition, loop } = options;
    this.name = definition.component ?? `controller/${definition.name}`;
    this.#options = options;
    const own = this.slots.part('own');
    this.#workers = new KeyedWorkers({
      loop,
      component: this.name,
      timer: queueTimer,
      slots: this.slots.part('queue'),
      workersMax: definition.workers(options.options),
      wakeUpMs: workerWakeUpMs,
      limiter: options.limiter,
      closed: options.waitsForCaches === true,
      ...(definition.backoff === undefined ? {} : { backoff: definition.backoff }),
      work: (key, causes) => this.#controller.reconcile({ client: options.client.because(causes), causes }, key),
      onRefused: (key, error) => options.onError(definition.name, key, error),
    });
    loop.register(this);
    this.#controller = definition.create(this.#environment(own));
    for (const watch of definition.watches) {
      if (watch.when?.(options.options) === false) continue;
      this.#informer(watch.type).addHandler((event) => {
        for (const key of watch.keysOf(event, this.#controller)) this.#workers.queue.add(key, event.causes);
      }, this.name);
    }
    for (const [informer, own] of this.#handlers) own.to = informer.handlerCount;
  }

  get queueLength(): number {
    return this.#workers.queue.length;
  }

  metrics(): readonly ControllerMetric[] {
    return this.#controller.metrics?.() ?? [];
  }

  /** Whether all that it looks at from its beginning is known. */
  get synced(): boolean {
    return [...this.#informers.values()].every(({ synced }) => synced);
  }

  start(): void {
    this.#workers.open();
    this.#controller.start?.();
  }

  /** Starts in a process that has run for a while: it is told of all that the process knows. */
  begin(): void {
    for (const [informer, { from, to }] of this.#handlers) informer.tellAll(from, to);
    this.start();
  }

  onTimer(name: string, payload: JsonValue): void | Promise<void> {
    if (name !== queueTimer) return this.#controller.onTimer?.(name.slice(ownTimer.length), payload);
    this.#workers.onTimer(payload as string | null);
    return undefined;
  }

  #informer<T extends KubeObject>(type: ResourceType<T>): Informer<T> {
    const informer = this.#options.informers.informer(type);
    const known = informer as unknown as Informer<KubeObject>;
    this.#informers.set(idOf(type), known);
    if (!this.#handlers.has(known)) this.#handlers.set(known, { from: known.handlerCount, to: known.handlerCount });
    return informer;
  }

  #environment(slots: Slots): ControllerEnvironment<O> {
    const { loop, client, recorder, random, options } = this.#options;
    const { queue } = this.#workers;
    return {
      nowMs: () => loop.nowMs(),
      informer: <T extends KubeObject>(type: ResourceType<T>): Informer<T> => this.#informer(type),
      watches: (type) => this.#options.informers.has?.(type) ?? this.#informers.has(idOf(type)),
      client,
      recorder,
      random,
      options,
      slots,
      callsAvailable: () => Math.floor((this.#options.limiter?.available(loop.nowMs()) ?? Number.POSITIVE_INFINITY) / Math.max(1, queue.processing)),
      enqueue: (key, causes) => queue.add(key, causes),
      enqueueAfter: (key, delayMs, causes) => queue.addAfter(key, delayMs, causes),
      enqueueRateLimited: (key, causes: readonly Cause[]) => queue.addRateLimited(key, causes),
      forget: (key) => queue.forget(key),
      retries: (key) => queue.retries(key),
      setTimer: (delayMs, name, payload = null) => loop.setTimer(this.name, loop.nowMs() + delayMs, ownTimer + name, payload),
      cancelTimer: (id) => loop.cancelTimer(id),
      deletableResources: () => this.#options.deletableResources(),
      versionsOf: this.#options.versionsOf ?? (async () => undefined),
      hasSubresource: this.#options.hasSubresource ?? (async () => false),
      types: this.#options.types ?? nothingServed,
    };
  }
}
