/**
 * Runs one controller over a FakeStore, with its queue and timers on a clock that a test moves. A test gives objects, lets the
 * controller settle, and reads the writes, the events and the objects that are there then.
 *
 *   const fake = new FakeCluster();
 *   fake.add(replicaSets, makeReplicaSet());
 *   await fake.run(definition);           // creates the controller, feeds it all objects, settles
 *   expect(fake.writeTexts()).toEqual(['create pods default/rs-00001', 'updateStatus replicasets default/rs']);
 *   await fake.advance(10_000);           // timers and delayed keys in order, settling after each
 */
import type { Cause } from '../../base/causes.ts';
import { Random } from '../../base/random.ts';
import { Slots } from '../../base/slots.ts';
import type { KubeList, KubeObject } from '../../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { DeleteOptions } from '../../contracts/request.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { CallOptions, Client, ResourceType } from '../../client/client.ts';
import { keyOf } from '../../client/informer.ts';
import type { Controller } from '../../controller-runtime/controller.ts';
import type { ControllerDefinition, ControllerEnvironment, ControllerOptions } from '../controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { fakeOptions } from './fake-options.ts';
import { applyPatch } from './fake-patch.ts';
import { FakeStore, type Draft } from './fake-store.ts';

export interface FakeWrite {
  readonly verb: 'create' | 'update' | 'updateStatus' | 'patch' | 'delete' | 'deleteCollection' | 'post';
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** The object, the patch or the delete options as sent. */
  readonly body: unknown;
  readonly causes: readonly Cause[];
}

export interface FakeEvent {
  readonly object: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly Cause[];
}

interface FakeTimer {
  readonly id: number;
  readonly dueMs: number;
  readonly name: string;
  readonly payload: JsonValue;
}

const failuresMax = 20;

export class FakeCluster {
  readonly store: FakeStore;
  readonly writes: FakeWrite[] = [];
  readonly events: FakeEvent[] = [];
  /** What reconciles threw, as text. */
  readonly errors: string[] = [];
  /** Called before each write; throw a StatusError to refuse it. */
  refuse: ((write: FakeWrite) => void) | undefined;
  /** What the garbage collector and the namespace controller find. */
  deletable: readonly ResourceType[] = [];
  readonly #options: ControllerOptions;
  readonly #queue = new Map<string, readonly Cause[]>();
  readonly #delayed = new Map<string, { readonly dueMs: number; readonly causes: readonly Cause[] }>();
  readonly #failures = new Map<string, number>();
  #timers: FakeTimer[] = [];
  #timerIds = 0;
  #controller: Controller | undefined;

  constructor(options: { readonly nowMs?: number; readonly options?: Partial<ControllerOptions> } = {}) {
    this.store = new FakeStore(options.nowMs ?? Date.parse('2026-01-01T00:00:00Z'));
    this.#options = { ...fakeOptions, ...options.options };
  }

  get nowMs(): number {
    return this.store.nowMs;
  }

  /** Creates an object from outside; the controller hears of it. */
  add<T extends KubeObject>(type: ResourceType<T>, draft: Draft | T): T {
    return this.store.create(type, draft);
  }

  /** Changes an object from outside, spec and status alike. */
  change<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, name: string, edit: (object: T) => unknown): T {
    const edited = edit(this.store.get(type, namespace, name)) as T;
    this.store.update(type, { ...edited, metadata: { ...edited.metadata, resourceVersion: '' } }, 'spec');
    if (this.store.cacheOf(type).get(namespace, name) === undefined) return edited;
    return this.store.update(type, { ...edited, metadata: { ...edited.metadata, resourceVersion: '' } }, 'status');
  }

  remove(type: ResourceType, namespace: string | undefined, name: string): void {
    this.store.remove(type, namespace, name);
  }

  get<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, name: string): T | undefined {
    return this.store.cacheOf(type).get(namespace, name);
  }

  list<T extends KubeObject>(type: ResourceType<T>, namespace?: string): readonly T[] {
    return this.store.cacheOf(type).list(namespace);
  }

  /** Creates the controller, tells it of all objects, and settles. Returns the controller. */
  async run(definition: ControllerDefinition): Promise<Controller> {
    const controller = definition.create(this.environment());
    this.#controller = controller;
    for (const watch of definition.watches) {
      this.store.informer(watch.type).addHandler((event) => {
        for (const key of watch.keysOf(event, controller)) this.#enqueue(key, event.causes);
      });
    }
    controller.start?.();
    await this.settle();
    return controller;
  }

  /** Reconciles until no key waits. A key that fails is tried again after its back-off, on `advance`. */
  async settle(): Promise<void> {
    for (let steps = 0; this.#queue.size > 0; steps++) {
      if (steps > 10_000) throw new Error(`the controller does not settle: ${[...this.#queue.keys()].join(', ')}`);
      const [key, causes] = [...this.#queue][0] as [string, readonly Cause[]];
      this.#queue.delete(key);
      await this.#reconcile(key, causes);
    }
  }

  /** Moves the clock, firing timers and delayed keys on the way. */
  async advance(ms: number): Promise<void> {
    const endMs = this.store.nowMs + ms;
    await this.settle();
    for (;;) {
      const timer = this.#timers.toSorted((a, b) => a.dueMs - b.dueMs)[0];
      const delayed = [...this.#delayed].toSorted(([, a], [, b]) => a.dueMs - b.dueMs)[0];
      const dueMs = Math.min(timer?.dueMs ?? Infinity, delayed?.[1].dueMs ?? Infinity);
      if (dueMs > endMs) break;
      this.store.nowMs = Math.max(this.store.nowMs, dueMs);
      if (delayed !== undefined && delayed[1].dueMs === dueMs) {
        this.#delayed.delete(delayed[0]);
        this.#enqueue(delayed[0], [...delayed[1].causes, 'timer:test/requeue']);
      } else if (timer !== undefined) {
        this.#timers = this.#timers.filter((other) => other !== timer);
        await this.#controller?.onTimer?.(timer.name, timer.payload);
      }
      await this.settle();
    }
    this.store.nowMs = endMs;
  }

  /** `verb resource[/subresource] namespace/name`, one per write. */
  writeTexts(): string[] {
    return this.writes.map(({ verb, resource, subresource, namespace, name }) => {
      return `${verb} ${resource}${subresource ? `/${subresource}` : ''} ${namespace ? `${namespace}/` : ''}${name}`;
    });
  }

  /** `type reason message`, one per event. */
  eventTexts(): string[] {
    return this.events.map(({ type, reason, message }) => `${type} ${reason} ${message}`);
  }

  /** Forgets the writes and events so far. */
  clear(): void {
    this.writes.length = 0;
    this.events.length = 0;
    this.errors.length = 0;
  }

  /** When a key will be reconciled next, or undefined. */
  dueMs(key: string): number | undefined {
    return this.#delayed.get(key)?.dueMs;
  }

  environment(slots = new Slots()): ControllerEnvironment {
    const random = new Random(1).stream('test');
    return {
      nowMs: () => this.store.nowMs,
      informer: <T extends KubeObject>(type: ResourceType<T>) => this.store.informer(type),
      client: this.client([]),
      recorder: {
        event: (object, type, reason, message, causes) => {
          this.events.push({ object: `${object.kind} ${keyOf(object)}`, type, reason, message, causes });
        },
      },
      random,
      options: this.#options,
      slots,
      enqueue: (key, causes) => this.#enqueue(key, causes),
      enqueueAfter: (key, delayMs, causes) => this.#enqueueAfter(key, delayMs, causes),
      enqueueRateLimited: (key, causes) => this.#enqueueRateLimited(key, causes),
      forget: (key) => void this.#failures.delete(key),
      retries: (key) => this.#failures.get(key) ?? 0,
      setTimer: (delayMs, name, payload = null) => {
        this.#timers.push({ id: ++this.#timerIds, dueMs: this.store.nowMs + delayMs, name, payload });
        return this.#timerIds;
      },
      cancelTimer: (id) => {
        this.#timers = this.#timers.filter((timer) => timer.id !== id);
      },
      callsAvailable: () => Number.POSITIVE_INFINITY,
      deletableResources: () => this.deletable,
    };
  }

  client(causes: readonly Cause[]): Client {
    return new FakeClient(this, causes);
  }

  async #reconcile(key: string, causes: readonly Cause[]): Promise<void> {
    try {
      await this.#controller?.reconcile({ client: this.client(causes), causes }, key);
      this.#failures.delete(key);
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
      this.errors.push(error.message);
      if ((this.#failures.get(key) ?? 0) >= failuresMax) throw error;
      this.#enqueueRateLimited(key, causes);
    }
  }

  #enqueue(key: string, causes: readonly Cause[]): void {
    const old = this.#queue.get(key) ?? [];
    this.#queue.set(key, [...old, ...causes.filter((cause) => !old.includes(cause))]);
  }

  #enqueueAfter(key: string, delayMs: number, causes: readonly Cause[]): void {
    if (delayMs <= 0) {
      this.#enqueue(key, causes);
      return;
    }
    const dueMs = this.store.nowMs + delayMs;
    const old = this.#delayed.get(key);
    if (old === undefined || old.dueMs > dueMs) this.#delayed.set(key, { dueMs, causes });
  }

  #enqueueRateLimited(key: string, causes: readonly Cause[]): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#enqueueAfter(key, 5 * 2 ** failures, causes);
  }
}

class FakeClient implements Client {
  readonly #cluster: FakeCluster;
  readonly #causes: readonly Cause[];

  constructor(cluster: FakeCluster, causes: readonly Cause[]) {
    this.#cluster = cluster;
    this.#causes = causes;
  }

  async get<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, name: string): Promise<T> {
    return this.#cluster.store.get(type, namespace, name);
  }

  async list<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined): Promise<KubeList<T>> {
    return { kind: `${type.kind}List`, apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: this.#cluster.list(type, namespace) };
  }

  async create<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<T> {
    this.#admit({ verb: 'create', ...this.#target(type, object), body: object });
    return this.#record({ verb: 'create', ...this.#target(type, object), body: object }, () => this.#cluster.store.create(type, object));
  }

  async update<T extends KubeObject>(type: ResourceType<T>, object: T, { subresource }: CallOptions = {}): Promise<T> {
    const write = { verb: 'update' as const, ...this.#target(type, object), body: object, ...(subresource ? { subresource } : {}) };
    return this.#write(write, () => this.#cluster.store.update(type, object, 'spec'));
  }

  async updateStatus<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<T> {
    return this.#write({ verb: 'updateStatus', ...this.#target(type, object), body: object }, () =>
      this.#cluster.store.update(type, object, 'status'),
    );
  }

  async patch<T extends KubeObject>(
    type: ResourceType<T>,
    namespace: string | undefined,
    name: string,
    patchType: 'json' | 'merge' | 'strategic' | 'apply',
    patch: JsonValue,
    options: { readonly subresource?: string } = {},
  ): Promise<T> {
    const { subresource } = options;
    const write = { verb: 'patch' as const, resource: type.resource, namespace, name, body: patch, ...(subresource ? { subresource } : {}) };
    return this.#write(write, () => {
      const old = this.#cluster.store.get(type, namespace, name);
      const next = applyPatch(old as unknown as JsonObject, patchType, patch) as unknown as T;
      return this.#cluster.store.update(type, next, subresource === 'status' ? 'status' : 'spec');
    });
  }

  async delete(type: ResourceType, namespace: string | undefined, name: string, options: DeleteOptions = {}): Promise<void> {
    this.#write({ verb: 'delete', resource: type.resource, namespace, name, body: options }, () =>
      this.#cluster.store.delete(type, namespace, name, options),
    );
  }

  async deleteCollection(type: ResourceType, namespace: string | undefined, options: DeleteOptions = {}): Promise<void> {
    this.#write({ verb: 'deleteCollection', resource: type.resource, namespace, name: '*', body: options }, () => {
      for (const { metadata } of this.#cluster.list(type, namespace))
        this.#cluster.store.delete(type, metadata.namespace, metadata.name ?? '', options);
    });
  }

  async post<T extends KubeObject>(
    type: ResourceType<T>,
    namespace: string | undefined,
    name: string,
    subresource: string,
    body: KubeObject,
  ): Promise<KubeObject> {
    return this.#write({ verb: 'post', resource: type.resource, subresource, namespace, name, body }, () => body);
  }

  because(causes: readonly Cause[]): Client {
    return new FakeClient(this.#cluster, causes);
  }

  #target(type: ResourceType, object: KubeObject): { readonly resource: string; readonly namespace: string | undefined; readonly name: string } {
    return { resource: type.resource, namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
  }

  #admit(write: Omit<FakeWrite, 'causes'>): void {
    this.#cluster.refuse?.({ ...write, causes: this.#causes });
  }

  #write<R>(write: Omit<FakeWrite, 'causes'>, act: () => R): R {
    this.#admit(write);
    const result = act();
    this.#cluster.writes.push({ ...write, causes: this.#causes });
    return result;
  }

  /** A create is recorded under the name that it got. */
  #record<T extends KubeObject>(write: Omit<FakeWrite, 'causes'>, act: () => T): T {
    const created = act();
    this.#cluster.writes.push({ ...write, name: created.metadata.name ?? '', causes: this.#causes });
    return created;
  }
}
