/**
 * Version 2 documents in the protobuf form that kubectl up to 1.26 and client-go ask for. The field numbers are those of
 * openapi.v2.Document in gnostic-models; what our documents never say is left out.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { anything, list, named, object, text, texts } from './proto-parts.ts';
import { ProtoWriter } from './proto-writer.ts';

export function encodeDocument(document: JsonObject): Uint8Array {
  const writer = new ProtoWriter();
  const info = object(document['info']);
  writer.text(1, text(document['swagger']));
  writer.message(2, () => {
    writer.text(1, text(info['title']));
    writer.text(2, text(info['version']));
  });
  writer.message(8, () => named(writer, 2, object(document['paths']), pathItem));
  writer.message(9, () => named(writer, 1, object(document['definitions']), schema));
  if (document['parameters'] !== undefined) writer.message(10, () => named(writer, 1, object(document['parameters']), parameter));
  for (const requirement of list(document['security'])) {
    writer.message(12, () => named(writer, 1, object(requirement), (inner, scopes) => texts(inner, 1, scopes)));
  }
  writer.message(13, () => named(writer, 1, object(document['securityDefinitions']), securityDefinition));
  return writer.finish();
}

function schema(writer: ProtoWriter, value: JsonValue): void {
  const source = object(value);
  writer.text(1, text(source['$ref']));
  writer.text(2, text(source['format']));
  writer.text(3, text(source['title']));
  writer.text(4, text(source['description']));
  if (source['default'] !== undefined) writer.message(5, () => anything(writer, source['default'] ?? null));
  limits(writer, source);
  texts(writer, 19, source['required']);
  for (const choice of list(source['enum'])) writer.message(20, () => anything(writer, choice));
  if (source['additionalProperties'] === true) writer.message(21, () => writer.flag(2, true));
  else if (typeof source['additionalProperties'] === 'object')
    writer.message(21, () => writer.message(1, () => schema(writer, source['additionalProperties'] ?? {})));
  if (source['type'] !== undefined) writer.message(22, () => writer.item(1, text(source['type'])));
  if (source['items'] !== undefined) writer.message(23, () => writer.message(1, () => schema(writer, source['items'] ?? {})));
  for (const part of list(source['allOf'])) writer.message(24, () => schema(writer, part));
  if (source['properties'] !== undefined) writer.message(25, () => named(writer, 1, object(source['properties']), schema));
  extensions(writer, 31, source);
}

const doubles: readonly (readonly [string, number])[] = [
  ['multipleOf', 6],
  ['maximum', 7],
  ['minimum', 9],
];
const counts: readonly (readonly [string, number])[] = [
  ['maxLength', 11],
  ['minLength', 12],
  ['maxItems', 14],
  ['minItems', 15],
  ['maxProperties', 17],
  ['minProperties', 18],
];
const flags: readonly (readonly [string, number])[] = [
  ['exclusiveMaximum', 8],
  ['exclusiveMinimum', 10],
  ['uniqueItems', 16],
];

/** Only schemas of custom resources set any. */
function limits(writer: ProtoWriter, source: JsonObject): void {
  for (const [name, field] of doubles) writer.double(field, number(source[name]));
  for (const [name, field] of counts) writer.integer(field, Math.trunc(number(source[name])));
  for (const [name, field] of flags) writer.flag(field, source[name] === true);
  writer.text(13, text(source['pattern']));
}

/** Another server may say anything. */
function number(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(Math.trunc(value)) ? value : 0;
}

const operationFields: readonly (readonly [string, number])[] = [
  ['get', 2],
  ['put', 3],
  ['post', 4],
  ['delete', 5],
  ['options', 6],
  ['head', 7],
  ['patch', 8],
];

function pathItem(writer: ProtoWriter, value: JsonValue): void {
  const source = object(value);
  for (const [method, field] of operationFields) {
    const found = source[method];
    if (found !== undefined) writer.message(field, () => operation(writer, object(found)));
  }
  for (const found of list(source['parameters'])) writer.message(9, () => parametersItem(writer, object(found)));
}

function operation(writer: ProtoWriter, source: JsonObject): void {
  texts(writer, 1, source['tags']);
  writer.text(3, text(source['description']));
  writer.text(5, text(source['operationId']));
  texts(writer, 6, source['produces']);
  texts(writer, 7, source['consumes']);
  for (const found of list(source['parameters'])) writer.message(8, () => parametersItem(writer, object(found)));
  writer.message(9, () => named(writer, 1, object(source['responses']), (inner, answer) => inner.message(1, () => response(inner, object(answer)))));
  texts(writer, 10, source['schemes']);
  extensions(writer, 13, source);
}

function response(writer: ProtoWriter, source: JsonObject): void {
  writer.text(1, text(source['description']));
  const body = source['schema'];
  if (body !== undefined) writer.message(2, () => writer.message(1, () => schema(writer, body)));
}

/** Said here, or by a reference to what the whole document has. */
function parametersItem(writer: ProtoWriter, source: JsonObject): void {
  if (source['$ref'] === undefined) writer.message(1, () => parameter(writer, source));
  else writer.message(2, () => writer.text(1, text(source['$ref'])));
}

function parameter(writer: ProtoWriter, value: JsonValue): void {
  const source = object(value);
  const place = text(source['in']);
  if (place === 'body') {
    writer.message(1, () => {
      writer.text(2, text(source['name']));
      writer.text(3, place);
      writer.flag(4, source['required'] === true);
      writer.message(5, () => schema(writer, source['schema'] ?? {}));
    });
    return;
  }
  const kind = place === 'path' ? { message: 4, type: 5, unique: 19 } : { message: 3, type: 6, unique: 20 };
  const write = (): void => {
    writer.flag(1, source['required'] === true);
    writer.text(2, place);
    writer.text(3, text(source['description']));
    writer.text(4, text(source['name']));
    writer.text(kind.type, text(source['type']));
    writer.flag(kind.unique, source['uniqueItems'] === true);
  };
  writer.message(2, () => writer.message(kind.message, write));
}

function securityDefinition(writer: ProtoWriter, value: JsonValue): void {
  const source = object(value);
  writer.message(2, () => {
    writer.text(1, text(source['type']));
    writer.text(2, text(source['name']));
    writer.text(3, text(source['in']));
    writer.text(4, text(source['description']));
  });
}

function extensions(writer: ProtoWriter, field: number, source: JsonObject): void {
  for (const [name, value] of Object.entries(source)) {
    if (!name.startsWith('x-')) continue;
    writer.message(field, () => {
      writer.text(1, name);
      writer.message(2, () => anything(writer, value));
    });
  }
}
