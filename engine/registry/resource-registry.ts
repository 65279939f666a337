/**
 * The generic REST store: every verb once, for every kind. The pipeline stands before it (authorization, admission), the MVCC
 * store behind it. Mirrors apiserver pkg/registry/generic/registry.
 */
import type { KindDefinition } from '../contracts/kind.ts';
import type { Ratchet } from '../contracts/ratchets.ts';
import type { FoundFault } from '../contracts/release-faults.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { DeleteOptions, ListOptions, WatchHandle, WatchOptions } from '../contracts/request.ts';
import type { StoredValue } from '../store/store.ts';
import { bindingHandler, bindingKind, bindingsHandler } from './binding.ts';
import { missing } from './missing.ts';
import { rollbackHandlers } from './rollback.ts';
import type { Finish } from '../contracts/attempt.ts';
import { Core, type CoreDependencies, type WriteCall, type WriteCore } from './core.ts';
import { createObject } from './create.ts';
import { deleteCollection, deleteNamed, type Deleted, type DeletedCollection } from './delete.ts';
import { evictionHandler } from './eviction.ts';
import { listObjects, type ListResult } from './list.ts';
import { patchObject, type PatchCall } from './patch.ts';
import { mustBeReadable } from './readable.ts';
import { ResourceTable, type Resource } from './resource.ts';
import { getScale } from './scale.ts';
import { SubresourceHandlers, type SubresourceHandler } from './subresource-handlers.ts';
import type { TokenSigner } from '../contracts/tokens.ts';
import { tokenHandler } from './token.ts';
import { updateObject, type Written } from './update.ts';
import { watchChanges, watchObjects, type EventListener } from './watch.ts';

export interface ResourceRegistryOptions extends Omit<CoreDependencies, 'table' | 'featureEnabled' | 'ratcheted' | 'judges'> {
  readonly kinds: readonly KindDefinition[];
  /** Absent: `serviceaccounts/token` is not served. */
  readonly tokenSigner?: TokenSigner;
  /** Further subresources whose body is another kind. */
  readonly subresources?: readonly SubresourceHandler[];
  featureEnabled?(gate: string): boolean;
  /** The newest rules without it. */
  ratcheted?(ratchet: Ratchet): boolean;
  /** All faults without it. */
  judges?(fault: FoundFault): boolean;
}

export interface ResourceRegistry {
  readonly table: ResourceTable;
  readonly core: Core;
  readonly handlers: SubresourceHandlers;
  /** As stored, for its encodings; throws NotFound. */
  getStored(resource: Resource, namespace: string, name: string): StoredValue<KubeObject>;
  /** `within`: the core of a read that may ask. */
  get(resource: Resource, namespace: string, name: string, within?: Core): KubeObject;
  list(resource: Resource, namespace: string, options: ListOptions, within?: Core): ListResult;
  watch(resource: Resource, namespace: string, options: WatchOptions, listener: EventListener): WatchHandle;
  /** Before conversion and selection: see watchChanges. */
  watchChanges(resource: Resource, namespace: string, options: WatchOptions, listener: EventListener): WatchHandle;
  getScale(resource: Resource, namespace: string, name: string, within?: Core): KubeObject;
  /** The writes belong to the attempt of `core`. */
  create(core: WriteCore, call: WriteCall, body: KubeObject): Finish<KubeObject>;
  update(core: WriteCore, call: WriteCall, body: KubeObject): Written;
  patch(core: WriteCore, call: WriteCall, patch: PatchCall): Written;
  delete(core: WriteCore, call: WriteCall, options: DeleteOptions): Deleted;
  deleteCollection(core: WriteCore, call: WriteCall, options: DeleteOptions, list: ListOptions): DeletedCollection;
}

export function createResourceRegistry(options: ResourceRegistryOptions): ResourceRegistry {
  const table = new ResourceTable(options.schemas, options.kinds);
  if (table.find('', 'v1', 'pods') !== undefined && table.find('', 'v1', 'bindings') === undefined) table.register(bindingKind);
  const core = new Core({
    ...options,
    table,
    featureEnabled: (gate) => options.featureEnabled?.(gate) ?? false,
    ratcheted: (ratchet) => options.ratcheted?.(ratchet) ?? true,
    judges: (fault) => options.judges?.(fault) ?? true,
  });
  const token = options.tokenSigner === undefined ? [] : [tokenHandler(options.tokenSigner)];
  const handlers = new SubresourceHandlers([
    bindingHandler,
    bindingsHandler,
    evictionHandler,
    ...rollbackHandlers,
    ...token,
    ...(options.subresources ?? []),
  ]);

  const getStored = (resource: Resource, namespace: string, name: string): StoredValue<KubeObject> => {
    const stored = core.read(resource, namespace, name);
    if (stored === undefined) throw missing(resource.groupResource, name);
    return stored;
  };
  return {
    table,
    core,
    handlers,
    getStored,
    get: (resource, namespace, name, within = core) => {
      const { value } = getStored(resource, namespace, name);
      mustBeReadable(resource, value);
      return within.fromStorage(value, resource);
    },
    list: (resource, namespace, list, within = core) => listObjects(within, resource, namespace, list),
    watch: (resource, namespace, watch, listener) => watchObjects(core, resource, namespace, watch, listener),
    watchChanges: (resource, namespace, watch, listener) => watchChanges(core, resource, namespace, watch, listener),
    getScale: (resource, namespace, name, within = core) => getScale(within, resource, namespace, name),
    create: createObject,
    update: updateObject,
    patch: patchObject,
    delete: deleteNamed,
    deleteCollection,
  };
}
