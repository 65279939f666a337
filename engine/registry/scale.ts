/**
 * The `scale` subresource: replicas of any kind that has them, as `autoscaling/v1 Scale`. Mirrors
 * pkg/registry/apps/deployment/storage/storage.go (ScaleREST) for every kind at once.
 */
import { newBadRequest, newConflict, newInternalError, newInvalid, newNotFound, newStatusError, optimisticLockText } from '../apimachinery/errors.ts';
import { invalid, required, root } from '../apimachinery/field-errors.ts';
import { assert } from '../base/assert.ts';
import type { KindDefinition, ScaleDefinition } from '../contracts/kind.ts';
import { humanDuration, parseTime } from '../apimachinery/time.ts';
import { toScaledEntries, toScaleEntries } from '../apimachinery/managed-fields/scale-entries.ts';
import { formatGroupVersion, type KubeObject, type ManagedFieldsEntry } from '../apimachinery/object.ts';
import { goQuote } from '../apimachinery/quote.ts';
import type { JsonObject } from '../base/json.ts';
import type { Core, WriteCall, WriteCore } from './core.ts';
import { matchName, orderedMeta, withMeta } from './meta.ts';
import { missing } from './missing.ts';
import { mustBeReadable } from './readable.ts';
import type { Resource } from './resource.ts';
import { section } from './subresource-handlers.ts';
import type { Printed } from './table.ts';
import { modify, uidConflict, type Written } from './update.ts';

/** How a Scale is printed. Mirrors printScale of pkg/printers/internalversion. */
export const scaleTable: Printed = {
  columns: [
    { name: 'Name', type: 'string', format: '' },
    { name: 'Desired', type: 'integer' },
    { name: 'Available', type: 'integer' },
    { name: 'Age', type: 'string' },
  ],
  row: (scale, { nowMs }) => {
    const created = parseTime(scale.metadata.creationTimestamp ?? '');
    const age = created === undefined ? '<unknown>' : humanDuration(nowMs - created);
    return [scale.metadata.name ?? '', Number(section(scale, 'spec')['replicas'] ?? 0), Number(section(scale, 'status')['replicas'] ?? 0), age];
  },
};

/** Of users' own kinds. Mirrors getScaleColumnsForVersion of apiextensions-apiserver pkg/apiserver/helpers.go. */
export const customScaleTable: Printed = {
  ...scaleTable,
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Desired', type: 'integer', description: 'Number of desired replicas' },
    { name: 'Available', type: 'integer', description: 'Number of actual replicas' },
    { name: 'Age', type: 'date' },
  ],
};

/** Group, version and kind of what `scale` takes and gives. */
export function scaleBodyOf({ scale }: Pick<KindDefinition, 'scale'>): { readonly group: string; readonly version: string; readonly kind: string } {
  const { group = 'autoscaling', version = 'v1' } = scale?.body ?? {};
  return { group, version, kind: 'Scale' };
}

/** The first Scales told the selector twice: as labels where it is no more than that, and as text. */
function olderStatus(replicas: number, text: string): JsonObject {
  const isMap = text !== '' && text.split(',').every((part) => /^[^=!() ]+=[^=!() ]*$/.test(part));
  const selector = isMap ? Object.fromEntries(text.split(',').map((part) => part.split('=', 2))) : undefined;
  return { replicas, ...(selector === undefined ? undefined : { selector }), ...(text === '' ? undefined : { targetSelector: text }) };
}

/** Replicas that nobody has set yet, in the Scale that is changed: the least of 32 bits. */
const unset = -2_147_483_648;

/** `absent`: what it says of replicas that the object does not have. */
export function scaleOf(resource: Resource, object: KubeObject, absent = 0): KubeObject {
  const scale = definition(resource);
  const meta = object.metadata;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = meta;
  const metadata = orderedMeta({ name, namespace, uid, resourceVersion, creationTimestamp } as KubeObject['metadata']);
  const replicas = scale.getReplicas(object) ?? absent;
  const selector = scale.getSelector(object);
  const counted = scale.getStatusReplicas(object);
  const status = scale.body === undefined ? { replicas: counted, ...(selector === '' ? undefined : { selector }) } : olderStatus(counted, selector);
  return {
    kind: 'Scale',
    apiVersion: formatGroupVersion(scaleBodyOf(resource.kind)),
    metadata,
    spec: replicas === 0 ? {} : { replicas },
    status,
  } as KubeObject;
}

function definition(resource: Resource): ScaleDefinition<KubeObject> {
  const scale = resource.kind.scale;
  if (scale === undefined) throw newNotFound(resource.groupResource, 'scale');
  return scale;
}

export function getScale(core: Core, resource: Resource, namespace: string, name: string): KubeObject {
  const stored = core.read(resource, namespace, name)?.value;
  if (stored === undefined) throw missing(resource.groupResource, name);
  mustBeReadable(resource, stored);
  const object = core.fromStorage(stored, resource);
  const { getReplicas, customPath = '', fault } = definition(resource);
  const why = fault?.(object);
  if (why !== undefined) throw newStatusError(500, '', why);
  if (getReplicas(object) === undefined) throw newInternalError(`the spec replicas field ${goQuote(customPath)} does not exist`);
  return scaleOf(resource, object);
}

/** `change` makes the new Scale from the present one, which says who owns its replicas. */
export function updateScale(core: WriteCore, call: WriteCall, change: (scale: KubeObject) => KubeObject): Written {
  const { resource } = call;
  const by = { path: definition(resource).replicasPath ?? ['spec', 'replicas'], apiVersion: resource.apiVersion };
  return modifyScale(core, call, (live) => {
    const why = definition(resource).fault?.(live);
    if (why !== undefined) throw newStatusError(500, '', why);
    const entries = live.metadata.managedFields ?? [];
    const bare = scaleOf(resource, live, unset);
    const owned = toScaleEntries(entries, by, bare.apiVersion);
    assert(
      owned.every(({ apiVersion }) => apiVersion === bare.apiVersion),
      'a Scale is owned in its own version',
    );
    const before = owned.length === 0 ? bare : withMeta(bare, { ...bare.metadata, managedFields: owned });
    let owners: readonly ManagedFieldsEntry[] = [];
    const next = rescaled(core, call, { live, before }, (scale) => {
      const changed = change(scale);
      owners = changed.metadata.managedFields ?? [];
      return changed;
    });
    return withMeta(next, orderedMeta({ ...next.metadata, managedFields: toScaledEntries(entries, owners, by) }));
  });
}

function modifyScale(core: WriteCore, call: WriteCall, change: (live: KubeObject) => KubeObject): Written {
  const { resource } = call;
  const inner: WriteCall = { ...call, hooks: scaleHooks(call), warn: (text) => call.warn(text) };
  const written = modify(
    core,
    inner,
    (live) => {
      if (live === undefined) throw missing(resource.groupResource, call.name);
      return change(live);
    },
    { forceAllowCreate: false },
  );
  return { finish: () => scaleOf(resource, written.finish()), created: false };
}

interface Rescaled {
  readonly live: KubeObject;
  readonly before: KubeObject;
}

function rescaled(core: WriteCore, call: WriteCall, { live, before }: Rescaled, change: (scale: KubeObject) => KubeObject): KubeObject {
  const { resource } = call;
  const changed = call.hooks.admit(change(before), before);
  const { namespace, uid, resourceVersion } = changed.metadata;
  matchName(changed, call.name);
  if (namespace && namespace !== call.namespace)
    throw newBadRequest('the namespace of the provided object does not match the namespace sent on the request');
  const { customPath, setReplicas, unnamed } = definition(resource);
  if (core.ratcheted('PlacedScales') && uid && uid !== live.metadata.uid) {
    if (call.verb !== 'patch') throw uidConflict(call, core.table.storageOf(resource), uid, live);
    if (customPath === undefined) throw otherUid(call, uid, live);
  }
  const replicas = Number(section(changed, 'spec')['replicas'] ?? 0);
  if (customPath !== undefined && replicas === unset) throw newBadRequest(`the spec replicas field ${goQuote(customPath)} cannot be empty`);
  const faults = [
    ...(namespace || core.ratcheted('PlacedScales') ? [] : [required(root('metadata', 'namespace'))]),
    ...(replicas < 0 ? [invalid(root('spec', 'replicas'), replicas, 'must be greater than or equal to 0')] : []),
  ];
  if (faults.length > 0 && customPath === undefined)
    throw newInvalid({ group: unnamed ? resource.kind.group : 'autoscaling', kind: 'Scale' }, call.name, faults);
  if (customPath !== undefined && !resourceVersion && !core.ratcheted('PlacedScales')) {
    const { group, plural } = resource.kind;
    throw newInvalid({ group, kind: plural }, call.name, [invalid(root('metadata', 'resourceVersion'), 0, 'must be specified for an update')]);
  }
  if (resourceVersion && resourceVersion !== live.metadata.resourceVersion) throw newConflict(resource.groupResource, call.name, optimisticLockText);
  const next = setReplicas(live, replicas);
  return withMeta(next, orderedMeta(next.metadata));
}

/** A patch has no precondition; the object is compared once more when its Scale is read. */
function otherUid({ resource: { groupResource }, name }: WriteCall, uid: string, live: KubeObject): Error {
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid ?? ''}`;
  return newConflict({ ...groupResource, resource: `${groupResource.resource}/scale` }, name, why);
}

/** Admission sees Scale objects, not the object that is scaled: what is sent (in `rescaled`), then what comes of it. */
function scaleHooks({ hooks, resource }: WriteCall): WriteCall['hooks'] {
  const seen = (object: KubeObject | undefined): KubeObject | undefined => (object === undefined ? undefined : scaleOf(resource, object));
  return {
    admit: (next) => next,
    validate: (next, old) => hooks.validate(seen(typeof next === 'function' ? next() : next), seen(old)),
  };
}
