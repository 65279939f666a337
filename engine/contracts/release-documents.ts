/** How a release describes itself, where not as now: documents of OpenAPI, and paths that are no resources. */
import type { JsonObject } from '../base/json.ts';

/** Fields whose descriptions stand at columns of tables: kind → column → `group.version.Type.field`. */
export interface ColumnFields {
  readonly [kind: string]: { readonly [column: string]: string };
}

/** In descriptions, what is said now (a pattern with the flag `g`, or all places of a text) and what was said then: where links led, what nobody had deprecated yet. */
export type Rewords = readonly (readonly [now: string | RegExp, then: string])[];

/** Definitions of OpenAPI that are others than now, by their full names. */
export interface ReleaseOpenApi {
  /** Name of now → name of then. Where two become one, they say the same. */
  readonly renamed: { readonly [name: string]: string };
  /** Written so, whatever they are now; also those that are gone. */
  readonly written: { readonly [name: string]: JsonObject };
  readonly moreProperties: { readonly [name: string]: JsonObject };
  /** Paths that lead to no resources. */
  readonly morePaths?: JsonObject;
  readonly fewerProperties: { readonly [name: string]: readonly string[] };
  /** Fields that must be there, where others must now: all of them, in order. */
  readonly required?: { readonly [name: string]: readonly string[] };
  /** What stands beside fields besides: definition → field → members. */
  readonly marks?: { readonly [name: string]: { readonly [field: string]: JsonObject } };
  /** Fields that say how they are merged when applied. All others do not then, and no definition says that it is an object. */
  readonly merges?: { readonly [name: string]: readonly string[] };
  /** Fields of which nothing is said: definition → names; an empty one of the definition itself. */
  readonly silent?: { readonly [name: string]: readonly string[] };
  readonly rewords?: Rewords;
  readonly requests?: ReleaseRequests;
  /** What `/version` is said to answer. */
  readonly ofVersion?: string;
  /** Custom resources are not described. */
  readonly omitsCustom?: true;
  /** Each value stands on a line of its own. */
  readonly isIndented?: true;
  /** Whether each operation says its parameters itself. */
  readonly repeatsParameters?: true;
  /** Former beginning of names → that of now, for every definition but those that came `later`: kept for old clients. */
  readonly aliases: { readonly [prefix: string]: { readonly prefix: string; readonly later: readonly string[] } };
}

/** What requests are said to take and to answer, where not as now. */
export interface ReleaseRequests {
  /** In queries of lists, watches and deletions of whole collections, besides. */
  readonly listQuery: readonly string[];
  /** In queries of what creates, besides. */
  readonly createQuery: readonly string[];
  /** In queries of reads of one object, besides, but for kinds that have none of it: their resources with their groups. */
  readonly readQuery: readonly string[];
  readonly withoutReadQuery: readonly string[];
  /** Whole collections are deleted by what a list says, and without a body. */
  readonly deletesAsListed: true;
  /** Nothing is created by a patch. */
  readonly patchesWhatIs: true;
  /** What is deleted is never said to be answered. */
  readonly keepsDeleted: true;
  /** Where what is said of a parameter ended. */
  readonly endsBefore: { readonly [parameter: string]: string };
  /** Definitions of bodies that are said to answer a Status. */
  readonly answersStatus: readonly string[];
}

/** What `/metrics` tells otherwise than now. */
export interface ReleaseMetrics {
  /** Requests are told by who asks and of what type the answer is, whatever its group and version: `apiserver_request_count`. */
  readonly tellsClients: true;
  /** Times of admission are in microseconds, whatever their names say: the bounds of their buckets. */
  readonly admissionBounds: readonly number[];
  /** All that is told, by the names of now; how sure one may be of a name is not said. */
  readonly families: { readonly [family: string]: ReleaseMetric };
  readonly contentType: string;
}

/** What is otherwise with one. */
export interface ReleaseMetric {
  readonly name?: string;
  readonly help?: string;
  /** By the names of now. */
  readonly labels?: { readonly [label: string]: string };
}

/** Paths that are no resources. */
export interface ReleasePaths {
  /** Nothing is there, nor below. */
  readonly later: readonly string[];
  /** Where the document of OpenAPI v2 is found besides, and in which form. */
  readonly openApi: { readonly [path: string]: 'json' | 'protobuf' | 'gzip' };
  /** Whether `/openapi/v2` says of what it is only what its first bytes say: plain text, or bytes; and takes the older name of the protobuf form alone. */
  readonly describesAsText?: true;
  /** Whether there is a folder with the logs of the server's machine. */
  readonly logs?: true;
  /** What is listed, with code 404, to whoever asks for a path that is not there; absent: a line of text. */
  readonly indexOfNothing: readonly string[];
  readonly metrics?: ReleaseMetrics;
  /** Of `/healthz`, in order. */
  readonly healthChecks: readonly string[];
}

/** Documents of Swagger 1.2. */
export interface ReleaseSwagger {
  /** Versions that have one, in the order in which they are listed: `apps/v1`; those of the core and of the roots stand before. */
  readonly versions: readonly string[];
  /** Fields without `omitempty`, where others are now: definition → all of them. */
  readonly required: { readonly [definition: string]: readonly string[] };
  /** Fields that stood elsewhere in their types: definition → name → the one before it. */
  readonly moved: { readonly [definition: string]: { readonly [field: string]: string } };
  /** What is said of `/version`, of `/logs` and of a path below it. */
  readonly ofVersion: string;
  readonly ofLogs: string;
  readonly ofLogPath: string;
}
