/**
 * Continue tokens of chunked lists: where to go on, and at which revision. Mirrors apiserver pkg/storage/continue.go.
 */
import { assert } from '../base/assert.ts';
import { newBadRequest } from '../apimachinery/errors.ts';
import { goKind } from '../apimachinery/serializer/go-names.ts';
import { decodeJson } from '../apimachinery/serializer/json.ts';
import { DecodeError } from '../apimachinery/serializer/scalars.ts';
import { textOfBytes } from '../base/byte-text.ts';
import type { JsonValue } from '../base/json.ts';

export interface ContinuePosition {
  readonly startKey: string;
  /** -1: at any revision (an inconsistent continuation). What is beyond all revisions may be too long for a number. */
  readonly revision: number | bigint;
}

const invalid = 'continue key is not valid';

/** The list goes on right behind `lastKey`. */
export function encodeContinue(lastKey: string, prefix: string, revision: number): string {
  assert(lastKey.startsWith(prefix) && revision !== 0, 'a token names a key of its list and a revision');
  const start = `${lastKey.slice(prefix.length)}\u0000`;
  return toBase64Url(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start }));
}

/** Throws BadRequest with upstream's texts. */
export function decodeContinue(token: string, prefix: string): ContinuePosition {
  const bytes = fromBase64Url(token);
  if (typeof bytes === 'number') throw badToken(`${invalid}: illegal base64 data at input byte ${bytes}`);
  const parsed = parseToken(bytes);
  if (parsed.version !== 'meta.k8s.io/v1') throw badToken(`${invalid}: server does not recognize this encoded version ${parsed.version}`);
  if (parsed.revision === 0) throw badToken(`${invalid}: incorrect encoded start resourceVersion (version meta.k8s.io/v1)`);
  if (parsed.start === '') throw badToken(`${invalid}: encoded start key empty (version meta.k8s.io/v1)`);
  const rooted = parsed.start.startsWith('/') ? parsed.start : `/${parsed.start}`;
  if (!isClean(rooted)) throw badToken(`${invalid}: ${parsed.start}`);
  return { startKey: prefix + rooted.slice(1), revision: parsed.revision };
}

function badToken(why: string): Error {
  return newBadRequest(`invalid continue token: ${why}`);
}

function parseToken(bytes: Uint8Array): { version: string; revision: number | bigint; start: string } {
  const value = readJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (value === null) return { version: '', revision: 0, start: '' };
    throw badToken(`${invalid}: json: cannot unmarshal ${goKind(value)} into Go value of type storage.continueToken`);
  }
  const token: { version: string; revision: number | bigint; start: string } = { version: '', revision: 0, start: '' };
  // Go finds fields whatever their case is.
  for (const [key, given] of Object.entries(value)) {
    const field = key.toLowerCase();
    if (given === null) continue;
    if (field === 'rv') token.revision = wholeNumber(given);
    else if (field === 'v') token.version = textOf(given, field);
    else if (field === 'start') token.start = textOf(given, field);
  }
  return token;
}

function textOf(value: JsonValue, field: string): string {
  if (typeof value === 'string') return value;
  throw badField(goKind(value), field, 'string');
}

function wholeNumber(value: JsonValue): number | bigint {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return value;
  throw badField(typeof value === 'number' || typeof value === 'bigint' ? `number ${value}` : goKind(value), 'rv', 'int64');
}

function badField(given: string, field: string, type: string): Error {
  return badToken(`${invalid}: json: cannot unmarshal ${given} into Go struct field continueToken.${field} of type ${type}`);
}

function readJson(bytes: Uint8Array): JsonValue {
  try {
    return decodeJson(textOfBytes(bytes)).value;
  } catch (error) {
    if (error instanceof DecodeError) throw badToken(`${invalid}: ${error.message}`);
    throw error;
  }
}

function isClean(path: string): boolean {
  return path
    .slice(1)
    .split('/')
    .every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const bits = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    out += alphabet.charAt(bits >> 18) + alphabet.charAt((bits >> 12) & 63);
    if (left > 1) out += alphabet.charAt((bits >> 6) & 63);
    if (left > 2) out += alphabet.charAt(bits & 63);
  }
  return out;
}

/** What is encoded, or at which byte it is no base64 without padding, as Go counts. */
function fromBase64Url(text: string): Uint8Array | number {
  const bytes = new Uint8Array(Math.floor((text.length * 6) / 8));
  let bits = 0;
  let count = 0;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const value = alphabet.indexOf(text.charAt(i));
    if (value < 0) return new TextEncoder().encode(text.slice(0, i)).length;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[at++] = (bits >> count) & 0xff;
    }
  }
  return text.length % 4 === 1 ? text.length - 1 : bytes;
}
