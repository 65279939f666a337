/**
 * What a component knows of the cluster: verbs on resources, answered after some virtual time, failing with StatusError. The
 * same interface stands over the in-process transport and over HTTPS.
 */
import type { Cause } from '../base/causes.ts';
import type { KubeList, KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { DeleteOptions, PatchType, WatchOptions } from '../contracts/request.ts';

/** A resource and the type of its objects. `T` is carried by the type only. */
export interface ResourceType<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly example?: T;
}

export interface CallOptions {
  readonly subresource?: string;
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  /** Nobody looks at what comes back, which may then be what was sent. */
  readonly unread?: boolean;
}

export interface GetOptions extends Pick<CallOptions, 'subresource'> {
  /** Parameters of an API that has its own. */
  readonly query?: { readonly [name: string]: string };
}

/** `namespace` is undefined for cluster-scoped resources, and for lists across namespaces. */
/** Plain data. The types of the API are, though TypeScript sees it of none that may have further members. */
export type PatchBody = JsonValue | object;

export interface Client {
  get<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, name: string, options?: GetOptions): Promise<T>;
  list<T extends KubeObject>(type: ResourceType<T>, namespace: string | undefined, options?: WatchOptions): Promise<KubeList<T>>;
  create<T extends KubeObject>(type: ResourceType<T>, object: T, options?: CallOptions): Promise<T>;
  /** Writes the whole object; `metadata.resourceVersion` makes it conditional. */
  update<T extends KubeObject>(type: ResourceType<T>, object: T, options?: CallOptions): Promise<T>;
  updateStatus<T extends KubeObject>(type: ResourceType<T>, object: T, options?: CallOptions): Promise<T>;
  patch<T extends KubeObject>(
    type: ResourceType<T>,
    namespace: string | undefined,
    name: string,
    patchType: PatchType,
    patch: PatchBody,
    options?: CallOptions,
  ): Promise<T>;
  delete(type: ResourceType, namespace: string | undefined, name: string, options?: DeleteOptions): Promise<void>;
  deleteCollection(type: ResourceType, namespace: string | undefined, options?: DeleteOptions, list?: WatchOptions): Promise<void>;
  /** POST to a subresource whose body is another kind: `binding`, `eviction`, `token`. */
  post<T extends KubeObject>(
    type: ResourceType<T>,
    namespace: string | undefined,
    name: string,
    subresource: string,
    body: KubeObject,
  ): Promise<KubeObject>;
  /** The same client whose writes carry these causes (law 4). */
  because(causes: readonly Cause[]): Client;
}
