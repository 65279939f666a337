/**
 * What every verb of the registry works with: the table of resources, the store, time, chance, and the two hooks of admission. It
 * keeps no state of its own but the second it last formatted.
 */
import { formatTime } from '../apimachinery/time.ts';
import { assert } from '../base/assert.ts';
import type { Cause } from '../base/causes.ts';
import type { RandomStream } from '../base/random.ts';
import type { Clock } from '../base/task-loop.ts';
import { newMethodNotSupported } from '../apimachinery/errors.ts';
import type { AccessOracle } from '../contracts/access.ts';
import type { ServiceAllocator, StrategyContext } from '../contracts/kind.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Identity } from '../contracts/request.ts';
import type { SchemaRegistry } from '../apimachinery/schema.ts';
import type { ChangeMeta, Store, StoredValue } from '../store/store.ts';
import type { Machinery } from './machinery.ts';
import { objectKey, type Resource, type ResourceTable } from './resource.ts';

/** Called at the places where upstream's store calls admission; `old` is absent on create, `next` on delete. */
export interface WriteHooks {
  admit(next: KubeObject, old: KubeObject | undefined): KubeObject;
  validate(next: KubeObject | undefined, old: KubeObject | undefined): void;
}

/** One write as the verbs see it. */
export interface WriteCall {
  readonly resource: Resource;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty where the body names the object. */
  readonly name: string;
  readonly subresource: string | undefined;
  readonly identity: Identity;
  /** Field manager. */
  readonly manager: string;
  readonly causes: readonly Cause[];
  readonly dryRun: boolean;
  readonly hooks: WriteHooks;
  warn(text: string): void;
}

export interface CoreDependencies {
  readonly table: ResourceTable;
  readonly store: Store<KubeObject>;
  readonly schemas: SchemaRegistry;
  readonly machinery: Machinery;
  readonly clock: Clock;
  readonly random: RandomStream;
  featureEnabled(gate: string): boolean;
  /** Addresses and ports of Services; absent where nothing allocates them. */
  readonly services?: ServiceAllocator;
  /** Answers reviews of access. */
  readonly access?: AccessOracle;
}

const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

export class Core {
  readonly table: ResourceTable;
  readonly store: Store<KubeObject>;
  readonly schemas: SchemaRegistry;
  readonly machinery: Machinery;
  readonly services: ServiceAllocator | undefined;
  readonly access: AccessOracle | undefined;
  readonly #clock: Clock;
  readonly #random: RandomStream;
  readonly #featureEnabled: (gate: string) => boolean;
  #second = -1;
  #secondText = '';

  constructor(dependencies: CoreDependencies) {
    this.table = dependencies.table;
    this.store = dependencies.store;
    this.schemas = dependencies.schemas;
    this.machinery = dependencies.machinery;
    this.services = dependencies.services;
    this.access = dependencies.access;
    this.#clock = dependencies.clock;
    this.#random = dependencies.random;
    this.#featureEnabled = (gate) => dependencies.featureEnabled(gate);
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  nowText(): string {
    const ms = this.#clock.nowMs();
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = formatTime(ms);
    }
    return this.#secondText;
  }

  /** A version 4 UUID. */
  newUid(): string {
    const hex = this.#random.hex(32);
    const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  randomSuffix(): string {
    return this.#random.text(5, nameAlphabet);
  }

  featureEnabled(gate: string): boolean {
    return this.#featureEnabled(gate);
  }

  lookup(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    const found = this.table.findStored(group, resource);
    return found === undefined ? undefined : this.read(found, namespace, name)?.value;
  }

  read(resource: Resource, namespace: string | undefined, name: string): StoredValue<KubeObject> | undefined {
    return this.store.get(objectKey(resource, namespace, name));
  }

  context(call: Pick<WriteCall, 'identity' | 'dryRun' | 'subresource'>): StrategyContext {
    return new RequestContext(this, call);
  }

  /** The three writes. Nobody can come between reading and writing, so a refusal of the store is a programmer's error. */
  add(key: string, object: KubeObject, call: Pick<WriteCall, 'identity' | 'causes'>): void {
    assert(this.store.create(key, object, this.#change(call)).type === 'put', `${key} is free`);
  }

  put(key: string, object: KubeObject, call: Pick<WriteCall, 'identity' | 'causes'>): void {
    assert(this.store.update(key, undefined, object, this.#change(call)).type === 'put', `${key} is there`);
  }

  drop(key: string, call: Pick<WriteCall, 'identity' | 'causes'>): void {
    assert(this.store.remove(key, undefined, this.#change(call)).type === 'delete', `${key} is there`);
  }

  #change(call: Pick<WriteCall, 'identity' | 'causes'>): ChangeMeta {
    return { virtualMs: this.nowMs(), identity: call.identity.name, causes: call.causes };
  }

  canonical(object: KubeObject, resource: Resource): KubeObject {
    return this.machinery.canonicalize(object, resource.schema);
  }

  defaulted(object: KubeObject, resource: Resource): KubeObject {
    return resource.kind.defaults === undefined ? object : resource.kind.defaults(object);
  }

  toStorage(object: KubeObject, resource: Resource): KubeObject {
    return resource.kind.storage === undefined ? object : resource.kind.storage.toStorage(object);
  }

  /** The object in the version of `resource`. */
  fromStorage(object: KubeObject, resource: Resource): KubeObject {
    return resource.kind.storage === undefined ? object : resource.kind.storage.fromStorage(object);
  }

  /** Asks the kind whether this writer may write this; both in the version of the request. */
  guard(call: WriteCall, next: KubeObject, old: KubeObject | undefined): void {
    const { resource, namespace, name } = call;
    const storage = this.table.storageOf(resource);
    if (storage.kind.guard === undefined || call.subresource !== undefined) return;
    const stored = (object: KubeObject): KubeObject => this.toStorage(object, resource);
    storage.kind.guard(stored(next), old === undefined ? undefined : stored(old), { namespace, name }, this.context(call));
  }

  requireVerb(resource: Resource, verb: Resource['verbs'][number]): void {
    if (!resource.verbs.includes(verb)) throw newMethodNotSupported(resource.groupResource, verb);
  }
}

class RequestContext implements StrategyContext {
  readonly identity: Identity;
  readonly dryRun: boolean;
  readonly subresource?: string;
  readonly nowMs: number;
  readonly nowText: string;
  readonly services?: ServiceAllocator;
  readonly access?: AccessOracle;
  readonly #core: Core;

  constructor(core: Core, call: Pick<WriteCall, 'identity' | 'dryRun' | 'subresource'>) {
    this.#core = core;
    this.identity = call.identity;
    this.dryRun = call.dryRun;
    if (call.subresource !== undefined) this.subresource = call.subresource;
    if (core.services !== undefined) this.services = core.services;
    if (core.access !== undefined) this.access = core.access;
    this.nowMs = core.nowMs();
    this.nowText = core.nowText();
  }

  newUid(): string {
    return this.#core.newUid();
  }

  randomSuffix(): string {
    return this.#core.randomSuffix();
  }

  lookup(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    assert(name !== '', 'a lookup names an object');
    return this.#core.lookup(group, resource, namespace, name);
  }

  featureEnabled(gate: string): boolean {
    return this.#core.featureEnabled(gate);
  }
}
