/**
 * PATCH in its four forms, applied to the object in the version of the request. Mirrors apiserver pkg/endpoints/handlers/patch.go.
 */
import { newBadRequest, newConflict, newStatusError } from '../apimachinery/errors.ts';
import { withKeptNulls } from '../apimachinery/patch/kept-nulls.ts';
import { withoutNullItems } from '../apimachinery/patch/null-items.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import { DecodeError } from '../apimachinery/serializer/scalars.ts';
import { unconverted } from '../apimachinery/serializer/yaml.ts';
import { toldApart } from '../apimachinery/serializer/yaml-faults.ts';
import { formatGroupVersion, type KubeObject, parseGroupVersion } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { isCustom } from '../contracts/kind.ts';
import type { PatchType } from '../contracts/request.ts';
import { type Status, StatusError } from '../apimachinery/status.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { noteSent } from './empties.ts';
import { noteShort } from './short-writes.ts';
import { applyToScale, recordApply, recordScale, recordUpdate } from './managed.ts';
import { matchName, matchWrittenNamespace, orderedMeta, withMeta, withoutOwners } from './meta.ts';
import type { PatchDocument } from './machinery.ts';
import { missing } from './missing.ts';
import type { Resource } from './resource.ts';
import { customNameFault, customScaleFault, type ExpectedNames, mustBeNamed, nameFault, withOlderDefaults } from './patched-names.ts';
import { scaleBodyOf, updateScale } from './scale.ts';
import { modify, type Written } from './update.ts';
import { judgeVersion } from './version-rules.ts';

export interface PatchCall {
  readonly type: PatchType;
  readonly document: JsonValue;
  readonly force: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** Duplicate fields of the document, in the words of its decoder. */
  readonly strictErrors?: readonly string[];
  /** Why it is no patch. */
  readonly fault?: Status;
}

export function patchObject(core: WriteCore, call: WriteCall, patch: PatchCall): Written {
  const forceAllowCreate = patch.type === 'apply' && call.subresource === undefined;
  return modify(core, call, (live) => patched(core, call, patch, live), { forceAllowCreate });
}

export function patchScale(core: WriteCore, call: WriteCall, patch: PatchCall): Written {
  const { type, document, fieldValidation, strictErrors } = patch;
  const schema = scaleSchemaOf(core, call);
  if (type === 'apply')
    return updateScale(core, call, (scale) => {
      if (isCustom(call.resource.kind)) throw unappliedScale(document);
      return applyToScale(core, call, scale, patch, schema);
    });
  const warn = (text: string): void => call.warn(text);
  return updateScale(core, call, (scale) => {
    mustBePatch(patch);
    const names = scaleNames(core, call);
    const change = (object: KubeObject): KubeObject =>
      core.machinery.patch(object, { type, document, fieldValidation, strictErrors, schema, names, warn });
    const patched = patchSeen(call, scale, schema, change);
    const typed = { ...patched, kind: scale.kind, apiVersion: scale.apiVersion } as KubeObject;
    return recordScale(core, call, scale, core.machinery.canonicalize(typed, schema), schema);
  });
}

export function replaceScale(core: WriteCore, call: WriteCall, next: KubeObject): Written {
  matchName(next, call.name);
  return updateScale(core, call, (scale) => recordScale(core, call, scale, next, scaleSchemaOf(core, call)));
}

/** As the converter of users' own kinds says it: a Scale is in none of their versions. */
function unappliedScale(document: JsonValue): Error {
  const { apiVersion = '', kind = '' } = (document ?? {}) as { readonly apiVersion?: string; readonly kind?: string };
  if (kind !== 'Scale' || apiVersion !== 'autoscaling/v1') return newBadRequest(`invalid object type: ${apiVersion}, Kind=${kind}`);
  const converting = 'failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version';
  const why = 'request to convert CR to an invalid group/version: autoscaling/v1';
  return newStatusError(500, '', `failed to create manager for existing fields: ${converting}: ${why}`);
}

function scaleSchemaOf(core: WriteCore, { resource: { kind } }: WriteCall): MessageSchema {
  const { group, version } = scaleBodyOf(kind);
  return core.schemas.mustGet(`io.k8s.api.${group}.${version}.Scale`);
}

function patched(core: WriteCore, call: WriteCall, patch: PatchCall, live: KubeObject | undefined): KubeObject {
  const { resource } = call;
  if (patch.type !== 'apply' && live === undefined) throw missing(resource.groupResource, call.name);
  const next = patch.type === 'apply' ? applied(core, call, patch, live) : fromDocument(core, call, patch, patch.type, live as KubeObject);
  if (live === undefined && next.metadata.uid) {
    const why = `uid mismatch: the provided object specified uid ${next.metadata.uid}, and no existing object was found`;
    throw newConflict(resource.groupResource, call.name, why);
  }
  return checkIdentity(core, call, next);
}

/** What stands twice in it is told once it could be applied. */
function applied(core: WriteCore, call: WriteCall, patch: PatchCall, live: KubeObject | undefined): KubeObject {
  const { strictErrors = [], fieldValidation } = patch;
  const next = recordApply(core, call, live, patch);
  if (strictErrors.length > 0 && fieldValidation === 'Strict')
    throw newBadRequest(`error strict decoding YAML: ${unconverted}${strictErrors.join(', ')}`);
  if (fieldValidation === 'Warn') for (const text of strictErrors.flatMap(toldApart)) call.warn(text);
  return next;
}

function fromDocument(core: WriteCore, call: WriteCall, patch: PatchCall, type: Exclude<PatchType, 'apply'>, live: KubeObject): KubeObject {
  const { resource } = call;
  const { document, fieldValidation, strictErrors } = patch;
  const { schema } = resource;
  mustBePatch(patch);
  const keepsNulls = type === 'strategic' && !core.ratcheted('PrunedPatches');
  const prunes = type === 'merge' && !core.ratcheted('KeptNullItems');
  const change = (object: KubeObject): KubeObject => {
    const seen = object as unknown as JsonObject;
    const sent = keepsNulls ? withKeptNulls(seen, document, schema, core.schemas) : prunes ? withoutNullItems(document, seen) : document;
    const names = judgeOfNames(core, call);
    return core.machinery.patch(object, { type, document: sent, fieldValidation, strictErrors, schema, names, warn: (text) => call.warn(text) });
  };
  const next = patchSeen(call, live, schema, change);
  if (isCustom(resource.kind) && call.subresource === undefined) mustBeNamed(checkIdentity(core, call, next), resource, live);
  const read = type !== 'strategic' ? withOlderDefaults(next) : next;
  const whole = { ...read, kind: resource.kind.kind, apiVersion: resource.apiVersion };
  const typed = core.canonical(whole, resource, live);
  if (typed !== whole) noteSent(call, whole);
  const why = resource.kind.misreads?.(typed);
  if (why !== undefined) throw newStatusError(500, '', why);
  noteShort(call, typed);
  const told = recordUpdate(core, call, live, judgeVersion(core, call, core.defaulted(typed, resource), live));
  return isUnowned(core, resource, read) ? withoutOwners(told) : told;
}

/** Whether it calls itself what its definition does not know, or has fields that are none here: of that nobody can own anything. */
function isUnowned(core: WriteCore, { kind, schema }: Resource, object: KubeObject): boolean {
  if (!isCustom(kind)) return false;
  const { group, version } = parseGroupVersion(object.apiVersion) ?? { group: '', version: '' };
  const named = object.kind === kind.kind && group === kind.group ? core.table.findKind(group, version, object.kind) : undefined;
  if (named === undefined) return true;
  return named.schema !== schema && !fits(core.defaulted(object, named), schema);
}

function fits(object: KubeObject, { custom }: MessageSchema): boolean {
  const unknown: string[] = [];
  try {
    custom?.read(object as unknown as JsonObject, unknown);
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
  return unknown.length === 0;
}

/** Whoever cannot see all of it patches what he sees. */
function patchSeen({ unseen }: WriteCall, live: KubeObject, schema: MessageSchema, change: (seen: KubeObject) => KubeObject): KubeObject {
  return unseen === undefined ? change(live) : unseen.carry(unseen.seen(change(unseen.seen(live, schema)), schema, 'all'), live, schema);
}

function mustBePatch({ fault }: PatchCall): void {
  if (fault !== undefined) throw new StatusError(fault);
}

function judgeOfNames(core: WriteCore, call: WriteCall): PatchDocument['names'] {
  const { apiVersion, kind } = call.resource;
  if (!isCustom(kind)) return builtInNames(core, { apiVersion, group: kind.group, kind: kind.kind });
  return (patched) => customNameFault(patched, call.resource, core.table);
}

function scaleNames(core: WriteCore, { resource }: WriteCall): PatchDocument['names'] {
  const { group, version, kind } = scaleBodyOf(resource.kind);
  const expected = { apiVersion: formatGroupVersion({ group, version }), group, kind };
  if (!isCustom(resource.kind)) return builtInNames(core, expected);
  return (patched, judge) => customScaleFault(patched, expected, core.schemas, judge);
}

function builtInNames({ schemas, table: kinds }: WriteCore, expected: ExpectedNames): PatchDocument['names'] {
  return (patched, judge) => nameFault(patched, expected, { kinds, schemas, judge });
}

function checkIdentity(core: WriteCore, call: WriteCall, next: KubeObject): KubeObject {
  const namespace = matchWrittenNamespace(core, call, next);
  matchName(next, call.name);
  if ((next.metadata.namespace ?? '') === namespace) return next;
  const { namespace: _, ...rest } = next.metadata;
  return withMeta(next, orderedMeta(namespace === '' ? rest : { ...rest, namespace }));
}
