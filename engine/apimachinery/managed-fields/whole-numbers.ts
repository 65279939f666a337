/**
 * Whole numbers that their Go type cannot hold. Server-side apply converts what it has merged number by number, and Go keeps of each what fits: its lowest bits.
 * Mirrors fromUnstructured of k8s.io/apimachinery pkg/runtime/converter.go.
 */
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../schema.ts';

const bits: ReadonlyMap<string, 32 | 64> = new Map([
  ['int32', 32],
  ['uint32', 32],
  ['int64', 64],
  ['uint64', 64],
]);
const int64Min = -(2n ** 63n);

/** The document with each whole number as its field keeps it; the same reference where all fit. */
export function keepLowestBits(document: JsonObject, schema: MessageSchema, schemas: SchemaRegistry): JsonObject {
  let changed: { [name: string]: JsonValue } | undefined;
  for (const field of fieldsOf(schema, schemas)) {
    const value = document[field.name];
    if (value === undefined || value === null) continue;
    const kept = keptField(value, field, schemas);
    if (kept !== value) (changed ??= { ...document })[field.name] = kept;
  }
  return changed ?? document;
}

function* fieldsOf(schema: MessageSchema, schemas: SchemaRegistry): Iterable<FieldSchema> {
  for (const field of schema.fields) {
    const inner = field.inline === true && typeof field.type !== 'string' ? schemas.get(field.type.message) : undefined;
    if (inner === undefined) yield field;
    else yield* fieldsOf(inner, schemas);
  }
}

function keptField(value: JsonValue, { type, card }: FieldSchema, schemas: SchemaRegistry): JsonValue {
  const one = (item: JsonValue): JsonValue => {
    if (typeof type === 'string') return keptNumber(item, bits.get(type));
    const schema = isObject(item) ? schemas.get(type.message) : undefined;
    return isObject(item) && schema !== undefined ? keepLowestBits(item, schema, schemas) : item;
  };
  if (card === 'list' && Array.isArray(value)) return value.map(one);
  if (card === 'map' && isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, one(item)]));
  return card === 'one' ? one(value) : value;
}

function keptNumber(value: JsonValue, width: 32 | 64 | undefined): JsonValue {
  if (width === undefined || (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value)))) return value;
  const whole = BigInt(value);
  // What is beyond 64 bits was read as a float, of which a processor makes the least integer there is.
  const kept = BigInt.asIntN(width, BigInt.asIntN(64, whole) === whole ? whole : int64Min);
  return Number.isSafeInteger(Number(kept)) ? Number(kept) : kept;
}
