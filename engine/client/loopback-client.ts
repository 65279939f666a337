/**
 * The in-process transport: requests reach the API pipeline by reference, as calls in flight of the task loop. Each takes a
 * virtual latency and, where the client has one, waits for its rate limiter first.
 */
import { assert } from '../base/assert.ts';
import { type Cause, mergeCauses } from '../base/causes.ts';
import type { RandomStream } from '../base/random.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { KubeList, KubeObject } from '../apimachinery/object.ts';
import type { StatusError } from '../apimachinery/status.ts';
import type { JsonValue } from '../base/json.ts';
import type { ApiPipeline, ApiRequest, ApiResult, DeleteOptions, Identity, PatchType, WatchOptions } from '../contracts/request.ts';
import type { CallOptions, Client, GetOptions, ResourceType, PatchBody } from './client.ts';
import { requestLatencyMaxMs, requestLatencyMinMs } from './physics.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** What faults do to a request on its way; undefined when nothing is wrong. */
export type RequestWeather = (
  request: ApiRequest,
) => { readonly delayMs: number; readonly causes: readonly Cause[]; readonly error: StatusError | undefined } | undefined;

export interface LoopbackOptions {
  readonly pipeline: ApiPipeline;
  readonly loop: Pick<TaskLoop, 'after' | 'nowMs'>;
  readonly identity: Identity;
  readonly userAgent: string;
  /** Component in whose name calls are in flight; gives them their rank. */
  readonly component: string;
  readonly latency: RandomStream;
  readonly limiter?: RateLimiter;
  readonly weather?: RequestWeather;
}

type Call = Pick<ApiRequest, 'verb'> & Partial<ApiRequest>;

export function createLoopbackClient(options: LoopbackOptions): Client {
  return new LoopbackClient(options, []);
}

class LoopbackClient implements Client {
  readonly #options: LoopbackOptions;
  readonly #causes: readonly Cause[];

  constructor(options: LoopbackOptions, causes: readonly Cause[]) {
    this.#options = options;
    this.#causes = causes;
  }

  because(causes: readonly Cause[]): Client {
    return new LoopbackClient(this.#options, causes);
  }

  get<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, name: string, options?: GetOptions): Promise<T> {
    return this.#call<T>(type, { verb: 'get', ...place(namespace, name), ...options });
  }

  list<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, list: WatchOptions = {}): Promise<KubeList<T>> {
    return this.#call(type, { verb: 'list', ...place(namespace), list });
  }

  create<T extends KubeObject>(type: ResourceType<T>, object: T, options?: CallOptions): Promise<T> {
    return this.#call<T>(type, { verb: 'create', ...place(object.metadata.namespace), body: object, ...written(options) });
  }

  update<T extends KubeObject>(type: ResourceType<T>, object: T, options?: CallOptions): Promise<T> {
    const { namespace, name } = object.metadata;
    return this.#call<T>(type, { verb: 'update', ...place(namespace, name), body: object, ...written(options) });
  }

  updateStatus<T extends KubeObject>(type: ResourceType<T>, object: T, options?: CallOptions): Promise<T> {
    return this.update(type, object, { ...options, subresource: 'status' });
  }

  patch<T extends KubeObject>(
    type: ResourceType<T>,
    namespace: string | undefined,
    name: string,
    patchType: PatchType,
    patch: PatchBody,
    options?: CallOptions,
  ): Promise<T> {
    return this.#call<T>(type, { verb: 'patch', ...place(namespace, name), patchType, body: patch as JsonValue, ...written(options) });
  }

  async delete(type: ResourceType, namespace: string | undefined, name: string, options: DeleteOptions = {}): Promise<void> {
    await this.#call(type, { verb: 'delete', ...place(namespace, name), delete: options });
  }

  async deleteCollection(type: ResourceType, namespace: string | undefined, options: DeleteOptions = {}, list: WatchOptions = {}): Promise<void> {
    await this.#call(type, { verb: 'deletecollection', ...place(namespace), delete: options, list });
  }

  post<T extends KubeObject>(
    type: ResourceType<T>,
    namespace: string | undefined,
    name: string,
    subresource: string,
    body: KubeObject,
  ): Promise<KubeObject> {
    return this.#call<KubeObject>(type, { verb: 'create', ...place(namespace, name), subresource, body });
  }

  #call<R>(type: ResourceType, call: Call): Promise<R> {
    const { pipeline, loop, identity, userAgent, component, latency, limiter, weather } = this.#options;
    const wait = limiter === undefined ? 0 : limiter.reserve(loop.nowMs());
    const delay = wait + latency.between(requestLatencyMinMs, requestLatencyMaxMs);
    assert(delay >= 0, 'an answer comes after its question');
    const { group, version, resource } = type;
    const request: ApiRequest = { ...call, group, version, resource, identity, userAgent, causes: this.#causes, trusted: true };
    const met = weather?.(request);
    const sent = met === undefined ? request : { ...request, causes: mergeCauses(request.causes, met.causes) };
    return loop.after(delay + (met?.delayMs ?? 0), component, () => {
      if (met?.error !== undefined) throw met.error;
      const result = pipeline.handle(sent);
      return result instanceof Promise ? result.then(objectOf<R>) : objectOf<R>(result);
    });
  }
}

function objectOf<R>(result: ApiResult): R {
  return result.object as R;
}

function place(namespace: string | undefined, name?: string): Pick<Partial<ApiRequest>, 'namespace' | 'name'> {
  return { ...(namespace ? { namespace } : {}), ...(name === undefined ? {} : { name }) };
}

function written(options: CallOptions | undefined): Partial<ApiRequest> {
  if (options === undefined) return {};
  const { subresource, unread, ...write } = options;
  return { write, ...(subresource === undefined ? {} : { subresource }), ...(unread === undefined ? {} : { unread }) };
}
