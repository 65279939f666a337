/**
 * The fields of a release, as clients of its API meet them. What came later is stored and used by the components of the cluster all the
 * same; for everybody outside it is not there: decoders drop it, answers and documents leave it out, and an update keeps what its
 * writer could not see. Mirrors what an older server does with fields that its types lack (json-iterator without strictness).
 */
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import { type FieldErrorList, type FieldPath, forbidden, invalid, notSupported, root } from '../apimachinery/field-errors.ts';
import type { KubeObject, ObjectMeta } from '../apimachinery/object.ts';
import { pointerKeys } from '../apimachinery/patch/json-patch.ts';
import { goJson } from '../apimachinery/quote.ts';
import { type Canonicalizer, canonicalizerOf } from '../apimachinery/serializer/canonicalize.ts';
import type { Keeps } from '../apimachinery/serializer/walk.ts';
import { isList, isObject, type JsonValue } from '../base/json.ts';
import { setOwn } from '../base/dictionary.ts';
import { lowerBound } from '../base/sorted-keys.ts';
import type { KindDefinition } from '../contracts/kind.ts';
import type { GatedRefusal, Release } from '../contracts/release.ts';
import type { PatchType, UnseenFields } from '../contracts/request.ts';
import { type Hidden, hiddenFields, narrowed, Reaching, type UnsupportedValues, unsupportedValues } from './field-tables.ts';
import { basePath } from './openapi/names.ts';

const objectMetaSchema = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The view of a release that lacks fields; undefined for one that lacks none. */
export function createFieldView(
  all: SchemaRegistry,
  { fields, selfLinks }: Pick<Release, 'fields' | 'selfLinks'>,
  featureEnabled: (gate: string) => boolean,
): FieldView | undefined {
  const hidden = hiddenFields(fields, featureEnabled);
  if (hidden.size === 0 && !selfLinks) return undefined;
  const described = narrowed(
    all,
    hiddenFields(fields, () => true),
    new Map(),
  );
  const zeros = new Map(Object.entries(fields.writtenZeros).map(([name, written]) => [name, new Set(written)]));
  return new FieldView({
    all,
    hidden,
    values: unsupportedValues(fields, featureEnabled),
    schemas: narrowed(all, hidden, zeros),
    described,
    selfLinks,
  });
}

export interface FieldViewParts {
  readonly all: SchemaRegistry;
  readonly hidden: Hidden;
  readonly values: ReadonlyMap<string, UnsupportedValues>;
  /** Messages as clients meet them. */
  readonly schemas: SchemaRegistry;
  /** Messages as documents describe them: what a gate switches off is described all the same. */
  readonly described: SchemaRegistry;
  readonly selfLinks: boolean;
}

export class FieldView implements UnseenFields {
  readonly schemas: SchemaRegistry;
  readonly described: SchemaRegistry;
  /** Whether objects and lists carry their path. */
  readonly selfLinks: boolean;
  readonly #all: SchemaRegistry;
  readonly #hidden: Hidden;
  readonly #values: ReadonlyMap<string, UnsupportedValues>;
  readonly #canonicalizer: Canonicalizer;
  readonly #hides: Reaching;
  readonly #restricts: Reaching;

  constructor({ all, hidden, values, schemas, described, selfLinks }: FieldViewParts) {
    this.#all = all;
    this.selfLinks = selfLinks;
    this.schemas = schemas;
    this.described = described;
    this.#hidden = hidden;
    this.#values = values;
    this.#canonicalizer = canonicalizerOf(this.schemas);
    this.#hides = new Reaching(all, (name) => hidden.has(name));
    this.#restricts = new Reaching(all, (name) => values.has(name));
  }

  schemaOf(schema: MessageSchema): MessageSchema {
    return this.#all.get(schema.name) === schema ? this.schemas.mustGet(schema.name) : schema;
  }

  /** A canonical object of a kind without what came later (fields, the generation of some kinds), and with its path where objects carry it. */
  shown<T extends object>(object: T, schema: MessageSchema, kind: ShownKind): T {
    const counted = kind.showsGeneration === false ? withoutGeneration(object) : object;
    return this.#canonicalizer.canonicalize<T>(this.selfLinks ? linked(counted, kind) : counted, this.schemaOf(schema));
  }

  /** Metadata with what the release writes even where there is none. */
  metadata(metadata: ObjectMeta): ObjectMeta {
    return this.#canonicalizer.canonicalize<ObjectMeta>(metadata, this.schemas.mustGet(objectMetaSchema));
  }

  /** What a client sends, without the path that it was told: nobody keeps it. */
  unlinked(object: KubeObject): KubeObject {
    if (!this.selfLinks || object.metadata?.selfLink === undefined) return object;
    const { selfLink: _, ...metadata } = object.metadata;
    return { ...object, metadata };
  }

  /** A patch without what it says of fields that came later; operations (a JSON patch) are all made, with what can be seen of their values. */
  pruned(type: PatchType, document: JsonValue, schema: MessageSchema): JsonValue {
    if (type === 'json') return isList(document) ? this.#prunedOperations(document, schema) : document;
    return this.unlinked(this.#prune(document, schema) as unknown as KubeObject) as unknown as JsonValue;
  }

  /** An object as its writer could see it, without its path. `keeps`: which of what is empty. */
  seen(object: KubeObject, schema: MessageSchema, keeps: Keeps = 'none'): KubeObject {
    return this.unlinked(this.#canonicalizer.canonicalize<KubeObject>(object, this.schemaOf(schema), undefined, keeps));
  }

  /** `next`, whose writer could not see all of `live`, with what he could not see. */
  carry(next: KubeObject, live: KubeObject, schema: MessageSchema): KubeObject {
    return this.#carry(next as unknown as JsonValue, live as unknown as JsonValue, schema) as unknown as KubeObject;
  }

  /** Values that came later, as the release refuses them. */
  faults(object: KubeObject, schema: MessageSchema): FieldErrorList {
    return this.#faults(object as unknown as JsonValue, schema, undefined);
  }

  #prune(value: JsonValue, schema: MessageSchema): JsonValue {
    if (!isObject(value) || !this.#hides.from(schema)) return value;
    const hidden = this.#hidden.get(schema.name);
    const result: { [key: string]: JsonValue } = {};
    for (const [key, inner] of Object.entries(value)) {
      const found = this.#fieldOf(schema, key);
      if (found === undefined) {
        if (hidden?.has(key) !== true) setOwn(result, key, inner);
      } else if (found.owner.has(key) !== true)
        setOwn(
          result,
          key,
          this.#inside(found.field, inner, (one, message) => this.#prune(one, message)),
        );
    }
    return result;
  }

  /** What another operation leads into stays as it is. */
  #prunedOperations(operations: readonly JsonValue[], schema: MessageSchema): JsonValue {
    const all = operations.filter(isObject).flatMap(({ path, from }) => [path, from].filter((place) => typeof place === 'string'));
    const places = all.sort().map((key) => ({ key }));
    const leadsBelow = (start: string): boolean => places[lowerBound(places, start)]?.key.startsWith(start) === true;
    return operations.map((operation) => {
      if (!isObject(operation) || operation['op'] === 'test' || operation['value'] === undefined) return operation;
      const { path } = operation;
      if (typeof path !== 'string' || leadsBelow(`${path}/`)) return operation;
      const isNamedOnce = places[lowerBound(places, path) + 1]?.key !== path;
      return { ...operation, value: this.#pruneAt(operation['value'], pointerKeys(path), schema, isNamedOnce) };
    });
  }

  /** What is set at the end of a path that begins in a message. `isNamedOnce`: no other operation asks what is there. */
  #pruneAt(value: JsonValue, keys: readonly string[], schema: MessageSchema, isNamedOnce: boolean): JsonValue {
    let message: MessageSchema = schema;
    for (let at = 0; at < keys.length; ) {
      const found = this.#fieldOf(message, keys[at] as string);
      const inner = found === undefined ? undefined : this.#messageOf(found.field);
      if (found === undefined) return value;
      if (isNamedOnce && at === keys.length - 1 && found.owner.has(keys[at] as string) && (isObject(value) || isList(value))) return null;
      if (inner === undefined) return value;
      if (at === keys.length - 1) return this.#inside(found.field, value, (one, its) => this.#prune(one, its));
      // Behind a list or a map stands which of it.
      at += found.field.card === 'one' ? 1 : 2;
      message = inner;
    }
    return this.#prune(value, message);
  }

  #carry(next: JsonValue, live: JsonValue, schema: MessageSchema): JsonValue {
    if (!isObject(next) || !isObject(live) || !this.#hides.from(schema)) return next;
    const result: { [key: string]: JsonValue } = { ...next };
    for (const [key, value] of Object.entries(live)) {
      const found = this.#fieldOf(schema, key);
      if (found === undefined) continue;
      if (found.owner.has(key)) setOwn(result, key, value);
      else if (result[key] !== undefined) setOwn(result, key, this.#carryField(result[key] as JsonValue, value, found.field));
    }
    return result;
  }

  #carryField(next: JsonValue, live: JsonValue, field: FieldSchema): JsonValue {
    const message = this.#messageOf(field);
    if (message === undefined) return next;
    if (field.card === 'one') return this.#carry(next, live, message);
    if (Array.isArray(next) && Array.isArray(live)) {
      const twinOf = pairing(live as readonly JsonValue[], field);
      return (next as readonly JsonValue[]).map((entry, index) => this.#carry(entry, twinOf(entry, index) ?? null, message));
    }
    if (!isObject(next) || !isObject(live)) return next;
    return Object.fromEntries(Object.entries(next).map(([key, entry]) => [key, this.#carry(entry, live[key] ?? null, message)]));
  }

  #faults(value: JsonValue, schema: MessageSchema, path: FieldPath | undefined, list?: FieldPath): FieldErrorList {
    if (!isObject(value) || !this.#restricts.from(schema)) return [];
    const restricted = this.#values.get(schema.name);
    return Object.entries(value).flatMap(([key, inner]) => {
      const at = path === undefined ? root(key) : path.child(key);
      const rule = restricted?.[key];
      if (rule !== undefined && 'refusals' in rule)
        return rule.refusals.flatMap((one) => gatedFaults(one, inner, placeOf(one, key, path, list) ?? at));
      if (rule !== undefined && 'judge' in rule)
        return typeof inner === 'string' && inner !== '' ? rule.judge(inner).map((text) => invalid(at, inner, text)) : [];
      if (rule !== undefined) return refused(inner, rule, at);
      const found = this.#fieldOf(schema, key);
      const message = found === undefined ? undefined : this.#messageOf(found.field);
      if (message === undefined) return [];
      if (Array.isArray(inner)) return inner.flatMap((entry, index) => this.#faults(entry as JsonValue, message, at.index(index), at));
      if (found?.field.card === 'map') return Object.entries(inner ?? {}).flatMap(([name, entry]) => this.#faults(entry, message, at.key(name)));
      return this.#faults(inner, message, at);
    });
  }

  /** What `change` makes of the messages that a field holds. */
  #inside(field: FieldSchema, value: JsonValue, change: (one: JsonValue, message: MessageSchema) => JsonValue): JsonValue {
    const message = this.#messageOf(field);
    if (message === undefined) return value;
    if (field.card === 'list')
      return Array.isArray(value) ? (value as readonly JsonValue[]).map((one) => change(one, message)) : change(value, message);
    if (field.card === 'map' && isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one, message)]));
    return change(value, message);
  }

  /** A field by its JSON name, also one of an inlined message, and what its owner hides. */
  #fieldOf(schema: MessageSchema, name: string): { readonly field: FieldSchema; readonly owner: ReadonlySet<string> } | undefined {
    for (const field of schema.fields) {
      if (field.inline !== true) {
        if (field.name === name) return { field, owner: this.#hidden.get(schema.name) ?? nothing };
        continue;
      }
      const inner = this.#messageOf(field);
      const found = inner === undefined ? undefined : this.#fieldOf(inner, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #messageOf({ type }: FieldSchema): MessageSchema | undefined {
    return typeof type === 'string' ? undefined : this.#all.get(type.message);
  }
}

export type ShownKind = Pick<KindDefinition, 'group' | 'version' | 'plural' | 'namespaced' | 'showsGeneration'>;

function withoutGeneration<T extends object>(object: T): T {
  const { metadata } = object as Partial<KubeObject>;
  if (metadata?.generation === undefined) return object;
  const { generation: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** With its path; that of a part of it, where one is named. */
export function linked<T extends object>(object: T, kind: ShownKind, subresource = ''): T {
  const { metadata } = object as Partial<KubeObject>;
  if (metadata?.name === undefined) return object;
  const { name, namespace } = metadata;
  const part = subresource === '' ? '' : `/${subresource}`;
  // What was exported has no place.
  if (kind.namespaced && namespace === undefined) return object;
  const place = kind.namespaced ? `/namespaces/${namespace}` : '';
  return { ...object, metadata: { ...metadata, selfLink: `${basePath(kind)}${place}/${kind.plural}/${queryEscaped(name)}${part}` } };
}

/** Names stood in links as values of queries do. */
function queryEscaped(name: string): string {
  return encodeURIComponent(name)
    .replace(/%20/g, '+')
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

const nothing: ReadonlySet<string> = new Set();

function isEmpty(value: JsonValue): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Where its fault stands, if not at the field. */
function placeOf(rule: GatedRefusal, key: string, path: FieldPath | undefined, list: FieldPath | undefined): FieldPath | undefined {
  if (rule.in !== undefined) return path?.child(rule.in, key);
  return rule.ofList === true ? list?.child(key) : undefined;
}

function gatedFaults({ why, value: only, named }: GatedRefusal, value: JsonValue, path: FieldPath): FieldErrorList {
  if (typeof why === 'string') return isEmpty(value) || (only !== undefined && only !== value) ? [] : [forbidden(path, why)];
  return Object.keys(isObject(value) ? value : {}).flatMap((key) => {
    const text = why(key);
    return text === undefined ? [] : [forbidden(named === true ? path.key(key) : path, text)];
  });
}

function refused(
  value: JsonValue,
  { later, known }: { readonly later: readonly string[]; readonly known: readonly string[] },
  path: FieldPath,
): FieldErrorList {
  if (typeof value === 'string') return later.includes(value) ? [notSupported(path, value, known)] : [];
  if (!Array.isArray(value)) return [];
  return value.flatMap((one, index) => refused(one as JsonValue, { later, known }, path.index(index)));
}

/** Entries of a list belong together when their keys are equal; where there are none, when they stand at one place. */
function pairing(live: readonly JsonValue[], field: FieldSchema): (entry: JsonValue, index: number) => JsonValue | undefined {
  const keys = field.listMapKeys ?? (field.patchMergeKey === undefined ? [] : [field.patchMergeKey]);
  if (keys.length === 0) return (_entry, index) => live[index];
  const keyOf = (entry: JsonValue): string => goJson(isObject(entry) ? keys.map((key) => entry[key] ?? null) : entry);
  const byKey = new Map(live.map((entry) => [keyOf(entry), entry]));
  return (entry) => byKey.get(keyOf(entry));
}
