/**
 * Changing an object: one read-modify-write for PUT, all patches and every subresource that writes the object itself. Mirrors
 * apiserver pkg/registry/generic/registry/store.go (Update) and pkg/registry/rest/update.go.
 */
import { assert } from '../base/assert.ts';
import { deepEqual } from '../base/equal.ts';
import { withField } from '../base/plain.ts';
import { newConflict, newInvalid, newStatusError, optimisticLockText } from '../apimachinery/errors.ts';
import { type FieldErrorList, invalid, metaPlace, root } from '../apimachinery/field-errors.ts';
import type { KindDefinition, StrategyContext, SubresourceDefinition } from '../contracts/kind.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { allowedFields } from '../apimachinery/gated-fields.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../apimachinery/validation.ts';
import type { Finish } from '../contracts/attempt.ts';
import { otherKindFault } from './body-kinds.ts';
import { takeAlong } from './companions.ts';
import type { WriteCall, WriteCore } from './core.ts';
import type { PendingWrite } from '../store/transaction.ts';
import { dedup, insert } from './create.ts';
import { withEmptyBytes } from './empty-bytes.ts';
import { completesDeletion } from './deletion.ts';
import { sameManagedFieldsButTimes, sameObject, shareUnchanged } from './equal.ts';
import { hasFailed } from './initialization.ts';
import { uintFault } from './list.ts';
import { asSent, isHollow, isHollowOrNoBytes, withEmpties } from './empties.ts';
import { recordUpdate, withWritten } from './managed.ts';
import { checksOfUpdate, finalizerFaults, stepwise } from './meta-checks.ts';
import { asWhole, asWritten, isShort, noteShort } from './short-writes.ts';
import { matchName, matchWrittenNamespace, orderedMeta, ownedAs, withMeta, type MutableMeta } from './meta.ts';
import { missing } from './missing.ts';
import { mustBeReadable } from './readable.ts';
import { objectKey, type Resource } from './resource.ts';
import { judgeVersion, toldWithVersion } from './version-rules.ts';

export interface Written {
  /** Gives the object as stored (or as it would be), in the version of the request. */
  readonly finish: Finish<KubeObject>;
  readonly created: boolean;
}

/** PUT. */
export function updateObject(core: WriteCore, call: WriteCall, body: KubeObject): Written {
  const { resource } = call;
  const namespace = matchWrittenNamespace(core, call, body);
  matchName(body, call.name);
  const meta = orderedMeta(body.metadata);
  if (namespace !== '') meta.namespace = namespace;
  else delete meta.namespace;
  const typed = { ...body, kind: resource.kind.kind, apiVersion: resource.apiVersion, metadata: meta };
  noteShort(call, typed);
  const incoming = dedup(core, core.defaulted(typed, resource), call, false);
  const expectedUid = body.metadata.uid;
  return modify(core, call, (live) => recordUpdate(core, call, live, judgeVersion(core, call, withUnseen(core, call, incoming, live), live)), {
    expectedUid,
    forceAllowCreate: false,
  });
}

/** A whole object says nothing of the fields that its writer could not see: they stay. */
function withUnseen(core: WriteCore, call: WriteCall, next: KubeObject, live: KubeObject | undefined): KubeObject {
  const { resource, unseen } = call;
  return unseen === undefined || live === undefined ? next : core.canonical(unseen.carry(next, live, resource.schema), resource);
}

export interface ModifyOptions {
  /** Fails with a conflict when the live object has another. */
  readonly expectedUid?: string | undefined;
  readonly forceAllowCreate: boolean;
}

/** `change` makes the new object from the live one, both in the version of the request, with managed fields settled. */
export function modify(core: WriteCore, call: WriteCall, change: (live: KubeObject | undefined) => KubeObject, options: ModifyOptions): Written {
  const { resource } = call;
  const found = core.read(resource, call.namespace, call.name);
  const stored = found === undefined ? undefined : asWhole(resource.kind, found.value);
  const storage = core.strategyOf(resource);
  if (stored === undefined) return createInstead(core, call, storage, change, options);
  // What is judged as it was sent is judged with the uid that was.
  if (options.expectedUid && options.expectedUid !== stored.metadata.uid && !isJudgedAsSent(storage, call))
    throw uidConflict(call, storage, options.expectedUid, stored);
  mustBeReadable(resource, stored);
  const live = core.fromStorage(stored, resource);
  const changed = change(live);
  const next = dedup(core, call.hooks.admit(changed, live), call, true);
  core.guard(call, next, live);
  const written = storage === resource ? next : core.toStorage(next, resource);
  const moved = versionFault(call, storage.kind, next, live);
  // What is judged as it was sent is judged before anybody asks whether it has changed meanwhile.
  if (moved !== undefined && isJudgedAsSent(storage, call))
    beforeUpdate(core, call, storage, written, core.fromStorage(stored, storage), core.context(call));
  if (moved !== undefined) throw moved;
  assert(call.otherKind !== resource.kind.kind, 'another kind is another');
  if (call.otherKind !== undefined && call.subresource === undefined)
    throw otherKindFault(resource.kind, call.otherKind, { object: next, old: live, schema: resource.schema });
  const isOther = found?.version === 1 && storage.kind.isStoredOtherwise?.(stored) === true;
  const isNew = isOther || call.saysLess === true || (found !== undefined && isShort(resource.kind, found.value));
  return write(core, call, storage, written, { stored, isNew });
}

/** When somebody wrote what she owns is told anew only where something else has changed: an apply that changes nothing writes nothing. */
function withFormerTimes(next: KubeObject, old: KubeObject): KubeObject {
  const [{ managedFields }, { managedFields: former }] = [next.metadata, old.metadata];
  if (managedFields === former || former === undefined || !sameManagedFieldsButTimes(managedFields, former)) return next;
  const reverted = withMeta(next, { ...next.metadata, managedFields: former });
  return deepEqual(reverted, old) ? reverted : next;
}

function createInstead(
  core: WriteCore,
  call: WriteCall,
  storage: Resource,
  change: (live: KubeObject | undefined) => KubeObject,
  options: ModifyOptions,
): Written {
  const { resource } = call;
  if (options.expectedUid && !core.ratcheted('AbsentFirst')) throw uidConflict(call, storage, options.expectedUid, undefined);
  if (!isMadeByUpdate(storage, call) && !options.forceAllowCreate) {
    // Once what was sent came before the question whether it is there, and admission with it.
    if (!core.ratcheted('AbsentFirst')) revisionOf(call.hooks.admit(change(undefined), undefined));
    throw missing(resource.groupResource, call.name);
  }
  if (options.expectedUid) {
    if (options.forceAllowCreate !== true) throw uidConflict(call, storage, options.expectedUid, undefined);
    const text = `Precondition failed: UID in precondition: ${options.expectedUid}, UID in object meta: `;
    throw newConflict(resource.groupResource, call.name, text);
  }
  const created = change(undefined);
  const admitted = dedup(core, call.hooks.admit(created, undefined), call, true);
  revisionOf(admitted);
  return { finish: insert(core, call, admitted, 'update'), created: true };
}

function isMadeByUpdate({ kind }: Resource, { subresource }: WriteCall): boolean {
  return kind.allowCreateOnUpdate === true && (kind.createsByStatusAlone !== true || subresource === 'status');
}

const storedBelow = '/registry';

/** `stored`: what stands there under another uid than `expected`, if anything. */
export function uidConflict(call: WriteCall, storage: Resource, expected: string, stored: KubeObject | undefined): Error {
  const whole = objectKey(storage, call.namespace, call.name);
  assert(whole.startsWith(storedBelow), 'all that is stored stands below one prefix');
  // A dry run goes by the registry's key, which is below the prefix of what is stored.
  const key = call.dryRun ? whole.slice(storedBelow.length) : whole;
  const text = storageErrorText(key, `UID in precondition: ${expected}, UID in object meta: ${stored?.metadata.uid ?? ''}`);
  return newConflict(call.resource.groupResource, call.name, text);
}

/** What upstream's storage says of a precondition that does not hold. */
export function storageErrorText(key: string, precondition: string): string {
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${precondition}`;
}

/** Throws as upstream where it is no number. */
function revisionOf({ metadata: { resourceVersion = '' } }: KubeObject): string {
  const fault = uintFault(resourceVersion);
  if (fault !== undefined) throw newStatusError(500, '', fault);
  return resourceVersion;
}

function versionFault(call: WriteCall, kind: KindDefinition, next: KubeObject, live: KubeObject): Error | undefined {
  const asked = revisionOf(next);
  if (asked === '' || asked === '0') {
    if (kind.allowUnconditionalUpdate !== false) return undefined;
    const faults = [invalid(root('metadata', 'resourceVersion'), 0, 'must be specified for an update')];
    return newInvalid({ group: kind.group, kind: kind.plural }, call.name, faults);
  }
  return asked === live.metadata.resourceVersion ? undefined : newConflict(call.resource.groupResource, call.name, optimisticLockText);
}

/** `isNew`: the object is not stored as it is told. */
interface Before {
  readonly stored: KubeObject;
  readonly isNew: boolean;
}

function write(core: WriteCore, call: WriteCall, storage: Resource, incoming: KubeObject, { stored, isNew }: Before): Written {
  const { resource } = call;
  const old = core.fromStorage(stored, storage);
  const context = core.context(call);
  let next = withFormerTimes(meantByBytes(beforeUpdate(core, call, storage, incoming, old, context), stored, old, { call, storage }), old);
  call.hooks.validate(core.fromStrategy(next, resource), core.fromStrategy(old, resource));
  next = shareUnchanged(next, old);
  assert((next.metadata.generation ?? 0) >= (old.metadata.generation ?? 0), 'a generation never falls');
  assert(next.metadata.uid === old.metadata.uid, 'a write leaves an object what it is');
  if (completesDeletion(storage.kind, next, old)) {
    // The last finalizer went, and the object with it; the client sees what it sent.
    core.drop(objectKey(storage, call.namespace, call.name));
    takeAlong(core, call, storage, next);
    return { finish: () => core.fromStrategy(storage === resource ? withWritten(core, call, next) : next, resource), created: false };
  }
  if (next.metadata.selfLink !== undefined && !call.dryRun) next = withMeta(next, orderedMeta({ ...next.metadata, selfLink: '' }));
  const { settle } = storage.kind;
  if (settle !== undefined) next = shareUnchanged(settle(next, context), old);
  const kept = withEmptyBytes(asWritten(call, storage === resource ? core.toStorage(next, resource) : next), storage.kind, call, stored);
  // What was stored under an earlier shape is written anew, though nothing of it changes.
  const isSame = !isNew && (sameObject(kept, stored) || (!core.ratcheted('OwnedFields') && sameObject(ownedAs(kept, stored), stored)));
  const written = isSame ? undefined : replace(core, call, storage, shareUnchanged(kept, stored));
  if (call.subresource === undefined && !call.dryRun) storage.kind.afterUpdate?.(next, old, context);
  // What will never be complete goes at once, whoever else holds it.
  if (hasFailed(kept)) core.drop(objectKey(storage, call.namespace, call.name));
  if (written === undefined) return { finish: () => core.fromStrategy(old, resource), created: false };
  return { finish: core.shown(written, kept, resource), created: false };
}

/** With the next generation where only bytes of which there are none came or went. */
function meantByBytes(
  next: KubeObject,
  stored: KubeObject,
  old: KubeObject,
  { call, storage }: { readonly call: WriteCall; readonly storage: Resource },
): KubeObject {
  const { generation } = next.metadata;
  if (storage.kind.emptyBytes === undefined || !storage.hasGeneration || call.subresource !== undefined || generation !== old.metadata.generation)
    return next;
  const isOther = desiredChanged(withEmptyBytes(next, storage.kind, call, stored) as Sections, stored as Sections);
  return isOther ? withMeta(next, orderedMeta({ ...next.metadata, generation: (generation ?? 0) + 1 })) : next;
}

/** Writes `next` over what is there. */
export function replace(core: WriteCore, call: Pick<WriteCall, 'namespace' | 'name'>, storage: Resource, next: KubeObject): PendingWrite<KubeObject> {
  return core.put(objectKey(storage, call.namespace, call.name), next);
}

function beforeUpdate(
  core: WriteCore,
  call: WriteCall,
  storage: Resource,
  incoming: KubeObject,
  old: KubeObject,
  context: StrategyContext,
): KubeObject {
  const { kind } = storage;
  const oldMeta = old.metadata;
  const meta = orderedMeta(incoming.metadata);
  const namespace = matchWrittenNamespace(core, call, incoming);
  if (namespace !== '') meta.namespace = namespace;
  if (oldMeta.generation === undefined) delete meta.generation;
  else meta.generation = oldMeta.generation;
  if (isJudgedAsSent(storage, call) && !meta.resourceVersion) delete meta.resourceVersion;
  else meta.resourceVersion = oldMeta.resourceVersion as string;
  const typed = { ...incoming, kind: kind.kind, apiVersion: storage.apiVersion, metadata: meta };
  const definition = definitionOf(call, storage);
  if (storage.kind.generationCountsGated === true && isMeantOtherwise(storage, typed, old, call)) call.saysMore = true;
  const prepared = core.machinery.arrange(prepare(storage, definition, typed, old, context), storage.schema, old);
  const next = keepSystemFields(storage, prepared, old, { call, tellsState: definition?.tellsState === true });
  check(core, storage, definition, next, old, call, context);
  const warnings = definition?.tellsState === true ? definition?.warnings?.(next, old) : kind.warnings?.(next, old, context);
  for (const text of warnings ?? []) call.warn(text);
  return next;
}

function isJudgedAsSent({ kind }: Resource, { subresource }: WriteCall): boolean {
  return kind.judgedAsSent === true && subresource === undefined;
}

function definitionOf({ resource, subresource }: WriteCall, storage: Resource): SubresourceDefinition<KubeObject> | undefined {
  if (subresource === undefined) return undefined;
  return storage.subresources.get(subresource) ?? resource.subresources.get(subresource);
}

type Sections = KubeObject & { readonly [section: string]: unknown };

function prepare(
  storage: Resource,
  definition: SubresourceDefinition<KubeObject> | undefined,
  given: KubeObject,
  old: KubeObject,
  context: StrategyContext,
): KubeObject {
  const next = allowedFields(given, old, storage.kind.gatedFields, context);
  if (definition?.prepareForUpdate !== undefined) return definition.prepareForUpdate(next, old, context);
  if (storage.kind.prepareForUpdate !== undefined) return storage.kind.prepareForUpdate(next, old, context);
  if (!storage.hasStatus) return next;
  return withField(next, 'status', (old as Sections)['status']);
}

/** What an update never changes, and the generation, which follows the spec. */
function keepSystemFields(
  storage: Resource,
  next: KubeObject,
  old: KubeObject,
  { call, tellsState }: { readonly call: WriteCall; readonly tellsState: boolean },
): KubeObject {
  const oldMeta = old.metadata;
  const meta: MutableMeta = { ...next.metadata };
  if (!meta.uid && oldMeta.uid) meta.uid = oldMeta.uid;
  if (oldMeta.creationTimestamp) meta.creationTimestamp = oldMeta.creationTimestamp;
  if (oldMeta.deletionTimestamp) meta.deletionTimestamp = oldMeta.deletionTimestamp;
  if (oldMeta.deletionGracePeriodSeconds !== undefined) meta.deletionGracePeriodSeconds ??= oldMeta.deletionGracePeriodSeconds;
  const isRelabelled = storage.kind.generationCountsLabels === true && !deepEqual(next.metadata.labels ?? {}, oldMeta.labels ?? {});
  if (
    storage.hasGeneration &&
    !tellsState &&
    (isRelabelled || call.saysMore === true || isMeantOtherwise(storage, next, old, call) || call.resource.kind.changesByReading?.(next) === true)
  ) {
    if ((meta.generation ?? 0) === (oldMeta.generation ?? 0)) meta.generation = (oldMeta.generation ?? 0) + 1;
  }
  return withMeta(next, orderedMeta(meta));
}

function isMeantOtherwise({ kind }: Resource, next: KubeObject, old: KubeObject, { sent }: WriteCall): boolean {
  const sees = kind.desiredCountsEmpties === true && sent !== undefined;
  const hollow = kind.emptyBytes === undefined ? isHollowOrNoBytes : isHollow;
  if (sees && desiredChanged(withEmpties(next, sent, hollow) as Sections, next as Sections)) return true;
  return kind.desiredChanged === undefined ? desiredChanged(next as Sections, old as Sections) : kind.desiredChanged(next, old);
}

function desiredChanged(next: Sections, old: Sections): boolean {
  if ('spec' in next || 'spec' in old) return !deepEqual(next['spec'], old['spec']);
  const keys = new Set([...Object.keys(next), ...Object.keys(old)]);
  for (const key of ['kind', 'apiVersion', 'metadata', 'status']) keys.delete(key);
  return [...keys].some((key) => !deepEqual(next[key], old[key]));
}

function check(
  core: WriteCore,
  { kind, schema }: Resource,
  definition: SubresourceDefinition<KubeObject> | undefined,
  next: KubeObject,
  old: KubeObject,
  call: WriteCall,
  context: StrategyContext,
): void {
  const validate = definition?.validateUpdate ?? kind.validateUpdate;
  const steps = stepsOf(kind, definition);
  const faultsOf = (next: KubeObject): FieldErrorList => {
    const judged = validate?.(next, old, context) ?? [];
    const found = core.ratcheted('BareFinalizers') ? judged : judged.filter((fault) => fault !== metaPlace);
    const unseen = call.unseen?.faults(next, schema) ?? [];
    const all = [
      ...validateObjectMeta(next.metadata, kind.namespaced, 'pathSegment', root('metadata'), old.metadata),
      ...(core.ratcheted('BareFinalizers') || steps !== undefined ? [] : finalizerFaults(next.metadata)),
      ...validateObjectMetaUpdate(next.metadata, old.metadata, root('metadata')),
      ...(core.ratcheted('BareFinalizers')
        ? [...checksOfUpdate(kind, next, old.metadata, definition?.tellsState === true, judged), ...unseen]
        : stepwise(steps, kind, next, { old: old.metadata, context, found, unseen })),
    ];
    return core.judged(all, call.resource, false);
  };
  const allowed = (whole: KubeObject): KubeObject => allowedFields(whole, old, kind.gatedFields, context);
  const faults = asSent(core, call, next, { faults: faultsOf(next), judge: (whole) => faultsOf(allowed(whole)) });
  const told = toldWithVersion(core, call, faults, schema);
  if (told.length === 0) return;
  for (const text of kind.refusalWarnings?.(next, old) ?? []) call.warn(text);
  throw newInvalid(kind, call.name, told);
}

function stepsOf({ updateChecks }: KindDefinition, definition: SubresourceDefinition<KubeObject> | undefined): string | undefined {
  const isPart = definition?.tellsState === true || definition?.validateUpdate !== undefined;
  return isPart && updateChecks !== undefined ? (updateChecks.part ?? 'Ua') : updateChecks?.update;
}
