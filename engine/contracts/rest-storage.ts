/**
 * Everything the API serves is a RestStorage: a resource or one of its subresources, in one version. Stored kinds, computed ones,
 * reviews, `scale`, `status`, `eviction`, `log`, `portforward` have one shape; serving, discovery, OpenAPI and authorization ask it
 * and never fork. An operation that is absent is not served. Mirrors apiserver pkg/registry/rest/rest.go.
 */
import type { GroupVersionKind, KubeObject, ListMeta } from '../apimachinery/object.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import type { Status } from '../apimachinery/status.ts';
import type { Attempt, Finish } from './attempt.ts';
import type { KubeletConnections, ProcessTarget, ProxyPlace } from './connect.ts';
import type { KindDefinition } from './kind.ts';
import type { Ask, AskLater } from './questions.ts';
import type { ApiRequest, ApiResult, Verb, WatchEvent, WatchHandle } from './request.ts';

/** Where an object came from that is kept with its wire forms, each made once. */
export interface WireForms {
  getEncoding<E extends string | Uint8Array>(form: string, make: () => E): E;
}

/** One object of an answer; `object` may be made when it is first looked at. */
export interface Item {
  readonly object: KubeObject;
  /** Absent for objects that are computed: their wire form is made each time. */
  readonly forms?: WireForms | undefined;
}

/** An immutable snapshot: it may be encoded slice by slice while the cluster goes on. */
export interface ListAnswer {
  readonly metadata: ListMeta;
  readonly items: readonly Item[];
}

export interface ServedEvent extends WatchEvent<KubeObject | Status> {
  readonly revision: number;
  /** Where to keep encodings of `object`, and under which further key; absent for bookmarks and errors. */
  readonly stored?: WireForms | undefined;
  readonly variant?: string;
}

export type ServedListener = (event: ServedEvent) => void;

/** What a connection to a process answers with: text, which may go on, or a stream that the owner of the socket joins to the pod. */
export type Connection =
  | { readonly type: 'text'; readonly text: string; readonly contentType?: string; readonly follow?: KubeletFollow }
  /** There is nobody whose text it would be: no content. */
  | { readonly type: 'nothing' }
  | { readonly type: 'portforward'; readonly namespace: string; readonly pod: string; readonly ports: readonly number[] }
  /** A request that goes on to one of these servers. */
  | { readonly type: 'proxy'; readonly places: readonly ProxyPlace[] }
  | { readonly type: 'process'; readonly process: ProcessTarget };

export type KubeletFollow = (onText: (text: string) => void, onEnd: () => void) => ReturnType<KubeletConnections['followLogs']>;

/** Query parameters as they were sent; some may come several times. */
export type Parameters = Pick<URLSearchParams, 'get' | 'getAll' | 'has'>;

/** Only an operation that `changesState` may write: a request from outside that wrote is an input of history (law 5). */
export interface Operation<Run> {
  readonly changesState: boolean;
  readonly run: Run;
}

/** Failures are thrown as StatusError. Callers have authorized the request. */
export type ObjectOperation = Operation<(request: ApiRequest, attempt: Attempt) => Finish<ApiResult>>;
/** `mayConvert`: objects that somebody has to convert are asked for; components, who follow what is there, get them without. */
export type ListOperation = Operation<(request: ApiRequest, ask: Ask, mayConvert?: boolean) => ListAnswer>;

/** Whether the client has left so much unread of a stream that more would only wait. */
export type IsBehind = () => boolean;

/** `later`: for what has to be asked while the stream is open; without it nobody is. */
export type RunWatch = (request: ApiRequest, listener: ServedListener, ask: Ask, later?: AskLater, isBehind?: IsBehind) => WatchHandle;

export interface WatchOperation extends Operation<RunWatch> {
  /** Throws what is wrong with the request, without starting anything. What `run` asks is asked here: once a stream is open nobody waits. */
  check(request: ApiRequest, ask: Ask): void;
}

/** `path` is what stands behind the subresource, segment by segment. */
export interface ConnectOperation extends Operation<(request: ApiRequest, parameters: Parameters, path: readonly string[]) => Connection> {
  /** The verbs that clients ask for it, by their HTTP methods. */
  readonly verbs: readonly Verb[];
}

export interface RestOperations {
  readonly get?: ObjectOperation;
  readonly list?: ListOperation;
  readonly watch?: WatchOperation;
  readonly create?: ObjectOperation;
  readonly update?: ObjectOperation;
  readonly patch?: ObjectOperation;
  readonly delete?: ObjectOperation;
  readonly deletecollection?: ObjectOperation;
  readonly connect?: ConnectOperation;
}

export interface RestStorage extends RestOperations {
  /** The kind it belongs to: group, version, plural, names, scope, deprecation. */
  readonly kind: KindDefinition;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** What it takes and gives. */
  readonly body: ObjectBody;
  /** How its objects stand in a Table; undefined where no Table may be asked for. */
  readonly printed: Pick<KindDefinition, 'columns' | 'row' | 'rowOrder' | 'fieldAnnotations'> | undefined;
}

/** The form of a body. */
export interface ObjectBody extends GroupVersionKind {
  readonly apiVersion: string;
  readonly listKind: string;
  readonly schema: MessageSchema;
  /** It is not the kind that the storage belongs to: `Scale`, `Eviction`, `PodExecOptions`. */
  readonly foreign: boolean;
  /** Discovery says its kind without group and version. */
  readonly unnamed?: true;
  /** All that is said of a body that cannot be read as this. */
  readonly misfitText?: string;
  /** As the same of the kind. */
  readonly misreads?: KindDefinition['misreads'];
  /** Other versions that a body may name: it has the same fields in them. */
  readonly alsoTakes?: readonly string[];
  /** Of the kind, where it has editions. */
  readonly edition?: string;
  /** Kinds of our own groups and custom ones have no protobuf form, and their lists repeat kind and version in every item. */
  readonly hasProtobuf: boolean;
}

/** As discovery lists them: sorted; connections under the verbs of their HTTP methods. */
export function verbsOf(storage: RestStorage): readonly Verb[] {
  const verbs = operationNames.filter((name) => storage[name] !== undefined && !isInside(storage, name));
  return [...new Set([...verbs, ...(storage.connect?.verbs ?? [])])].sort();
}

/** Components do it; it is served to nobody else. */
export function isInside({ kind, subresource }: RestStorage, verb: Verb): boolean {
  return subresource === '' && kind.insideVerbs?.includes(verb) === true;
}

const operationNames = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

/** The operation that answers a verb. */
export function operationOf(storage: RestStorage, verb: Verb): Operation<unknown> | undefined {
  const own = storage[verb];
  if (own !== undefined) return own;
  return storage.connect?.verbs.includes(verb) === true ? storage.connect : undefined;
}
