/**
 * Creating an object. The order of steps is upstream's: defaults, managed fields, mutating admission, names and system fields,
 * strategy, validation, validating admission, storage. Mirrors apiserver pkg/registry/rest/create.go and generic/registry/store.go.
 */
import { assert } from '../base/assert.ts';
import { newAlreadyExists, newGenerateNameConflict, newInvalid, newServerTimeout, newStatusError } from '../apimachinery/errors.ts';
import { type FieldErrorList, root } from '../apimachinery/field-errors.ts';
import type { StrategyContext } from '../contracts/kind.ts';
import type { KubeObject, ObjectMeta } from '../apimachinery/object.ts';
import { allowedFields } from '../apimachinery/gated-fields.ts';
import { validateObjectMeta } from '../apimachinery/validation.ts';
import { withField } from '../base/plain.ts';
import { flat } from '../base/text.ts';
import type { Finish } from '../contracts/attempt.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { asSent } from './empties.ts';
import { withEmptyBytes } from './empty-bytes.ts';
import { recordUpdate } from './managed.ts';
import { uintFault } from './list.ts';
import { checksOfCreate, finalizerFaults, isLax, nameJudge } from './meta-checks.ts';
import { dedupOwnerReferences, matchNamespace, metaToStore, orderedMeta, withMeta, type MutableMeta } from './meta.ts';
import { objectKey, type Resource } from './resource.ts';
import { asWritten, noteShort } from './short-writes.ts';
import { judgeVersion, toldWithVersion } from './version-rules.ts';

const nameAttempts = 8;
const generatedBaseMax = 58;

/** Answers with the object as stored (or as it would be), in the version of the request. */
export function createObject(core: WriteCore, call: WriteCall, body: KubeObject): Finish<KubeObject> {
  const { resource } = call;
  let object = wipeSystemFields(body, call);
  noteShort(call, object);
  object = dedup(core, core.defaulted(object, resource), call, false);
  object = recordUpdate(core, call, undefined, judgeVersion(core, call, object, undefined));
  object = dedup(core, call.hooks.admit(object, undefined), call, true);
  return insert(core, call, object, 'create', core.machinery.wasRead(body, core.strategyOf(resource).schema) ? body : undefined);
}

/**
 * The rest of a creation, for objects whose managed fields and admission are settled. `how`: also apply and update may create. `known` is what
 * the object was made from, where that is canonical.
 */
export function insert(core: WriteCore, call: WriteCall, incoming: KubeObject, how: 'create' | 'update', known?: KubeObject): Finish<KubeObject> {
  const { resource } = call;
  const storage = core.strategyOf(resource);
  core.guard(call, incoming, undefined);
  const context = core.context(call);
  const meta = orderedMeta(incoming.metadata);
  // Admission may have led it elsewhere.
  setNamespace(meta, matchNamespace(incoming, call.namespace));
  fillSystemFields(core, call, meta);
  const typed = { ...incoming, kind: resource.kind.kind, apiVersion: resource.apiVersion, metadata: meta };
  let object = storage === resource ? typed : core.toStorage(typed, resource);
  object = prepare(storage, object, context);
  check(core, storage, object, call, context);
  for (const text of storage.kind.warnings?.(object, undefined, context) ?? []) call.warn(text);
  object = storage.kind.settle?.(object, context) ?? object;
  call.hooks.validate(storage === resource ? object : () => core.fromStrategy(object, resource), undefined);
  if (how === 'create' && !call.dryRun) checkUnversioned(object.metadata);
  const judged = core.canonical(withMeta(object, call.dryRun ? orderedMeta(object.metadata) : metaToStore(object.metadata)), storage, known);
  const whole = asWritten(call, storage === resource ? core.toStorage(judged, resource) : judged);
  // Whoever converts is asked before it is seen whether the name is free.
  const key = freeKey(core, call, object.metadata);
  const stored = withEmptyBytes(whole, storage.kind, call, undefined);
  return core.shown(core.add(key, stored), stored, resource);
}

/** What is no number goes unnoticed, as upstream. */
function checkUnversioned({ resourceVersion = '' }: ObjectMeta): void {
  if (uintFault(resourceVersion) === undefined && Number(resourceVersion) !== 0)
    throw newStatusError(500, '', 'resourceVersion should not be set on objects to be created');
}

export function wipeSystemFields(body: KubeObject, call: WriteCall): KubeObject {
  const meta = orderedMeta(body.metadata);
  delete meta.creationTimestamp;
  delete meta.uid;
  delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  delete meta.selfLink;
  setNamespace(meta, matchNamespace(body, call.namespace));
  return { ...body, kind: call.resource.kind.kind, apiVersion: call.resource.apiVersion, metadata: meta };
}

function setNamespace(meta: MutableMeta, namespace: string): void {
  if (namespace === '') delete meta.namespace;
  else meta.namespace = namespace;
}

const repeated =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ';
const repeatedAfter =
  '.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ';

export function dedup(core: WriteCore, object: KubeObject, call: WriteCall, afterAdmission: boolean): KubeObject {
  if (!core.ratcheted('UniqueOwners')) return object;
  const { meta, uids } = dedupOwnerReferences(object.metadata);
  if (uids.length === 0) return object;
  call.warn((afterAdmission ? repeatedAfter : repeated) + uids.join(', '));
  return withMeta(object, meta);
}

/** Name, uid, creation time and generation. */
function fillSystemFields(core: WriteCore, call: WriteCall, meta: MutableMeta): void {
  meta.uid = core.newUid(call.dryRun);
  meta.creationTimestamp = core.nowText();
  if (meta.name === undefined && meta.generateName !== undefined && core.strategyOf(call.resource).kind.namesItself !== true) {
    meta.name = generateName(core, call, meta.generateName, meta.namespace);
    // An object whose name may be drawn again is a copy: what it shared with itself it shares no more.
    if (meta.labels !== undefined && core.ratcheted('RedrawnNames')) meta.labels = { ...meta.labels };
  }
  // Where nobody counts, what the client says stays.
  if (core.strategyOf(call.resource).hasGeneration) meta.generation = 1;
  assert(meta.uid !== '' && meta.creationTimestamp !== '', 'what comes into being has an identity and a time');
}

function freeKey(core: WriteCore, call: WriteCall, meta: ObjectMeta): string {
  assert(meta.name, 'what is stored has a name');
  const key = objectKey(call.resource, meta.namespace, meta.name);
  const there = core.view.get(key);
  if (there !== undefined) throw takenName(core, call, meta.name, meta.generateName, there.value.metadata.deletionTimestamp !== undefined);
  return key;
}

/** Who says how a name may be drawn is told that none was free, though she chose it herself. */
function takenName(core: WriteCore, call: WriteCall, name: string, base: string | undefined, isGoing: boolean): Error {
  const { groupResource, kind } = call.resource;
  if (!base) return newAlreadyExists(groupResource, name, isGoing);
  if (core.ratcheted('RedrawnNames')) return newGenerateNameConflict(groupResource, name, 1);
  return newServerTimeout({ group: kind.group, resource: kind.kind }, 'POST', 0);
}

function generateName(core: WriteCore, call: WriteCall, base: string, namespace: string | undefined): string {
  const isGiven = core.strategyOf(call.resource).kind.namesAsGiven === true;
  let name = base;
  if (isGiven && core.view.get(objectKey(call.resource, namespace, name)) === undefined) return name;
  for (let attempt = 0; attempt < nameAttempts && !isGiven; attempt++) {
    name = flat([base.slice(0, generatedBaseMax), core.randomSuffix()]);
    assert(name.length <= generatedBaseMax + 5, 'a generated name is as long as a label may be');
    if (core.view.get(objectKey(call.resource, namespace, name)) === undefined) return name;
  }
  throw takenName(core, call, name, base, false);
}

function prepare(storage: Resource, given: KubeObject, context: StrategyContext): KubeObject {
  const { kind } = storage;
  const object = allowedFields(given, undefined, kind.gatedFields, context);
  if (kind.prepareForCreate !== undefined) return kind.prepareForCreate(object, context);
  if (!storage.hasStatus || !('status' in object)) return object;
  return withField(object, 'status', undefined);
}

/** Upstream's strategies check the metadata with the rest, and first. */
function check(core: WriteCore, { kind, schema }: Resource, object: KubeObject, call: WriteCall, context: StrategyContext): void {
  const meta: ObjectMeta = object.metadata;
  const isLate = kind.metaChecks?.create === '';
  const names = isLate ? 'pathSegment' : nameJudge(kind, object, context);
  const metaFaults = [
    ...validateObjectMeta(meta, kind.namespaced, names, root('metadata')),
    ...(core.ratcheted('BareFinalizers') && isLax(kind) ? [] : finalizerFaults(meta)),
  ];
  const judge = (judged: KubeObject): FieldErrorList => {
    const faults = [...(kind.validate?.(judged, context) ?? []), ...(call.unseen?.faults(judged, schema) ?? [])];
    const found = core.judged(faults, call.resource, true);
    return isLate && found.length > 0 ? found : core.judged(checksOfCreate(metaFaults, faults), call.resource, true);
  };
  const allowed = (whole: KubeObject): KubeObject => allowedFields(whole, undefined, kind.gatedFields, context);
  const faults = asSent(core, call, object, { faults: judge(object), judge: (whole) => judge(allowed(whole)), isNew: true });
  const told = toldWithVersion(core, call, faults, schema);
  if (told.length > 0) throw newInvalid(kind, meta.name ?? '', told);
  // The registry looks once more, at what is a name anywhere.
  if (kind.nameValidation !== 'none' && kind.takesAnyGenerateName !== true) return;
  const late = validateObjectMeta(meta, kind.namespaced, 'pathSegment', root('metadata'));
  if (late.length > 0) throw newInvalid(kind, meta.name ?? '', late);
}
