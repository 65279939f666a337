/**
 * The bench that tests of controllers, the scheduler and the nodes stand on: the real store, registry, transport and informers on a
 * task loop that a test moves. Requests and deliveries take no time unless a bench says so, and a test counts in the component's own
 * durations. What is there at the start and what others change is put into the store as it stands; what the component writes passes the registry.
 */
import { createSchemaRegistry } from '../../engine/api/schemas.ts';
import type { KubeObject, ObjectMeta } from '../../engine/apimachinery/object.ts';
import { formatTime } from '../../engine/apimachinery/time.ts';
import { ApiServer } from '../../engine/apiserver/pipeline.ts';
import type { Cause } from '../../engine/base/causes.ts';
import { deepEqual } from '../../engine/base/equal.ts';
import type { JsonValue } from '../../engine/base/json.ts';
import { Random, type RandomStream } from '../../engine/base/random.ts';
import { TaskLoop } from '../../engine/base/task-loop.ts';
import type { Client, ResourceType } from '../../engine/client/client.ts';
import type { EventRecorder } from '../../engine/client/event-recorder.ts';
import { createLoopbackClient } from '../../engine/client/loopback-client.ts';
import { LoopbackInformers } from '../../engine/client/loopback-informers.ts';
import type { Answer } from '../../engine/contracts/questions.ts';
import type { ApiPipeline, ApiRequest, ApiResult, DeleteOptions } from '../../engine/contracts/request.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { createMachinery } from '../../engine/registry/default-machinery.ts';
import { stampRevision } from '../../engine/registry/meta.ts';
import { objectKey, type Resource } from '../../engine/registry/resource.ts';
import { featureEnabled } from './default-gates.ts';
import { createResourceRegistry, type ResourceRegistry } from '../../engine/registry/resource-registry.ts';
import { serveNow } from '../../engine/registry/testing/serve-now.ts';
import { createStore } from '../../engine/store/memory-store.ts';
import type { Store } from '../../engine/store/store.ts';

/** An object as a test writes it: kind and apiVersion come with the resource type. */
export type Draft = { readonly metadata: ObjectMeta; readonly [key: string]: unknown };

export interface Write {
  /** `updateStatus` is an update of the status subresource, `post` a create of another one. */
  readonly verb: 'create' | 'update' | 'updateStatus' | 'patch' | 'delete' | 'deleteCollection' | 'post';
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** The object, the patch or the delete options as sent. */
  readonly body: unknown;
  readonly causes: readonly Cause[];
}

export interface RecordedEvent {
  readonly atMs: number;
  /** `Pod default/a`. */
  readonly object: string;
  /** `Normal Scheduled Successfully assigned …`. */
  readonly text: string;
  /** Of the Event itself. */
  readonly annotations?: { readonly [name: string]: string };
}

const schemas = createSchemaRegistry(kinds.flatMap((kind) => [...(kind.schemas ?? []), ...(typeof kind.schema === 'string' ? [] : [kind.schema])]));
const machinery = createMachinery(schemas);
/** What is due so soon after the end of an advance belongs to it: workers wake a hundredth of a millisecond after their key came. */
const settleMs = 0.3;
const outside = 'outside';

export class Bench {
  readonly loop: TaskLoop;
  readonly random = new Random(7);
  readonly store: Store<KubeObject> = createStore<KubeObject>({ stamp: stampRevision });
  readonly registry: ResourceRegistry;
  readonly pipeline: ApiPipeline;
  /** What components wrote, in order; what was refused is not among it. */
  readonly writes: Write[] = [];
  readonly events: RecordedEvent[] = [];
  /** Names of what components created, by resource, in order. */
  readonly #created = new Map<string, string[]>();
  /** Called before each write; throw a StatusError to refuse it. */
  refuse: ((write: Write) => void) | undefined;
  readonly #server: ApiServer;
  #endMs: number;
  #uids = 0;

  constructor(startMs = Date.parse('2026-01-01T00:00:00Z')) {
    this.#endMs = startMs;
    this.loop = new TaskLoop(startMs, { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => 0 });
    this.loop.onCrash(({ error }) => {
      throw error;
    });
    const { store, random, loop } = this;
    this.registry = createResourceRegistry({ store, schemas, kinds, machinery, clock: loop, random, featureEnabled });
    // A component that changes an object of its cache fails loudly.
    store.watch({ onChanges: (changes) => changes.forEach(({ current }) => deepFreeze(current?.value)) });
    this.#server = new ApiServer({ registry: this.registry });
    this.pipeline = {
      handle: (request) => this.#handle(request),
      watch: (request, sink) => this.#server.watch(request, sink, nobodyAnswers),
      reopen: (request, sink) => this.#server.reopen(request, sink),
    };
  }

  get nowMs(): number {
    return this.loop.nowMs();
  }

  /** The present as objects have it, in whole seconds. */
  time(offsetMs = 0): string {
    return formatTime(this.nowMs + offsetMs);
  }

  client(component: string): Client {
    return createLoopbackClient({ ...this.#transport(component) });
  }

  informers(component: string): LoopbackInformers {
    return new LoopbackInformers({
      ...this.#transport(component),
      onCrash: (_crash, error) => {
        throw error;
      },
    });
  }

  recorder(): EventRecorder {
    return {
      event: ({ kind, metadata: { namespace, name } }, type, reason, message, _causes, { annotations } = {}) => {
        const object = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
        this.events.push({ atMs: this.nowMs, object, text: `${type} ${reason} ${message}`, ...(annotations && { annotations }) });
      },
    };
  }

  /** Puts an object into the store, with its kind's defaults and whatever system fields the draft has not; a pod gets a container. */
  add<T extends KubeObject>(type: ResourceType<T>, draft: Draft | T): T {
    const resource = this.#resource(type);
    const { metadata } = draft;
    const uid = metadata.uid ?? `uid-${++this.#uids}`;
    const system = { uid, creationTimestamp: metadata.creationTimestamp ?? this.time(), generation: metadata.generation ?? 1 };
    const { resourceVersion: _, ...rest } = metadata;
    const object = {
      ...(type.resource === 'pods' ? withContainer(draft) : draft),
      kind: type.kind,
      apiVersion: resource.apiVersion,
      metadata: { ...rest, ...system },
    } as KubeObject;
    const written = this.store.create(this.#key(type, metadata.namespace, metadata.name ?? ''), this.#whole(object, type), this.#meta());
    if (written.type === 'failure') throw new Error(`${type.resource} ${metadata.name} is there already`);
    return this.get(type, metadata.namespace, metadata.name ?? '') as T;
  }

  /** Adds an object, or puts it in the place of one that is there. */
  putAs<T extends KubeObject>(type: ResourceType<T>, name: string, namespace: string | undefined, draft: Draft | T): void {
    if (this.get(type, namespace, name) === undefined) this.add(type, draft);
    else
      this.change(type, namespace, name, ({ metadata }) => ({
        ...draft,
        kind: type.kind,
        apiVersion: this.#resource(type).apiVersion,
        metadata: { ...metadata, ...draft.metadata },
      }));
  }

  /** Changes an object, spec and status alike; one that nothing holds any more goes. */
  change<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, name: string, edit: (object: T) => unknown): T {
    const old = this.mustGet(type, namespace, name);
    const { metadata, ...rest } = edit(old) as T;
    const specOf = (object: object): JsonValue => (object as { readonly spec?: JsonValue }).spec ?? null;
    const generation = (old.metadata.generation ?? 1) + (deepEqual(specOf(rest), specOf(old)) ? 0 : 1);
    if (metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0 && (old.metadata.finalizers ?? []).length > 0) {
      this.remove(type, namespace, name);
      return old;
    }
    const next = this.#whole({ ...rest, metadata: { ...metadata, generation } } as KubeObject, type);
    this.store.update(this.#key(type, namespace, name), undefined, next, this.#meta());
    return this.mustGet(type, namespace, name);
  }

  /** A delete as somebody outside asks for it: finalizers and grace are heeded. */
  delete({ group, version, resource }: ResourceType, namespace: string | undefined, name: string, options: DeleteOptions = {}): void {
    const place = { group, version, resource, name, ...(namespace === undefined ? {} : { namespace }) };
    this.#serve({ verb: 'delete', ...place, identity: { name: outside, groups: [] }, userAgent: 'test/1', causes: [], delete: options });
  }

  /** The object is gone, whatever its finalizers say. */
  remove(type: ResourceType, namespace: string | undefined, name: string): void {
    this.store.remove(this.#key(type, namespace, name), undefined, this.#meta());
  }

  get<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, name: string): T | undefined {
    return this.store.get(this.#key(type, namespace, name))?.value as T | undefined;
  }

  mustGet<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, name: string): T {
    const found = this.get(type, namespace, name);
    if (found === undefined) throw new Error(`there is no ${type.resource} ${name}`);
    return found;
  }

  /** In the order of keys. */
  list<T extends KubeObject>(type: ResourceType<T>, namespace?: string): readonly T[] {
    const { prefix } = this.#resource(type);
    return this.store.range({ prefix: namespace === undefined ? prefix : `${prefix}${namespace}/` }).items.map(({ value }) => value as T);
  }

  /** Runs what is due now, and what follows from it at once. */
  async settle(): Promise<void> {
    await this.#runThrough(this.nowMs);
  }

  async advance(ms: number): Promise<void> {
    this.#endMs = Math.max(this.#endMs + ms, this.nowMs);
    await this.#runThrough(this.#endMs);
    if (this.nowMs < this.#endMs) await this.loop.run(this.#endMs);
  }

  /** Becomes what another bench is: its objects, its time and its chance. Components and informers are restored after that. */
  takeOver(other: Bench): void {
    this.store.load(other.store.checkpoint());
    this.random.restore(other.random.save());
    this.loop.restore(other.loop.save());
    this.#endMs = other.#endMs;
  }

  /** `verb resource[/subresource] namespace/name`, one per write. */
  writeTexts(): string[] {
    return this.writes.map(({ verb, resource, subresource, namespace, name }) => {
      return `${verb} ${resource}${subresource ? `/${subresource}` : ''} ${namespace ? `${namespace}/` : ''}${name}`;
    });
  }

  /** `type reason message`, one per event. */
  eventTexts(object?: string): string[] {
    return this.events.filter((event) => object === undefined || event.object === object).map(({ text }) => text);
  }

  /** Names of what components created of a resource, in order: the server gives them their ends. */
  created({ resource }: Pick<ResourceType, 'resource'>): string[] {
    const names = this.#created.get(resource) ?? [];
    this.#created.set(resource, names);
    return names;
  }

  /** Forgets the writes and events so far. */
  clear(): void {
    this.writes.length = 0;
    this.events.length = 0;
  }

  async #runThrough(endMs: number): Promise<void> {
    for (let due = this.loop.nextDueMs(); due !== undefined && due <= endMs + settleMs; due = this.loop.nextDueMs())
      await this.loop.run(due, this.loop.tasksRun + 1);
  }

  /** How long requests and deliveries of a component take. */
  protected latency(_component: string): RandomStream {
    return noLatency();
  }

  #transport(component: string) {
    const { pipeline, loop } = this;
    return { pipeline, loop, component, identity: { name: component, groups: [] }, userAgent: `${component}/1`, latency: this.latency(component) };
  }

  #serve(request: ApiRequest): ApiResult {
    return serveNow(this.registry, (attempt) => this.#server.attempt(request, attempt), request.identity.name, request.causes);
  }

  #handle(request: ApiRequest): ApiResult {
    const write = writeOf(request);
    if (write !== undefined) this.refuse?.(write);
    const result = this.#serve(request);
    if (write?.verb === 'create') {
      const { name = '' } = (result.object as KubeObject).metadata;
      this.created(request).push(name);
      this.writes.push({ ...write, name });
    } else if (write !== undefined) this.writes.push(write);
    return result;
  }

  /** As the store has it: with defaults, in canonical form. */
  #whole(object: KubeObject, type: ResourceType): KubeObject {
    const { core } = this.registry;
    const resource = this.#resource(type);
    return core.canonical(core.defaulted(object, resource), resource);
  }

  #resource({ group, version, resource }: ResourceType): Resource {
    const found = this.registry.table.find(group, version, resource);
    if (found === undefined) throw new Error(`no kind serves ${resource}`);
    return found;
  }

  #key(type: ResourceType, namespace: string | undefined, name: string): string {
    return objectKey(this.#resource(type), namespace, name);
  }

  #meta() {
    return { virtualMs: this.nowMs, identity: outside, causes: [] };
  }
}

function withContainer(draft: Draft | KubeObject): object {
  const { spec } = draft as { readonly spec?: { readonly containers?: readonly object[] } };
  const containers = (spec?.containers ?? []).length > 0 ? spec?.containers : [{ name: 'c' }];
  return { ...draft, spec: { ...spec, containers: containers?.map((container) => ({ image: 'nginx', ...container })) } };
}

const verbs: Readonly<Record<string, Write['verb']>> = {
  create: 'create',
  update: 'update',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'deleteCollection',
};

function writeOf({ verb, resource, subresource, namespace, name, body, delete: options, causes }: ApiRequest): Write | undefined {
  const written = verbs[verb];
  if (written === undefined) return undefined;
  const place = { resource, namespace, name: verb === 'deletecollection' ? '*' : (name ?? ''), causes, body: options ?? body };
  if (subresource === undefined) return { verb: written, ...place };
  if (verb === 'update' && subresource === 'status') return { verb: 'updateStatus', ...place };
  return { verb: verb === 'create' ? 'post' : written, subresource, ...place };
}

function nobodyAnswers(): Answer {
  return { outcome: 'failed', message: 'nobody is there' };
}

function noLatency(): RandomStream {
  const stream = new Random(1).stream('none');
  return {
    next: () => stream.next(),
    integer: (bound) => stream.integer(bound),
    between: (min) => min * 0,
    text: (length, alphabet) => stream.text(length, alphabet),
    hex: (count) => stream.hex(count),
  };
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
}
