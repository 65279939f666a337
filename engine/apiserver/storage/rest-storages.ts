/**
 * All that is served, as one table: group, version, resource and subresource lead to a RestStorage. It follows the registry's table
 * of kinds, which may change while the server runs.
 */
import { assert } from '../../base/assert.ts';
import type { ComputedResource } from '../../contracts/computed-resource.ts';
import { isCustom, type KindDefinition } from '../../contracts/kind.ts';
import type { RestStorage } from '../../contracts/rest-storage.ts';
import type { Resource } from '../../registry/resource.ts';
import { computedStorage } from './computed.ts';
import { handlerStorages, reviewStorage } from './created.ts';
import { kubeletStorages } from './kubelet.ts';
import type { StorageTools } from './storage-tools.ts';
import { storedStorages } from './stored.ts';

/** A resource and its subresources. */
export type ServedResource = readonly [RestStorage, ...RestStorage[]];

/** Groups that are built in here and users' own upstream: definitions may add to them. */
const ownGroups: ReadonlySet<string> = new Set(['metrics.k8s.io', 'snapshot.storage.k8s.io']);

export class RestStorages {
  readonly #tools: StorageTools;
  readonly #computed: readonly RestStorage[];
  #generation = -1;
  #storages = new Map<string, RestStorage>();
  #resources: readonly ServedResource[] = [];
  #builtIn: ReadonlySet<string> = new Set();

  constructor(tools: StorageTools, computed: readonly ComputedResource[]) {
    this.#tools = tools;
    this.#computed = computed.map((one) => computedStorage(one, tools.firstVersion));
  }

  /** Rises with every change, so that discovery and OpenAPI know when they are stale. */
  get generation(): number {
    return this.#tools.registry.table.generation;
  }

  /** `subresource` is empty for the resource itself. */
  find(group: string, version: string, resource: string, subresource: string): RestStorage | undefined {
    this.#refresh();
    return this.#storages.get(key(group, version, resource, subresource));
  }

  /** Each resource with its subresources behind it, these sorted by name; stored kinds first, in order of registration. */
  list(): readonly ServedResource[] {
    this.#refresh();
    return this.#resources;
  }

  /** Whether it is a group that is built in and that anybody outside may know. */
  hasGroup(group: string): boolean {
    this.#refresh();
    return this.#builtIn.has(group);
  }

  /** Whether the group's paths are the built-in server's, as upstream's are: it does not pass on what it does not know to the server of users' kinds. */
  hides(kind: KindDefinition): boolean {
    return isCustom(kind) && this.hasGroup(kind.group) && !ownGroups.has(kind.group);
  }

  #refresh(): void {
    const { generation } = this;
    if (generation === this.#generation) return;
    this.#generation = generation;
    const { table } = this.#tools.registry;
    const stored = table.list().map((resource) => this.#withComputed(storagesOf(resource, this.#tools)));
    const added = this.#computed.filter(({ kind }) => !stored.some(([other]) => isSame(other.kind, kind)));
    this.#resources = [...stored, ...added.map((storage): ServedResource => [storage])];
    this.#storages = new Map();
    for (const storage of this.#resources.flat()) this.#add(storage);
    const builtIn = this.#resources.filter(([{ kind }]) => kind.visibility !== 'internal' && !isCustom(kind));
    this.#builtIn = new Set(builtIn.map(([{ kind }]) => kind.group));
  }

  /** A kind of the store that is computed is read as it is computed. */
  #withComputed([own, ...subresources]: ServedResource): ServedResource {
    const { get, list } = this.#computed.find(({ kind }) => isSame(kind, own.kind)) ?? own;
    return [{ ...own, ...(get && { get }), ...(list && { list }) }, ...subresources];
  }

  #add(storage: RestStorage): void {
    const { group, version, plural } = storage.kind;
    const name = key(group, version, plural, storage.subresource);
    assert(!this.#storages.has(name), `storage ${name} is served once`);
    this.#storages.set(name, storage);
  }
}

function isSame(a: KindDefinition, b: KindDefinition): boolean {
  return a.group === b.group && a.version === b.version && a.plural === b.plural;
}

function storagesOf(resource: Resource, tools: StorageTools): ServedResource {
  if (resource.kind.createOnly !== undefined) return [reviewStorage(resource, tools)];
  const handled = handlerStorages(resource, tools);
  const stored = handled.some(({ subresource }) => subresource === '') ? [] : storedStorages(resource, tools);
  const all = [...stored, ...handled, ...kubeletStorages(resource, tools)];
  const [first, ...rest] = all.sort((a, b) => (a.subresource < b.subresource ? -1 : 1));
  assert(first?.subresource === '', `${resource.kind.plural} itself is served`);
  return [first, ...rest];
}

function key(group: string, version: string, resource: string, subresource: string): string {
  return `${group}/${version}/${resource}/${subresource}`;
}
