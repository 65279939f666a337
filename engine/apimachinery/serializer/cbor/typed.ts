/** CBOR read as a kind: which unknown field is told, and misfits in the words of upstream's library, which knows no paths but the first name. */
import { isObject, type JsonValue } from '../../../base/json.ts';
import type { CompiledField, CompiledMessage } from '../compile.ts';
import { goTypeOf } from '../go-names.ts';
import { DecodeError } from '../scalars.ts';

const whole = 'json: cannot unmarshal';
const noArray = ' (cannot decode CBOR array to struct without toarray option)';
const integerType = /^u?int\d+$/;

/** What JSON's reader of types found wrong, as CBOR's says it. */
export function cborFault(error: DecodeError, message: CompiledMessage): DecodeError {
  const { mismatch, message: text } = error;
  if (mismatch === undefined || !text.startsWith(whole))
    return text.startsWith('illegal base64') ? new DecodeError(`cbor: failed to decode base64 from byte string: ${text}`) : error;
  const field = /Go struct field [^.\s]+\.([^.\s]+)/.exec(text)?.[1];
  const where = field === undefined ? 'Go value' : `Go struct field ${goTypeOf(message)}.${field}`;
  const { value, goType, kind } = mismatch;
  const isStruct = Array.isArray(value) && kind === undefined && /^\w+\.[A-Z]/.test(goType);
  const overflows = integerType.test(goType) && (typeof value === 'bigint' || Number.isInteger(value));
  const why = isStruct ? noArray : overflows ? ` (${String(value)} overflows ${goType})` : '';
  return new DecodeError(`cbor: cannot unmarshal ${typeOf(value)} into ${where} of type ${goType}${why}`);
}

/** What is said of anything else where any map is expected. */
export function noMap(value: JsonValue): string {
  return `cbor: cannot unmarshal ${typeOf(value)} into Go value of type map[string]interface {}`;
}

function typeOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || Number.isInteger(value)) return `${(value as number | bigint) < 0 ? 'negative' : 'positive'} integer`;
  if (typeof value === 'string') return 'byte string';
  return isObject(value) ? 'map' : 'primitives';
}

/** Where in its map the unknown field stands that is told: of an object itself before those of its parts. Undefined where there is none. */
export function unknownFieldAt(value: JsonValue, message: CompiledMessage): number | undefined {
  if (!isObject(value)) return undefined;
  let inside: number | undefined;
  for (const [index, name] of Object.keys(value).entries()) {
    const field = message.byName.get(name);
    if (field === undefined) return index;
    inside ??= unknownInside(value[name] as JsonValue, field, message);
  }
  return inside;
}

function unknownInside(value: JsonValue, field: CompiledField, owner: CompiledMessage): number | undefined {
  const isUnion = field.scalar?.startsWith('jsonSchema') === true;
  if ((field.scalar !== undefined && !isUnion) || field.card === 'mapOfLists') return undefined;
  const message = isUnion ? owner : field.message();
  const isMany = field.card !== 'one' || (isUnion && Array.isArray(value));
  const parts: readonly JsonValue[] = !isMany ? [value] : Array.isArray(value) ? (value as readonly JsonValue[]) : Object.values(value ?? {});
  for (const part of parts) {
    const found = unknownFieldAt(part, message);
    if (found !== undefined) return found;
  }
  return undefined;
}
