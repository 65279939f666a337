/**
 * The contract of a controller. A controller is a file that exports one `defineController` value; the runner gives it informers,
 * a work queue with rate limits, a client that carries causes, an event recorder, timers and slots for what it remembers. It takes
 * keys from the queue, reads its listers, decides purely, writes last, and throws to be retried with back-off.
 */
import type { Cause } from '../base/causes.ts';
import type { RandomStream } from '../base/random.ts';
import type { Slots } from '../base/slots.ts';
import type { PolicyRule } from '../api/rbac/v1/types.gen.ts';
import type { CelType } from '../cel/types.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';

/** What lives as long as the controller. */
export interface ControllerEnvironment<O = unknown> {
  nowMs(): number;
  informer<T extends KubeObject>(type: ResourceType<T>): Informer<T>;
  /** Whether there is an informer: that of a kind that is served no more goes. */
  watches(type: ResourceType): boolean;
  /** The client without causes; a reconcile uses `context.client`. */
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly random: RandomStream;
  readonly options: O;
  /** Declares what is remembered beside informers, queue and timers (expectations, probe times …). */
  readonly slots: Slots;
  /** How many calls may be made now without waiting for the client's rate limiter: a share of them, while other keys are worked on. */
  callsAvailable(): number;
  /** Queue operations, by key. Adding a key that is queued merges causes. */
  enqueue(key: string, causes: readonly Cause[]): void;
  /** Adds the key after a delay; an earlier pending add of the same key wins, as in client-go. */
  enqueueAfter(key: string, delayMs: number, causes: readonly Cause[]): void;
  /** Adds the key with the queue's back-off (5 ms doubling to 1000 s unless the definition says otherwise). */
  enqueueRateLimited(key: string, causes: readonly Cause[]): void;
  forget(key: string): void;
  /** Failures in a row of this key. */
  retries(key: string): number;
  /** A timer of this controller; `onTimer` gets it. Data only. */
  setTimer(delayMs: number, name: string, payload?: JsonValue): number;
  cancelTimer(id: number): void;
  /** All kinds of the cluster, namespaced or not, that can be listed, watched and deleted; custom ones come and go. */
  deletableResources(): readonly ResourceType[];
  /**
   * The versions of a group that can be asked now, as discovery has them, the preferred one first; undefined where nobody has registered it.
   * Rejects with a StatusError where the server cannot be asked.
   */
  versionsOf(group: string): Promise<readonly string[] | undefined>;
  /** Whether a resource has a subresource, as discovery has it. Rejects with a StatusError where the server cannot be asked. */
  hasSubresource(type: ResourceType, name: string): Promise<boolean>;
  /** What expressions know of the kinds that are served. */
  readonly types: ServedTypes;
}

/** Kinds as expressions see them. */
export interface ServedTypes {
  /** Of a resource that is served; of an empty group in all groups, as upstream's mapper has it. */
  kindsOf(group: string, version: string, resource: string): readonly { readonly group: string; readonly version: string; readonly kind: string }[];
  /** Undefined for a kind of which nothing is known. `name`: what the type is called. */
  typeOf(group: string, version: string, kind: string, name: string): CelType | undefined;
}

export interface ReconcileContext {
  readonly client: Client;
  readonly causes: readonly Cause[];
}

export interface Controller {
  /** Brings one object nearer to its goal. May throw; the key is then retried with back-off. */
  reconcile(context: ReconcileContext, key: string): Promise<void>;
  /** Periodic work and delays of the controller's own. A handler that starts a coroutine returns its promise. */
  onTimer?(name: string, payload: JsonValue): void | Promise<void>;
  /** What it counts, at this moment; for `/metrics` of the daemon that it runs in. */
  metrics?(): readonly ControllerMetric[];
  /** Called once, when all informers of `watches` are synced: the place to set periodic timers. */
  start?(): void;
}

/** One metric, as upstream's controllers register it. */
export interface ControllerMetric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

/** One resource that a controller watches, and the keys that a change of it concerns. */
export interface ControllerWatch<C extends Controller = Controller, O = unknown> {
  readonly type: ResourceType;
  /** Whether the options want it watched; always when absent. */
  readonly when?: (options: O) => boolean;
  /** Keys to enqueue. May also update what the controller remembers (expectations). */
  keysOf(event: InformerEvent<KubeObject>, controller: C): readonly string[];
}

/** A watch with the object's type known to `keysOf`. */
export function watchOf<T extends KubeObject, C extends Controller>(
  type: ResourceType<T>,
  keysOf: (event: InformerEvent<T>, controller: C) => readonly string[],
): ControllerWatch<C> {
  return { type, keysOf: keysOf as unknown as ControllerWatch<C>['keysOf'] };
}

export interface ControllerDefinition<C extends Controller = Controller, O = unknown> {
  /** Upstream's canonical name, e.g. `deployment-controller`. */
  readonly name: string;
  /** Its component's name, where that is not `controller/<name>`. */
  readonly component?: string;
  /** Names that `--controllers` also accepts, e.g. `deployment`. */
  readonly aliases: readonly string[];
  /** Name of the service account in kube-system; RBAC role `system:controller:<serviceAccount>`, which upstream's policy has or `rules` say. Absent: it acts as the controller manager itself. */
  readonly serviceAccount?: string;
  /** Event source component, e.g. `deployment-controller`. */
  readonly eventSource: string;
  /** Where the options say another. */
  readonly eventSourceBy?: (options: O) => string;
  readonly watches: readonly ControllerWatch<C, O>[];
  /** `*` in `--controllers` does not mean it when false; its name does. */
  readonly onByDefault?: false;
  /** An option of its own that says whether it runs. */
  readonly switchedBy?: string;
  /** Feature gates that must all be on. */
  readonly gates?: readonly string[];
  /** Whether the options have what it cannot do without; always when absent. */
  readonly canRun?: (options: O) => boolean;
  /** Others may speak with what it makes: where they do, it begins before them. */
  readonly givesCredentials?: true;
  /** Concurrent reconciles; a number or the option that says it. */
  readonly workers: (options: O) => number;
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number };
  /** How many times `--kube-api-qps` and `--kube-api-burst` its client may use, where upstream gives it more than one share. */
  readonly clientShare?: { readonly qps: number; readonly burst: number };
  /** What its service account or user may do, where upstream's bootstrap policy does not say so already. */
  readonly rules?: readonly PolicyRule[];
  /** What more it may do while a gate is on, which upstream's policy adds to the role; here it is a role beside it. */
  readonly gatedRules?: { readonly gate: string; readonly rules: readonly PolicyRule[] };
  readonly create: (environment: ControllerEnvironment<O>) => C;
}

/** Checks one definition and hides its own controller type. */
export function checkController<C extends Controller, O>(definition: ControllerDefinition<C, O>): ControllerDefinition<Controller, O> {
  if (definition.name === '' || definition.serviceAccount === '') throw new Error('a controller has a name, and its service account has one');
  return definition as unknown as ControllerDefinition<Controller, O>;
}

/** Whom the controller's Events come from. */
export function eventSourceOf<O>(
  { eventSource, eventSourceBy }: Pick<ControllerDefinition<Controller, O>, 'eventSource' | 'eventSourceBy'>,
  options: O,
): string {
  return eventSourceBy?.(options) ?? eventSource;
}
