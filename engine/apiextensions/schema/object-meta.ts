/**
 * Metadata, apiVersion and kind of resources embedded in custom objects. Mirrors pkg/apiserver/schema/objectmeta of
 * apiextensions-apiserver: metadata is read as ObjectMeta, which drops what it does not know.
 */
import { type FieldError, type FieldErrorList, type FieldPath, invalid, required, root } from '../../apimachinery/field-errors.ts';
import type { ObjectMeta } from '../../apimachinery/object.ts';
import { type Canonicalizer, canonicalizerOf } from '../../apimachinery/serializer/canonicalize.ts';
import { DecodeError } from '../../apimachinery/serializer/scalars.ts';
import type { MessageSchema, SchemaRegistry } from '../../apimachinery/schema.ts';
import { isDNS1035Label, validateObjectMeta } from '../../apimachinery/validation.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { FaultSink } from './fault-sink.ts';
import { inOrder, rewriteItems, rewriteMembers } from './rewrite.ts';
import type { Structural } from './structural.ts';

export interface ReadMeta {
  /** Undefined where it is none at all. */
  readonly metadata: ObjectMeta | undefined;
  /** Go's words for why it cannot be read. */
  readonly fault: string | undefined;
  /** Paths within the metadata. */
  readonly unknownFields: readonly string[];
}

/** Reads metadata as the API's own type does. */
export class MetaReader {
  readonly #schema: MessageSchema;
  readonly #canonicalizer: Canonicalizer;

  constructor(schemas: SchemaRegistry) {
    this.#schema = schemas.mustGet('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
    this.#canonicalizer = canonicalizerOf(schemas);
  }

  /** With `dropsMalformed`, what cannot be read is left out field by field, and there is a fault only where it is no object. */
  read(metadata: JsonValue, dropsMalformed: boolean): ReadMeta {
    const whole = this.#decode(metadata);
    if (whole.fault === undefined || !dropsMalformed) return whole;
    if (!isObject(metadata)) return whole;
    const fine = rewriteMembers(metadata, (key, value) => (this.#decode({ [key]: value }).fault === undefined ? value : undefined));
    return this.#decode(fine);
  }

  /** Go writes the map anew to read it: of several faults the first by name is told. */
  #decode(metadata: JsonValue): ReadMeta {
    try {
      const { object, unknownFields } = this.#canonicalizer.decodeInto<ObjectMeta>(metadata ?? {}, this.#schema, 'written', 'firstSorted');
      return { metadata: object, fault: undefined, unknownFields: unknownFields.map((text) => text.slice('unknown field "'.length, -1)) };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { metadata: undefined, fault: error.message, unknownFields: [] };
    }
  }
}

export interface CoerceOptions {
  /** The value is a whole resource and not only what holds some. */
  readonly isResourceRoot: boolean;
  /** What is malformed is left out (objects that are stored), not refused (requests). */
  readonly dropsMalformed: boolean;
}

export interface Coerced {
  readonly value: JsonValue;
  /** The first thing that is malformed. */
  readonly fault: FieldError | undefined;
  readonly unknownFields: readonly string[];
}

/** Brings metadata of embedded resources into the form of the API's own. What is in it already is the same value. */
export function coerceMeta(
  value: JsonValue,
  s: Structural | undefined,
  path: FieldPath | undefined,
  reader: MetaReader,
  options: CoerceOptions,
): Coerced {
  const unknownFields: string[] = [];
  const walk: Walk = { reader, dropsMalformed: options.dropsMalformed, unknownFields, fault: undefined };
  const coerced = s === undefined && !options.isResourceRoot ? value : coerce(value, s, path, options.isResourceRoot, walk);
  return { value: walk.fault ? value : coerced, fault: walk.fault, unknownFields: unknownFields.sort((a, b) => (a < b ? -1 : Number(a > b))) };
}

interface Walk {
  readonly reader: MetaReader;
  readonly dropsMalformed: boolean;
  readonly unknownFields: string[];
  fault: FieldError | undefined;
}

function coerce(value: JsonValue, s: Structural | undefined, path: FieldPath | undefined, isRoot: boolean, walk: Walk): JsonValue {
  if (walk.fault !== undefined || (!isRoot && !s?.hasEmbedded)) return value;
  if (isObject(value)) {
    const isResource = isRoot || s?.embeddedResource === true;
    return rewriteMembers(value, (key, member) => {
      const own = isResource ? coerceOwn(key, member, path, walk) : member;
      if (own === undefined || s === undefined) return own;
      const property = s.properties.get(key);
      if (property !== undefined) return coerce(own, property, childOf(path, key), false, walk);
      return typeof s.additionalProperties === 'object' ? coerce(own, s.additionalProperties, keyOf(path, key), false, walk) : own;
    });
  }
  const items = s?.items;
  if (!isList(value) || items === undefined) return value;
  return rewriteItems(value, (item, index) => coerce(item, items, (path ?? root('')).index(index), false, walk));
}

function coerceOwn(key: string, member: JsonValue, path: FieldPath | undefined, walk: Walk): JsonValue | undefined {
  if (key === 'apiVersion' || key === 'kind') {
    if (typeof member === 'string') return member;
    if (walk.dropsMalformed) return undefined;
    walk.fault ??= invalid(childOf(path, key), member, 'must be a string');
    return member;
  }
  if (key !== 'metadata') return member;
  const { metadata, fault, unknownFields } = walk.reader.read(member, walk.dropsMalformed);
  const at = childOf(path, 'metadata');
  for (const name of unknownFields) walk.unknownFields.push(`${at}.${name}`);
  if (metadata !== undefined) return metadata as unknown as JsonObject;
  if (!walk.dropsMalformed) walk.fault ??= invalid(at, inOrder(member), fault ?? '');
  return member;
}

function childOf(path: FieldPath | undefined, name: string): FieldPath {
  return path === undefined ? root(name) : path.child(name);
}

function keyOf(path: FieldPath | undefined, name: string): FieldPath {
  return (path ?? root('')).key(name);
}

/** Faults of embedded resources, and of the value itself where it is one. */
export function validateEmbedded(
  value: JsonValue,
  s: Structural | undefined,
  path: FieldPath | undefined,
  reader: MetaReader,
  { isResourceRoot }: Pick<CoerceOptions, 'isResourceRoot'>,
): FieldErrorList {
  const out = new FaultSink();
  walkEmbedded(value, s, path, isResourceRoot, reader, out);
  return out.faults;
}

function walkEmbedded(
  value: JsonValue,
  s: Structural | undefined,
  path: FieldPath | undefined,
  isRoot: boolean,
  reader: MetaReader,
  out: FaultSink,
): void {
  if (!isRoot && !s?.hasEmbedded) return;
  if (isObject(value)) {
    if (isRoot || s?.embeddedResource) judgeEmbedded(value, path, reader, out);
    for (const [key, member] of Object.entries(value)) {
      const property = s?.properties.get(key);
      if (property !== undefined) walkEmbedded(member, property, childOf(path, key), false, reader, out);
      else if (typeof s?.additionalProperties === 'object') walkEmbedded(member, s.additionalProperties, keyOf(path, key), false, reader, out);
    }
  } else if (isList(value) && s?.items)
    for (const [index, item] of value.entries()) walkEmbedded(item, s.items, (path ?? root('')).index(index), false, reader, out);
}

function judgeEmbedded(value: JsonObject, path: FieldPath | undefined, reader: MetaReader, out: FaultSink): void {
  const { apiVersion, kind, metadata } = value;
  if (apiVersion === undefined) out.push(required(childOf(path, 'apiVersion')));
  if (kind === undefined) out.push(required(childOf(path, 'kind')));
  if (apiVersion !== undefined) judgeApiVersion(apiVersion, childOf(path, 'apiVersion'), out);
  if (kind !== undefined) judgeKind(kind, childOf(path, 'kind'), out);
  if (metadata === undefined) return;
  const read = reader.read(metadata, false);
  const at = childOf(path, 'metadata');
  if (read.metadata === undefined) return out.push(invalid(at, inOrder(metadata), read.fault ?? ''));
  const named = read.metadata.name ? read.metadata : { ...read.metadata, name: 'fakename' };
  out.push(...validateObjectMeta(named, Boolean(named.namespace), 'pathSegment', at));
}

function judgeApiVersion(value: JsonValue, path: FieldPath, out: FaultSink): void {
  if (typeof value !== 'string') out.push(invalid(path, value, 'must be a string'));
  else if (value === '') out.push(invalid(path, value, 'must not be empty'));
  else if (value.split('/').length > 2) out.push(invalid(path, value, `unexpected GroupVersion string: ${value}`));
}

function judgeKind(value: JsonValue, path: FieldPath, out: FaultSink): void {
  if (typeof value !== 'string') out.push(invalid(path, value, 'must be a string'));
  else if (value === '') out.push(invalid(path, value, 'must not be empty'));
  else {
    const faults = isDNS1035Label(value.toLowerCase());
    if (faults.length > 0) out.push(invalid(path, value, `may have mixed case, but should otherwise match: ${faults.join(',')}`));
  }
}
