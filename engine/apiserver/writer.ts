/**
 * The writing verbs of the pipeline: what the body is, who manages its fields, admission around the registry, and the code of the
 * answer. Mirrors apiserver pkg/endpoints/handlers/{create,update,patch,delete}.go.
 */
import { newBadRequest, newInvalid, newForbidden } from '../apimachinery/errors.ts';
import { parseDuration } from '../apimachinery/time.ts';
import { type Status, StatusError } from '../apimachinery/status.ts';
import { formatGroupVersion, type KubeList, type KubeObject } from '../apimachinery/object.ts';
import { assert } from '../base/assert.ts';
import type { JsonValue } from '../base/json.ts';
import { ownText } from '../base/text.ts';
import type { Ask } from '../contracts/questions.ts';
import type { ApiRequest, ApiResult, DeleteOptions } from '../contracts/request.ts';
import type { Attempt, Finish } from '../contracts/attempt.ts';
import { type Core, storedUnder, type WriteCall, type WriteCore, type WriteHooks } from '../registry/core.ts';
import { dedup, wipeSystemFields } from '../registry/create.ts';
import { noteSent } from '../registry/empties.ts';
import { initializersGate, isInitialized } from '../registry/initialization.ts';
import { recordUpdate } from '../registry/managed.ts';
import { metaToJudge, matchNamespace, orderedMeta, ownedAs } from '../registry/meta.ts';
import { checkDeleteOptions, checkListOptions, isUnsafe, refuseUnsafe } from '../registry/list-options.ts';
import { checkSelectors } from '../registry/selection.ts';
import { orphanWarning } from '../registry/deletion.ts';
import type { PatchCall } from '../registry/patch.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import { objectKey, type Resource } from '../registry/resource.ts';
import type { Written } from '../registry/update.ts';
import { createObjectForms } from './admission/object-forms.ts';
import { operationOptionsOf } from './admission/operation-options.ts';
import { besideCall, ownRequest } from './own-writes.ts';
import type { WrittenPart } from './storage/storage-tools.ts';
import type { AdmissionAttributes, AdmissionChain, AdmissionVerb } from './admission.ts';

/** Asks the authorizer again, for a write that turns out to create. */
export interface CreateAuthorizer {
  authorize(request: ApiRequest, verb: 'create', ask: Ask): void;
}

const managerLengthMax = 128;

const unsafeVerb = 'unsafe-delete-ignore-read-errors';
const unsafeText = 'not permitted to do "unsafe-delete-ignore-read-errors", reason: ';
const readableText = 'is exclusively used to delete corrupt object(s), try again by removing this option';
const collectionText = 'is not allowed with DELETECOLLECTION, try again after removing the option';
const deleteOptions = { group: 'meta.k8s.io', kind: 'DeleteOptions' };

export class Writer {
  readonly #registry: ResourceRegistry;
  readonly #admission: AdmissionChain;
  readonly #authorizer: CreateAuthorizer;

  constructor(registry: ResourceRegistry, admission: AdmissionChain, authorizer: CreateAuthorizer) {
    this.#registry = registry;
    this.#admission = admission;
    this.#authorizer = authorizer;
  }

  write(request: ApiRequest, resource: Resource, attempt: Attempt, part?: WrittenPart): Finish<ApiResult> {
    const core = this.#registry.core.within(attempt);
    const warnings: string[] = [];
    try {
      const finish = this.#write(request, resource, core, warnings, part);
      core.time.mustHaveBeenGiven();
      return finish;
    } catch (error) {
      // What storage says comes too late as well.
      if (error instanceof StatusError && isOfStorage(error.status, request, core.time.isNone)) core.time.mustHaveBeenGiven();
      if (error instanceof StatusError && warnings.length > 0) error.warnings = warnings;
      throw error;
    }
  }

  #write(request: ApiRequest, resource: Resource, core: WriteCore, warnings: string[], part: WrittenPart | undefined): Finish<ApiResult> {
    switch (request.verb) {
      case 'create':
        return part === undefined ? this.#create(request, resource, core, warnings) : this.#createPart(request, resource, core, warnings, part);
      case 'update':
        return this.#update(request, resource, core, warnings, part);
      case 'patch':
        return this.#patch(request, resource, core, warnings, part);
      case 'delete':
        return this.#delete(request, resource, core, warnings);
      default:
        return this.#deleteCollection(request, resource, core, warnings);
    }
  }

  #create(request: ApiRequest, resource: Resource, core: WriteCore, warnings: string[]): Finish<ApiResult> {
    warnings.push(...(request.decodeWarnings ?? []));
    core.requireVerb(resource, 'create');
    const call = this.#call(request, resource, core, warnings, dryRunOf(request));
    const body = this.#body(request, resource, call);
    if (resource.kind.createOnly !== undefined) {
      const context = core.context(call);
      const isPlaced = core.ratcheted('PlacedReviews');
      const sent = isPlaced ? wipeSystemFields(inNamespace(body, call.namespace), call) : body;
      const owned = dedup(core, core.defaulted(sent, resource), call, false);
      const admitted = dedup(core, call.hooks.admit(recordUpdate(core, call, undefined, owned), undefined), call, true);
      const faults = resource.kind.validate?.({ ...admitted, metadata: metaToJudge(admitted.metadata) }, context) ?? [];
      // Upstream's reviews have lost their kind by the time they are refused.
      if (faults.length > 0) throw newInvalid({ group: resource.kind.group, kind: '' }, '', faults);
      if (!isPlaced && call.namespace !== '' && admitted.metadata.namespace !== call.namespace)
        throw newBadRequest(`spec.resourceAttributes.namespace must match namespace: ${call.namespace}`);
      call.hooks.validate(admitted, undefined);
      const object = resource.kind.createOnly(admitted, context);
      return () => ({ code: 201, object, warnings });
    }
    const finish = this.#registry.create(core, call, body);
    if (core.featureEnabled(initializersGate)) return () => createdPartly(finish(), request, resource, this.#registry.core, warnings);
    return () => ({ code: 201, object: request.unread === true ? body : finish(), warnings });
  }

  #createPart(request: ApiRequest, resource: Resource, core: WriteCore, warnings: string[], part: WrittenPart): Finish<ApiResult> {
    assert(part.create !== undefined, `${request.resource}/${request.subresource ?? ''} takes a POST`);
    warnings.push(...(request.decodeWarnings ?? []));
    const call = this.#call(request, resource, core, warnings, dryRunOf(request), part);
    const object = part.create(core, call, typedBody(request, part.bodyKind.kind, undefined));
    return () => ({ code: 201, object, warnings });
  }

  #update(request: ApiRequest, resource: Resource, core: WriteCore, warnings: string[], part: WrittenPart | undefined): Finish<ApiResult> {
    warnings.push(...(request.decodeWarnings ?? []));
    core.requireVerb(resource, 'update');
    const call = this.#call(request, resource, core, warnings, dryRunOf(request), part);
    if (part?.update === undefined) return written(this.#registry.update(core, call, this.#body(request, resource, call)), warnings);
    return written(part.update(core, call, typedBody(request, part.bodyKind.kind, formatGroupVersion(part.bodyKind))), warnings);
  }

  #patch(request: ApiRequest, resource: Resource, core: WriteCore, warnings: string[], part: WrittenPart | undefined): Finish<ApiResult> {
    const { patchType: type = 'merge', decodeWarnings: strictErrors = [], patchFault: fault } = request;
    core.requireVerb(resource, 'patch');
    const call = this.#call(request, resource, core, warnings, dryRunOf(request), part);
    const patch: PatchCall = {
      type,
      document: (request.body ?? null) as JsonValue,
      strictErrors,
      ...(fault !== undefined && { fault }),
      force: request.write?.force === true,
      fieldValidation: request.trusted === true ? 'Ignore' : (request.write?.fieldValidation ?? 'Warn'),
    };
    return written(part?.patch === undefined ? this.#registry.patch(core, call, patch) : part.patch(core, call, patch), warnings);
  }

  #delete(request: ApiRequest, resource: Resource, core: WriteCore, warnings: string[]): Finish<ApiResult> {
    const options = request.delete ?? {};
    core.requireVerb(resource, 'delete');
    checkDeleteOptions(options, core);
    if (isUnsafe(options, core)) this.#refuseUnsafe(request, resource, core);
    const call = this.#call(request, resource, core, warnings, deleteDryRun(options));
    const warning = orphanWarning(resource.kind, options);
    if (warning !== undefined) warnings.push(warning);
    const { finish, removed } = this.#registry.delete(core, call, options);
    const code = !removed && options.orphanDependents === false ? 202 : 200;
    return () => ({ code, object: finish(), warnings });
  }

  /** Whoever may delete unread what cannot be read hears that it can be read. */
  #refuseUnsafe(request: ApiRequest, { kind }: Resource, core: WriteCore): never {
    const { name = '', namespace = '' } = request;
    const asked = {
      verb: unsafeVerb,
      isResource: true,
      path: '',
      group: kind.group,
      version: kind.version,
      resource: kind.plural,
      subresource: '',
      namespace,
      name,
    };
    const decision = core.dependencies.access?.authorize(request.identity, asked, (question) => core.ask(question)) ?? { allowed: true, reason: '' };
    const of = { group: kind.group, resource: kind.plural };
    if (!decision.allowed) throw newForbidden(of, name, unsafeText + decision.reason);
    return refuseUnsafe({ group: kind.group, kind: kind.plural }, name, readableText);
  }

  #deleteCollection(request: ApiRequest, resource: Resource, core: WriteCore, warnings: string[]): Finish<ApiResult> {
    const options = request.delete ?? {};
    core.requireVerb(resource, 'deletecollection');
    const selected = request.list ?? {};
    checkSelectors(selected);
    checkListOptions(selected);
    checkDeleteOptions(options, core);
    if (isUnsafe(options, core)) refuseUnsafe(deleteOptions, '', collectionText);
    const call = this.#call(request, resource, core, warnings, deleteDryRun(options));
    const warning = orphanWarning(resource.kind, options);
    if (warning !== undefined) warnings.push(warning);
    const { items, metadata, wasEmpty, failure } = this.#registry.deleteCollection(core, call, options, selected);
    const object: KubeList = { kind: resource.listKind, apiVersion: resource.apiVersion, metadata, items };
    return () => {
      if (failure === undefined) return { code: 200, object, warnings, ...(wasEmpty && { wasEmpty }) };
      failure.warnings = warnings;
      throw failure;
    };
  }

  #call(request: ApiRequest, resource: Resource, core: WriteCore, warnings: string[], dryRun: boolean, part?: WrittenPart): WriteCall {
    if (dryRun) core.discard();
    const call: WriteCall = {
      resource,
      namespace: resource.kind.namespaced ? (request.namespace ?? '') : '',
      name: request.name ?? '',
      subresource: request.subresource,
      verb: request.verb,
      identity: request.identity,
      manager: request.write?.fieldManager || managerOf(request.userAgent),
      causes: request.causes,
      dryRun,
      unseen: request.unseen,
      otherKind: request.otherKind,
      hooks: this.#hooks(request, resource, core, () => call, part),
      own: (verb, own, name) => this.#call(ownRequest(request, verb, own, name), own, core, [], false),
      annotate: (key, value) => request.annotate?.(key, value),
      warn: (text) => {
        if (!warnings.includes(text)) warnings.push(text);
      },
    };
    return call;
  }

  #hooks(request: ApiRequest, resource: Resource, core: WriteCore, call: () => WriteCall, part?: WrittenPart): WriteHooks {
    const bodyKind = part?.bodyKind;
    const kind = bodyKind ?? resource.kind;
    const forms = createObjectForms(core, resource, bodyKind);
    const time = core.time.limitTo(parseDuration(request.query?.['timeout'] ?? ''), core.ratcheted('LeastTimeouts'));
    const attributes = (verb: AdmissionVerb, object: KubeObject | undefined, oldObject: KubeObject | undefined): AdmissionAttributes => ({
      verb,
      group: request.group,
      version: request.version,
      kind: kind.kind,
      resource: request.resource,
      subresource: request.subresource ?? '',
      namespace: request.namespace || namespaceOf(resource, request, object, oldObject),
      // Of what goes with its collection nobody is told the name.
      name: request.name || object?.metadata.name || (request.verb === 'deletecollection' ? '' : oldObject?.metadata.name) || '',
      object,
      oldObject,
      sent: () => call().sent,
      options: request.verb === 'delete' || request.verb === 'deletecollection' ? (request.delete ?? {}) : (request.write ?? {}),
      operationOptions: operationOptionsOf(request, verb),
      identity: request.identity,
      dryRun: call().dryRun,
      time,
      forms,
      stored: (prefix) => storedUnder(core.view, prefix),
      random: (name) => core.random(name),
      ask: (question) => core.ask(question),
      askAll: (questions) => core.askAll(questions),
      authorize: (identity, asked) => {
        const { access } = core.dependencies;
        return access === undefined ? { allowed: true, reason: '' } : access.authorize(identity, asked, (question) => core.ask(question));
      },
      lookup: (group, plural, namespace, name) => core.lookup(group, plural, namespace, name),
      updateStatus: (group, plural, object) => this.#updateStatus(core, request, call().dryRun, group, plural, object),
      create: (group, plural, object) => this.#createBeside(core, request, group, plural, object),
      warn: (text) => call().warn(text),
      annotate: (key, value) => request.annotate?.(key, value),
      whenKept: (act) => core.whenKept(act),
      isFirst: (what) => core.isFirst(what),
    });
    return {
      admit: (next, old) => {
        const asked = attributes(old === undefined ? 'CREATE' : 'UPDATE', next, old);
        return ownersKept(core, next, this.#admission.admit(asked) ?? next, asked.warn);
      },
      validate: (next, old) => {
        if (next === undefined) {
          const removal = attributes('DELETE', undefined, old);
          this.#admission.admit(removal);
          this.#admission.validate(removal);
          return;
        }
        if (old === undefined && request.verb !== 'create') this.#authorizer.authorize(request, 'create', (question) => core.ask(question));
        const verb = old === undefined ? 'CREATE' : 'UPDATE';
        this.#admission.validate(typeof next === 'function' ? seenLater(attributes(verb, undefined, old), next) : attributes(verb, next, old));
      },
    };
  }

  /** What admission writes beside the request: nobody is asked about it again. */
  #updateStatus(core: WriteCore, request: ApiRequest, dryRun: boolean, group: string, plural: string, object: KubeObject): void {
    this.#registry.update(core, { ...besideCall(core, request, group, plural, object), subresource: 'status', dryRun }, object);
  }

  #createBeside(core: WriteCore, request: ApiRequest, group: string, plural: string, object: KubeObject): void {
    const call = { ...besideCall(core, request, group, plural, object), subresource: undefined, dryRun: false };
    this.#registry.create(core, call, core.canonical(object, call.resource));
  }

  /** The body in the version of the resource, canonical. */
  #body(request: ApiRequest, resource: Resource, call: WriteCall): KubeObject {
    const body = typedBody(request, resource.kind.kind, resource.apiVersion);
    if (request.trusted === true) return body;
    const canonical = this.#registry.core.canonical(body, resource);
    if (canonical !== body) noteSent(call, body);
    return canonical;
  }
}

/** An object that may wait for initializers. */
function createdPartly(object: KubeObject, request: ApiRequest, resource: Resource, core: Core, warnings: readonly string[]): ApiResult {
  if (isInitialized(object)) return { code: 201, object, warnings };
  const key = objectKey(resource, object.metadata.namespace, object.metadata.name ?? '');
  const complete = (stored: KubeObject): ApiResult => ({ code: 201, object: core.fromStorage(stored, resource), warnings });
  return { code: 202, object, warnings, ...(request.write?.includeUninitialized === true ? undefined : { initializing: { key, complete } }) };
}

/** Few plugins look at the object, and it is made for them alone. */
function seenLater(attributes: AdmissionAttributes, make: () => KubeObject): AdmissionAttributes {
  let made: KubeObject | undefined;
  const look = (): KubeObject => (made ??= make());
  return {
    ...attributes,
    get object() {
      return look();
    },
    get name() {
      return attributes.name || look().metadata.name || '';
    },
  };
}

/** What is told by what is waited for, and not before: also that an object is invalid, if there is no time to find out. */
function isOfStorage({ code, details }: Status, { verb, resource }: ApiRequest, hasNoTime: boolean): boolean {
  if (code === 404) return details?.kind !== 'namespaces' || resource === 'namespaces';
  if (code === 409) return true;
  return hasNoTime && ((code === 422 && details?.kind?.endsWith('Options') !== true) || (code === 400 && verb === 'patch'));
}

function inNamespace(body: KubeObject, namespace: string): KubeObject {
  if (namespace !== '') matchNamespace(body, namespace);
  const { namespace: _n, ...metadata } = body.metadata;
  return { ...body, metadata: orderedMeta(namespace === '' ? metadata : { ...metadata, namespace }) };
}

const spoiled =
  '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ';

/** What admission made of an object, with the owners as they were before where it made them unreadable. Mirrors apiserver pkg/endpoints/handlers/fieldmanager/admission.go. */
function ownersKept(core: WriteCore, before: KubeObject, admitted: KubeObject, warn: (text: string) => void): KubeObject {
  const { managedFields } = admitted.metadata;
  if (managedFields === undefined || managedFields === before.metadata.managedFields) return admitted;
  const fault = core.machinery.ownersFault(managedFields);
  if (fault === undefined) return admitted;
  warn(`${spoiled}${fault}`);
  return ownedAs(admitted, before);
}

function typedBody(request: ApiRequest, kind: string, apiVersion: string | undefined): KubeObject {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw newBadRequest('the body of the request is no object');
  const object = body as KubeObject;
  if (object.kind && object.kind !== kind) {
    throw newBadRequest(
      `${object.kind} in version ${JSON.stringify(object.apiVersion)} cannot be handled as a ${kind}: no kind ${JSON.stringify(object.kind)} is registered for this resource`,
    );
  }
  if (apiVersion !== undefined && object.apiVersion && object.apiVersion !== apiVersion) {
    throw newBadRequest(`the API version in the data (${object.apiVersion}) does not match the expected API version (${apiVersion})`);
  }
  if (object.metadata !== undefined && object.metadata !== null) return object;
  return { ...object, metadata: {} };
}

/** Admission knows a namespace by its own name. */
function namespaceOf(resource: Resource, request: ApiRequest, object: KubeObject | undefined, old: KubeObject | undefined): string {
  if (resource.prefix !== '/registry/namespaces/') return '';
  return request.name ?? object?.metadata.name ?? old?.metadata.name ?? '';
}

function written({ created, finish }: Written, warnings: readonly string[]): Finish<ApiResult> {
  return () => ({ code: created ? 201 : 200, object: finish(), warnings });
}

function dryRunOf(request: ApiRequest): boolean {
  return request.write?.dryRun === true;
}

function deleteDryRun(options: DeleteOptions): boolean {
  return (options.dryRun?.length ?? 0) > 0;
}

/** The printable part before the first slash. */
function managerOf(userAgent: string): string {
  const slash = userAgent.indexOf('/');
  const first = slash < 0 ? userAgent : ownText(userAgent.slice(0, slash));
  if (first.length <= managerLengthMax && /^[ -~]*$/.test(first)) return first;
  return [...first]
    .filter((character) => character >= ' ' && character !== '\u007f')
    .join('')
    .slice(0, managerLengthMax);
}
