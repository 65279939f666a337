/**
 * JSON as Go's encoder and sigs.k8s.io/json write and read it: map keys in byte order, markup characters escaped, 64-bit integers
 * exact, duplicate keys reported. Canonical objects take the engine's native path; the slow one is for what it cannot express.
 */
import type { JsonValue } from '../../base/json.ts';
import { setOwn } from '../../base/dictionary.ts';
import { fieldAt } from '../../base/plain.ts';
import { DecodeError } from './scalars.ts';

export interface DecodedJson {
  readonly value: JsonValue;
  /** `duplicate field "spec.replicas"`, in the order met. */
  readonly duplicates: readonly string[];
  /** Paths of all keys in the order met, where there are duplicates. */
  readonly met?: readonly string[];
}

const words = ['true', 'false', 'null'] as const;
const markup = /[<>&\u2028\u2029]/g;
const escapes: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };
/** A digit run that a double cannot hold for sure. */
const longDigits = /\d{16}/;
/** Longer integers are none that any field could hold: they count as floating point, and reading them costs no more than their length. */
const exactDigitsMax = 64;

/** What most texts have nothing of: characters of markup, or what may be a key of digits. */
const needsALook = /[<>&\u2028\u2029]|[{,]"\d/;

export function encodeJson(value: unknown): string {
  const native = encodeNatively(value);
  if (native !== undefined && !needsALook.test(native)) return native;
  const text = native === undefined || (mayHaveDigitKey.test(native) && hasDigitKey(value)) ? encodeSlowly(value as JsonValue) : native;
  return /[<>&\u2028\u2029]/.test(text) ? text.replace(markup, (character) => escapes[character] as string) : text;
}

/** A key, or a text in a list; inside of texts quotation marks are escaped. */
const mayHaveDigitKey = /[{,]"\d/;

/** Undefined for what holds integers that JavaScript's encoder refuses. */
function encodeNatively(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * Levels of lists and maps in one document. Go's decoders stop at 10,000; ours stop where every walk of the engine over what was
 * accepted still fits the stack.
 */
export const jsonDepthMax = 1_000;
/** Go's strict decoder names so many faults and is silent about the rest. */
export const strictErrorsMax = 100;

/** Throws DecodeError for what is not JSON. */
export function decodeJson(text: string): DecodedJson {
  const colons = measure(text);
  if (!longDigits.test(text)) {
    const value = parseFast(text);
    if (value !== undefined && countKeys(value) === colons) return { value, duplicates: [] };
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

/** Keys of the parsed value; fewer than in the text when some were given twice, -1 where a number was too large for a double. */
function countKeys(value: JsonValue): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NEGATIVE_INFINITY;
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) count += countKeys(element as JsonValue);
    return count;
  }
  const object = value as { readonly [key: string]: JsonValue };
  for (const key in object) count += 1 + countKeys(fieldAt(object, key) as JsonValue);
  return count;
}

/** Colons outside of texts: one for each key in the document. Refuses what is nested too deep before anybody walks it. */
function measure(text: string): number {
  let colons = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x3a) colons++;
    else if (code === 0x22) i = endOfText(text, i);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > jsonDepthMax) throw new DecodeError(`invalid character '${text[i]}' exceeded max depth`);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return colons;
}

/** The place of the quotation mark that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = start + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x5c) end++;
    else if (code === 0x22) return end;
  }
  return text.length;
}

/** Integer-like keys come first in JavaScript objects, whatever their byte order. */
function hasDigitKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasDigitKey);
  for (const key in value) {
    const code = key.charCodeAt(0);
    if ((code >= 0x30 && code <= 0x39) || hasDigitKey(fieldAt(value as Record<string, unknown>, key))) return true;
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
    let repeated: Set<string> | undefined;
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
      if (Object.hasOwn(object, key) && repeated?.has(key) !== true) {
        repeated = (repeated ?? new Set()).add(key);
        this.#duplicate(inner);
      }
      setOwn(object, key, value);
      this.#space();
      if (this.#take('}')) return object;
      if (!this.#take(',')) throw this.#unexpected('after object key:value pair');
    }
  }

  #duplicate(path: string): void {
    if (this.#duplicates.length < strictErrorsMax) this.#duplicates.push(`duplicate field ${JSON.stringify(path)}`);
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
    const match = startsWithZero(this.#text, this.#position) ? /-?0/y : /[-+.\w]+/y;
    match.lastIndex = this.#position;
    const raw = match.exec(this.#text)?.[0];
    const value = raw === undefined ? undefined : parseFast(raw);
    if (raw === undefined || value === undefined) throw this.#misspelt() ?? this.#unexpected('looking for beginning of value');
    this.#position += raw.length;
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    if (raw.length <= exactDigitsMax && /^-?\d+$/.test(raw)) return BigInt(raw);
    if (!Number.isFinite(value)) throw new DecodeError(`json: cannot unmarshal number ${raw} into Go value of type float64`);
    return value;
  }

  /** What begins as one of the three words of JSON. */
  #misspelt(): DecodeError | undefined {
    const word = words.find((one) => one.charAt(0) === this.#text[this.#position]);
    if (word === undefined) return undefined;
    let at = 0;
    while (at < word.length && this.#text[this.#position + at] === word.charAt(at)) at++;
    if (at === word.length) return undefined;
    this.#position += at;
    // Go reads a space where the text ends.
    const where = `in literal ${word} (expecting '${word.charAt(at)}')`;
    return this.#position < this.#text.length ? this.#unexpected(where) : new DecodeError(`invalid character ' ' ${where}`);
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#position++;
    }
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

/** Whether a digit follows a zero that stands first: Go's number ends there. */
function startsWithZero(text: string, at: number): boolean {
  const first = text[at] === '-' ? at + 1 : at;
  const next = text.charCodeAt(first + 1);
  return text[first] === '0' && next >= 0x30 && next <= 0x39;
}

function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return `'"'`;
  return `'${JSON.stringify(character).slice(1, -1)}'`;
}
