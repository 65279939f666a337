/**
 * The shape of API types as data. One `MessageSchema` describes one Go struct of the published API: its JSON names, protobuf
 * field numbers, types, and the merge keys that strategic merge patch and server-side apply need. Serializers, patches,
 * managed fields, OpenAPI, validation of unknown fields and `kubectl explain` all read these tables; nobody repeats them.
 *
 * Objects in the engine are plain immutable JSON-shaped values (see `object.ts`); a schema says how such a value is laid out.
 */

import type { JsonObject } from '../base/json.ts';
import type { FieldErrorList } from './field-errors.ts';
import type { TypeNode } from './managed-fields/types.ts';
import type { KubeObject } from './object.ts';

/** Scalar and special types. In memory: int64 is a number when safe, else a bigint; bytes is base64 text; quantity, time, microTime and duration are text in canonical form; intOrString is number or text; fieldsV1, rawExtension and json are nested JSON values. */
export type ScalarType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'uint64'
  | 'double'
  | 'bytes'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'fieldsV1'
  | 'rawExtension'
  | 'json'
  /** JSONSchemaProps, or a boolean, a list of them, or a list of texts. */
  | 'jsonSchemaOrBool'
  | 'jsonSchemaOrArray'
  | 'jsonSchemaOrStrings';

/** `message` types name another MessageSchema, e.g. `io.k8s.api.core.v1.PodSpec`. */
export type TypeRef = ScalarType | { readonly message: string };

export interface FieldSchema {
  /** JSON name, e.g. `containers`. */
  readonly name: string;
  /** protobuf field number. */
  readonly number: number;
  readonly type: TypeRef;
  /** `list` is a JSON array (proto repeated), `map` a JSON object with string keys whose values have `type`, `mapOfLists` a map whose values are lists of `type`. */
  readonly card: 'one' | 'list' | 'map' | 'mapOfLists';
  /** Go `omitempty`/`omitzero` as the JSON encoder of upstream applies it: absent when at its zero value. Without it the field is always written (null for nil lists, maps and pointers). */
  readonly omitEmpty: boolean;
  /** The Go field is a pointer (or a nil-able struct pointer): an explicit zero value is distinct from absent. */
  readonly pointer: boolean;
  /** Go `json:",inline"`: protobuf carries the message as a field, JSON lays its fields into the parent. */
  readonly inline?: boolean;
  /** The list is a message with one repeated field `items = 1` on the wire (Go `type ExtraValue []string`); values of `mapOfLists` always are. */
  readonly wrapped?: boolean;
  /** Strategic merge patch: `merge`, `replace`, `retainKeys` or `merge,retainKeys` as upstream's struct tags say. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** Server-side apply: x-kubernetes-list-type, list-map-keys, map-type (granular is the default). */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  /** The Go type without its pointer, as `%T` prints it, where names of types are in it that the others here do not tell: `v1.TaintEffect`, `[]v1.Finalizer`. */
  readonly goType?: string;
  /** For OpenAPI, and so `kubectl explain`. */
  readonly description?: string;
  /** All that OpenAPI names as possible, sorted; what is accepted is for the kind's validation to say. */
  readonly values?: readonly string[];
  /** Go marks the field `+required` / without `+optional` (OpenAPI `required`). */
  readonly required?: boolean;
}

/**
 * How objects of a custom kind are read and owned: their fields beside metadata are kept as they were given, in a shape that its
 * definition gives. Functions of the object alone; what is as it should be comes back as the same reference.
 */
export interface CustomShape {
  /** Without what the shape does not know. `unknown` gets the paths of it, as `spec.foo`. */
  read(object: JsonObject, unknown?: string[]): JsonObject;
  /** What was put together from objects that were read, and is not read anew: nulls stay, for its validation to see. */
  inOrder(object: JsonObject): JsonObject;
  /** What is wrong with embedded resources, with lists that are sets or maps, and by rules, whatever the object calls itself. */
  faultsBesideKind?(object: KubeObject, old: KubeObject | undefined): FieldErrorList;
  /** As server-side apply sees a whole object. */
  readonly type: TypeNode;
}

export interface MessageSchema {
  /** OpenAPI definition name, e.g. `io.k8s.api.apps.v1.Deployment`. */
  readonly name: string;
  /** In the order of the Go struct, which is the order of upstream's JSON. */
  readonly fields: readonly FieldSchema[];
  /** `x-kubernetes-map-type: atomic` on the struct. */
  readonly atomic?: boolean;
  /** What it is for, of kinds of our own; upstream's is read from an installed package. */
  readonly description?: string;
  /** Of custom kinds, whose only field is `metadata`: what becomes of the others. */
  readonly custom?: CustomShape;
}

/** Looks up schemas by OpenAPI definition name. `mustGet` asserts. */
export interface SchemaRegistry {
  get(name: string): MessageSchema | undefined;
  mustGet(name: string): MessageSchema;
  /** All names, sorted. */
  names(): readonly string[];
}
