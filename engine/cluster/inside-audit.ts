/**
 * Audit of what components ask: they come past the filters, and are logged as a real cluster logs its components, whose requests go
 * over HTTP. Nothing is made of a request where no policy is set.
 */
import { StatusError } from '../apimachinery/status.ts';
import type { Auditor } from '../apiserver/audit/auditor.ts';
import { auditFailure, auditInsideResult, auditRequest } from '../apiserver/audit/objects.ts';
import type { AuditTrail } from '../apiserver/audit/trail.ts';
import type { ApiServer } from '../apiserver/pipeline.ts';
import type { ResourceInfo } from '../apiserver/request-info.ts';
import { newInternalError } from '../apimachinery/errors.ts';
import type { ApiRequest, ApiResult, WatchHandle, WatchSink } from '../contracts/request.ts';

/** Components of the control plane speak from the machine itself. */
const address = '127.0.0.1';

export class InsideAudit {
  readonly #auditor: Auditor;
  readonly #api: ApiServer;
  readonly #newId: () => string;

  constructor(auditor: Auditor, api: ApiServer, newId: () => string) {
    this.#auditor = auditor;
    this.#api = api;
    this.#newId = newId;
  }

  handle(request: ApiRequest, act: (request: ApiRequest) => ApiResult | Promise<ApiResult>): ApiResult | Promise<ApiResult> {
    const trail = this.#begin(request);
    if (trail === undefined) return act(request);
    const done = (result: ApiResult): ApiResult => {
      auditInsideResult(trail, result);
      trail.completed(result.code);
      return result;
    };
    const failed = (error: unknown): never => {
      if (error instanceof StatusError) this.#failed(trail, error);
      throw error;
    };
    try {
      this.#understood(trail, request);
      const result = act({ ...request, unread: false, annotate: (key, value) => trail.annotate(key, value) });
      return result instanceof Promise ? result.then(done, failed) : done(result);
    } catch (error) {
      return failed(error);
    }
  }

  watch(request: ApiRequest, sink: WatchSink, act: (sink: WatchSink) => WatchHandle | Promise<WatchHandle>): WatchHandle | Promise<WatchHandle> {
    const trail = this.#begin(request);
    if (trail === undefined) return act(sink);
    let isOver = false;
    const end = (): void => {
      if (!isOver) trail.completed(200);
      isOver = true;
    };
    const ending: WatchSink = {
      onEvent: (event, revision) => sink.onEvent(event, revision),
      onEnd: () => {
        end();
        sink.onEnd();
      },
    };
    const begun = (handle: WatchHandle): WatchHandle => {
      trail.started(200);
      return {
        cancel: () => {
          handle.cancel();
          end();
        },
      };
    };
    const failed = (error: unknown): never => {
      if (error instanceof StatusError) this.#failed(trail, error);
      throw error;
    };
    try {
      this.#understood(trail, request);
      const handle = act(ending);
      return handle instanceof Promise ? handle.then(begun, failed) : begun(handle);
    } catch (error) {
      return failed(error);
    }
  }

  #begin(request: ApiRequest): AuditTrail | undefined {
    const info = infoOf(request);
    return this.#auditor.begin({
      auditId: this.#newId(),
      requestUri: uriOf(request, info),
      sourceIps: [address],
      userAgent: request.userAgent,
      receivedMs: this.#auditor.nowMs(),
      identity: request.identity,
      path: '',
      info,
    });
  }

  /** Throws where the log must have it and cannot. */
  #understood(trail: AuditTrail, request: ApiRequest): void {
    if (!trail.received()) throw newInternalError('failed to store audit event');
    const { allowed, reason } = this.#api.mayDo(request);
    trail.authorized(allowed, reason);
    const storage = this.#api.storages.find(request.group, request.version, request.resource, request.subresource ?? '');
    if (allowed && storage !== undefined) auditRequest(trail, request, storage, this.#api.registry);
  }

  #failed(trail: AuditTrail, { status }: StatusError): void {
    auditFailure(trail, status);
    trail.completed(status.code);
  }
}

function infoOf({ verb, group, version, resource, subresource = '', namespace = '', name = '' }: ApiRequest): ResourceInfo {
  const prefix = group === '' ? 'api' : 'apis';
  return { isResource: true, verb, prefix, group, version, resource, subresource, namespace, name, rest: [], watchPath: false };
}

/** As a client would have written it. */
function uriOf({ verb, list, write, patchType }: ApiRequest, info: ResourceInfo): string {
  const { prefix, group, version, namespace, resource, name, subresource } = info;
  const place = namespace === '' ? [] : ['namespaces', namespace];
  const parts = [prefix, group, version, ...place, resource, name, subresource].filter((part) => part !== '');
  const query = new URLSearchParams();
  if (verb === 'watch') query.set('watch', 'true');
  const options =
    verb === 'get' ? {} : { ...list, ...(verb === 'patch' && { fieldManager: write?.fieldManager, force: patchType === 'apply' && write?.force }) };
  for (const [key, value] of Object.entries(options)) if (value !== undefined && value !== '' && value !== false) query.set(key, String(value));
  const text = query.toString();
  return `/${parts.join('/')}${text === '' ? '' : `?${text}`}`;
}
