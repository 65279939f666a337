/**
 * Deleting an object and whole collections. Mirrors apiserver pkg/registry/generic/registry/store.go (Delete, DeleteCollection).
 */
import { newConflict, newForbidden } from '../apimachinery/errors.ts';
import type { KubeObject, ListMeta } from '../apimachinery/object.ts';
import type { DeleteOptions, ListOptions } from '../contracts/request.ts';
import { type Status, StatusError } from '../apimachinery/status.ts';
import type { Finish } from '../contracts/attempt.ts';
import type { StrategyContext } from '../contracts/kind.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { takeAlong } from './companions.ts';
import { checkPreconditions, collectionFinalizers, decideGrace, markHeld, returnsDeletedObject } from './deletion.ts';
import { sameObject } from './equal.ts';
import { listMeta, listObjects } from './list.ts';
import { orderedMeta, stampRevision, withMeta } from './meta.ts';
import { missing } from './missing.ts';
import { listPrefix, objectKey, type Resource } from './resource.ts';
import { mustBeReadable, throughCache } from './readable.ts';
import { makeSelection } from './selection.ts';
import { replace, storageErrorText } from './update.ts';

export interface Deleted {
  readonly finish: Finish<KubeObject | Status>;
  /** False when the object is still there, marked. */
  readonly removed: boolean;
}

const beingEmptied =
  'The system is ensuring all content is removed from this namespace.  Upon completion, this namespace will automatically be purged by the system.';

/** Of one that the request names. */
export function deleteNamed(core: WriteCore, call: WriteCall, options: DeleteOptions): Deleted {
  const why = core.table.storageOf(call.resource).kind.undeletable?.(call.name);
  if (why !== undefined) throw newForbidden(call.resource.groupResource, call.name, why);
  return deleteObject(core, call, options);
}

export function deleteObject(core: WriteCore, call: WriteCall, options: DeleteOptions): Deleted {
  const storage = core.table.storageOf(call.resource);
  const { kind } = storage;
  const stored = core.read(storage, call.namespace, call.name)?.value;
  if (stored === undefined) throw missing(call.resource.groupResource, call.name);
  mustBeReadable(call.resource, stored);
  // It is read in the version of the request before anything is asked of it.
  if (kind.conversion !== undefined) core.fromStorage(stored, call.resource);
  checkPreconditions(kind, stored, options);
  const context = core.context(call);
  if (kind.markForDeletion !== undefined && stored.metadata.deletionTimestamp === undefined) return markFirst(core, call, storage, stored, context);
  // What is being emptied stays as its first delete left it.
  const isPatient = core.ratcheted('PatientNamespaces');
  if (stored.metadata.deletionTimestamp !== undefined && kind.hasOtherFinalizers?.(stored) === true) {
    if (!isPatient) throw newConflict(call.resource.groupResource, call.name, beingEmptied);
    return { finish: () => answer(core, call, stored), removed: false };
  }
  const grace = decideGrace(kind, stored, options, context);
  if (grace.pending) return { finish: () => answer(core, call, stored), removed: false };
  call.hooks.validate(undefined, core.fromStorage(stored, call.resource));

  // The first delete of what somebody empties only says so.
  const isTold = kind.hasOtherFinalizers !== undefined && stored.metadata.deletionTimestamp === undefined;
  const finalizers = isTold && !isPatient ? toldFinalizers(stored, options) : collectionFinalizers(call.resource.kind, stored, options);
  let next = grace.object;
  if (finalizers !== stored.metadata.finalizers && finalizers.length + (stored.metadata.finalizers?.length ?? 0) > 0)
    next = withMeta(next, { ...next.metadata, finalizers });
  const held = finalizers.length > 0 || isTold;
  if (!grace.graceful && !held) {
    const wasHeld = (stored.metadata.finalizers?.length ?? 0) > 0;
    return (wasHeld ? releaseAtOnce(core, call, storage, next, options) : undefined) ?? remove(core, call, storage, stored);
  }

  if (!grace.graceful) next = isTold ? markOnly(next, context.nowText) : markHeld(next, context.nowText, !core.ratcheted('KeptDeletionTimes'));
  if (kind.beginDelete !== undefined && stored.metadata.deletionTimestamp === undefined) next = kind.beginDelete(next, context);
  const marked = save(core, call, storage, next, stored);
  const showMarked = core.shown(marked, marked.value, call.resource);
  // Of a kind that never tells what it deleted, what is held up is none the more told.
  if ((held || grace.graceSeconds > 0) && call.resource.kind.returnsDeleted === false)
    return { finish: () => deletedStatus(call.resource, marked.value), removed: false };
  if (held || grace.graceSeconds > 0) return { finish: showMarked, removed: false };
  // Upstream's dry run shows the mark, whatever a real removal would answer.
  if (call.dryRun) return { finish: showMarked, removed: true };
  return remove(core, call, storage, marked.value, marked);
}

/** Who orphans nothing takes back that dependents are orphaned; else what holds the object stays. */
function toldFinalizers({ metadata: { finalizers = [] } }: KubeObject, { orphanDependents }: DeleteOptions): readonly string[] {
  return orphanDependents === false ? finalizers.filter((finalizer) => finalizer !== 'orphan') : finalizers;
}

/**
 * What only finalizers of the garbage collector held, which this request takes away. Upstream writes nothing first, and goes on with the empty object that a write
 * would have filled: a version that was asked for does not match it, and a dry run shows it (or, before, what would have been written).
 */
function releaseAtOnce(core: WriteCore, call: WriteCall, storage: Resource, next: KubeObject, options: DeleteOptions): Deleted | undefined {
  if (call.dryRun) {
    const shown = core.ratcheted('EmptyReleases') ? core.canonical({ kind: next.kind, apiVersion: next.apiVersion, metadata: {} }, storage) : next;
    return { finish: () => core.fromStorage(shown, call.resource), removed: true };
  }
  if (options.preconditions?.resourceVersion === undefined) return undefined;
  const { resourceVersion = '' } = next.metadata;
  const text = `ResourceVersion in precondition: , ResourceVersion in object meta: ${resourceVersion}`;
  throw newConflict(call.resource.groupResource, call.name, storageErrorText(objectKey(storage, call.namespace, call.name), text));
}

/** The mark of a kind of its own. */
function markFirst(core: WriteCore, call: WriteCall, storage: Resource, stored: KubeObject, context: StrategyContext): Deleted {
  call.hooks.validate(undefined, core.fromStorage(stored, call.resource));
  const next = storage.kind.markForDeletion?.(stored, context) ?? stored;
  const marked = save(core, call, storage, next, stored);
  return { finish: core.shown(marked, marked.value, call.resource), removed: false };
}

/** A namespace that is not emptied yet knows no grace: only the time is set. */
function markOnly(object: KubeObject, nowText: string): KubeObject {
  return object.metadata.deletionTimestamp === undefined ? withMeta(object, { ...object.metadata, deletionTimestamp: nowText }) : object;
}

function save(core: WriteCore, call: WriteCall, storage: Resource, next: KubeObject, old: KubeObject): { readonly value: KubeObject } {
  const ordered = core.canonical(withMeta(next, orderedMeta(next.metadata)), storage, old);
  return sameObject(ordered, old) ? { value: ordered } : replace(core, call, storage, ordered);
}

/** `written`: the mark before it, where there is one. */
function remove(core: WriteCore, call: WriteCall, storage: Resource, stored: KubeObject, written = { value: stored }): Deleted {
  const { namespace, name } = call;
  const removal = core.drop(objectKey(storage, namespace, name));
  takeAlong(core, call, storage, stored);
  const isStamped = core.ratcheted('DeletionRevisions');
  const last = (): KubeObject => (removal.revision === undefined || !isStamped ? written.value : stampRevision(stored, removal.revision));
  return { finish: () => answer(core, call, last()), removed: true };
}

function answer(core: WriteCore, call: WriteCall, object: KubeObject): KubeObject | Status {
  const { resource } = call;
  if (returnsDeletedObject(resource.kind)) return core.fromStorage(object, resource);
  return deletedStatus(resource, object);
}

function deletedStatus(resource: Resource, object: KubeObject): Status {
  const { group, plural } = resource.kind;
  const details = { name: object.metadata.name ?? '', ...(group === '' ? undefined : { group }), kind: plural, uid: object.metadata.uid ?? '' };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 0 };
}

export interface DeletedCollection {
  /** What was there. */
  readonly items: readonly KubeObject[];
  readonly metadata: ListMeta;
  /** There was nothing that could have been selected. */
  readonly wasEmpty: boolean;
  /** Why one could not be deleted. Those before it are, as upstream's worker leaves them. */
  readonly failure: StatusError | undefined;
}

/** Deletes what the options select, one by one. */
export function deleteCollection(core: WriteCore, call: WriteCall, options: DeleteOptions, list: ListOptions): DeletedCollection {
  // Upstream lists page by page: at a revision as lists with a limit are.
  const listing = { ...list, limit: list.limit || Number.MAX_SAFE_INTEGER, includeUninitialized: true };
  const found = throughCache(call.resource, listing, () => {
    const listed = listObjects(core, call.resource, call.namespace, listing);
    for (const { value } of listed.stored) mustBeReadable(call.resource, value);
    return listed;
  });
  const items: KubeObject[] = [];
  const wasEmpty =
    found.items.length === 0 &&
    (Boolean(makeSelection(call.resource, list).name) || core.view.count(listPrefix(call.resource, call.namespace)) === 0);
  for (const object of found.items) {
    const name = object.metadata.name ?? '';
    const namespace = object.metadata.namespace ?? '';
    if (core.read(call.resource, namespace, name) === undefined) continue;
    const failure = failureOf(() => deleteObject(core, { ...call, namespace, name, warn: (text) => call.warn(text) }, options));
    if (failure !== undefined) return { items, metadata: listMeta(found), wasEmpty, failure };
    items.push(object);
  }
  return { items, metadata: listMeta(found), wasEmpty, failure: undefined };
}

function failureOf(step: () => void): StatusError | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}
