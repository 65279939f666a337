/**
 * Requests for resources: which storage and operation answer, in what form. Mirrors apiserver pkg/endpoints/installer.go and the
 * handlers of pkg/endpoints/handlers. It forks by verb, never by what is served.
 */
import { formatTime } from '../apimachinery/time.ts';
import { StatusError } from '../apimachinery/status.ts';
import {
  newBadRequest,
  newGenericServerResponse,
  newNotAcceptable,
  newMethodNotSupported,
  newNotFound,
  newStatusError,
} from '../apimachinery/errors.ts';
import type { KubeList, ListMeta } from '../apimachinery/object.ts';
import { type AnswerForm, auditList, auditRequest, auditResult } from './audit/objects.ts';
import { annotateDeprecation } from './deprecation.ts';
import { isFirstIn } from '../contracts/attempt.ts';
import { isCustom } from '../contracts/kind.ts';
import type { ApiRequest, ApiResult, Verb, WatchHandle } from '../contracts/request.ts';
import type { AskLater } from '../contracts/questions.ts';
import {
  type Connection,
  isInside,
  operationOf,
  type Parameters,
  type RestStorage,
  type ServedListener,
  type WatchOperation,
} from '../contracts/rest-storage.ts';
import type { IncludeObject } from '../registry/table.ts';
import type { Encoder } from './encoder.ts';
import { exported } from './export.ts';
import type { Exchange } from './filters/filter.ts';
import { GatheredEvents } from './gathered.ts';
import type { Enter } from './http.ts';
import type { HttpPlainResponse, HttpResponse, HttpStreamResponse } from './http-types.ts';
import {
  type MediaType,
  mediaTypes,
  mediaTypesWith,
  negotiateOutput,
  negotiateRoute,
  negotiateStream,
  streamTypes,
  negotiateText,
  type OutputForm,
  streamTypeOf,
} from './negotiation.ts';
import { type ServedRelease, text } from './non-resource.ts';
import type { ApiServer } from './pipeline.ts';
import { readBool } from './query-options.ts';
import type { ResourceInfo } from './request-info.ts';
import { connected } from './connected.ts';
import { proxied, type ReachPod } from './proxy/proxied.ts';
import { type ReaderOptions, readRequest, toApiRequest } from './request-reader.ts';
import { respond } from './respond.ts';
import { nameOf } from './filters/request-info.ts';
import { checkLog, checkStatus, checkTransform, includeOf } from './transforms.ts';

const noExport = 'the export parameter, deprecated since v1.14, is no longer supported';

export interface ResourceHandlerOptions extends ReaderOptions {
  readonly server: ApiServer;
  readonly encoder: Encoder;
  /** Asks while a stream is open; without it nobody is asked then. */
  readonly later?: AskLater | undefined;
  /** Hands requests on to servers in pods; absent where no nodes are. */
  readonly reach?: ReachPod | undefined;
}

export class ResourceHandler {
  readonly #options: ResourceHandlerOptions;
  readonly #server: ApiServer;
  readonly #encoder: Encoder;
  /** The forms in which resources are answered. */
  readonly #served: readonly MediaType[];

  constructor(options: ResourceHandlerOptions) {
    this.#options = options;
    this.#server = options.server;
    this.#encoder = options.encoder;
    this.#served = mediaTypesWith(options.featureEnabled);
  }

  handle(exchange: Exchange, info: ResourceInfo, enter: Enter): HttpResponse {
    const { verb } = info;
    const storage = this.#server.storages.find(info.group, info.version, info.resource, info.subresource);
    const custom = this.#customOf(info, storage);
    if (custom !== undefined && this.#server.storages.hides(custom.kind)) return this.#unrouted(exchange, info, 404);
    if (custom !== undefined) return this.#serveCustom(exchange, info, custom, enter);
    if (verb === 'proxy') return this.#unrouted(exchange, info, 404);
    const isForProxy = exchange.request.method === 'OPTIONS' && info.subresource === 'proxy';
    if (verb === '' && !isForProxy) return this.#unrouted(exchange, info, this.#unknownCode(info, storage));
    if (info.watchPath && exchange.request.method !== 'GET') return this.#unrouted(exchange, info, this.#unknownCode(info, storage));
    // What is internal answers components alone, who do not come over HTTP.
    if (storage === undefined || storage.kind.visibility === 'internal') return this.#unrouted(exchange, info, 404);
    const formed = this.#formed(exchange);
    // A server behind a proxy may be asked for its options too; nothing else may.
    const operated = verb === '' ? 'get' : verb;
    const misplaced = placeFault(storage, info, operated);
    if (misplaced !== undefined) return this.#unrouted(exchange, info, misplaced);
    try {
      return this.#operate(formed, info, operated, storage, enter);
    } catch (error) {
      // Who is refused is told all the same that she should be elsewhere.
      if (error instanceof StatusError && operationOf(storage, operated === 'watch' ? 'list' : operated) !== undefined)
        error.warnings = [...deprecationOf(storage), ...error.warnings];
      throw error;
    }
  }

  #formed(exchange: Exchange): Exchange {
    exchange.passage.served = this.#served;
    return this.#served === mediaTypes ? exchange : { ...exchange, negotiation: { ...exchange.negotiation, served: this.#served } };
  }

  /** The resource of a user's own kind at this path, whichever part of it is meant. */
  #customOf({ group, version, resource, subresource }: ResourceInfo, storage: RestStorage | undefined): RestStorage | undefined {
    const whole = storage ?? (subresource === '' ? undefined : this.#server.storages.find(group, version, resource, ''));
    return whole !== undefined && isCustom(whole.kind) && whole.kind.visibility !== 'internal' ? whole : undefined;
  }

  /**
   * Kinds of users' own have no routes: one handler looks at verb, name and first part of the path alone, and at nothing behind them. Mirrors
   * apiextensions-apiserver pkg/apiserver/customresource_handler.go.
   */
  #serveCustom(exchange: Exchange, info: ResourceInfo, custom: RestStorage, enter: Enter): HttpResponse {
    const { kind } = custom;
    const { group, version, resource, name, namespace, verb } = info;
    const subresource = info.watchPath ? (info.rest[0] ?? '') : info.subresource;
    const isAcross = verb === 'list' || verb === 'watch';
    if (kind.namespaced ? namespace === '' && !isAcross : namespace !== '') return text(404, '404 page not found\n');
    const storage = this.#server.storages.find(group, version, resource, subresource);
    try {
      if (storage === undefined) throw newNotFound({ group, resource }, name);
      if (verb === '' || verb === 'proxy' || operationOf(storage, verb) === undefined) throw newMethodNotSupported({ group, resource }, verb);
      if ((verb === 'update' || verb === 'patch') && name === '') throw newBadRequest('name must be provided');
      const placed = verb === 'create' && subresource === '' ? { ...info, name: '', rest: [] } : { ...info, rest: [] };
      return this.#operate(this.#formed(exchange), placed, verb, storage, enter);
    } catch (error) {
      if (error instanceof StatusError) error.warnings = [...deprecationOf(custom), ...error.warnings];
      throw error;
    }
  }

  /** Of a method that nothing takes: whether others are taken there. */
  #unknownCode(info: ResourceInfo, storage: RestStorage | undefined): 404 | 405 {
    if (storage === undefined || storage.kind.visibility === 'internal') return 404;
    if (info.watchPath) return 405;
    if (info.rest.length > 0 || !hasPath(storage, info)) return 404;
    return placeFault(storage, info, info.name === '' ? 'list' : 'get') ?? 405;
  }

  #operate(exchange: Exchange, info: ResourceInfo, verb: Verb, storage: RestStorage, enter: Enter): HttpResponse {
    const operation = operationOf(storage, verb);
    const { method } = exchange.request;
    // Only a proxy has anything below itself; and heads are asked of nothing else, where kinds are not users' own.
    if (!info.watchPath && info.rest.length > 0 && info.subresource !== 'proxy') return this.#unrouted(exchange, info, 404);
    if (method === 'HEAD' && info.subresource !== 'proxy' && !isCustom(storage.kind))
      return this.#unrouted(exchange, info, hasPath(storage, info) ? 405 : 404);
    const trail = exchange.passage.audit ?? undefined;
    if (trail !== undefined && operation !== undefined) annotateDeprecation(storage.kind, (key, value) => trail.annotate(key, value));
    // What has parts alone is not there as a whole.
    if (storage.subresource === '' && isInside(storage, 'get') && isInside(storage, 'create')) return this.#unrouted(exchange, info, 404);
    // A list is routed, and whether it can be watched is asked by who serves it.
    if (operation === undefined && verb === 'watch' && !info.watchPath && storage.list !== undefined && !isInside(storage, 'list')) {
      this.#form(exchange, storage);
      throw newMethodNotSupported({ group: info.group, resource: info.resource }, verb);
    }
    if (operation === undefined || isInside(storage, verb)) return this.#unrouted(exchange, info, hasPath(storage, info) ? 405 : 404);
    const isAnyType = storage.connect === operation && info.subresource !== 'log';
    if (!isCustom(storage.kind) && !isAnyType) negotiateRoute(exchange.negotiation.accept, producedBy(info, this.#served));
    if (storage.connect === operation) return this.#connect(exchange, info, storage);
    if (verb === 'watch' && storage.watch !== undefined) return this.#watch(exchange, info, storage, storage.watch);
    // Where an answer is formed last, what was asked for has been done before its form is refused.
    const { negotiatesFirst, countsRemaining } = this.#options.release;
    if (verb === 'get' && readBool(exchange.query, 'export') === true) checkExport(storage, this.#options.release);
    const early = negotiatesFirst ? this.#form(exchange, storage) : undefined;
    const formOf = (): OutputForm => early ?? this.#form(exchange, storage);
    const request = readRequest(exchange, info, verb, storage, this.#options);
    if (trail !== undefined && exchange.request.body.length > 0) auditRequest(trail, request, storage, this.#server.registry);
    if (verb === 'list') {
      const listed = this.#server.list(request, storage, exchange.ask, true);
      const answer = countsRemaining ? listed : { ...listed, metadata: withoutRemaining(listed.metadata) };
      const form = formOf();
      const include = includeOf(form, exchange.query);
      checkTransform(form, { ...storage.body, kind: storage.body.listKind, isList: true, isCustom: isCustom(storage.kind) });
      if (trail !== undefined) auditList(trail, answer, { encoder: this.#encoder, form, storage, include, path: exchange.path });
      return respond(200, this.#encoder.list(answer, form, storage, include, exchange.path), deprecationOf(storage), {}, this.#encoder.gzipOver);
    }
    const admitted = { ...exchange.request, identity: exchange.identity };
    const annotated = trail === undefined ? request : { ...request, annotate: (key: string, value: string): void => trail.annotate(key, value) };
    const result = enter(admitted, operation.changesState, (attempt, causes) => this.#server.serve({ ...annotated, causes }, storage, attempt));
    const shown = this.#exported(exchange, verb, storage, countsRemaining ? result : uncounted(result));
    const form = formOf();
    const include = includeIn(shown, form, storage, exchange);
    const answered = { form, storage, include, path: exchange.path, isNull: this.#isNull(shown, storage) };
    if (trail !== undefined) auditResult(trail, shown, { encoder: this.#encoder, ...answered });
    return this.#answer(shown, answered);
  }

  #exported({ query, path }: Exchange, verb: Verb, { subresource, kind }: RestStorage, result: ApiResult): ApiResult {
    if (!this.#options.release.exports || verb !== 'get' || subresource !== '' || readBool(query, 'export') !== true) return result;
    const nowText = formatTime(this.#server.registry.core.nowMs());
    return exported(result, kind, { exact: readBool(query, 'exact') === true, nowText, ...(this.#options.release.selfLinks && { path }) });
  }

  #isNull({ wasEmpty }: ApiResult, { kind }: RestStorage): boolean {
    return this.#options.release.deletesNothingAsNull && wasEmpty === true && kind.listsNothing !== true;
  }

  #answer(
    { object, code, warnings }: ApiResult,
    { form, storage, include, path, isNull }: Omit<AnswerForm, 'encoder'> & { readonly isNull: boolean },
  ): HttpPlainResponse {
    const encoded =
      'items' in object
        ? this.#encoder.objectList(object as never, { form, storage, include, path }, isNull)
        : this.#encoder.object(object, form, storage, include);
    return respond(code, encoded, [...deprecationOf(storage), ...warnings], {}, this.#encoder.gzipOver);
  }

  #form(exchange: Exchange, storage: RestStorage): OutputForm {
    // Before they were stable, parts of objects were not printed.
    const isPrinted = storage.printed !== undefined && (exchange.negotiation.hasBetaFormsOnly !== true || storage.subresource === '');
    const transforms = isPrinted ? 'metadata and tables' : 'metadata';
    const form = negotiateOutput(exchange.negotiation, transforms);
    const isProtobuf = form.mediaType === 'application/vnd.kubernetes.protobuf' && form.transform === undefined;
    // A kind without a protobuf form is given in the next form that the client takes.
    return isProtobuf && !storage.body.hasProtobuf ? negotiateText(exchange.negotiation, transforms) : form;
  }

  #watch(exchange: Exchange, info: ResourceInfo, storage: RestStorage, operation: WatchOperation): HttpStreamResponse {
    // Whether a form is one of streams is asked last.
    if (exchange.negotiation.hasBetaFormsOnly !== true) this.#form(exchange, storage);
    const base = toApiRequest(exchange, info, 'watch');
    const options = base.list ?? {};
    const name = info.watchPath ? info.name : '';
    if (name !== '' && options.fieldSelector && nameOf(options.fieldSelector) !== name)
      throw newBadRequest("fieldSelector metadata.name doesn't match requested name");
    const fieldSelector = name === '' ? options.fieldSelector : [`metadata.name=${name}`, options.fieldSelector].filter(Boolean).join(',');
    const request: ApiRequest = { ...base, list: { ...options, ...(fieldSelector === undefined ? undefined : { fieldSelector }) } };
    // What is wrong with the request must be said before the stream begins.
    operation.check(request, exchange.ask);
    const form = negotiateStream(exchange.negotiation);
    const isProtobuf = form.mediaType === 'application/vnd.kubernetes.protobuf';
    if (isProtobuf && form.transform === undefined && !storage.body.hasProtobuf) throw newNotAcceptable(['application/json;stream=watch']);
    const frame = this.#encoder.watchFrames(form, storage, includeOf(form, exchange.query));
    let handle: WatchHandle | undefined;
    return {
      status: 200,
      headers: { 'content-type': streamTypeOf(form.mediaType) },
      warnings: deprecationOf(storage),
      ...(options.timeoutSeconds === undefined || options.timeoutSeconds === 0 ? undefined : { timeoutMs: options.timeoutSeconds * 1000 }),
      farewell: ({ status }) => frame({ type: 'ERROR', object: status, revision: 0 }),
      open: (sink) => {
        // What is there at the beginning may be much. A frame that depends on those before it is made in its turn too.
        let isLater = true;
        let gathered: GatheredEvents | undefined;
        const listener: ServedListener = (event) => {
          // An event is no list; upstream's stream ends at the first one that cannot be written.
          if (form.transform === 'PartialObjectMetadataList' && event.type !== 'ERROR') return sink.end();
          if (isLater) sink.write(() => frame(event));
          else if (sink.gather === undefined) sink.write(frame(event));
          else {
            const piece = frame(event);
            if (gathered?.add(piece) !== true) sink.gather((gathered = new GatheredEvents(piece)));
          }
          if (event.type === 'ERROR') sink.end();
        };
        const running = (handle = operation.run(request, listener, exchange.ask, this.#options.later, () => sink.isBehind?.() === true));
        isLater = form.transform !== undefined;
        // What a custom kind was ends with it; clients begin anew.
        const forget = this.#server.registry.table.whenUnregistered(storage.kind, () => sink.end());
        return () => {
          forget();
          running.cancel();
        };
      },
      nearEnd: () => handle?.tellProgress?.(),
    };
  }

  #connect(exchange: Exchange, info: ResourceInfo, storage: RestStorage): HttpResponse {
    // A log is found as an object would be, though it comes as text.
    const isLog = info.subresource === 'log' && this.#options.release.negotiatesFirst;
    const form = isLog ? negotiateOutput(exchange.negotiation, 'metadata') : undefined;
    const request = toApiRequest(exchange, info, info.verb as Verb);
    const { passage, ask, query } = exchange;
    const trail = passage.audit ?? undefined;
    const annotate = (key: string, value: string): void => trail?.annotate(key, value);
    const warnings = new Set<string>();
    const isFirst = (what: string): boolean => isFirstIn(passage, what);
    const circumstances = { ask, id: passage.auditId, annotate, isFirst, warn: (warning: string) => void warnings.add(warning) };
    try {
      this.#server.admitConnect(request, storage, info.subresource === 'proxy' ? withPath(query, exchange.path, info.rest) : query, circumstances);
      if (query.has('dryRun') && query.get('dryRun') !== '') throw newBadRequest('dryRun is not supported');
      const connection = storage.connect?.run(request, query, info.rest);
      if (form !== undefined) checkLog(form);
      const response = this.#joined(exchange, info, connection);
      return warnings.size === 0 || 'upgrade' in response ? response : { ...response, warnings: [...warnings] };
    } catch (error) {
      if (error instanceof StatusError) error.warnings = [...warnings, ...error.warnings];
      throw error;
    }
  }

  #joined(exchange: Exchange, { rest }: ResourceInfo, connection: Connection | undefined): HttpResponse {
    const { reach } = this.#options;
    if (connection?.type !== 'proxy') return connected(connection);
    if (reach === undefined) throw newStatusError(501, 'NotImplemented', 'this connection is not simulated yet');
    return proxied(exchange, connection.places, rest, reach);
  }

  #unrouted(exchange: Exchange, info: ResourceInfo, code: 404 | 405): HttpResponse {
    if (!this.#server.storages.hasGroup(info.group)) return text(404, '404 page not found\n');
    throw newGenericServerResponse({ code, verb: exchange.request.method });
  }
}

/** What is behind a proxy's own path is its option `path`. Mirrors getRequestOptions of apiserver pkg/endpoints/handlers/get.go. */
function withPath(query: Parameters, whole: string, rest: readonly string[]): Parameters {
  const below = rest.length === 0 ? '' : `/${rest.join('/')}`;
  const path = whole.endsWith('/') && !below.endsWith('/') ? `${below}/` : below;
  return {
    has: (name) => name === 'path' || query.has(name),
    get: (name) => (name === 'path' ? path : query.get(name)),
    getAll: (name) => (name === 'path' ? [path] : query.getAll(name)),
  };
}

/** What the route of a request says that it produces. Mirrors apiserver pkg/endpoints/installer.go; connections may be of any type. */
function producedBy({ verb, subresource }: ResourceInfo, served: readonly MediaType[]): readonly string[] {
  if (verb === 'list' || verb === 'watch') return [...served, ...streamTypes(served)];
  if (subresource === 'log') return ['text/plain', ...served];
  return served;
}

/** Whether anything can be done at the path: what is only created has no items, and what nobody watches no place below `/watch/`. */
function hasPath(storage: RestStorage, { verb, watchPath, subresource, name }: ResourceInfo): boolean {
  if (watchPath) return storage.watch !== undefined;
  // What a list is of one name is so by its selector.
  if (subresource !== '' || name === '' || verb === 'list' || verb === 'watch') return true;
  return [storage.get, storage.update, storage.patch, storage.delete, storage.connect].some((operation) => operation !== undefined);
}

/** The code for a path that does not fit the scope of the resource, or a collection asked for what only an object can do. */
function placeFault(storage: RestStorage, info: ResourceInfo, verb: Verb): 404 | 405 | undefined {
  const { kind, subresource } = storage;
  const listing = verb === 'list' || verb === 'watch';
  const name = listing && !info.watchPath ? '' : info.name;
  if (info.watchPath && (info.rest.length > 0 || (kind.namespaced && info.namespace === '' && name !== ''))) return 404;
  if (!kind.namespaced && info.namespace !== '' && info.resource !== 'namespaces') return 404;
  if (kind.namespaced && info.namespace === '' && storage.list === undefined) return 404;
  if (kind.namespaced && info.namespace === '' && !listing) return name === '' ? 405 : 404;
  const onItem = verb === 'get' || verb === 'update' || verb === 'patch' || verb === 'delete' || subresource !== '';
  if (verb === 'create') return name === '' || subresource !== '' ? undefined : hasPath(storage, info) ? 405 : 404;
  return onItem && name === '' ? 405 : undefined;
}

/** Of a collection that was deleted in part. */
function uncounted(result: ApiResult): ApiResult {
  if (!('items' in result.object)) return result;
  const list = result.object as KubeList;
  return { ...result, object: { ...list, metadata: withoutRemaining(list.metadata) } };
}

function withoutRemaining({ remainingItemCount: _, ...metadata }: ListMeta): ListMeta {
  return metadata;
}

/** Throws where the result cannot be had in this form; what it warns of is told all the same. */
function includeIn({ object, warnings }: ApiResult, form: OutputForm, storage: RestStorage, { query, negotiation }: Exchange): IncludeObject {
  try {
    const include = includeOf(form, query);
    const isEarly = negotiation.hasBetaFormsOnly === true;
    const { apiVersion = '', kind = '' } = object as { readonly apiVersion?: string; readonly kind?: string };
    if (kind !== 'Status') checkTransform(form, { apiVersion, kind, isList: 'items' in object, isCustom: isCustom(storage.kind) });
    else if (isEarly) checkStatus(form, include);
    return include;
  } catch (error) {
    if (error instanceof StatusError) error.warnings = [...warnings, ...error.warnings];
    throw error;
  }
}

/** Of a subresource nothing can be taken out of its cluster, and not of what was never said to be read so. */
function checkExport({ kind: { group, plural }, subresource }: RestStorage, { exports, openApi }: ServedRelease): void {
  if (!exports) throw newBadRequest(noExport);
  const isLeftOut = openApi?.requests?.withoutReadQuery.includes(group === '' ? plural : `${plural}.${group}`) === true;
  if (subresource !== '' || isLeftOut) throw newBadRequest(`export of "${plural}" is not supported`);
}

function deprecationOf({ kind }: RestStorage): readonly string[] {
  return kind.deprecation === undefined ? [] : [kind.deprecation];
}
