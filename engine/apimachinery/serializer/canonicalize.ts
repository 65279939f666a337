/**
 * Brings any JSON-shaped value into the canonical form of its kind: keys in schema order, map keys in byte order, texts of quantities
 * and times as upstream writes them, zero values left out or filled in as Go's encoder does. What is canonical already comes back as
 * the same reference, so subtrees that controllers share cost nothing. Unknown fields are left out and named, never an exception.
 */
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { CustomShape, MessageSchema, ScalarType, SchemaRegistry } from '../schema.ts';
import { type CompiledField, type CompiledMessage, Compiler } from './compile.ts';
import { setOwn } from '../../base/dictionary.ts';
import { fieldAt, fieldCount, roomFor } from '../../base/plain.ts';
import { nameUnknown } from './unknown-names.ts';
import {
  byCodeUnits,
  entriesBefore,
  fieldsBefore,
  fieldsOf,
  isInOrder,
  isSorted,
  type Plain,
  positionFrom,
  type ReadonlyPlain,
  sameOrder,
} from './key-order.ts';
import { DecodeError, readScalar, typeError } from './scalars.ts';
import { elementType, goTypeOf, named, namedElement, noTypeMeta, shortName, typeMetaOfGo } from './go-names.ts';
import { isSchemaUnion } from './schema-union.ts';
import { gather, type Keeps, keyMark, newWalk, pathOf, type Tells, type Walk } from './walk.ts';
import { isEmpty, isZero, zeroEntry, zeroOf } from './zeros.ts';
import { isManagedReset, managedReset } from './managed-reset.ts';

/**
 * What is known to be canonical is looked up instead of walked. Each such fact costs the collector of garbage some work for as long as the
 * value lives, so only what is shared between revisions is remembered: the parts of an object and the messages in them, not the object
 * itself nor its metadata, which each write makes anew, nor what is inside of what is remembered. In a rollout only specs are met again.
 */
const rememberedDepthMax = 2;
const listsDepthMax = 1;
const madeAnew = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
/** A flat object or map of so few entries is looked through as quickly as it is looked up. */
const flatMax = 8;
const quantitiesMax = 1_000;
const quantityLengthMax = 32;

export interface Decoded<T> {
  readonly object: T;
  /** `unknown field "spec.foo"`, in the order of the document. */
  readonly unknownFields: readonly string[];
}

export class Canonicalizer {
  readonly #compiler: Compiler;
  /** What is canonical, and as what: the same value may be read again as another kind. */
  readonly #canonical = new WeakMap<object, CompiledMessage | CompiledField>();

  readonly #empties = new Map<CompiledMessage, ReadonlyPlain>();
  #read: { readonly value: unknown; readonly message: CompiledMessage } | undefined;
  /** What quantities are in canonical form. */
  readonly #quantities = new Map<string, string>();

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  /** Throws DecodeError when a value has the wrong type. `known` is canonical as the same kind: what the two share is not walked again. */
  canonicalize<T>(value: unknown, schema: MessageSchema, known?: object, keeps: Keeps = 'none'): T {
    if (schema.custom !== undefined) return this.#customObject(value as JsonValue, schema.custom, undefined) as T;
    if (this.wasRead(value, schema)) return value as T;
    return this.#message(
      value as JsonValue,
      this.#compiler.get(schema),
      undefined,
      newWalk(undefined, keeps),
      known as ReadonlyPlain | undefined,
    ) as T;
  }

  /** An object of a user's own kind that was put together from what was read: in order, and nothing of it left out. */
  arrangeCustom<T>(value: unknown, shape: CustomShape): T {
    return this.#customObject(value as JsonValue, { read: (object) => shape.inOrder(object) }, undefined) as T;
  }

  /** Whether the value is the document that was decoded last, and came out canonical. */
  wasRead(value: unknown, schema: MessageSchema): boolean {
    return schema.custom === undefined && this.#read !== undefined && this.#read.value === value && this.#read.message === this.#compiler.get(schema);
  }

  decodeInto<T>(value: unknown, schema: MessageSchema, keeps: Keeps = 'written', tells: Tells = 'first'): Decoded<T> {
    const unknown: string[] = [];
    if (schema.custom !== undefined)
      return { object: this.#customObject(value as JsonValue, schema.custom, unknown) as T, unknownFields: named(unknown) };
    const walk = newWalk(unknown, keeps);
    const message = this.#compiler.get(schema);
    const object = this.#decoded(value as JsonValue, message, walk, tells) as T;
    this.#read = walk.empties === 0 ? { value: object, message } : undefined;
    return { object, unknownFields: named(unknown) };
  }

  #decoded(value: JsonValue, message: CompiledMessage, walk: Walk, tells: Tells): ReadonlyPlain {
    try {
      return this.#message(value, message, undefined, walk);
    } catch (error) {
      if (!(error instanceof DecodeError) || tells === 'firstOfType' || !isObject(value)) throw error;
      const misfits: DecodeError[] = [];
      this.#misfits(value, message, { ...newWalk([]), misfits, sorts: tells === 'firstSorted' }, misfits);
      throw misfits[0] ?? error;
    }
  }

  /** What does not fit, in the order of the document: Go's decoder reads on and tells the first, unless a type that reads itself breaks off. */
  #misfits(given: ReadonlyPlain, message: CompiledMessage, walk: Walk, misfits: DecodeError[]): void {
    const keys = Object.keys(given);
    for (const key of walk.sorts === true ? keys.sort(byCodeUnits) : keys) {
      const field = message.byName.get(key);
      const raw = given[key];
      if (field === undefined || raw === undefined || raw === null) continue;
      gather(misfits, walk, () => this.#field(raw, field, message, walk, undefined));
    }
  }

  /** Metadata as that of any kind, and the rest by the shape, its keys in the order in which Go writes maps. */
  #customObject(value: JsonValue, shape: Pick<CustomShape, 'read'>, unknown: string[] | undefined): ReadonlyPlain {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new DecodeError(`${noTypeMeta(value)} ${typeMetaOfGo}`);
    const given = value as ReadonlyPlain;
    // Read by itself: its faults do not say where it stands.
    const walk = newWalk(unknown === undefined ? undefined : []);
    walk.depth++;
    // Go writes the map anew to read it.
    const metadata = this.#decoded(given['metadata'] ?? {}, this.#compiler.mustGet(madeAnew), walk, 'firstSorted');
    for (const path of walk.unknown ?? []) unknown?.push(`metadata.${path}`);
    const read = shape.read(given as JsonObject, unknown) as ReadonlyPlain;
    const dated = withoutNoTime(metadata);
    return dated === read['metadata'] ? read : { ...read, metadata: dated };
  }

  /** `owner` is the message that holds this one. */
  #message(value: JsonValue, message: CompiledMessage, owner: CompiledMessage | undefined, walk: Walk, known?: ReadonlyPlain): ReadonlyPlain {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw typeError(value, shortName(owner ?? message), pathOf(walk), goTypeOf(message));
    if (this.#canonical.get(value) === message) return value as ReadonlyPlain;
    const given = value as ReadonlyPlain;
    if (walk.misfits !== undefined) {
      this.#misfits(given, message, walk, walk.misfits);
      return given;
    }
    const empties = walk.empties;
    walk.depth++;
    const canonical = isInOrder(given, message) ? this.#fieldsInOrder(given, message, walk, known) : this.#fieldsSorted(given, message, walk, known);
    walk.depth--;
    if (message.name !== madeAnew && isWorthRemembering(walk, rememberedDepthMax) && walk.empties === empties && isNested(canonical))
      this.#canonical.set(canonical, message);
    return canonical;
  }

  /** Keeps the object as long as no field of it changes. */
  #fieldsInOrder(given: ReadonlyPlain, message: CompiledMessage, walk: Walk, known: ReadonlyPlain | undefined): ReadonlyPlain {
    let result: Plain | undefined;
    let position = 0;
    for (const key in given) {
      const raw = fieldAt(given, key) as JsonValue;
      position = positionFrom(message, key, position);
      const field = message.json[position++] as CompiledField;
      const next = raw === null ? this.#zero(field) : this.#field(raw, field, message, walk, known?.[key]);
      if (result === undefined && next !== raw) result = fieldsBefore(given, key);
      if (result !== undefined && next !== undefined) result[key] = next;
    }
    return result ?? given;
  }

  #fieldsSorted(given: ReadonlyPlain, message: CompiledMessage, walk: Walk, known: ReadonlyPlain | undefined): ReadonlyPlain {
    const { places, ignored } = fieldsOf(given, message);
    const result = roomFor(places.length) as Plain;
    const start = walk.unknown?.length ?? 0;
    let changed = ignored > 0;
    let kept = 0;
    for (const place of places) {
      const field = message.json[place] as CompiledField;
      const raw = given[field.name];
      const next = raw === undefined || raw === null ? this.#zero(field) : this.#field(raw, field, message, walk, known?.[field.name]);
      if (next !== raw) changed = true;
      if (next === undefined) continue;
      result[field.name] = next;
      kept++;
    }
    if (walk.unknown !== undefined && (ignored > 0 || walk.unknown.length > start)) nameUnknown(given, message, walk.path, walk.unknown, start);
    return !changed && kept === fieldCount(given) && sameOrder(given, result) ? given : result;
  }

  #field(raw: JsonValue, field: CompiledField, owner: CompiledMessage, walk: Walk, known: JsonValue | undefined): JsonValue | undefined {
    if (raw === known) return raw;
    if (field.scalar !== undefined && field.card === 'one') {
      if (isSchemaUnion(field.scalar)) return this.#schemaUnion(raw, field, owner, walk);
      const read = readPlainly(raw, field.scalar) ? raw : this.#scalar(raw, field, owner, walk);
      if (!field.omitEmpty || field.pointer || !isZero(read)) return read;
      return read === '' && field.scalar === 'bytes' ? keptEmpty(read, field, walk) : undefined;
    }
    walk.path.push(field.place);
    const read = this.#structured(raw, field, owner, walk, known);
    walk.path.pop();
    return read;
  }

  /** A schema within a schema is a message like the one that holds it, though a boolean or texts may stand in its place. */
  #schemaUnion(raw: JsonValue, field: CompiledField, owner: CompiledMessage, walk: Walk): JsonValue {
    const isText = typeof raw !== 'object' || raw === null || (Array.isArray(raw) && field.scalar === 'jsonSchemaOrStrings');
    if (isText) return this.#scalar(raw, field, owner, walk);
    walk.path.push(field.place);
    const read = Array.isArray(raw)
      ? sharing(raw as readonly JsonValue[], (schema, index) => this.#schemaAt(schema, index, owner, walk))
      : this.#message(raw, owner, owner, walk);
    walk.path.pop();
    return read;
  }

  #schemaAt(schema: JsonValue, index: number, owner: CompiledMessage, walk: Walk): JsonValue {
    walk.path.push(index);
    const read = this.#message(schema, owner, owner, walk);
    walk.path.pop();
    return read;
  }

  #scalar(raw: JsonValue, field: CompiledField, owner: CompiledMessage, walk: Walk): JsonValue {
    if (field.scalar === 'quantity' && typeof raw === 'string') return this.#quantity(raw);
    if (field.goType !== undefined && field.scalar === 'string')
      throw typeError(raw, shortName(owner), pathOf(walk, field.place), field.goType, 'string');
    return readScalar(raw, field.scalar as ScalarType, shortName(owner), () => pathOf(walk, field.place));
  }

  /** Clusters are full of the same few. Throws for what is none. */
  #quantity(text: string): string {
    const known = this.#quantities.get(text);
    if (known !== undefined) return known;
    const read = readScalar(text, 'quantity', '', () => '') as string;
    if (text.length > quantityLengthMax) return read;
    if (this.#quantities.size >= quantitiesMax) this.#quantities.clear();
    this.#quantities.set(text, read);
    return read;
  }

  #structured(raw: JsonValue, field: CompiledField, owner: CompiledMessage, walk: Walk, known: JsonValue | undefined): JsonValue | undefined {
    if (field.card === 'list') return this.#list(raw, field, owner, walk, Array.isArray(known) ? known : undefined);
    if (field.card !== 'one') return this.#map(raw, field, owner, walk);
    const read = this.#message(raw, field.message(), owner, walk, asMessage(known));
    return field.omitEmpty && !field.pointer && isEmpty(read) ? undefined : read;
  }

  #list(raw: JsonValue, field: CompiledField, owner: CompiledMessage, walk: Walk, known?: readonly JsonValue[]): JsonValue | undefined {
    if (!Array.isArray(raw)) throw typeError(raw, shortName(owner), pathOf(walk), field.goType ?? `[]${elementType(field)}`, 'slice');
    if (raw.length === 0) return walk.unknown !== undefined && isManagedReset(walk.path) ? managedReset : keptEmpty(raw, field, walk);
    if (this.#canonical.get(raw) === field) return raw;
    const empties = walk.empties;
    const list = raw as readonly JsonValue[];
    let changed: JsonValue[] | undefined;
    walk.depth++;
    for (let index = 0; index < list.length; index++) {
      const element = list[index] as JsonValue;
      const was = known?.[index];
      const read = element === was ? element : this.#element(element, field, owner, index, walk, was);
      if (read !== element) changed ??= list.slice(0, index);
      changed?.push(read);
    }
    walk.depth--;
    const result = changed ?? list;
    if (field.scalar === undefined && isWorthRemembering(walk, listsDepthMax) && walk.empties === empties) this.#canonical.set(result, field);
    return result;
  }

  /** `place` is an index, or a key with its dot. */
  #element(element: JsonValue, field: CompiledField, owner: CompiledMessage, place: string | number, walk: Walk, known?: JsonValue): JsonValue {
    if (walk.misfits === undefined) return this.#readElement(element, field, owner, place, walk, known);
    gather(walk.misfits, walk, () => this.#readElement(element, field, owner, place, walk, known));
    return element;
  }

  #readElement(element: JsonValue, field: CompiledField, owner: CompiledMessage, place: string | number, walk: Walk, known?: JsonValue): JsonValue {
    if (field.scalar !== undefined) {
      if (element === null) return zeroEntry(field);
      if (field.scalar === 'jsonSchemaOrStrings' && typeof element === 'object' && !Array.isArray(element))
        return this.#message(element, owner, owner, walk);
      if (field.scalar === 'quantity' && typeof element === 'string') return this.#quantity(element);
      if (readPlainly(element, field.scalar)) return element;
      const named = field.scalar === 'string' ? namedElement(field) : undefined;
      if (named !== undefined) throw typeError(element, shortName(owner), pathOf(walk), named, 'string');
      return readScalar(element, field.scalar, shortName(owner), () => pathOf(walk));
    }
    walk.path.push(typeof place === 'number' ? place : `${keyMark}${place}`);
    const read = this.#message(element ?? {}, field.message(), owner, walk, asMessage(known));
    walk.path.pop();
    return read;
  }

  #map(raw: JsonValue, field: CompiledField, owner: CompiledMessage, walk: Walk): JsonValue | undefined {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
      throw typeError(raw, shortName(owner), pathOf(walk), field.goType ?? `map[string]${elementType(field)}`, 'map');
    if (this.#canonical.get(raw) === field) return raw;
    const given = raw as ReadonlyPlain;
    const keys = Object.keys(given);
    if (keys.length === 0) return keptEmpty(given, field, walk);
    const empties = walk.empties;
    const wasSorted = isSorted(keys);
    if (!wasSorted) keys.sort(byCodeUnits);
    let result: Plain | undefined = wasSorted ? undefined : {};
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      const value = given[key] as JsonValue;
      const read = this.#mapValue(value, field, owner, key, walk);
      if (result === undefined && read !== value) result = entriesBefore(given, keys, index);
      if (result !== undefined) setOwn(result, key, read);
    }
    const kept = result ?? given;
    if (keys.length > flatMax && walk.unknown === undefined && walk.empties === empties) this.#canonical.set(kept, field);
    return kept;
  }

  #mapValue(value: JsonValue, field: CompiledField, owner: CompiledMessage, key: string, walk: Walk): JsonValue {
    if (field.card === 'mapOfLists')
      return value === null
        ? null
        : ((this.#list(value, { ...field, card: 'list', omitEmpty: false, goType: namedElement(field) ?? '[]string' }, owner, walk) ??
            null) as JsonValue);
    return this.#element(value, field, owner, key, walk);
  }

  /** One for all: many objects have it. */
  #empty(message: CompiledMessage): ReadonlyPlain {
    let empty = this.#empties.get(message);
    if (empty === undefined) this.#empties.set(message, (empty = this.#message({}, message, undefined, newWalk(undefined))));
    return empty;
  }

  /** What Go's encoder writes for a field that was not given; undefined where it writes nothing. */
  #zero(field: CompiledField): JsonValue | undefined {
    if (field.omitEmpty) return undefined;
    if (field.card !== 'one' || field.pointer) return null;
    return field.scalar === undefined ? this.#empty(field.message()) : zeroOf(field);
  }
}

/** The same list where nothing changes. */
function sharing(list: readonly JsonValue[], change: (item: JsonValue, index: number) => JsonValue): readonly JsonValue[] {
  const next = list.map(change);
  return next.every((item, index) => item === list[index]) ? list : next;
}

function asMessage(value: JsonValue | undefined): ReadonlyPlain | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ReadonlyPlain) : undefined;
}

/** Whether the value is one of its type just as it stands: what most scalars are. */
function readPlainly(value: JsonValue, type: ScalarType): boolean {
  if (type === 'string') return typeof value === 'string';
  if (type === 'bool') return typeof value === 'boolean';
  return (type === 'int32' || type === 'int64') && typeof value === 'number' && (value | 0) === value && !Object.is(value, -0);
}

/** For callers that hold schemas only; compiled once per registry. */
const canonicalizers = new WeakMap<SchemaRegistry, Canonicalizer>();

export function canonicalizerOf(schemas: SchemaRegistry): Canonicalizer {
  let canonicalizer = canonicalizers.get(schemas);
  if (canonicalizer === undefined) {
    canonicalizer = new Canonicalizer(new Compiler(schemas));
    canonicalizers.set(schemas, canonicalizer);
  }
  return canonicalizer;
}

export function canonicalize<T>(value: T, schema: MessageSchema, schemas: SchemaRegistry): T {
  return canonicalizerOf(schemas).canonicalize<T>(value, schema);
}

export { DecodeError };

/** The map that Go keeps of a custom object has no time where there is none. */
function withoutNoTime(metadata: ReadonlyPlain): ReadonlyPlain {
  if (metadata['creationTimestamp'] !== null) return metadata;
  const { creationTimestamp: _none, ...rest } = metadata;
  return rest;
}

/** What becomes of an empty list or map, or of no bytes. Go writes nil as `null`. */
function keptEmpty<T extends JsonValue>(empty: T, field: CompiledField, walk: Walk): T | null | undefined {
  const isWritten = !field.omitEmpty || field.pointer;
  if (!isWritten && walk.keeps !== 'all') return undefined;
  if (walk.keeps === 'none') return field.pointer ? empty : null;
  walk.empties++;
  return empty;
}

/** What a client sent is about to be changed by defaults and admission: it is remembered as what becomes of it. */
function isWorthRemembering({ depth, unknown }: Walk, depthMax: number): boolean {
  return depth > 0 && depth <= depthMax && unknown === undefined;
}

function isNested(object: ReadonlyPlain): boolean {
  for (const key in object) if (typeof fieldAt(object, key) === 'object') return true;
  return false;
}
