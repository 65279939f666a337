/**
 * JSON as Go's encoder and sigs.k8s.io/json write and read it: map keys in byte order, markup characters escaped, 64-bit integers
 * exact, duplicate keys reported. Canonical objects take the engine's native path; the slow one is for what it cannot express.
 */
import type { JsonValue } from '../../base/json.ts';
import { DecodeError } from './scalars.ts';

export interface DecodedJson {
  readonly value: JsonValue;
  /** `duplicate field "spec.replicas"`, in the order met. */
  readonly duplicates: readonly string[];
  /** Paths of all keys in the order met, where there are duplicates. */
  readonly met?: readonly string[];
}

const markup = /[<>&\u2028\u2029]/g;
const escapes: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };
/** A digit run that a double cannot hold for sure. */
const longDigits = /\d{16}/;

export function encodeJson(value: unknown): string {
  const text = needsSlowPath(value) ? encodeSlowly(value as JsonValue) : JSON.stringify(value);
  return /[<>&\u2028\u2029]/.test(text) ? text.replace(markup, (character) => escapes[character] as string) : text;
}

/** Four spaces or two, as `pretty` and the goldens want. */
export function indentJson(text: string, indent = '  '): string {
  let result = '';
  let depth = 0;
  let inText = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (inText) {
      result += character;
      if (character === '\\') result += text[++i];
      else if (character === '"') inText = false;
      continue;
    }
    const next = text[i + 1];
    if (character === '"') inText = true;
    if ((character === '{' && next === '}') || (character === '[' && next === ']')) {
      result += character + next;
      i++;
    } else if (character === '{' || character === '[') result += `${character}\n${indent.repeat(++depth)}`;
    else if (character === '}' || character === ']') result += `\n${indent.repeat(--depth)}${character}`;
    else if (character === ',') result += `,\n${indent.repeat(depth)}`;
    else result += character === ':' ? ': ' : character;
  }
  return result;
}

/** Throws DecodeError for what is not JSON. */
export function decodeJson(text: string): DecodedJson {
  if (!longDigits.test(text)) {
    const value = parseFast(text);
    if (value !== undefined && countKeys(value) === countColons(text)) return { value, duplicates: [] };
  }
  return new StrictReader(text).read();
}

function parseFast(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Keys of the parsed value; fewer than in the text when some were given twice. */
function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) count += countKeys(element as JsonValue);
    return count;
  }
  const object = value as { readonly [key: string]: JsonValue };
  for (const key in object) count += 1 + countKeys(object[key] as JsonValue);
  return count;
}

/** Colons outside of texts: one for each key in the document. */
function countColons(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x3a) count++;
    else if (code === 0x22) i = endOfText(text, i);
  }
  return count;
}

function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, position: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(position - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}

function needsSlowPath(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(needsSlowPath);
  for (const key in value) {
    const code = key.charCodeAt(0);
    // Integer-like keys come first in JavaScript objects, whatever their byte order.
    if (code >= 0x30 && code <= 0x39) return true;
    if (needsSlowPath((value as Record<string, unknown>)[key])) return true;
  }
  return false;
}

function encodeSlowly(value: JsonValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((element) => encodeSlowly(element as JsonValue)).join(',')}]`;
  const object = value as { readonly [key: string]: JsonValue };
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  if (keys.some((key) => /^\d/.test(key))) keys.sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${encodeSlowly(object[key] as JsonValue)}`).join(',')}}`;
}

/** Reads character by character: exact integers, duplicate keys, and where a fault is. */
class StrictReader {
  readonly #text: string;
  readonly #duplicates: string[] = [];
  readonly #met: string[] = [];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): DecodedJson {
    const value = this.#value('');
    this.#space();
    if (this.#position < this.#text.length) throw this.#unexpected('after top-level value');
    return this.#duplicates.length === 0 ? { value, duplicates: [] } : { value, duplicates: this.#duplicates, met: this.#met };
  }

  #value(path: string): JsonValue {
    this.#space();
    const character = this.#text[this.#position];
    if (character === '{') return this.#object(path);
    if (character === '[') return this.#array(path);
    if (character === '"') return this.#string();
    if (character === undefined) throw new DecodeError('unexpected end of JSON input');
    return this.#literal();
  }

  #object(path: string): JsonValue {
    const object: { [key: string]: JsonValue } = {};
    this.#position++;
    this.#space();
    if (this.#take('}')) return object;
    for (;;) {
      this.#space();
      if (this.#text[this.#position] !== '"') throw this.#unexpected('looking for beginning of object key string');
      const key = this.#string();
      const inner = path === '' ? key : `${path}.${key}`;
      this.#space();
      if (!this.#take(':')) throw this.#unexpected('after object key');
      this.#met.push(inner);
      const value = this.#value(inner);
      if (Object.hasOwn(object, key)) this.#duplicates.push(`duplicate field ${JSON.stringify(inner)}`);
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      this.#space();
      if (this.#take('}')) return object;
      if (!this.#take(',')) throw this.#unexpected('after object key:value pair');
    }
  }

  #array(path: string): JsonValue {
    const array: JsonValue[] = [];
    this.#position++;
    this.#space();
    if (this.#take(']')) return array;
    for (;;) {
      array.push(this.#value(`${path}[${array.length}]`));
      this.#space();
      if (this.#take(']')) return array;
      if (!this.#take(',')) throw this.#unexpected('after array element');
    }
  }

  #string(): string {
    const end = endOfText(this.#text, this.#position);
    const raw = this.#text.slice(this.#position, end + 1);
    if (end >= this.#text.length) throw new DecodeError('unexpected end of JSON input');
    const value = parseFast(raw);
    if (typeof value !== 'string') throw this.#unexpected('in string literal');
    this.#position = end + 1;
    return value;
  }

  #literal(): JsonValue {
    const match = /[-+.\w]+/y;
    match.lastIndex = this.#position;
    const raw = match.exec(this.#text)?.[0];
    const value = raw === undefined ? undefined : parseFast(raw);
    if (raw === undefined || value === undefined) throw this.#unexpected('looking for beginning of value');
    this.#position += raw.length;
    if (typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(raw)) return BigInt(raw);
    return value;
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#position] ?? 'x')) this.#position++;
  }

  #take(character: string): boolean {
    if (this.#text[this.#position] !== character) return false;
    this.#position++;
    return true;
  }

  #unexpected(where: string): DecodeError {
    const character = this.#text[this.#position];
    if (character === undefined) return new DecodeError('unexpected end of JSON input');
    return new DecodeError(`invalid character ${quoteCharacter(character)} ${where}`);
  }
}

function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return `'"'`;
  return `'${JSON.stringify(character).slice(1, -1)}'`;
}
