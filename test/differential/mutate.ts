/** One change of an object by its schema, as an edit: a path and what stands there afterwards. */
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../../engine/apimachinery/schema.ts';
import type { RandomStream } from '../../engine/base/random.ts';
import { setOwn } from '../../engine/base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { flatFields, mapKey, pick, valueFor, wrongValue } from './values.ts';

export type Path = readonly (string | number)[];

export interface Edit {
  /** Which mutation it is, e.g. `drop`; the rule that differences are grouped by. */
  readonly rule: string;
  readonly path: Path;
  /** Absent: nothing stands there any more. */
  readonly value?: JsonValue;
}

interface Spot {
  readonly path: Path;
  readonly field: FieldSchema;
  /** Absent: the field is not set. */
  readonly value?: JsonValue;
  /** Of an element of a list or a member of a map. */
  readonly isElement?: boolean;
}

/** What `edit` makes of the object; the same object where its path leads nowhere. */
export function applyEdit(object: JsonValue, { path, value }: Pick<Edit, 'path' | 'value'>): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? null;
  if (isList(object)) {
    const at = Number(key);
    if (value === undefined && rest.length === 0) return object.filter((_, i) => i !== at);
    const copy = [...object];
    copy[at] = applyEdit(copy[at] ?? {}, { path: rest, ...(value === undefined ? {} : { value }) });
    return copy;
  }
  const from: JsonObject = typeof object === 'object' && object !== null ? (object as JsonObject) : {};
  if (value === undefined && rest.length === 0) return Object.fromEntries(Object.entries(from).filter(([name]) => name !== key));
  const copy: { [name: string]: JsonValue } = { ...from };
  const inner = Object.hasOwn(from, key) ? (from[key] ?? {}) : {};
  setOwn(copy, String(key), applyEdit(inner, { path: rest, ...(value === undefined ? {} : { value }) }));
  return copy;
}

/** Every field of the object and those which it could have besides; those below `metadata` but labels, annotations and names stay out. */
function spotsOf(object: JsonValue, schema: MessageSchema, schemas: SchemaRegistry, path: Path = []): readonly Spot[] {
  if (typeof object !== 'object' || object === null || isList(object)) return [];
  return flatFields(schema, schemas).flatMap((field): readonly Spot[] => {
    if (path.length === 0 && (field.name === 'status' || field.name === 'kind' || field.name === 'apiVersion')) return [];
    const own = [...path, field.name];
    const value = (object as JsonObject)[field.name];
    if (value === undefined) return own.length === 2 && own[0] === 'metadata' && !metadata.has(field.name) ? [] : [{ path: own, field }];
    return [{ path: own, field, value }, ...innerSpots(value, field, schemas, own)];
  });
}

const metadata: ReadonlySet<string> = new Set(['labels', 'annotations', 'name', 'finalizers', 'ownerReferences', 'generateName', 'namespace']);

function innerSpots(value: JsonValue, field: FieldSchema, schemas: SchemaRegistry, path: Path): readonly Spot[] {
  const into = (inner: JsonValue, at: Path): readonly Spot[] =>
    typeof field.type === 'string' ? [] : spotsOf(inner, schemas.mustGet(field.type.message), schemas, at);
  if (field.card === 'one') return into(value, path);
  const members: readonly (readonly [string | number, JsonValue])[] = isList(value)
    ? value.map((inner, i) => [i, inner] as const)
    : Object.entries(typeof value === 'object' && value !== null ? (value as JsonObject) : {});
  return members.flatMap(([key, inner]) => [{ path: [...path, key], field, value: inner, isElement: true }, ...into(inner, [...path, key])]);
}

/** Undefined when the object has nothing to change. */
export function drawEdit(random: RandomStream, object: JsonValue, schema: MessageSchema, schemas: SchemaRegistry): Edit | undefined {
  const spots = spotsOf(object, schema, schemas);
  const set = spots.filter(({ value }) => value !== undefined);
  const open = spots.filter(({ value }) => value === undefined);
  const isAdding = open.length > 0 && random.next() < 0.42;
  const pool = isAdding ? open : set;
  if (pool.length === 0) return undefined;
  const spot = pick(random, pool);
  return isAdding ? { rule: 'add', path: spot.path, value: valueFor(random, spot.field, schemas) } : changeOf(random, spot, schemas);
}

function changeOf(random: RandomStream, { path, field, value, isElement }: Spot, schemas: SchemaRegistry): Edit {
  const dice = random.next();
  if (dice < 0.16) return { rule: 'drop', path };
  if (dice < 0.2) return { rule: 'null', path, value: null };
  if (dice < 0.28) return { rule: 'type', path, value: wrongValue(random) };
  if (dice < 0.33 && field.card !== 'one') return { rule: 'empty', path, value: isElement === true || field.card === 'list' ? [] : {} };
  if (dice < 0.45 && isList(value) && value.length > 0) return { rule: 'duplicate', path, value: [...value, pick(random, value)] };
  if (dice < 0.5 && typeof value === 'object' && value !== null && !isList(value)) return { rule: 'unknown', path: [...path, 'zzz'], value: 1 };
  if (dice < 0.6 && field.card === 'map' && isElement !== true)
    return { rule: 'key', path: [...path, mapKey(random)], value: Object.values((value ?? {}) as JsonObject)[0] ?? 'x' };
  if (isElement === true && !isList(value)) {
    const fresh = valueFor(random, { ...field, card: 'one' }, schemas);
    return { rule: 'value', path, value: fresh };
  }
  return { rule: 'value', path, value: valueFor(random, field, schemas) };
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
