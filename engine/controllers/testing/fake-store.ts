/**
 * The cluster that a controller's unit test runs against: one map of objects, written to at once, with informers that hear of
 * each write before the call returns. It keeps the API server's rules that controllers lean on (generated names, generations,
 * finalizers, conflicts, graceful deletion of pods) and none of the others; the contract tests use the real one.
 */
import { deepEqual } from '../../base/equal.ts';
import { writeCause, type Cause } from '../../base/causes.ts';
import type { KubeObject, ObjectMeta } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../base/json.ts';
import { newAlreadyExists, newConflict, newNotFound, optimisticLockText } from '../../apimachinery/errors.ts';
import type { DeleteOptions } from '../../contracts/request.ts';
import type { ResourceType } from '../../client/client.ts';
import { InformerCache } from '../../client/informer-cache.ts';
import { keyOf, type Informer, type InformerEvent, type InformerFactory, type Tally } from '../../client/informer.ts';

/** An object as a test writes it: kind and apiVersion come with the resource type. */
export type Draft = { readonly metadata: ObjectMeta; readonly [key: string]: unknown };

export class FakeStore implements InformerFactory {
  readonly #informers = new Map<string, FakeInformer<KubeObject>>();
  #revision = 100;
  #uids = 0;
  #names = 0;
  nowMs: number;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  informer<T extends KubeObject>(type: ResourceType<T>): Informer<T> {
    return this.cacheOf(type);
  }

  cacheOf<T extends KubeObject>(type: ResourceType<T>): FakeInformer<T> {
    const id = `${type.group}/${type.resource}`;
    let informer = this.#informers.get(id);
    if (informer === undefined) {
      informer = new FakeInformer<KubeObject>(type as ResourceType);
      this.#informers.set(id, informer);
    }
    return informer as unknown as FakeInformer<T>;
  }

  get<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, name: string): T {
    const found = this.cacheOf(type).get(namespace, name);
    if (found === undefined) throw newNotFound(type, name);
    return found;
  }

  create<T extends KubeObject>(type: ResourceType<T>, draft: Draft | T): T {
    const { metadata } = draft;
    const name = metadata.name ?? `${metadata.generateName ?? ''}${String(++this.#names).padStart(5, '0')}`;
    if (this.cacheOf(type).get(metadata.namespace, name) !== undefined) throw newAlreadyExists(type, name);
    const uid = metadata.uid ?? `uid-${++this.#uids}`;
    const creationTimestamp = metadata.creationTimestamp ?? this.time();
    const complete = { ...metadata, name, uid, creationTimestamp, generation: metadata.generation ?? 1 };
    return this.#put(type, { ...draft, kind: type.kind, apiVersion: apiVersionOf(type), metadata: complete } as unknown as T);
  }

  /** `part` is what the write may change: everything but the status, or the status only. */
  update<T extends KubeObject>(type: ResourceType<T>, object: T, part: 'spec' | 'status'): T {
    const { namespace, name = '', resourceVersion } = object.metadata;
    const old = this.get(type, namespace, name);
    if (resourceVersion && resourceVersion !== old.metadata.resourceVersion) throw newConflict(type, name, optimisticLockText);
    const status = (part === 'status' ? object : old) as unknown as JsonObject;
    const { annotations } = object.metadata;
    // Most kinds let a status update change annotations too; the deployment controller relies on it.
    const kept = { ...old, metadata: { ...old.metadata, ...(annotations === undefined ? {} : { annotations }) } };
    const rest = part === 'status' ? kept : object;
    const next = { ...rest, ...('status' in status ? { status: status['status'] } : {}) } as unknown as T;
    return this.#replace(type, old, next);
  }

  delete(type: ResourceType, namespace: string | undefined, name: string, options: DeleteOptions = {}): void {
    const old = this.get(type, namespace, name);
    const uid = options.preconditions?.uid;
    if (uid !== undefined && uid !== old.metadata.uid) {
      throw newConflict(type, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`);
    }
    const extra = options.propagationPolicy === 'Foreground' ? ['foregroundDeletion'] : options.propagationPolicy === 'Orphan' ? ['orphan'] : [];
    const finalizers = [...new Set([...(old.metadata.finalizers ?? []), ...extra])];
    const seconds = gracePeriodOf(type, old, options);
    if (finalizers.length === 0 && seconds === 0) {
      this.remove(type, namespace, name);
      return;
    }
    if (old.metadata.deletionTimestamp !== undefined && seconds >= (old.metadata.deletionGracePeriodSeconds ?? 0)) return;
    const deletion = { deletionTimestamp: this.time(seconds * 1000), deletionGracePeriodSeconds: seconds };
    this.#put(type, { ...old, metadata: { ...old.metadata, ...deletion, ...(finalizers.length > 0 ? { finalizers } : {}) } });
  }

  /** The object is gone, whatever its finalizers say. */
  remove(type: ResourceType, namespace: string | undefined, name: string): void {
    this.#revision++;
    this.cacheOf(type).apply(this.get(type, namespace, name), 'delete', [writeCause(this.#revision)]);
  }

  time(offsetMs = 0): string {
    return `${new Date(this.nowMs + offsetMs).toISOString().slice(0, 19)}Z`;
  }

  #replace<T extends KubeObject>(type: ResourceType<T>, old: T, next: T): T {
    if (sameContent(old, next)) return old;
    const changed = !deepEqual((old as unknown as JsonObject)['spec'], (next as unknown as JsonObject)['spec']);
    const generation = (old.metadata.generation ?? 1) + (changed ? 1 : 0);
    const written = this.#put(type, { ...next, metadata: { ...next.metadata, generation } });
    const { deletionTimestamp, deletionGracePeriodSeconds, namespace, name = '' } = written.metadata;
    if (deletionTimestamp !== undefined && !isHeld(written) && (deletionGracePeriodSeconds === 0 || isHeld(old))) {
      this.remove(type, namespace, name);
    }
    return written;
  }

  #put<T extends KubeObject>(type: ResourceType<T>, object: T): T {
    const resourceVersion = String(++this.#revision);
    const written = deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion } });
    this.cacheOf(type).apply(written, 'put', [writeCause(this.#revision)]);
    return written;
  }
}

export class FakeInformer<T extends KubeObject> implements Informer<T> {
  readonly type: ResourceType<T>;
  readonly synced = true;
  readonly #cache = new InformerCache<T>();
  readonly #handlers: ((event: InformerEvent<T>) => void)[] = [];

  constructor(type: ResourceType<T>) {
    this.type = type;
  }

  get(namespace: string | undefined, name: string): T | undefined {
    return this.#cache.get(namespace ? `${namespace}/${name}` : name);
  }

  list(namespace?: string): readonly T[] {
    return this.#cache.list(namespace);
  }

  byIndex(index: string, value: string): readonly T[] {
    return this.#cache.byIndex(index, value);
  }

  addIndex(index: string, values: (object: T) => readonly string[]): void {
    this.#cache.addIndex(index, values);
  }

  addTally(tally: Tally<T>): void {
    this.#cache.addTally(tally);
  }

  addHandler(handler: (event: InformerEvent<T>) => void): void {
    for (const object of this.#cache.list()) handler({ type: 'add', object, causes: [] });
    this.#handlers.push(handler);
  }

  apply(object: T, change: 'put' | 'delete', causes: readonly Cause[]): void {
    const key = keyOf(object);
    const old = change === 'put' ? this.#cache.put(key, object) : this.#cache.delete(key);
    const event: InformerEvent<T> =
      change === 'delete'
        ? { type: 'delete', object, causes }
        : old === undefined
          ? { type: 'add', object, causes }
          : { type: 'update', object, old, causes };
    for (const handler of this.#handlers) handler(event);
  }
}

function apiVersionOf(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** A pod that a node runs ends by and by; everything else at once. */
function gracePeriodOf(type: ResourceType, object: KubeObject, options: DeleteOptions): number {
  if (type.resource !== 'pods') return 0;
  const { spec, status } = object as unknown as { spec?: { nodeName?: string; terminationGracePeriodSeconds?: number }; status?: { phase?: string } };
  if (!spec?.nodeName || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  return Number(options.gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30);
}

/** A namespace has finalizers in its spec too. */
function isHeld(object: KubeObject): boolean {
  const { spec } = object as unknown as { spec?: { finalizers?: readonly string[] } };
  return (object.metadata.finalizers ?? []).length > 0 || (spec?.finalizers ?? []).length > 0;
}

function sameContent(a: KubeObject, b: KubeObject): boolean {
  const { resourceVersion: _a, ...metaA } = a.metadata;
  const { resourceVersion: _b, ...metaB } = b.metadata;
  return deepEqual({ ...a, metadata: metaA }, { ...b, metadata: metaB });
}

/** A controller that changes an object of its cache fails loudly. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
