/** The wire form of the three unions of CustomResourceDefinition schemas: JSONSchemaProps or a boolean, a list of them, or texts. */
import type protobuf from 'protobufjs/minimal.js';
import type { JsonValue } from '../../base/json.ts';
import type { ScalarType } from '../schema.ts';

type ReadonlyPlain = { readonly [key: string]: JsonValue };
type SchemaUnion = 'jsonSchemaOrBool' | 'jsonSchemaOrArray' | 'jsonSchemaOrStrings';

const bytesWire = 2;

export function isSchemaUnion(scalar: ScalarType): scalar is SchemaUnion {
  return scalar === 'jsonSchemaOrBool' || scalar === 'jsonSchemaOrArray' || scalar === 'jsonSchemaOrStrings';
}

export function writeSchemaUnion(
  writer: protobuf.Writer,
  number: number,
  union: SchemaUnion,
  value: JsonValue,
  write: (schema: ReadonlyPlain) => void,
): void {
  const nested = (field: number, schema: JsonValue): void => {
    writer.uint32((field << 3) | bytesWire).fork();
    write(schema as ReadonlyPlain);
    writer.ldelim();
  };
  const isSchema = typeof value === 'object' && value !== null && !Array.isArray(value);
  writer.uint32((number << 3) | bytesWire).fork();
  if (value === null) {
    writer.ldelim();
    return;
  }
  if (union === 'jsonSchemaOrBool') {
    writer.uint32(1 << 3).bool(isSchema || value === true);
    if (isSchema) nested(2, value);
  } else if (isSchema) nested(1, value);
  else if (union === 'jsonSchemaOrArray') for (const schema of value as readonly JsonValue[]) nested(2, schema);
  else for (const text of value as readonly string[]) writer.uint32((2 << 3) | bytesWire).string(text);
  writer.ldelim();
}

/** `read` reads one JSONSchemaProps up to the given position. */
export function readSchemaUnion(reader: protobuf.Reader, end: number, union: SchemaUnion, read: (limit: number) => JsonValue): JsonValue {
  let allows = false;
  let schema: JsonValue | undefined;
  const list: JsonValue[] = [];
  while (reader.pos < end) {
    const tag = reader.uint32();
    const field = tag >>> 3;
    if (union === 'jsonSchemaOrBool' && field === 1) allows = reader.bool();
    else if (field === 1 || union === 'jsonSchemaOrBool') schema = read(limitOf(reader));
    else if (union === 'jsonSchemaOrArray') list.push(read(limitOf(reader)));
    else list.push(reader.string());
  }
  if (schema !== undefined) return schema;
  if (union === 'jsonSchemaOrBool') return allows;
  return list.length === 0 ? null : list;
}

function limitOf(reader: protobuf.Reader): number {
  const length = reader.uint32();
  return reader.pos + length;
}
