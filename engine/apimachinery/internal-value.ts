/**
 * Objects in messages as upstream shows them: in the layout of its internal types, which have no names of their own for JSON, so that fields
 * carry Go's, all of them, in their order. Mirrors what encoding/json makes of pkg/apis of k8s.io/kubernetes.
 */
import { internalForms } from '../api/internal-forms.gen.ts';
import { getOwn, setOwn } from '../base/dictionary.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { FieldErrorList } from './field-errors.ts';
import type { FieldSchema, MessageSchema, SchemaRegistry } from './schema.ts';

type Lookup = Pick<SchemaRegistry, 'get'>;

const podSpec = 'core.v1.PodSpec';
/** What upstream keeps with the security context of a pod. */
const hostFields = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'] as const;
const hostNames: ReadonlyMap<string, string> = new Map(hostFields.map((name) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, name]));
const zeros: { readonly [code: string]: JsonValue } = { n: null, s: '', b: false, i: 0, q: '0', d: '0s' };

/** `value` is of the message (`core.v1.PodSpec`), as clients write it; what is not known of is left as it is. */
export function internalValue(message: string, value: JsonValue): JsonValue {
  const rows = getOwn(internalForms, message);
  if (rows === undefined || !isObject(value)) return value;
  const given = message === podSpec ? withHostFields(value) : value;
  const out: { [name: string]: JsonValue } = {};
  for (const row of rows) {
    const [name = '', json = '', zero = '', inner = ''] = row.split(' ');
    const member =
      json === '.' ? internalValue(inner, given) : memberValue({ json: json === '?' ? (hostNames.get(name) ?? '') : json, zero, inner }, given);
    if (name === '-') Object.assign(out, member);
    else setOwn(out, name, member);
  }
  return out;
}

interface Place {
  readonly json: string;
  readonly zero: string;
  readonly inner: string;
}

function memberValue({ json, zero, inner }: Place, given: JsonObject): JsonValue {
  const raw = Object.hasOwn(given, json) ? given[json] : undefined;
  if (raw === undefined || raw === null) return zero === 'o' ? internalValue(inner, {}) : (getOwn(zeros, zero) ?? null);
  if (inner !== '') return elements(inner, raw, false);
  return /selector$/i.test(json) ? withoutBare(raw) : raw;
}

/** Selectors have names for JSON in each release: what is empty in them is left out. */
function withoutBare(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withoutBare);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => !isBare(inner));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutBare(inner)]));
}

/** Each element of a list, and of a map, is of the message. */
function elements(message: string, raw: JsonValue, isMap: boolean): JsonValue {
  if (Array.isArray(raw)) return (raw as readonly JsonValue[]).map((element) => internalValue(message, element));
  if (!isMap || !isObject(raw)) return internalValue(message, raw);
  return Object.fromEntries(Object.entries(raw).map(([key, element]) => [key, internalValue(message, element)]));
}

/** The spec of a pod with what upstream keeps in the security context beside it there too. */
export function withHostFields(spec: JsonObject): JsonObject {
  const host = hostFields.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]] as const]));
  const context = spec['securityContext'];
  return { ...spec, securityContext: { ...(isObject(context) ? context : {}), ...Object.fromEntries(host) } };
}

/** The faults with their values as upstream shows them: what a value is of follows from its path. */
export function toldInternally(schemas: Lookup, schema: MessageSchema, faults: FieldErrorList): FieldErrorList {
  return faults.map((fault) => {
    const { badValue } = fault;
    if (typeof badValue !== 'object' || badValue === null || !isOurs(badValue as JsonValue)) return fault;
    if (!fault.field.endsWith(']') && Object.keys(badValue).length === 0) return fault;
    const found = fieldAt(schemas, schema, fault.field);
    if (found === undefined) return fault;
    const value = badValue as JsonValue;
    return { ...fault, badValue: elements(found.message.replace(/^io\.k8s\.api\./, ''), value, found.isMap) };
  });
}

const tagged = 'io.k8s.apimachinery.';

/** The value of a fault without the empty lists and maps that Go's encoder leaves out: only in types with names for JSON, which metadata and selectors have inside too. */
export function withoutOmitted(schemas: Lookup, schema: MessageSchema, { field, badValue }: FieldErrorList[number]): unknown {
  const found = isObject(badValue) || Array.isArray(badValue) ? fieldAt(schemas, schema, field) : undefined;
  const message = found === undefined ? undefined : schemas.get(found.message);
  if (found === undefined || message === undefined) return badValue;
  return found.isMap && isObject(badValue)
    ? eachOf(badValue, (element) => written(schemas, message, element))
    : written(schemas, message, badValue as JsonValue);
}

function written(schemas: Lookup, message: MessageSchema, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((element) => written(schemas, message, element));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, inner]): readonly (readonly [string, JsonValue])[] => {
    const field = named(schemas, message, name);
    if (field === undefined) return [[name, inner]];
    if (message.name.startsWith(tagged) && field.omitEmpty && !field.pointer && field.card !== 'one' && isBare(inner)) return [];
    const next = typeof field.type === 'string' ? undefined : schemas.get(field.type.message);
    if (next === undefined) return [[name, inner]];
    return [
      [name, field.card === 'map' && isObject(inner) ? eachOf(inner, (element) => written(schemas, next, element)) : written(schemas, next, inner)],
    ];
  });
  return Object.fromEntries(kept);
}

function isBare(value: JsonValue): boolean {
  return (Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0;
}

function eachOf(map: JsonObject, change: (element: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, element]) => [key, change(element)]));
}

/** Not one that somebody has already written as Go would, nor the empty one that stands for a path, which has nothing to show. */
function isOurs(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every((element) => isOurs(element as JsonValue));
  return !isObject(value) || Object.keys(value).every((name) => !/^[A-Z]/.test(name));
}

interface Found {
  readonly message: string;
  /** The whole map, not one of its members. */
  readonly isMap: boolean;
}

/** Names of paths that are those of the internal type. */
const internalNames: { readonly [name: string]: string } = { involvedObject: 'regarding' };

function fieldAt(schemas: Lookup, schema: MessageSchema, path: string): Found | undefined {
  let message: MessageSchema | undefined = schema;
  let found: Found | undefined;
  for (const step of path.split(/\.(?![^[]*\])/)) {
    const [, name = '', inside = ''] = /^([^[]*)(.*)$/s.exec(step) ?? [];
    const field = message === undefined ? undefined : named(schemas, message, name);
    if (field === undefined || typeof field.type === 'string') return undefined;
    found = { message: field.type.message, isMap: inside === '' && field.card === 'map' };
    message = schemas.get(field.type.message);
  }
  return found;
}

function named(schemas: Lookup, message: MessageSchema, name: string): FieldSchema | undefined {
  for (const field of message.fields) {
    if (field.name === name || field.name === getOwn(internalNames, name)) return field;
    if (field.inline !== true || typeof field.type === 'string') continue;
    const inner = schemas.get(field.type.message);
    const found = inner === undefined ? undefined : named(schemas, inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
