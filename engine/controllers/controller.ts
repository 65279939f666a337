/**
 * The contract of a controller. A controller is a folder with a `controller.ts` that exports one `defineController` value; the
 * runner gives it informers, a work queue with rate limits, a client that carries causes, an event recorder and timers. It takes
 * keys from the queue, reads its listers, decides purely, writes last, and throws to be retried with back-off.
 */
import type { Cause } from '../base/causes.ts';
import type { RandomStream } from '../base/random.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';

/** What lives as long as the controller. */
export interface ControllerEnvironment {
  nowMs(): number;
  informer<T extends KubeObject>(type: ResourceType<T>): Informer<T>;
  /** The client without causes; a reconcile uses `context.client`. */
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly random: RandomStream;
  readonly options: ControllerOptions;
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
  /** Called once, when all informers of `watches` are synced: the place to set periodic timers. */
  start?(): void;
  /** What is remembered beside informers, queue and timers (expectations, probe times …) as plain data. */
  save?(): JsonValue;
  restore?(saved: JsonValue): void;
}

/** One resource that a controller watches, and the keys that a change of it concerns. */
export interface ControllerWatch<C extends Controller = Controller> {
  readonly type: ResourceType;
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

export interface ControllerDefinition<C extends Controller = Controller> {
  /** Upstream's canonical name, e.g. `deployment-controller`. */
  readonly name: string;
  /** Names that `--controllers` also accepts, e.g. `deployment`. */
  readonly aliases: readonly string[];
  /** Name of the service account in kube-system; RBAC role `system:controller:<serviceAccount>`. */
  readonly serviceAccount: string;
  /** Event source component, e.g. `deployment-controller`. */
  readonly eventSource: string;
  readonly watches: readonly ControllerWatch<C>[];
  /** Concurrent reconciles; a number or the option that says it. */
  readonly workers: (options: ControllerOptions) => number;
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number };
  /** How many times `--kube-api-qps` and `--kube-api-burst` its client may use, where upstream gives it more than one share. */
  readonly clientShare?: { readonly qps: number; readonly burst: number };
  readonly create: (environment: ControllerEnvironment) => C;
}

/** Checks one definition and hides its own controller type. */
export function defineController<C extends Controller>(definition: ControllerDefinition<C>): ControllerDefinition {
  if (definition.name === '' || definition.serviceAccount === '') throw new Error('a controller has a name and a service account');
  return definition as unknown as ControllerDefinition;
}

/** Options of the controller manager in force, all durations in milliseconds. Defaults in `options.ts` (upstream 1.36). */
export interface ControllerOptions {
  readonly concurrentDeploymentSyncs: number;
  readonly concurrentRcSyncs: number;
  readonly concurrentResourceQuotaSyncs: number;
  readonly concurrentReplicaSetSyncs: number;
  readonly concurrentJobSyncs: number;
  readonly concurrentCronJobSyncs: number;
  readonly concurrentEndpointSyncs: number;
  readonly concurrentServiceEndpointSyncs: number;
  readonly concurrentGcSyncs: number;
  readonly concurrentNamespaceSyncs: number;
  readonly concurrentServiceAccountSyncs: number;
  readonly concurrentTtlAfterFinishedSyncs: number;
  readonly nodeMonitorPeriodMs: number;
  readonly nodeMonitorGracePeriodMs: number;
  readonly nodeStartupGracePeriodMs: number;
  readonly nodeEvictionRate: number;
  readonly secondaryNodeEvictionRate: number;
  readonly unhealthyZoneThreshold: number;
  readonly largeClusterSizeThreshold: number;
  readonly terminatedPodGcThreshold: number;
  readonly maxEndpointsPerSlice: number;
  /** PEM of the CA that clients in pods trust; a placeholder in digests. */
  readonly rootCaPem: string;
}
