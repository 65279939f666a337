/**
 * The API pipeline: every request, from outside or inside, passes here: authorization, admission, registry. Mirrors the handlers of
 * apiserver pkg/endpoints/handlers. Everything is synchronous.
 */
import { newForbidden, newGenericServerResponse, newMethodNotSupported } from '../apimachinery/errors.ts';
import type { KubeList, KubeObject } from '../apimachinery/object.ts';
import type { ApiPipeline, ApiRequest, ApiResult, Verb, WatchHandle, WatchSink } from '../contracts/request.ts';
import { checkListOptions, checkWatchOptions } from '../registry/list-options.ts';
import { checkNotTooLarge, type ListResult } from '../registry/list.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { Resource } from '../registry/resource.ts';
import { checkWatchable, type EventListener } from '../registry/watch.ts';
import { admitAll, type AdmissionChain } from './admission.ts';
import { allowAll, forbiddenText, type AuthorizationAttributes, type Authorizer } from './authorizer.ts';
import type { VirtualResource } from './virtual.ts';
import { VirtualResources } from './virtual-resources.ts';
import { Writer } from './writer.ts';

export interface ApiServerOptions {
  readonly registry: ResourceRegistry;
  readonly authorizer?: Authorizer;
  readonly admission?: AdmissionChain;
  readonly virtual?: readonly VirtualResource[];
}

export class ApiServer implements ApiPipeline {
  readonly registry: ResourceRegistry;
  readonly virtual: VirtualResources;
  readonly #authorizer: Authorizer;
  readonly #writer: Writer;

  constructor(options: ApiServerOptions) {
    this.registry = options.registry;
    this.virtual = new VirtualResources(options.virtual ?? []);
    this.#authorizer = options.authorizer ?? allowAll;
    this.#writer = new Writer(options.registry, options.admission ?? admitAll, this);
  }

  handle(request: ApiRequest): ApiResult {
    const virtual = this.virtual.find(request.group, request.version, request.resource);
    if (virtual !== undefined) {
      this.authorize(request, request.verb);
      return this.virtual.handle(virtual, request);
    }
    const resource = this.mustFind(request);
    this.authorize(request, request.verb);
    switch (request.verb) {
      case 'get':
        return { code: 200, object: this.#get(request, resource), warnings: [] };
      case 'list':
        return { code: 200, object: toList(resource, this.#list(request, resource)), warnings: [] };
      case 'watch':
      case 'connect':
        throw newMethodNotSupported(resource.groupResource, request.verb);
      default:
        return this.#writer.write(request, resource);
    }
  }

  watch(request: ApiRequest, sink: WatchSink): WatchHandle {
    return this.watchEvents(request, (event) => {
      sink.onEvent(event, event.revision);
      if (event.type === 'ERROR') sink.onEnd();
    });
  }

  /** Like `watch`, with what a serializer needs to find cached wire forms. */
  watchEvents(request: ApiRequest, listener: EventListener): WatchHandle {
    const resource = this.checkWatch(request);
    return this.registry.watch(resource, request.namespace ?? '', request.list ?? {}, listener);
  }

  /** Throws what is wrong with a watch, without starting one. */
  checkWatch(request: ApiRequest): Resource {
    const resource = this.mustFind(request);
    this.authorize(request, 'watch');
    this.registry.core.requireVerb(resource, 'watch');
    const options = request.list ?? {};
    checkWatchOptions(options);
    checkWatchable(this.registry.core, resource, options);
    return resource;
  }

  /** Like `handle` for a list, with the stored values. */
  listStored(request: ApiRequest): ListResult {
    const resource = this.mustFind(request);
    this.authorize(request, 'list');
    return this.#list(request, resource);
  }

  mustFind(request: Pick<ApiRequest, 'group' | 'version' | 'resource' | 'verb'>): Resource {
    const resource = this.registry.table.find(request.group, request.version, request.resource);
    if (resource !== undefined) return resource;
    throw newGenericServerResponse({ code: 404, verb: request.verb });
  }

  /** Throws Forbidden in upstream's words. */
  authorize(request: ApiRequest, verb: Verb): void {
    const attributes = attributesOf(request, verb);
    const decision = this.#authorizer.authorize(request.identity, attributes);
    if (decision.allowed) return;
    throw newForbidden(
      { group: request.group, resource: request.resource },
      attributes.name,
      forbiddenText(request.identity, attributes, decision.reason),
    );
  }

  #get(request: ApiRequest, resource: Resource): KubeObject {
    const { subresource, name = '', namespace = '' } = request;
    this.registry.core.requireVerb(resource, 'get');
    if (request.list?.resourceVersion) checkNotTooLarge(this.registry.core, request.list.resourceVersion);
    if (subresource === 'scale' && resource.kind.scale !== undefined) return this.registry.getScale(resource, namespace, name);
    if (subresource !== undefined && !readable(resource, subresource)) throw newGenericServerResponse({ code: 404, verb: 'get' });
    return this.registry.get(resource, namespace, name);
  }

  #list(request: ApiRequest, resource: Resource): ListResult {
    this.registry.core.requireVerb(resource, 'list');
    const options = request.list ?? {};
    checkListOptions(options);
    return this.registry.list(resource, request.namespace ?? '', options);
  }
}

function readable(resource: Resource, subresource: string): boolean {
  if (subresource === 'status') return resource.hasStatus;
  return resource.kind.subresources?.[subresource]?.verbs.includes('get') === true;
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

export function toList(resource: Resource, result: ListResult): KubeList {
  const metadata = {
    resourceVersion: String(result.revision),
    ...(result.continueToken === '' ? undefined : { continue: result.continueToken }),
    ...(result.remainingItemCount === undefined ? undefined : { remainingItemCount: result.remainingItemCount }),
  };
  return { kind: resource.listKind, apiVersion: resource.apiVersion, metadata, items: result.items };
}

export function createApiServer(options: ApiServerOptions): ApiServer {
  return new ApiServer(options);
}
