/**
 * The API over HTTP, without sockets: a request in, a response or a stream out. Mirrors apiserver pkg/server and the handlers of
 * pkg/endpoints. Failures become Status objects in the form the client accepts.
 */
import { newBadRequest, newGenericServerResponse, newNotAcceptable, newStatusError } from '../apimachinery/errors.ts';
import type { KubeletConnections } from '../contracts/connect.ts';
import { parseFieldSelector } from '../apimachinery/fields.ts';
import { SelectorError } from '../apimachinery/labels.ts';
import { formatGroupVersion } from '../apimachinery/object.ts';
import type { ApiRequest, ApiResult, PatchType, Verb } from '../contracts/request.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { SchemaRegistry } from '../apimachinery/schema.ts';
import type { Resource } from '../registry/resource.ts';
import { scaleBodyOf } from '../registry/scale.ts';
import type { IncludeObject } from '../registry/table.ts';
import { impersonated } from './auth/impersonation.ts';
import { allowAll, type Authorizer } from './authorizer.ts';
import type { Codec } from './codec.ts';
import { Encoder, type Encoded } from './encoder.ts';
import { exported } from './export.ts';
import { decodeDeleteOptions, decodeObject, decodePatch, type Expected } from './http-body.ts';
import { headerOf, type HttpRequest, type HttpResponse, type HttpStreamResponse } from './http-types.ts';
import { mediaTypes, negotiateError, negotiateOutput, negotiateStream, patchTypeOf, type NegotiationInput, type OutputForm } from './negotiation.ts';
import { NonResourceHandler, type NonResourceOptions } from './non-resource-handler.ts';
import type { ApiServer } from './pipeline.ts';
import { connect, isConnect } from './pod-connect.ts';
import { readBool, readDeleteOptions, readListOptions, readWriteOptions } from './query-options.ts';
import { parseRequestInfo, type ResourceInfo } from './request-info.ts';
import { subresourcesOf } from './subresource-list.ts';

export interface HttpApiOptions extends NonResourceOptions {
  readonly server: ApiServer;
  readonly codec: Codec;
  readonly schemas: SchemaRegistry;
  readonly kubelets?: KubeletConnections;
}

const commonHeaders = { 'cache-control': 'no-cache, private' };

/** A request with what was read of it. */
interface Exchange {
  readonly request: HttpRequest;
  readonly query: URLSearchParams;
  readonly negotiation: NegotiationInput;
}

export class HttpApi {
  readonly #options: HttpApiOptions;
  readonly #server: ApiServer;
  readonly #encoder: Encoder;
  readonly #nonResource: NonResourceHandler;
  readonly #authorizer: Authorizer;

  constructor(options: HttpApiOptions) {
    this.#options = options;
    this.#server = options.server;
    this.#authorizer = options.authorizer ?? allowAll;
    this.#encoder = new Encoder(options.codec, options.server.registry.core, options.schemas);
    this.#nonResource = new NonResourceHandler(options.server, this.#encoder, options);
  }

  handle(request: HttpRequest): HttpResponse {
    const query = new URLSearchParams(request.query);
    const negotiation = { accept: headerOf(request, 'accept'), pretty: query.get('pretty') ?? undefined, userAgent: headerOf(request, 'user-agent') };
    try {
      const identity = impersonated(request, this.#authorizer);
      return this.#route({ request: identity === request.identity ? request : { ...request, identity }, query, negotiation });
    } catch (error) {
      if (error instanceof StatusError) return this.#failure(error, negotiation);
      throw error;
    }
  }

  /** The answer to a request whose handling threw. */
  fail(request: HttpRequest, error: StatusError): HttpResponse {
    return this.#failure(error, { accept: headerOf(request, 'accept'), pretty: undefined, userAgent: headerOf(request, 'user-agent') });
  }

  #failure(error: StatusError, negotiation: NegotiationInput): HttpResponse {
    const { status } = error;
    const encoded = this.#encoder.object(status, negotiateError(negotiation));
    const retry = status.details?.retryAfterSeconds;
    return respond(status.code, encoded, [], retry === undefined || retry === 0 ? {} : { 'retry-after': String(retry) });
  }

  #route(exchange: Exchange): HttpResponse {
    const { request, query } = exchange;
    const path = decodePath(request.path);
    const fieldSelector = query.get('fieldSelector');
    const name = fieldSelector === null ? undefined : nameOf(fieldSelector);
    const info = parseRequestInfo(request.method, path, readBool(query, 'watch') === true, name);
    if (!info.isResource) return this.#nonResource.handle(request, query, exchange.negotiation, path, info.segments);
    const isUnknown = info.verb === 'proxy' || info.verb === '' || (info.watchPath && request.method !== 'GET');
    if (isUnknown) return this.#unrouted(exchange, info, 405);
    if (isConnect(info)) return this.#connect(exchange, info);
    return this.#resource(exchange, info, info.verb);
  }

  #resource(exchange: Exchange, info: ResourceInfo, verb: Verb): HttpResponse {
    const { registry, virtual } = this.#server;
    const found = registry.table.find(info.group, info.version, info.resource);
    const kind = found?.kind ?? virtual.find(info.group, info.version, info.resource)?.kind;
    if (kind === undefined) return this.#unrouted(exchange, info, 404);
    const pathName = verb === 'list' || verb === 'watch' ? (info.watchPath ? info.name : '') : info.name;
    if (!kind.namespaced && info.namespace !== '' && info.resource !== 'namespaces') return this.#unrouted(exchange, info, 404);
    if (kind.namespaced && info.namespace === '' && verb !== 'list' && verb !== 'watch') {
      return this.#unrouted(exchange, info, pathName === '' ? 405 : 404);
    }
    if (!fits(verb, info)) return this.#unrouted(exchange, info, 405);
    if (found === undefined) return this.#virtual(exchange, info, verb);
    if (info.subresource !== '' && !subresourcesOf(found.kind, this.#server).some(({ name }) => name === info.subresource))
      return this.#unrouted(exchange, info, 404);
    if (verb === 'watch') return this.#watch(exchange, info, found, pathName);
    const transforms =
      (info.subresource === '' || info.subresource === 'status' || info.subresource === 'scale') && found.kind.createOnly === undefined;
    const form = this.#form(exchange, found, transforms);
    const include = readInclude(exchange.query);
    if (verb === 'list') {
      const result = this.#server.listStored(this.#base(exchange, info, verb));
      return respond(200, this.#encoder.list(result, form, found, include), deprecationOf(found));
    }
    const request = this.#withBody(exchange, info, verb, found);
    const result = this.#server.handle(request);
    const isExport = verb === 'get' && info.subresource === '' && readBool(exchange.query, 'export') === true;
    return this.#answer(isExport ? exported(result, readBool(exchange.query, 'exact') === true, found.hasStatus) : result, form, found, include);
  }

  #answer(result: ApiResult, form: OutputForm, resource: Resource, include: IncludeObject): HttpResponse {
    const { object, code } = result;
    const encoded =
      'items' in object ? this.#encoder.objectList(object as never, form, resource, include) : this.#encoder.object(object, form, resource, include);
    return respond(code, encoded, [...deprecationOf(resource), ...result.warnings]);
  }

  /** Virtual resources have no schemas: JSON and YAML only. */
  #virtual(exchange: Exchange, info: ResourceInfo, verb: Verb): HttpResponse {
    const form = negotiateOutput(exchange.negotiation, true);
    if (form.mediaType === 'application/vnd.kubernetes.protobuf') throw newNotAcceptable(mediaTypes.slice(0, 2));
    const base = this.#base(exchange, info, verb);
    const { codec } = this.#options;
    const isWrite = verb === 'create' || verb === 'update' || verb === 'patch';
    const type = verb === 'patch' ? patchTypeOf(headerOf(exchange.request, 'content-type'), false) : undefined;
    const body = isWrite ? decodePatch(codec, exchange.request.body, type ?? 'apply', 'Ignore').document : undefined;
    const result = this.#server.handle({
      ...base,
      ...(body === undefined ? undefined : { body }),
      ...(type === undefined ? undefined : { patchType: type }),
    });
    return respond(
      result.code,
      this.#encoder.virtual(
        result.object,
        form,
        this.#server.virtual.mustFind(info.group, info.version, info.resource).kind,
        readInclude(exchange.query),
      ),
      result.warnings,
    );
  }

  #form(exchange: Exchange, resource: Resource, transforms: boolean): OutputForm {
    const form = negotiateOutput(exchange.negotiation, transforms);
    const isProtobuf = form.mediaType === 'application/vnd.kubernetes.protobuf' && form.transform === undefined;
    if (isProtobuf && !this.#encoder.hasProtobuf(resource)) throw newNotAcceptable(mediaTypes.slice(0, 2));
    return form;
  }

  #watch(exchange: Exchange, info: ResourceInfo, resource: Resource, name: string): HttpStreamResponse {
    const form = negotiateStream(exchange.negotiation);
    const base = this.#base(exchange, info, 'watch');
    const options = base.list ?? {};
    const fieldSelector = name === '' ? options.fieldSelector : [`metadata.name=${name}`, options.fieldSelector].filter(Boolean).join(',');
    const request: ApiRequest = { ...base, list: { ...options, ...(fieldSelector === undefined ? undefined : { fieldSelector }) } };
    const frame = this.#encoder.watchFrames(form, resource, readInclude(exchange.query));
    // What is wrong with the request must be said before the stream begins.
    this.#server.checkWatch(request);
    const contentType = form.mediaType === 'application/json' ? form.mediaType : `${form.mediaType};stream=watch`;
    return {
      status: 200,
      headers: { ...commonHeaders, 'content-type': contentType, ...warningHeaders(deprecationOf(resource)) },
      ...(options.timeoutSeconds === undefined || options.timeoutSeconds === 0 ? undefined : { timeoutMs: options.timeoutSeconds * 1000 }),
      farewell: ({ status }) => frame({ type: 'ERROR', object: status, revision: 0 }),
      open: (sink) => {
        const handle = this.#server.watchEvents(request, (event) => {
          sink.write(frame(event));
          if (event.type === 'ERROR') sink.end();
        });
        return () => handle.cancel();
      },
    };
  }

  #connect(exchange: Exchange, info: ResourceInfo): HttpResponse {
    const verb = info.verb as Verb;
    this.#server.authorize(this.#base(exchange, info, verb), verb);
    const resource = this.#server.mustFind({ ...info, verb });
    this.#server.registry.getStored(resource, info.namespace, info.name);
    return connect(info, exchange.query, this.#options.kubelets);
  }

  /** Nobody is told what paths exist who may not ask. */
  #unrouted(exchange: Exchange, info: ResourceInfo, code: 404 | 405): HttpResponse {
    const { registry, virtual } = this.#server;
    const verb = (info.verb === '' ? exchange.request.method.toLowerCase() : info.verb) as Verb;
    this.#server.authorize(this.#base(exchange, info, verb), verb);
    const isVirtual = virtual.list().some(({ kind }) => kind.group === info.group);
    const known = isVirtual || registry.table.hasGroup(info.group);
    if (!known) return this.#nonResource.notFound();
    throw newGenericServerResponse({ code, verb: exchange.request.method });
  }

  #base(exchange: Exchange, info: ResourceInfo, verb: Verb): ApiRequest {
    const { request, query } = exchange;
    const listing = verb === 'list' || verb === 'watch' || verb === 'deletecollection';
    return {
      verb,
      group: info.group,
      version: info.version,
      resource: info.resource,
      ...(info.subresource === '' ? undefined : { subresource: info.subresource }),
      ...(info.namespace === '' ? undefined : { namespace: info.namespace }),
      ...(info.name === '' ? undefined : { name: info.name }),
      identity: request.identity,
      userAgent: exchange.negotiation.userAgent,
      causes: request.causes,
      ...(listing
        ? { list: readListOptions(query) }
        : verb === 'get'
          ? { list: { resourceVersion: query.get('resourceVersion') ?? '' } }
          : undefined),
      query: Object.fromEntries(query),
    };
  }

  #withBody(exchange: Exchange, info: ResourceInfo, verb: Verb, resource: Resource): ApiRequest {
    const { request, query } = exchange;
    const { codec } = this.#options;
    const base = this.#base(exchange, info, verb);
    const contentType = headerOf(request, 'content-type');
    switch (verb) {
      case 'create':
      case 'update': {
        const write = readWriteOptions(query, verb, undefined);
        const { object, warnings } = decodeObject(codec, request.body, contentType, this.#expected(info, resource), write.fieldValidation ?? 'Warn');
        return { ...base, write, body: object, decodeWarnings: warnings };
      }
      case 'patch': {
        const patchType: PatchType = patchTypeOf(contentType, typeof resource.kind.schema === 'string');
        const write = readWriteOptions(query, verb, patchType);
        const { document, warnings } = decodePatch(codec, request.body, patchType, write.fieldValidation ?? 'Warn');
        return { ...base, write, patchType, body: document, decodeWarnings: warnings };
      }
      case 'delete':
      case 'deletecollection':
        return {
          ...base,
          delete:
            request.body.length > 0
              ? decodeDeleteOptions(codec, request.body, contentType, this.#options.schemas.mustGet(deleteOptionsSchema))
              : readDeleteOptions(query),
        };
      default:
        return base;
    }
  }

  #expected(info: ResourceInfo, resource: Resource): Expected {
    if (info.subresource === '') return { apiVersion: resource.apiVersion, kind: resource.kind.kind, schema: resource.schema };
    const handler = this.#server.registry.handlers.find(info.group, info.resource, info.subresource);
    const body =
      handler?.bodyKind ??
      resource.kind.subresources?.[info.subresource]?.bodyKind ??
      (info.subresource === 'scale' ? scaleBodyOf(resource.kind) : undefined);
    if (body === undefined) return { apiVersion: resource.apiVersion, kind: resource.kind.kind, schema: resource.schema };
    const apiVersion = formatGroupVersion(body);
    return { apiVersion, kind: body.kind, schema: this.#encoder.schemaOf({ apiVersion, kind: body.kind }) };
  }
}

const deleteOptionsSchema = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

function nameOf(fieldSelector: string): string | undefined {
  try {
    return parseFieldSelector(fieldSelector).requiresExactMatch('metadata.name');
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** Whether collections and items are asked for what they can do. */
function fits(verb: Verb, info: ResourceInfo): boolean {
  if (verb === 'create') return info.name === '' || info.subresource !== '';
  if (verb === 'update' || verb === 'patch') return info.name !== '';
  return verb !== 'delete' || info.subresource === '';
}

function readInclude(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  if (value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw newStatusError(400, 'BadRequest', `includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`);
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    throw newBadRequest(`the path ${JSON.stringify(path)} is not well encoded`);
  }
}

function deprecationOf({ kind }: Resource): readonly string[] {
  return kind.deprecation === undefined ? [] : [kind.deprecation];
}

function warningHeaders(warnings: readonly string[]): { readonly warning?: readonly string[] } {
  if (warnings.length === 0) return {};
  return { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`) };
}

export function respond(status: number, encoded: Encoded, warnings: readonly string[], more: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { ...commonHeaders, 'content-type': encoded.contentType, ...warningHeaders(warnings), ...more }, body: encoded.body };
}
