/**
 * Deleting an object and whole collections. Mirrors apiserver pkg/registry/generic/registry/store.go (Delete, DeleteCollection).
 */
import { newNotFound } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { DeleteOptions, ListOptions } from '../contracts/request.ts';
import type { Status } from '../apimachinery/status.ts';
import type { Core, WriteCall } from './core.ts';
import { checkPreconditions, collectionFinalizers, decideGrace, markHeld, returnsDeletedObject } from './deletion.ts';
import { sameObject } from './equal.ts';
import { listObjects } from './list.ts';
import { orderedMeta, withMeta } from './meta.ts';
import { objectKey, type Resource } from './resource.ts';
import { replace } from './update.ts';

export interface Deleted {
  readonly object: KubeObject | Status;
  /** False when the object is still there, marked. */
  readonly removed: boolean;
}

export function deleteObject(core: Core, call: WriteCall, options: DeleteOptions): Deleted {
  const storage = core.table.storageOf(call.resource);
  const { kind } = storage;
  const stored = core.read(storage, call.namespace, call.name)?.value;
  if (stored === undefined) throw newNotFound(call.resource.groupResource, call.name);
  checkPreconditions(kind, stored, options);
  const context = core.context(call);
  const grace = decideGrace(kind, stored, options, context);
  if (grace.pending) return { object: answer(core, call, stored), removed: false };
  call.hooks.validate(undefined, core.fromStorage(stored, call.resource));

  const finalizers = collectionFinalizers(kind, stored, options);
  let next = grace.object;
  if (finalizers !== stored.metadata.finalizers && finalizers.length + (stored.metadata.finalizers?.length ?? 0) > 0)
    next = withMeta(next, { ...next.metadata, finalizers });
  const heldByOthers = kind.hasOtherFinalizers?.(next) === true;
  const held = finalizers.length > 0 || heldByOthers;
  if (!grace.graceful && !held) return remove(core, call, storage, stored);

  if (!grace.graceful) next = kind.hasOtherFinalizers === undefined ? markHeld(next, context.nowText) : markOnly(next, context.nowText);
  if (kind.beginDelete !== undefined && stored.metadata.deletionTimestamp === undefined) next = kind.beginDelete(next, context);
  const marked = save(core, call, storage, next, stored);
  if (held || grace.graceSeconds > 0) return { object: core.fromStorage(marked, call.resource), removed: false };
  if (call.dryRun) return { object: core.fromStorage(marked, call.resource), removed: true };
  return remove(core, call, storage, marked);
}

/** Namespaces know no grace: only the time is set. */
function markOnly(object: KubeObject, nowText: string): KubeObject {
  return object.metadata.deletionTimestamp === undefined ? withMeta(object, { ...object.metadata, deletionTimestamp: nowText }) : object;
}

function save(core: Core, call: WriteCall, storage: Resource, next: KubeObject, old: KubeObject): KubeObject {
  const ordered = core.canonical(withMeta(next, orderedMeta(next.metadata)), storage);
  if (call.dryRun || sameObject(ordered, old)) return ordered;
  return replace(core, call, storage, ordered);
}

function remove(core: Core, call: WriteCall, storage: Resource, stored: KubeObject): Deleted {
  let last = stored;
  if (!call.dryRun) {
    const revision = core.store.nextRevision();
    last = withMeta(stored, orderedMeta({ ...stored.metadata, resourceVersion: String(revision) }));
    core.drop(objectKey(storage, call.namespace, call.name), call);
  }
  return { object: answer(core, call, last), removed: true };
}

function answer(core: Core, call: WriteCall, object: KubeObject): KubeObject | Status {
  const { resource } = call;
  if (returnsDeletedObject(resource.kind)) return core.fromStorage(object, resource);
  return deletedStatus(resource, object);
}

export function deletedStatus(resource: Resource, object: KubeObject): Status {
  const { group, plural } = resource.kind;
  const details = { name: object.metadata.name ?? '', ...(group === '' ? undefined : { group }), kind: plural, uid: object.metadata.uid ?? '' };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 0 };
}

/** Deletes what the options select, one by one; returns the list of what was there. */
export function deleteCollection(
  core: Core,
  call: WriteCall,
  options: DeleteOptions,
  list: ListOptions,
): { readonly items: readonly KubeObject[]; readonly revision: number } {
  const found = listObjects(core, call.resource, call.namespace, list);
  const items: KubeObject[] = [];
  for (const object of found.items) {
    const name = object.metadata.name ?? '';
    const namespace = object.metadata.namespace ?? '';
    if (core.read(call.resource, namespace, name) === undefined) continue;
    deleteObject(core, { ...call, namespace, name, warn: (text) => call.warn(text) }, options);
    items.push(object);
  }
  return { items, revision: found.revision };
}
