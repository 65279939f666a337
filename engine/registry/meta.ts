/**
 * Object metadata: building it in canonical key order, what the server fills in, what clients cannot change. Mirrors apiserver
 * pkg/registry/rest/meta.go.
 */
import { assert } from '../base/assert.ts';
import { newBadRequest } from '../apimachinery/errors.ts';
import { fieldCount, roomFor } from '../base/plain.ts';
import type { KubeObject, ObjectMeta } from '../apimachinery/object.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { weightLike, weightOf } from '../base/weight.ts';

/** What is kept for each object beside it: its place in the store, in the caches that know it, and on the timeline. */
const storedBytes = 2400;

/** The same object with other metadata; the position of `metadata` is kept. */
export function withMeta<T extends KubeObject>(object: T, metadata: ObjectMeta): T {
  return { ...object, metadata };
}

/** `object` with the owners of fields that `other` has, none where it has none. */
export function ownedAs(object: KubeObject, { metadata: { managedFields } }: Pick<KubeObject, 'metadata'>): KubeObject {
  const { managedFields: _former, ...metadata } = object.metadata;
  return withMeta(object, managedFields === undefined ? metadata : { ...metadata, managedFields });
}

export function withoutOwners(object: KubeObject): KubeObject {
  return ownedAs(object, { metadata: {} });
}

export type MutableMeta = { -readonly [K in keyof ObjectMeta]: ObjectMeta[K] };

/** The object under the revision that wrote it. */
export function stampRevision(object: KubeObject, revision: number): KubeObject {
  assert(revision > 0, 'only what is committed has a revision');
  const resourceVersion = String(revision);
  return object.metadata.resourceVersion === resourceVersion ? object : withMeta(object, orderedMeta(object.metadata, resourceVersion));
}

/** What an object takes in memory, whichever revision is written in it. `old` is what it replaces, and shares most of. */
export function weightOfObject(object: KubeObject, old?: { readonly value: KubeObject; readonly weight: number }): number {
  return old === undefined ? storedBytes + weightOf(object, 'resourceVersion') : weightLike(object, old.value, old.weight, 'resourceVersion');
}

/** Metadata with its keys in the order of the schema, without the empty ones. */
export function orderedMeta(meta: ObjectMeta, resourceVersion = meta.resourceVersion): MutableMeta {
  const out: MutableMeta = roomFor(fieldCount(meta) + (resourceVersion === meta.resourceVersion ? 0 : 1));
  if (meta.name) out.name = meta.name;
  if (meta.generateName) out.generateName = meta.generateName;
  if (meta.namespace) out.namespace = meta.namespace;
  if (meta.selfLink) out.selfLink = meta.selfLink;
  if (meta.uid) out.uid = meta.uid;
  if (resourceVersion) out.resourceVersion = resourceVersion;
  if (meta.generation) out.generation = meta.generation;
  if (meta.creationTimestamp) out.creationTimestamp = meta.creationTimestamp;
  if (meta.deletionTimestamp) out.deletionTimestamp = meta.deletionTimestamp;
  if (meta.deletionGracePeriodSeconds !== undefined && meta.deletionGracePeriodSeconds !== null) {
    out.deletionGracePeriodSeconds = meta.deletionGracePeriodSeconds;
  }
  if (meta.labels && hasKeys(meta.labels)) out.labels = meta.labels;
  if (meta.annotations && hasKeys(meta.annotations)) out.annotations = meta.annotations;
  if (meta.ownerReferences && meta.ownerReferences.length > 0) out.ownerReferences = meta.ownerReferences;
  if (meta.initializers) out.initializers = meta.initializers;
  if (meta.finalizers && meta.finalizers.length > 0) out.finalizers = meta.finalizers;
  if (meta.managedFields && meta.managedFields.length > 0) out.managedFields = meta.managedFields;
  return out;
}

/** Without what says where and as of when it was read, which is stored of nothing. A dry run shows it as it came. */
export function metaToStore({ selfLink: _link, ...meta }: ObjectMeta): MutableMeta {
  assert(meta.name, 'what is stored has a name');
  return orderedMeta(meta, meta.resourceVersion === undefined ? undefined : '');
}

/** What is not stored is judged with all that it says. */
export function metaToJudge(metadata: ObjectMeta): ObjectMeta {
  const { clusterName = '' } = metadata;
  return clusterName === '' ? orderedMeta(metadata) : { ...orderedMeta(metadata), clusterName };
}

function hasKeys(map: object): boolean {
  for (const _ in map) return true;
  return false;
}

/** The namespace an object gets; throws when it names another one than the request. */
export function matchNamespace(object: KubeObject, requestNamespace: string): string {
  const own = object.metadata.namespace ?? '';
  if (own === requestNamespace || own === '' || requestNamespace === '') return requestNamespace;
  throw newBadRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** The namespace that what is written again gets; throws when it names another one than it is in. */
export function matchWrittenNamespace(core: Pick<WriteCore, 'ratcheted'>, call: WriteCall, object: KubeObject): string {
  const { kind } = call.resource;
  if (kind.namespaced) return matchNamespace(object, call.namespace);
  if (kind.group === '' && kind.plural === 'namespaces' && !core.ratcheted('FreeNamespaces')) {
    // Its name was asked for first.
    matchName(object, call.name);
    matchNamespace(object, call.name);
  }
  return '';
}

/** Throws when the object names another one than the URL, or none. */
export function matchName(object: KubeObject, urlName: string): void {
  const name = object.metadata.name ?? '';
  if (name === urlName) return;
  if (name === '') throw newBadRequest(`the name of the object (${urlName} based on URL) was undeterminable: name must be provided`);
  throw newBadRequest(`the name of the object (${name}) does not match the name on the URL (${urlName})`);
}

/** Upstream's words for what happened to repeated owner references, and the list without them. */
export function dedupOwnerReferences(meta: ObjectMeta): { readonly meta: ObjectMeta; readonly uids: readonly string[] } {
  const references = meta.ownerReferences;
  if (references === undefined || references.length < 2) return { meta, uids: [] };
  const uids = new Set<string>();
  const met = new Set<string>();
  const kept = references.filter(({ uid, name, kind, apiVersion, controller, blockOwnerDeletion }) => {
    const identity = JSON.stringify([uid, name, kind, apiVersion, controller, blockOwnerDeletion]);
    const isNew = !met.has(identity);
    met.add(identity);
    if (!isNew) uids.add(uid);
    return isNew;
  });
  return kept.length === references.length ? { meta, uids: [] } : { meta: { ...meta, ownerReferences: kept }, uids: [...uids] };
}
