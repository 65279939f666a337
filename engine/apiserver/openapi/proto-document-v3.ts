/**
 * Version 3 documents in the protobuf form that kubectl and client-go ask for. The field numbers are those of openapi.v3.Document in
 * gnostic-models; what our documents never say is left out, and the bytes are those that a real server makes of the same document.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { anything, list, named, object, text, texts } from './proto-parts.ts';
import { ProtoWriter } from './proto-writer.ts';

export function encodeV3Document(document: JsonObject): Uint8Array {
  const writer = new ProtoWriter();
  const info = object(document['info']);
  writer.text(1, text(document['openapi']));
  writer.message(2, () => {
    writer.text(1, text(info['title']));
    writer.text(2, text(info['description']));
    writer.text(6, text(info['version']));
  });
  writer.message(4, () => named(writer, 1, object(document['paths']), pathItem));
  const { schemas, securitySchemes } = object(document['components']);
  writer.message(5, () => {
    if (schemas !== undefined) writer.message(1, () => named(writer, 1, object(schemas), schemaOrReference));
    if (securitySchemes !== undefined) writer.message(7, () => named(writer, 1, object(securitySchemes), securityScheme));
  });
  return writer.finish();
}

const operationFields: readonly (readonly [string, number])[] = [
  ['get', 4],
  ['put', 5],
  ['post', 6],
  ['delete', 7],
  ['options', 8],
  ['head', 9],
  ['patch', 10],
];

function pathItem(writer: ProtoWriter, value: JsonValue): void {
  const source = object(value);
  writer.text(3, text(source['description']));
  for (const [method, field] of operationFields) {
    const found = source[method];
    if (found !== undefined) writer.message(field, () => operation(writer, object(found)));
  }
  for (const found of list(source['parameters'])) writer.message(13, () => writer.message(1, () => parameter(writer, object(found))));
}

function operation(writer: ProtoWriter, source: JsonObject): void {
  texts(writer, 1, source['tags']);
  writer.text(3, text(source['description']));
  writer.text(5, text(source['operationId']));
  for (const found of list(source['parameters'])) writer.message(6, () => writer.message(1, () => parameter(writer, object(found))));
  const body = source['requestBody'];
  if (body !== undefined) writer.message(7, () => writer.message(1, () => requestBody(writer, object(body))));
  writer.message(8, () => named(writer, 2, object(source['responses']), (inner, answer) => inner.message(1, () => response(inner, object(answer)))));
  writer.flag(10, source['deprecated'] === true);
  extensions(writer, 13, source);
}

function requestBody(writer: ProtoWriter, source: JsonObject): void {
  writer.text(1, text(source['description']));
  content(writer, 2, source['content']);
  writer.flag(3, source['required'] === true);
}

function response(writer: ProtoWriter, source: JsonObject): void {
  writer.text(1, text(source['description']));
  content(writer, 3, source['content']);
}

function content(writer: ProtoWriter, field: number, types: JsonValue | undefined): void {
  if (types === undefined) return;
  writer.message(field, () =>
    named(writer, 1, object(types), (inner, type) => {
      const { schema: body } = object(type);
      if (body !== undefined) inner.message(1, () => schemaOrReference(inner, body));
    }),
  );
}

function parameter(writer: ProtoWriter, source: JsonObject): void {
  writer.text(1, text(source['name']));
  writer.text(2, text(source['in']));
  writer.text(3, text(source['description']));
  writer.flag(4, source['required'] === true);
  const { schema: type } = source;
  if (type !== undefined) writer.message(10, () => schemaOrReference(writer, type));
}

function securityScheme(writer: ProtoWriter, value: JsonValue): void {
  const source = object(value);
  writer.message(1, () => {
    writer.text(1, text(source['type']));
    writer.text(2, text(source['description']));
    writer.text(3, text(source['name']));
    writer.text(4, text(source['in']));
  });
}

function schemaOrReference(writer: ProtoWriter, value: JsonValue): void {
  const reference = text(object(value)['$ref']);
  if (reference === '') writer.message(1, () => schema(writer, object(value)));
  else writer.message(2, () => writer.text(1, reference));
}

const counts: readonly (readonly [string, number])[] = [
  ['maxLength', 15],
  ['minLength', 16],
];
const laterCounts: readonly (readonly [string, number])[] = [
  ['maxProperties', 21],
  ['minProperties', 22],
];
const choices: readonly (readonly [string, number])[] = [
  ['allOf', 26],
  ['oneOf', 27],
  ['anyOf', 28],
];

/** Members in the order of their numbers. */
function schema(writer: ProtoWriter, source: JsonObject): void {
  writer.flag(1, source['nullable'] === true);
  const { externalDocs, example } = source;
  if (externalDocs !== undefined) writer.message(6, () => docs(writer, object(externalDocs)));
  if (example !== undefined) writer.message(7, () => anything(writer, example));
  writer.text(9, text(source['title']));
  limits(writer, source);
  texts(writer, 23, source['required']);
  for (const choice of list(source['enum'])) writer.message(24, () => anything(writer, choice));
  writer.text(25, text(source['type']));
  for (const [name, field] of choices) for (const part of list(source[name])) writer.message(field, () => schemaOrReference(writer, part));
  parts(writer, source);
  scalarDefault(writer, source['default']);
  writer.text(34, text(source['description']));
  writer.text(35, text(source['format']));
  extensions(writer, 36, source);
}

function limits(writer: ProtoWriter, source: JsonObject): void {
  const count = (name: string, field: number): void => writer.integer(field, Number(source[name] ?? 0));
  writer.double(10, Number(source['multipleOf'] ?? 0));
  writer.double(11, Number(source['maximum'] ?? 0));
  writer.flag(12, source['exclusiveMaximum'] === true);
  writer.double(13, Number(source['minimum'] ?? 0));
  writer.flag(14, source['exclusiveMinimum'] === true);
  for (const [name, field] of counts) count(name, field);
  writer.text(17, text(source['pattern']));
  count('maxItems', 18);
  count('minItems', 19);
  writer.flag(20, source['uniqueItems'] === true);
  for (const [name, field] of laterCounts) count(name, field);
}

/** What a schema has other schemas for. */
function parts(writer: ProtoWriter, source: JsonObject): void {
  const { not, items, properties, additionalProperties } = source;
  if (not !== undefined) writer.message(29, () => schema(writer, object(not)));
  if (items !== undefined) writer.message(30, () => writer.message(1, () => schemaOrReference(writer, items)));
  if (properties !== undefined) writer.message(31, () => named(writer, 1, object(properties), schemaOrReference));
  if (additionalProperties === undefined) return;
  writer.message(32, () => {
    if (typeof additionalProperties === 'boolean') writer.choice(2, additionalProperties);
    else writer.message(1, () => schemaOrReference(writer, additionalProperties));
  });
}

/** There is no form for a default that is a map or a list: it is there and says nothing. */
function scalarDefault(writer: ProtoWriter, value: JsonValue | undefined): void {
  if (value === undefined) return;
  writer.message(33, () => {
    if (typeof value === 'number') writer.doubleChoice(1, value);
    else if (typeof value === 'boolean') writer.choice(2, value);
    else if (typeof value === 'string') writer.item(3, value);
  });
}

function docs(writer: ProtoWriter, source: JsonObject): void {
  writer.text(1, text(source['description']));
  writer.text(2, text(source['url']));
}

function extensions(writer: ProtoWriter, field: number, source: JsonObject): void {
  const own = Object.fromEntries(Object.entries(source).filter(([name]) => name.startsWith('x-')));
  named(writer, field, own, (inner, value) => anything(inner, value));
}
