/**
 * JSON as Go's encoder and sigs.k8s.io/json write and read it: map keys in byte order, markup characters escaped, 64-bit integers
 * exact, duplicate keys reported. Canonical objects take the engine's native path; the slow one is for what it cannot express.
 */
import type { JsonValue } from '../../base/json.ts';
import { fieldAt } from '../../base/plain.ts';
import { type DecodedJson, endOfText, parseFast, StrictReader } from './json-reader.ts';
import type { CompiledMessage } from './compile.ts';
import { DecodeError } from './scalars.ts';

const markup = /[<>&\u2028\u2029]/g;
const escapes: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };
/** What the engine's own parser reads otherwise than Go: digits that a double cannot hold for sure, halves of characters. */
const needsCare = /\d{16}|\\u[dD][89a-fA-F]/;

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
/** Throws DecodeError for what is not JSON. `struct`: what it is read into, where that is no map. */
export function decodeJson(text: string, struct?: CompiledMessage): DecodedJson {
  const { colons, hasFractions } = measure(text);
  if (!hasFractions && !needsCare.test(text)) {
    const value = parseFast(text);
    if (value !== undefined && countKeys(value) === colons) return { value, duplicates: [] };
  }
  return new StrictReader(text, struct).read();
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

interface Measure {
  /** Outside of texts: one for each key in the document. */
  readonly colons: number;
  /** Numbers with a point or an exponent, which Go reads into no integer, whatever they are worth. */
  readonly hasFractions: boolean;
}

/** Looks once at what stands outside of texts. Throws DecodeError for what is nested too deep before anybody walks it. */
export function measure(text: string): Measure {
  let colons = 0;
  let depth = 0;
  let hasFractions = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x3a) colons++;
    else if (code === 0x22) i = endOfText(text, i);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > jsonDepthMax) throw new DecodeError(`invalid character '${text[i]}' exceeded max depth`);
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x2e || ((code | 0x20) === 0x65 && isDigit(text.charCodeAt(i - 1)))) hasFractions = true;
  }
  return { colons, hasFractions };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
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
