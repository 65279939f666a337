/**
 * Numbers of a patch as they were written. Upstream's patches of JSON are merges of text: `1.0` reaches the decoder of the patched object
 * as it stood in the patch, is no integer there, and equals no `1` that a test finds. Mirrors evanphx/json-patch, which keeps raw messages.
 *
 * What JavaScript would write otherwise is carried as a text that begins with half of a character, which no text that was read can.
 */
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { CompiledMessage } from './compile.ts';
import { measure } from './json.ts';
import { StrictReader } from './json-reader.ts';

const mark = '\ud800';
/** What most patches have nothing of, not even in their texts. */
const mayBeOdd = /-0|\d[.eE]/;
const marked = /"\\ud800([-+.\deE]+)"/g;

/** The document with its odd numbers marked; undefined where it has none. `text` is JSON. */
export function numbersAsWritten(text: string): JsonValue | undefined {
  if (!mayBeOdd.test(text) || (!text.includes('-0') && !measure(text).hasFractions)) return undefined;
  return new StrictReader(text, undefined, (raw) => mark + raw).read().value;
}

export function hasWrittenNumbers(value: JsonValue): boolean {
  if (typeof value === 'string') return value.startsWith(mark);
  if (isList(value)) return value.some(hasWrittenNumbers);
  return isObject(value) && Object.values(value).some((inner) => hasWrittenNumbers(inner ?? null));
}

/** JSON of a document with marked numbers, these as they were written. */
export function withWrittenNumbers(json: string): string {
  return json.replace(marked, '$1');
}

/** Reads what a patch made. Throws DecodeError for numbers that do not fit `struct`; undefined: users' own kinds, which are maps. */
export function readWritten(patched: JsonObject, struct: CompiledMessage | undefined, toJson: (value: JsonValue) => string): JsonValue {
  return new StrictReader(withWrittenNumbers(toJson(patched)), struct).read().value;
}
