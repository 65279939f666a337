/**
 * A request to the API pipeline after its HTTP form (or its in-process caller) has been understood, and what comes back. HTTP
 * and loopback meet here: one pipeline, one door (law 2). Everything in it is synchronous; latency is the transport's affair.
 */
import type { Int64 } from '../base/int64.ts';
import type { Cause } from '../base/causes.ts';
import type { KubeList, KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { FieldErrorList } from '../apimachinery/field-errors.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import type { Keeps } from '../apimachinery/serializer/walk.ts';
import type { Status } from '../apimachinery/status.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'connect';

/** Who asks. */
export interface Identity {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: { readonly [key: string]: readonly string[] };
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface ListOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly limit?: number;
  readonly continue?: string;
  /** Which part of the collection, where the gate for it is on. */
  readonly shardSelector?: string;
  /** Also what still waits for initializers, where the release has any. */
  readonly includeUninitialized?: boolean;
  /** Only objects with this in their name; the page searches with it, upstream reads over it. */
  readonly nameContains?: string;
  /** Only objects that the overview counts under this state (`Starting`, of pods); the page asks so, upstream reads over it. */
  readonly stateIs?: string;
  /** Only objects that the map of the cluster counts as such (`CrashLoop`, of pods); the page asks so, upstream reads over it. */
  readonly looksLike?: string;
}

export interface WatchOptions extends ListOptions {
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  /** As `sendInitialEvents` with bookmarks, for the page: no release and no gate knows of it. */
  readonly beginsWhole?: true;
  readonly timeoutSeconds?: number;
  /** The path says so alone, as was usual once: what is asked for is judged as a list's, and nothing is added to it. */
  readonly byPath?: true;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: Int64;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
  /** Whether what cannot be read is taken away unread; nothing here is ever so. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** Server-side apply only. */
  readonly force?: boolean;
  /** A create does not wait for initializers. */
  readonly includeUninitialized?: boolean;
}

/** What a writer cannot know of: fields and values that came after the release that is served. */
export interface UnseenFields {
  /** What of an object of the message `schema` the writer can see. */
  seen(object: KubeObject, schema: MessageSchema, keeps?: Keeps): KubeObject;
  /** `next`, whose writer could not see all of `live`, with what he could not see; both of the message `schema`. */
  carry(next: KubeObject, live: KubeObject, schema: MessageSchema): KubeObject;
  /** Values that came later, as the release refuses them. */
  faults(object: KubeObject, schema: MessageSchema): FieldErrorList;
}

export interface ApiRequest {
  readonly verb: Verb;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly identity: Identity;
  /** The `User-Agent`; its first word up to `/` is the field manager where none is given. */
  readonly userAgent: string;
  readonly causes: readonly Cause[];
  readonly list?: WatchOptions;
  readonly write?: WriteOptions;
  readonly delete?: DeleteOptions;
  readonly patchType?: PatchType;
  /** The object of create and update, or the patch document (an array for JSON patch). */
  readonly body?: JsonValue | KubeObject;
  /** The body came from inside the engine and is already canonical and free of unknown fields. */
  readonly trusted?: boolean;
  /** Unknown or duplicate fields that the decoder of an outside request found, as upstream words them. */
  readonly decodeWarnings?: readonly string[];
  /** Why the body is no patch: told to who may patch the object, and where there is one. */
  readonly patchFault?: Status;
  /** The body is sent to be an object of a user's own kind, and calls itself another. */
  readonly otherKind?: string;
  /** Absent where the writer knows all there is. */
  readonly unseen?: UnseenFields;
  /** Nobody looks at the object that comes back: in its place stands what was sent. */
  readonly unread?: boolean;
  /** Adds an annotation to its audit event; absent where it has none. */
  annotate?(key: string, value: string): void;
  /** Query parameters of virtual resources (e.g. `timelines`). */
  readonly query?: { readonly [key: string]: string };
}

export interface ApiResult {
  /** HTTP status: 200, 201 or 202. */
  readonly code: number;
  readonly object: KubeObject | KubeList | Status | JsonObject;
  /** Texts for `Warning: 299` headers. */
  readonly warnings: readonly string[];
  /** Of a collection that was to be deleted: there was nothing that could have been selected. */
  readonly wasEmpty?: true;
  /** What was created still waits for initializers, and who created it for them. */
  readonly initializing?: Initializing;
}

export interface Initializing {
  /** Where it is in the store. */
  readonly key: string;
  /** The answer when it is complete. */
  complete(stored: KubeObject): ApiResult;
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

export interface WatchEvent<T = KubeObject> {
  readonly type: WatchEventType;
  readonly object: T;
}

export interface WatchHandle {
  cancel(): void;
  /** Sends a bookmark to who takes some. */
  tellProgress?(): void;
}

/** Receives watch events in order. `revision` is the store revision of the change. */
export interface WatchSink {
  onEvent(event: WatchEvent<KubeObject | Status>, revision: number): void;
  /** The stream ended from the server's side (an ERROR event came before if there was a reason). */
  onEnd(): void;
}

/** The API as components in the process meet it. Failures are thrown, or rejected, as StatusError. */
export interface ApiPipeline {
  /** A promise only where the request had to ask the outside; virtual time stands still meanwhile. */
  handle(request: ApiRequest): ApiResult | Promise<ApiResult>;
  /** The same; the sink may be called before the handle is there. */
  watch(request: ApiRequest, sink: WatchSink): WatchHandle | Promise<WatchHandle>;
  /**
   * A list, and the watch behind it, that a restored component had open: it was allowed and audited when it began, so nobody is asked
   * again. Throws an internal error for a resource that cannot be listed without asking.
   */
  reopen(request: ApiRequest, sink: WatchSink): Reopened;
}

export interface Reopened {
  readonly list: KubeList;
  readonly watch: WatchHandle;
}
