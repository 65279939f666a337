/** The client over HTTPS: the same interface as the loopback client, against any API server. Causes stay on this side. */
import type { KubeList, KubeObject } from '../../apimachinery/object.ts';
import type { DeleteOptions, PatchType, WatchOptions } from '../../contracts/request.ts';
import type { CallOptions, Client, GetOptions, ResourceType, PatchBody } from '../../client/client.ts';
import type { RateLimiter } from '../../client/rate-limiter.ts';
import type { Arrivals, Connection } from './connection.ts';
import { ServedTypes } from './served-types.ts';
import { type Body, protobufType, WireForms } from './wire-forms.ts';

export interface HttpsClientOptions {
  readonly connection: Connection;
  readonly arrivals: Arrivals;
  readonly component: string;
  readonly limiter?: RateLimiter;
  /** In which versions the server has what is asked for; each type's own when absent. */
  readonly served?: ServedTypes;
  /** JSON when absent. */
  readonly forms?: WireForms;
}

interface Call {
  readonly method: string;
  readonly type: ResourceType;
  readonly path: string;
  readonly name?: string | undefined;
  readonly body?: object;
  /** Of a patch, which is JSON whatever its form. */
  readonly contentType?: string;
}

const patchContentTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function createHttpsClient(options: HttpsClientOptions): Client {
  return new HttpsClient(options);
}

class HttpsClient implements Client {
  readonly #options: HttpsClientOptions;
  readonly #served: ServedTypes;
  readonly #forms: WireForms;

  constructor(options: HttpsClientOptions) {
    this.#options = options;
    this.#forms = options.forms ?? new WireForms();
    this.#served = options.served ?? new ServedTypes();
  }

  #path(type: ResourceType, namespace: string | undefined, name?: string, subresource?: string): string {
    return pathOf(this.#served.nearest(type), namespace, name, subresource);
  }

  /** As the server's version has it. The body of a subresource is another kind, and stays what it is. */
  #body<T extends KubeObject>(type: ResourceType<T>, object: T): T {
    return object.apiVersion === apiVersionOf(type) ? { ...object, apiVersion: apiVersionOf(this.#served.nearest(type)) } : object;
  }

  because(): Client {
    return this;
  }

  get<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, name: string, options?: GetOptions): Promise<T> {
    const path = this.#path(type, namespace, name, options?.subresource) + queryOf({ ...options?.query });
    return this.#call({ method: 'GET', type, path, name });
  }

  list<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, options: WatchOptions = {}): Promise<KubeList<T>> {
    const path = this.#path(type, namespace) + queryOf({ ...options });
    return this.#call<KubeList<T>>({ method: 'GET', type, path }).then((list) => withKinds(type, list));
  }

  create<T extends KubeObject>(type: ResourceType<T>, object: T, options: CallOptions = {}): Promise<T> {
    const { namespace, name } = object.metadata;
    const place = options.subresource === undefined ? this.#path(type, namespace) : this.#path(type, namespace, name, options.subresource);
    return this.#call({ method: 'POST', type, path: place + writeQuery(options), name, body: this.#body(type, object) });
  }

  update<T extends KubeObject>(type: ResourceType<T>, object: T, options: CallOptions = {}): Promise<T> {
    const { namespace, name } = object.metadata;
    const path = this.#path(type, namespace, name, options.subresource) + writeQuery(options);
    return this.#call({ method: 'PUT', type, path, name, body: this.#body(type, object) });
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
    options: CallOptions = {},
  ): Promise<T> {
    const path = this.#path(type, namespace, name, options.subresource) + writeQuery(options);
    return this.#call({ method: 'PATCH', type, path, name, body: patch as object, contentType: patchContentTypes[patchType] });
  }

  async delete(type: ResourceType, namespace: string | undefined, name: string, options: DeleteOptions = {}): Promise<void> {
    await this.#call({ method: 'DELETE', type, path: this.#path(type, namespace, name), name, body: deleteBody(options) });
  }

  async deleteCollection(type: ResourceType, namespace: string | undefined, options: DeleteOptions = {}, list: WatchOptions = {}): Promise<void> {
    await this.#call({ method: 'DELETE', type, path: this.#path(type, namespace) + queryOf({ ...list }), body: deleteBody(options) });
  }

  post<T extends KubeObject>(
    type: ResourceType<T>,
    namespace: string | undefined,
    name: string,
    subresource: string,
    body: KubeObject,
  ): Promise<KubeObject> {
    return this.#call({ method: 'POST', type, path: this.#path(type, namespace, name, subresource), name, body });
  }

  /** Waits for the limiter on the loop's time; the answer comes back as a task of the loop. */
  async #call<R>(call: Call): Promise<R> {
    const { arrivals, component, limiter } = this.#options;
    const { loop } = arrivals;
    const waitMs = limiter?.reserve(loop.nowMs()) ?? 0;
    if (waitMs > 0) await loop.after(waitMs, component, () => undefined);
    return new Promise<R>((resolve, reject) => {
      this.#exchange<R>(call).then(
        (answer) => arrivals.answer(component, () => resolve(answer)),
        (error: unknown) => arrivals.answer(component, () => reject(error as Error)),
      );
    });
  }

  async #exchange<R>(call: Call): Promise<R> {
    const { connection } = this.#options;
    const { method, type, path, name } = call;
    const body = this.#written(call);
    const accept = this.#forms.accepts(type);
    let answer = await connection.exchange(method, path, accept, body);
    if (answer.code === 415 && body?.contentType === protobufType) {
      this.#forms.refused(type);
      answer = await connection.exchange(method, path, accept, this.#written(call));
    }
    // client-go's client of scales names no resource.
    const named = path.endsWith('/scale') ? { group: '', resource: '' } : { group: type.group, resource: type.resource, name };
    return this.#forms.read(answer, { method, ...named });
  }

  #written({ type, body, contentType }: Call): Body | undefined {
    if (body === undefined) return undefined;
    return contentType === undefined ? this.#forms.write(type, body) : { contentType, bytes: JSON.stringify(body) };
  }
}

export function pathOf(
  { group, version, resource, namespaced }: ResourceType,
  namespace: string | undefined,
  name?: string,
  subresource?: string,
): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const within = namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const parts = [encodeURIComponent(resource), name && encodeURIComponent(name), subresource?.split('/').map(encodeURIComponent).join('/')];
  return [root + within, ...parts.filter((part) => part !== undefined)].join('/');
}

export function queryOf(values: Query): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`]));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Items of a list come without kind and apiVersion. */
export function withKinds<T extends KubeObject>(type: ResourceType<T>, list: KubeList<T>): KubeList<T> {
  const { kind } = type;
  const apiVersion = apiVersionOf(type);
  // Servers of other APIs may answer anything.
  const items: unknown = list.items ?? [];
  return Array.isArray(items) ? { ...list, items: items.map((item: T) => ({ ...item, kind, apiVersion })) } : list;
}

function writeQuery({ fieldManager, dryRun, force }: CallOptions): string {
  return queryOf({ fieldManager, dryRun: dryRun === true ? 'All' : undefined, force });
}

function deleteBody(options: DeleteOptions): object {
  return { kind: 'DeleteOptions', apiVersion: 'v1', ...options };
}

export function apiVersionOf({ group, version }: ResourceType): string {
  return group === '' ? version : `${group}/${version}`;
}
