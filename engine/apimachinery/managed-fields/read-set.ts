/** What a client sent as `fieldsV1`. Mirrors fieldpath/serialize.go and serialize-pe.go of sigs.k8s.io/structured-merge-diff. */
import { isObject, type JsonValue } from '../../base/json.ts';
import { goJson } from '../quote.ts';
import { emptySet, type FieldSet, leaf, makeNode } from './field-set.ts';

/** Ordered, each element as it is written; undefined when it is no set. */
export function decodeFieldsV1(fields: JsonValue | undefined): FieldSet | undefined {
  return fields === undefined || fields === null ? emptySet : readNode(fields);
}

/** Nothing below it makes it a member, and so does what nobody knows. */
function readNode(fields: JsonValue): FieldSet | undefined {
  if (fields === null) return leaf;
  if (!isObject(fields)) return undefined;
  const children = new Map<string, FieldSet>();
  let member = false;
  for (const [text, value] of Object.entries(fields)) {
    if (text === '.') {
      member = true;
      continue;
    }
    const element = readElement(text);
    if (element === undefined) return undefined;
    if (element === unknown) continue;
    const node = readNode(value);
    if (node === undefined) return undefined;
    children.set(element, node);
  }
  return makeNode(member, [...children]);
}

/** Of a kind of elements that may come later: it is read over, with all below it. */
const unknown = Symbol('unknown');

function readElement(text: string): string | typeof unknown | undefined {
  if (text.length < 2 || text.charAt(1) !== ':') return undefined;
  const rest = text.slice(2);
  switch (text.charAt(0)) {
    case 'f':
      return text;
    case 'v': {
      const value = readJson(rest);
      return value === undefined ? undefined : `v:${goJson(value)}`;
    }
    case 'k':
      return readKey(readJson(rest));
    case 'i':
      return readIndex(rest);
    default:
      return unknown;
  }
}

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readKey(value: JsonValue | undefined): string | undefined {
  if (value === null) return 'k:{}';
  if (value === undefined || !isObject(value)) return undefined;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `k:{${sorted.map(([name, item]) => `${goJson(name)}:${goJson(item)}`).join(',')}}`;
}

function readIndex(text: string): string | undefined {
  if (!/^[+-]?\d{1,18}$/.test(text)) return undefined;
  return `i:${BigInt(text.replace('+', ''))}`;
}
