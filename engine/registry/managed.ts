/**
 * Who manages which fields: the places where the registry asks the field manager. Mirrors the calls of managedfields.FieldManager in
 * apiserver pkg/endpoints/handlers.
 */
import { Misfit, type OtherVersion } from '../apimachinery/managed-fields/versions.ts';
import { type KubeObject, parseGroupVersion } from '../apimachinery/object.ts';
import { DecodeError } from '../apimachinery/serializer/canonicalize.ts';
import { deepEqual } from '../base/equal.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import { isCustom } from '../contracts/kind.ts';
import type { WriteCall, WriteCore } from './core.ts';
import type { PatchCall } from './patch.ts';
import { ownedAs, withMeta, withoutOwners } from './meta.ts';
import { noteSent, withEmpties, withListEmpties } from './empties.ts';
import type { FieldOwnership } from './machinery.ts';
import type { Resource } from './resource.ts';

/** `next` with the managed fields of an update by the caller; both in the version of the request. */
export function recordUpdate(core: WriteCore, call: WriteCall, live: KubeObject | undefined, written: KubeObject): KubeObject {
  if (core.leavesOwners) return withoutOwners(written);
  const next = asStored(core, call, written);
  if (next === written) return recorded(core, call, live, next);
  // What it notes for those who own it is told apart from what it says: a note would be read as if it had been written.
  return ownedAs(written, recorded(core, call, live, next));
}

function recorded(core: WriteCore, call: WriteCall, live: KubeObject | undefined, next: KubeObject): KubeObject {
  const shown = withListed(core, call, withWritten(core, call, next));
  if (shown !== next) return withMeta(next, core.machinery.recordUpdate(live, shown, ownership(core, call)).metadata);
  return core.machinery.recordUpdate(live, next, ownership(core, call));
}

/** `next` with the empty lists and maps that Go writes beside what it was read from: who sends them owns them, and sees them where nothing was stored. */
export function withWritten(core: WriteCore, { resource, sent }: WriteCall, next: KubeObject): KubeObject {
  if (sent === undefined) return next;
  const shown = withEmpties(next, core.machinery.canonicalize(sent, resource.schema, undefined, 'written'));
  const { managedFields } = next.metadata;
  if (managedFields === undefined || shown.metadata.managedFields === managedFields) return shown;
  // A field with none below it is no empty map.
  return withMeta(shown, { ...shown.metadata, managedFields });
}

/** What is empty inside of the items of lists that are owned as a whole counts as a change, though nobody writes it down. */
function withListed(core: WriteCore, { resource, sent }: WriteCall, next: KubeObject): KubeObject {
  return sent === undefined ? next : withListEmpties(next, sent, core.machinery.typeOf(resource.schema));
}

/** Upstream sees what is written in the version of the request again, once it was that of its strategy: what one version notes of another has owners too. */
function asStored(core: WriteCore, { resource }: WriteCall, next: KubeObject): KubeObject {
  const { storage, conversion, isJudgedAsSent } = resource.kind;
  if (storage === undefined || conversion !== undefined || isJudgedAsSent === true || storage.fromStorage === undefined) return next;
  return core.canonical(storage.fromStorage(storage.toStorage(next)), resource);
}

/** The live object (or none) with the document applied and its ownership recorded. */
export function recordApply(core: WriteCore, call: WriteCall, live: KubeObject | undefined, patch: PatchCall): KubeObject {
  const applied = core.machinery.applyDocument(live, patch.document, {
    ...ownership(core, call),
    force: patch.force,
    sent: (whole) => noteSent(call, whole),
  });
  // Upstream's merge tells when it changes nothing, and nothing is filled in then: of what is stored in another version something may be missing.
  if (live !== undefined && isCustom(call.resource.kind) && isSameButOwners(applied, live)) return applied;
  return core.defaulted(applied, call.resource);
}

function isSameButOwners(applied: KubeObject, live: KubeObject): boolean {
  const { managedFields } = applied.metadata;
  const [{ managedFields: _owners, ...metadata }, rest] = [live.metadata, managedFields === undefined ? {} : { managedFields }];
  return deepEqual(applied, { ...live, metadata: { ...metadata, ...rest } });
}

/** The Scale of the call's object with the document applied and its ownership recorded. */
export function applyToScale(core: WriteCore, call: WriteCall, scale: KubeObject, patch: PatchCall, schema: MessageSchema): KubeObject {
  return core.machinery.applyDocument(scale, patch.document, { ...foreignOwnership(core, call, scale, schema), force: patch.force });
}

/** `next` with the managed fields of an update of the Scale by the caller. */
export function recordScale(core: WriteCore, call: WriteCall, scale: KubeObject, next: KubeObject, schema: MessageSchema): KubeObject {
  return core.machinery.recordUpdate(scale, next, foreignOwnership(core, call, scale, schema));
}

/** `body`, which is sent to a subresource and stored nowhere, with the managed fields of its creation. */
export function recordBody(core: WriteCore, call: WriteCall, body: KubeObject, schema: MessageSchema): KubeObject {
  return core.machinery.recordUpdate(undefined, body, foreignOwnership(core, call, body, schema));
}

function foreignOwnership(core: WriteCore, call: WriteCall, { apiVersion, kind }: KubeObject, schema: MessageSchema): FieldOwnership {
  const { versions: _none, ...own } = ownership(core, call);
  return { ...own, apiVersion, kind, schema, resetFields: nothing };
}

function ownership(core: WriteCore, call: WriteCall): FieldOwnership {
  const { resource } = call;
  return {
    manager: call.manager,
    subresource: call.subresource,
    apiVersion: resource.apiVersion,
    kind: resource.kind.kind,
    schema: resource.schema,
    resetFields: resetFields(call),
    nowText: core.nowText(),
    versions: (apiVersion) => otherVersion(core, resource, apiVersion),
  };
}

/** Upstream knows the types of groups together, but those of the first group apart from all others. */
function otherVersion(core: WriteCore, resource: Resource, apiVersion: string): OtherVersion | undefined {
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const found = core.table.findKind(group, version, resource.kind.kind);
  if (isCustom(resource.kind) && found === undefined) throw new Misfit(`request to convert CR to an invalid group/version: ${apiVersion}`);
  if (found === undefined || found.prefix !== resource.prefix || (group === '') !== (resource.kind.group === '')) return undefined;
  return {
    schema: found.schema,
    to: (object) => converted(core, object, resource, found),
    from: (object) => converted(core, object, found, resource) ?? object,
  };
}

/** Undefined when what has been merged fits no type. Users' own kinds keep what they have, unless a webhook converts: the field manager tells what does not fit. */
function converted(core: WriteCore, object: KubeObject, from: Resource, to: Resource): KubeObject | undefined {
  if (isCustom(from.kind) && from.kind.conversion === undefined) return { ...object, apiVersion: to.apiVersion };
  try {
    const typed = core.canonical({ ...object, kind: from.kind.kind, apiVersion: from.apiVersion }, from);
    const there = core.fromStorage(core.toStorage(typed, from), to);
    return core.canonical({ ...there, kind: to.kind.kind, apiVersion: to.apiVersion }, to);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

const statusOnly: readonly (readonly string[])[] = [['status']];
const nothing: readonly (readonly string[])[] = [];

/** What a write through this door does not touch, and so must not own. */
function resetFields(call: WriteCall): readonly (readonly string[])[] {
  const { kind, hasStatus, subresources } = call.resource;
  if (call.subresource === undefined) return kind.resetFields ?? (hasStatus ? statusOnly : nothing);
  return subresources.get(call.subresource)?.resetFields ?? nothing;
}
