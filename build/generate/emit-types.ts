/** Writes TypeScript interfaces for all messages: readonly, JSON-shaped, one file per group and version. */
import type { FieldSchema, ScalarType, TypeRef } from '../../engine/apimachinery/schema.ts';
import type { GeneratedFile } from './emit-tables.ts';
import type { BuiltField, BuiltMessage } from './messages.ts';
import { headFrom, type Origin } from './heads.ts';
import { folderOf } from './packages.ts';

const metaPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** Written by hand in engine/apimachinery/object.ts. */
const handWritten: ReadonlySet<string> = new Set(
  ['ObjectMeta', 'ListMeta', 'OwnerReference', 'ManagedFieldsEntry'].map((name) => `${metaPrefix}.${name}`),
);

const scalarTypes: Readonly<Record<ScalarType, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'Int64',
  uint32: 'number',
  uint64: 'Int64',
  double: 'number',
  bytes: 'string',
  quantity: 'string',
  intOrString: 'number | string',
  time: 'string',
  microTime: 'string',
  duration: 'string',
  fieldsV1: 'JsonObject',
  rawExtension: 'JsonObject',
  json: 'JsonValue',
  jsonSchemaOrBool: 'JsonValue',
  jsonSchemaOrArray: 'JsonValue',
  jsonSchemaOrStrings: 'JsonValue',
};

const nilScalars: ReadonlySet<TypeRef> = new Set(['bytes', 'time', 'microTime', 'fieldsV1', 'rawExtension', 'json']);

export function emitTypes(messages: readonly BuiltMessage[], origin: Origin): readonly GeneratedFile[] {
  const byPrefix = Map.groupBy(messages, (message) => message.name.slice(0, message.name.lastIndexOf('.')));
  return [...byPrefix]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([prefix, own]) => emitPackage(prefix, own, new Map(messages.map((message) => [message.name, message])), origin));
}

function emitPackage(prefix: string, messages: readonly BuiltMessage[], all: ReadonlyMap<string, BuiltMessage>, origin: Origin): GeneratedFile {
  const folder = folderOf(prefix);
  const bodies = messages
    .filter((message) => !handWritten.has(message.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((message) => emitInterface(prefix, message, all));
  const text = bodies.join('\n');
  const named = (names: readonly string[], file: string): string => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    return used.length === 0 ? '' : `import type { ${used.join(', ')} } from '../../../${file}';\n`;
  };
  const imports = `${named(['ListMeta', 'ManagedFieldsEntry', 'ObjectMeta', 'OwnerReference'], 'apimachinery/object.ts')}${named(['Int64'], 'base/int64.ts')}${named(['JsonObject', 'JsonValue'], 'base/json.ts')}`;
  return { path: `engine/api/${folder}/types.gen.ts`, text: `${headFrom(origin(prefix))}${imports}\n${text}` };
}

function emitInterface(prefix: string, message: BuiltMessage, all: ReadonlyMap<string, BuiltMessage>): string {
  const name = message.name.slice(prefix.length + 1);
  const topLevel = message.fields[0]?.name === 'kind' && message.fields[0].number === 0;
  const lines = flatten(message, all).map((field) => {
    const always = !field.tagged || (topLevel && ['kind', 'apiVersion', 'metadata'].includes(field.name));
    const nil = isNilWritten(field) ? ' | null' : '';
    return `  readonly ${propertyName(field.name)}${always ? '' : '?'}: ${fieldType(prefix, field)}${nil};\n`;
  });
  return `export interface ${name} {\n${lines.join('')}}\n`;
}

/** Go writes `null` for a nil list, map or pointer that it does not leave out: what the server stored and gives back. */
function isNilWritten(field: FieldSchema): boolean {
  return !field.omitEmpty && (field.card !== 'one' || field.pointer || nilScalars.has(field.type));
}

/** Inlined messages lend their fields to the parent. */
function flatten(message: BuiltMessage, all: ReadonlyMap<string, BuiltMessage>): readonly BuiltField[] {
  return message.fields.flatMap((field) => {
    if (!field.inline || typeof field.type === 'string') return [field];
    const inner = all.get(field.type.message);
    return inner === undefined ? [] : flatten(inner, all);
  });
}

function fieldType(prefix: string, field: FieldSchema): string {
  const type = typeName(prefix, field.type);
  switch (field.card) {
    case 'list':
      return `readonly ${/[ |]/.test(type) ? `(${type})` : type}[]`;
    case 'map':
      return `{ readonly [key: string]: ${type} }`;
    case 'mapOfLists':
      return `{ readonly [key: string]: readonly ${type}[] }`;
    default:
      return type;
  }
}

function typeName(prefix: string, type: TypeRef): string {
  if (typeof type === 'string') return scalarTypes[type];
  const dot = type.message.lastIndexOf('.');
  const home = type.message.slice(0, dot);
  const name = type.message.slice(dot + 1);
  if (home === prefix || handWritten.has(type.message)) return name;
  return `import('../../${folderOf(home)}/types.gen.ts').${name}`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}
