/**
 * The API pipeline: every request, from outside or inside, passes here: authorization, then the operation of the RestStorage that
 * serves it. Mirrors the handlers of apiserver pkg/endpoints/handlers. Everything is synchronous and belongs to an attempt, which the
 * door alone makes and commits.
 */
import { newBadRequest, newForbidden, newGenericServerResponse, newInternalError, newMethodNotSupported } from '../apimachinery/errors.ts';
import { QuantityError } from '../apimachinery/quantity.ts';
import { DecodeError } from '../apimachinery/serializer/scalars.ts';
import type { KubeList } from '../apimachinery/object.ts';
import type { Attempt, Finish } from '../contracts/attempt.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import type { KubeletConnections } from '../contracts/connect.ts';
import type { Answer, Ask, Question } from '../contracts/questions.ts';
import type { ApiRequest, ApiResult, Reopened, Verb, WatchHandle, WatchSink } from '../contracts/request.ts';
import type { ListAnswer, Parameters, RestStorage, ServedEvent } from '../contracts/rest-storage.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import { admitAll, type AdmissionChain } from './admission.ts';
import { admitConnect, type ConnectCircumstances } from './admission/connect.ts';
import { allowAll, forbiddenText, type AuthorizationAttributes, type Authorizer, type Decision } from './authorizer.ts';
import { RestStorages } from './storage/rest-storages.ts';
import { Writer } from './writer.ts';

export interface ApiServerOptions {
  readonly registry: ResourceRegistry;
  readonly authorizer?: Authorizer;
  readonly admission?: AdmissionChain;
  readonly computed?: readonly ComputedResource[];
  /** Where versions of computed collections begin: they mean nothing to another process. */
  readonly firstVersion?: number;
  readonly kubelets?: KubeletConnections;
  /** What hands a component's request on to the server that serves its group; undefined for what nobody else serves. */
  readonly elsewhere?: (request: ApiRequest) => ((ask: Ask) => ApiResult) | undefined;
}

type Asked = Pick<ApiRequest, 'group' | 'version' | 'resource' | 'subresource' | 'verb'>;

export class ApiServer {
  readonly registry: ResourceRegistry;
  readonly storages: RestStorages;
  readonly #authorizer: Authorizer;
  readonly #admission: AdmissionChain;
  readonly #elsewhere: ApiServerOptions['elsewhere'];

  constructor(options: ApiServerOptions) {
    const { registry, kubelets } = options;
    this.registry = registry;
    this.#authorizer = options.authorizer ?? allowAll;
    this.#admission = options.admission ?? admitAll;
    this.#elsewhere = options.elsewhere;
    const writer = new Writer(registry, this.#admission, this);
    this.storages = new RestStorages(
      { registry, schemas: registry.core.schemas, writer, kubelets, firstVersion: options.firstVersion ?? 0 },
      options.computed ?? [],
    );
  }

  /** A request of a caller who has not been authorized yet, in process. */
  attempt(request: ApiRequest, attempt: Attempt): Finish<ApiResult> {
    const handOn = this.#elsewhere?.(request);
    if (handOn !== undefined) {
      this.authorize(request, request.verb, attempt.ask.bind(attempt));
      const result = handOn(attempt.ask.bind(attempt));
      return () => result;
    }
    const storage = this.find(request) ?? notThere(request);
    this.authorize(request, request.verb, attempt.ask.bind(attempt));
    try {
      return this.serve(request, storage, attempt);
    } catch (error) {
      // No decoder has seen what a component hands in: what one would have refused is met here.
      if (error instanceof QuantityError || error instanceof DecodeError) throw newBadRequest(error.message);
      throw error;
    }
  }

  /** The verbs that answer once. */
  serve(request: ApiRequest, storage: RestStorage, attempt: Attempt): Finish<ApiResult> {
    const { verb } = request;
    if (verb === 'list') {
      const object = toList(storage, this.list(request, storage, attempt.ask.bind(attempt)));
      return () => ({ code: 200, object, warnings: [] });
    }
    if (verb === 'watch' || verb === 'connect') throw notServed(storage, verb);
    const operation = storage[verb];
    if (operation === undefined) throw notServed(storage, verb);
    return operation.run(request, attempt);
  }

  /** Like `serve` for a list, with what a serializer needs to find cached wire forms. */
  list(request: ApiRequest, storage: RestStorage, ask: Ask, mayConvert = false): ListAnswer {
    if (storage.list === undefined) throw notServed(storage, 'list');
    return storage.list.run(request, ask, mayConvert);
  }

  /** A watch of a caller who has not been authorized yet, in process. */
  watch(request: ApiRequest, sink: WatchSink, ask: Ask): WatchHandle {
    const storage = this.mustFind(request);
    this.authorize(request, 'watch', ask);
    return this.#follow(request, storage, sink, ask);
  }

  /** See ApiPipeline. */
  reopen(request: ApiRequest, sink: WatchSink): Reopened {
    const storage = this.mustFind(request);
    const list = toList(storage, this.list(request, storage, cannotAsk));
    const { resourceVersion = '' } = list.metadata;
    return { list, watch: this.#follow({ ...request, verb: 'watch', list: { resourceVersion } }, storage, sink, cannotAsk) };
  }

  #follow(request: ApiRequest, storage: RestStorage, sink: WatchSink, ask: Ask): WatchHandle {
    if (storage.watch === undefined) throw notServed(storage, 'watch');
    const listener = (event: ServedEvent): void => {
      sink.onEvent(event, event.revision);
      if (event.type === 'ERROR') sink.onEnd();
    };
    const handle = storage.watch.run(request, listener, ask);
    // A custom kind that is gone for good, and not only defined anew.
    const forget = this.registry.table.whenUnregistered(storage.kind, (isReplaced) => {
      if (isReplaced) return;
      handle.cancel();
      sink.onEnd();
    });
    return {
      cancel: () => {
        forget();
        handle.cancel();
      },
    };
  }

  mustFind(request: Asked): RestStorage {
    const storage = this.find(request);
    if (storage !== undefined) return storage;
    throw newGenericServerResponse({ code: 404, verb: request.verb });
  }

  find({ group, version, resource, subresource = '' }: Asked): RestStorage | undefined {
    return this.storages.find(group, version, resource, subresource);
  }

  /** What the authorizer says as far as it need not ask. */
  mayDo(request: ApiRequest): Decision {
    return this.#authorizer.authorize(request.identity, attributesOf(request, request.verb), unheard);
  }

  /** Asks admission about a connection; gives the warnings it has. Throws StatusError. */
  admitConnect(request: ApiRequest, storage: RestStorage, parameters: Parameters, circumstances: ConnectCircumstances): void {
    admitConnect(this.registry.core, this.#admission, { request, storage, parameters }, circumstances);
  }

  /** Throws Forbidden in upstream's words. */
  authorize(request: ApiRequest, verb: Verb, ask: Ask): void {
    const attributes = attributesOf(request, verb);
    const decision = this.#authorizer.authorize(request.identity, attributes, ask);
    if (decision.allowed) return;
    if (decision.error !== undefined) throw newInternalError(decision.error);
    throw newForbidden(
      { group: request.group, resource: request.resource },
      attributes.name,
      forbiddenText(request.identity, attributes, decision.reason),
    );
  }
}

/** As client-go words it of a server that has nothing there; its client of scales names no resource. */
function notThere({ group, resource, subresource, verb, name }: ApiRequest): never {
  if (subresource === 'scale') throw newGenericServerResponse({ code: 404, verb });
  const method = { create: 'post', update: 'put', patch: 'patch', delete: 'delete', deletecollection: 'delete' }[verb as string] ?? 'get';
  throw newGenericServerResponse({ code: 404, verb: method, resource: { group, resource }, ...(name === undefined ? {} : { name }) });
}

/** A restore takes no time and asks nobody. */
function cannotAsk({ to }: Question): never {
  throw newInternalError(`${to} would have to be asked, which a restore cannot wait for`);
}

function unheard(): Answer {
  return { outcome: 'failed', message: 'nobody is asked' };
}

function notServed({ kind }: RestStorage, verb: Verb): Error {
  return newMethodNotSupported({ group: kind.group, resource: kind.plural }, verb);
}

function attributesOf(request: ApiRequest, verb: Verb): AuthorizationAttributes {
  const attributes = {
    verb,
    isResource: true,
    path: '',
    group: request.group,
    version: request.version,
    resource: request.resource,
    subresource: request.subresource ?? '',
    namespace: request.namespace ?? '',
    name: request.name ?? '',
  };
  const { labelSelector, fieldSelector } = request.list ?? {};
  if (labelSelector === undefined && fieldSelector === undefined) return attributes;
  return {
    ...attributes,
    ...(labelSelector === undefined ? undefined : { labelSelector }),
    ...(fieldSelector === undefined ? undefined : { fieldSelector }),
  };
}

function toList({ body }: RestStorage, { metadata, items }: ListAnswer): KubeList {
  return { kind: body.listKind, apiVersion: body.apiVersion, metadata, items: items.map((item) => item.object) };
}

export function createApiServer(options: ApiServerOptions): ApiServer {
  return new ApiServer(options);
}
