/**
 * Types of built-in objects, by their schemas. Mirrors SchemaDeclType of apiserver pkg/cel/common/schemas.go over the definitions that
 * openapi-gen makes: a field of which a definition says no type is not there for expressions. Types are made as they are asked for.
 */
import type { FieldSchema, MessageSchema, ScalarType, TypeRef } from '../apimachinery/schema.ts';
import { escaped, fieldKey } from './names.ts';
import { bool, bytes, type CelType, double, dyn, type Fields, int, listOf, mapOf, string, timestamp } from './types.ts';

export type MessageLookup = (name: string) => MessageSchema | undefined;

const nothingKnown: Fields = { get: () => undefined };

/** `typeName`: of the whole; its parts are named after it. */
export function messageType(message: MessageSchema, lookup: MessageLookup, typeName: string): CelType {
  return objectType(message, lookup, typeName, new Set([message.name]));
}

/** `within`: messages that it stands in, of which it cannot be one again. */
function objectType(message: MessageSchema, lookup: MessageLookup, typeName: string, within: ReadonlySet<string>): CelType {
  return {
    kind: 'object',
    name: typeName,
    fields: lazyFields(flattened(message, lookup), (field, name) => fieldType(field, lookup, `${typeName}.${name}`, within)),
  };
}

/** Fields by their names as expressions write them; words of the language may stand as they are. */
export function lazyFields<T extends { readonly name: string }>(all: readonly T[], typeOf: (field: T, name: string) => CelType | undefined): Fields {
  const made = new Map<string, CelType | undefined>();
  let byName: ReadonlyMap<string, T> | undefined;
  return {
    get: (asked) => {
      byName ??= new Map(all.map((field) => [escaped(field.name) ?? '', field] as const));
      const name = byName.has(asked) ? asked : fieldKey(asked);
      const field = name === '' ? undefined : byName.get(name);
      if (field === undefined) return undefined;
      if (!made.has(name)) made.set(name, typeOf(field, name));
      return made.get(name);
    },
  };
}

function flattened({ fields }: MessageSchema, lookup: MessageLookup): readonly FieldSchema[] {
  return fields.flatMap((field) => {
    if (field.inline !== true || typeof field.type === 'string') return [field];
    const inner = lookup(field.type.message);
    return inner === undefined ? [] : flattened(inner, lookup);
  });
}

function fieldType(field: FieldSchema, lookup: MessageLookup, typeName: string, within: ReadonlySet<string>): CelType | undefined {
  const element = (name: string): CelType | undefined => singleType(field.type, lookup, name, within);
  switch (field.card) {
    case 'one':
      return element(typeName);
    case 'list': {
      const type = element(`${typeName}.@idx`);
      return type && listOf(type);
    }
    case 'map': {
      const type = element(`${typeName}.@elem`);
      return type && mapOf(string, type);
    }
    case 'mapOfLists': {
      const type = element(`${typeName}.@elem.@idx`);
      return type && mapOf(string, listOf(type));
    }
  }
}

function singleType(type: TypeRef, lookup: MessageLookup, typeName: string, within: ReadonlySet<string>): CelType | undefined {
  if (typeof type === 'string') return scalarTypes[type] ?? (isBare(type) ? { kind: 'object', name: typeName, fields: nothingKnown } : undefined);
  const message = within.has(type.message) ? undefined : lookup(type.message);
  if (message === undefined) return { kind: 'object', name: typeName, fields: nothingKnown };
  return objectType(message, lookup, typeName, new Set([...within, type.message]));
}

/** Objects of which nothing more is said. */
function isBare(type: ScalarType): boolean {
  return type === 'rawExtension' || type === 'fieldsV1';
}

const scalarTypes: { readonly [type in ScalarType]?: CelType } = {
  string,
  bool,
  int32: int,
  int64: int,
  uint32: int,
  uint64: int,
  double,
  bytes,
  intOrString: dyn,
  time: timestamp,
  microTime: timestamp,
  duration: string,
};
