/** What a client sent as `fieldsV1`. Mirrors fieldpath/serialize.go and serialize-pe.go of sigs.k8s.io/structured-merge-diff. */
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { goJson } from '../quote.ts';
import { emptySet, type FieldSet, leaf, makeNode } from './field-set.ts';

/** What somebody else has written, and whether it would be written so here. */
export interface ForeignSet {
  readonly set: FieldSet;
  readonly isAsWritten: boolean;
}

/** Of a kind of elements that may come later: it is read over, with all below it. */
const unknown = Symbol('unknown');

/** Keys and values are the same ones again and again: controllers send back with each update what they have read. */
const elementsMax = 5_000;
const lengthMax = 256;

export class SetReader {
  readonly #elements = new Map<string, string>();
  #isAsWritten = true;

  /** Undefined when it is no set. */
  read(fields: JsonValue | undefined): ForeignSet | undefined {
    if (fields === undefined || fields === null) return { set: emptySet, isAsWritten: false };
    this.#isAsWritten = true;
    const set = this.#node(fields);
    return set && { set, isAsWritten: this.#isAsWritten };
  }

  /** Nothing below it makes it a member, and so does what nobody knows. */
  #node(fields: JsonValue): FieldSet | undefined {
    if (fields === null) return this.#other(leaf);
    if (!isObject(fields)) return undefined;
    const children = new Map<string, FieldSet>();
    let member = false;
    for (const [text, value] of Object.entries(fields)) {
      if (text === '.') {
        member = true;
        if (!isEmptyObject(value)) this.#isAsWritten = false;
        continue;
      }
      const element = this.#element(text);
      if (element === undefined) return undefined;
      if (element === unknown) continue;
      const node = this.#node(value);
      if (node === undefined) return undefined;
      children.set(element, node);
    }
    const node = makeNode(member, [...children]);
    return hasSameKeys(fields, node) ? node : this.#other(node);
  }

  #other(node: FieldSet): FieldSet {
    this.#isAsWritten = false;
    return node;
  }

  #element(text: string): string | typeof unknown | undefined {
    const kind = text.charAt(0);
    if (text.charAt(1) !== ':') return undefined;
    if (kind === 'f') return text;
    if (kind === 'i') return readIndex(text.slice(2));
    if (kind !== 'k' && kind !== 'v') return unknown;
    const known = this.#elements.get(text);
    if (known !== undefined) return known;
    const value = readJson(text.slice(2));
    const element = kind === 'k' ? readKey(value) : value === undefined ? undefined : `v:${goJson(value)}`;
    if (element !== undefined && text.length <= lengthMax) {
      if (this.#elements.size >= elementsMax) this.#elements.clear();
      this.#elements.set(text, element);
    }
    return element;
  }
}

function isEmptyObject(value: JsonValue | undefined): boolean {
  return value !== undefined && isObject(value) && Object.keys(value).length === 0;
}

function hasSameKeys(fields: JsonObject, node: FieldSet): boolean {
  const keys = Object.keys(node);
  let at = 0;
  for (const key in fields) if (key !== keys[at++]) return false;
  return at === keys.length;
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
