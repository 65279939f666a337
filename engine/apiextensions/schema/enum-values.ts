/**
 * Values of which a schema takes one. Upstream converts a value to the type of the listed one before it compares (Go's reflect.Convert):
 * fractions lose what stands behind the point, whole numbers become the letter of that code. Mirrors basicCommonValidator of kube-openapi.
 */
import { goJson } from '../../apimachinery/quote.ts';
import { deepEqual } from '../../base/equal.ts';
import type { JsonValue } from '../../base/json.ts';
import { inOrder } from './rewrite.ts';

export interface EnumValues {
  readonly values: readonly JsonValue[];
  /** As messages list them: texts bare, others as JSON. */
  readonly texts: readonly string[];
  /** All in one, to tell faults apart. */
  readonly key: string;
  has(value: JsonValue): boolean;
}

export function enumOf(values: readonly JsonValue[]): EnumValues {
  const scalars = new Set<JsonValue>(values.filter((value) => value !== null && typeof value !== 'object').map(plain));
  const compounds = values.filter((value) => value !== null && typeof value === 'object');
  const texts = values.map((value) => (typeof value === 'string' ? value : goJson(inOrder(value))));
  return {
    values,
    texts,
    key: texts.join(' '),
    has(value) {
      if (value === null) return false;
      if (typeof value === 'object') return compounds.some((one) => Array.isArray(one) === Array.isArray(value) && deepEqual(one, value));
      if (scalars.has(plain(value))) return true;
      if (typeof value !== 'number' && typeof value !== 'bigint') return false;
      if (typeof value === 'number' && !Number.isInteger(value)) return scalars.has(Math.trunc(value) || 0);
      return scalars.has(letterOf(value));
    },
  };
}

/** A number and a bigint of the same size are one. */
function plain(value: JsonValue): JsonValue {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function letterOf(value: number | bigint): string {
  const code = Number(value);
  const isPoint = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isPoint ? String.fromCodePoint(code) : '\ufffd';
}
