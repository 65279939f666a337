/**
 * PATCH in its four forms, applied to the object in the version of the request. Mirrors apiserver pkg/endpoints/handlers/patch.go.
 */
import { newConflict } from '../apimachinery/errors.ts';
import { withKeptNulls } from '../apimachinery/patch/kept-nulls.ts';
import { withoutNullItems } from '../apimachinery/patch/null-items.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { PatchType } from '../contracts/request.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { unreadable } from './default-machinery.ts';
import { noteSent } from './empties.ts';
import { applyToScale, recordApply, recordScale, recordUpdate } from './managed.ts';
import { matchName, matchNamespace, orderedMeta, withMeta } from './meta.ts';
import { missing } from './missing.ts';
import { scaleBodyOf, updateScale } from './scale.ts';
import { modify, type Written } from './update.ts';

export interface PatchCall {
  readonly type: PatchType;
  readonly document: JsonValue;
  readonly force: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
}

export function patchObject(core: WriteCore, call: WriteCall, patch: PatchCall): Written {
  const forceAllowCreate = patch.type === 'apply' && call.subresource === undefined;
  return modify(core, call, (live) => patched(core, call, patch, live), { forceAllowCreate });
}

export function patchScale(core: WriteCore, call: WriteCall, patch: PatchCall): Written {
  const { type, document, fieldValidation } = patch;
  const schema = scaleSchemaOf(core, call);
  if (type === 'apply') return updateScale(core, call, (scale) => applyToScale(core, call, scale, patch, schema));
  const warn = (text: string): void => call.warn(text);
  return updateScale(core, call, (scale) => {
    const patched = core.machinery.patch(scale, { type, document, fieldValidation, schema, warn });
    return recordScale(core, call, scale, core.machinery.canonicalize(patched, schema), schema);
  });
}

export function replaceScale(core: WriteCore, call: WriteCall, next: KubeObject): Written {
  matchName(next, call.name);
  return updateScale(core, call, (scale) => recordScale(core, call, scale, next, scaleSchemaOf(core, call)));
}

function scaleSchemaOf(core: WriteCore, { resource: { kind } }: WriteCall): MessageSchema {
  const { group, version } = scaleBodyOf(kind);
  return core.schemas.mustGet(`io.k8s.api.${group}.${version}.Scale`);
}

function patched(core: WriteCore, call: WriteCall, patch: PatchCall, live: KubeObject | undefined): KubeObject {
  const { resource } = call;
  if (patch.type !== 'apply' && live === undefined) throw missing(resource.groupResource, call.name);
  const next = patch.type === 'apply' ? recordApply(core, call, live, patch) : fromDocument(core, call, patch, patch.type, live as KubeObject);
  if (live === undefined && next.metadata.uid) {
    const why = `uid mismatch: the provided object specified uid ${next.metadata.uid}, and no existing object was found`;
    throw newConflict(resource.groupResource, call.name, why);
  }
  return checkIdentity(call, next);
}

function fromDocument(core: WriteCore, call: WriteCall, patch: PatchCall, type: Exclude<PatchType, 'apply'>, live: KubeObject): KubeObject {
  const { resource, unseen } = call;
  const { document, fieldValidation } = patch;
  const { schema } = resource;
  const keepsNulls = type === 'strategic' && !core.ratcheted('PrunedPatches');
  const items = type === 'merge' && !core.ratcheted('KeptNullItems') ? withoutNullItems(document) : document;
  const change = (object: KubeObject): KubeObject => {
    const sent = keepsNulls ? withKeptNulls(object as unknown as JsonObject, document, schema, core.schemas) : items;
    return core.machinery.patch(object, { type, document: sent, fieldValidation, schema, warn: (text) => call.warn(text) });
  };
  // Whoever cannot see all of it patches what he sees.
  const next = unseen === undefined ? change(live) : unseen.carry(unseen.seen(change(unseen.seen(live, schema)), schema), live, schema);
  if (type !== 'strategic' && next.kind !== resource.kind.kind && !core.ratcheted('KeptKinds'))
    throw unreadable(next as unknown as JsonObject, `must be a ${resource.kind.kind}`);
  const whole = { ...next, kind: resource.kind.kind, apiVersion: resource.apiVersion };
  const typed = core.canonical(whole, resource, live);
  if (typed !== whole) noteSent(call, whole);
  return recordUpdate(core, call, live, core.judgeVersion(call, core.defaulted(typed, resource)));
}

function checkIdentity(call: WriteCall, next: KubeObject): KubeObject {
  const namespace = matchNamespace(next, call.resource.kind.namespaced ? call.namespace : '');
  matchName(next, call.name);
  if ((next.metadata.namespace ?? '') === namespace) return next;
  const { namespace: _, ...rest } = next.metadata;
  return withMeta(next, orderedMeta(namespace === '' ? rest : { ...rest, namespace }));
}
