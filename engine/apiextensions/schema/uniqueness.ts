/** Values that stand twice in a list. One key for each value, so that a long list costs what it is long. */
import { isList, isObject, type JsonValue } from '../../base/json.ts';

export function hasDuplicates(list: readonly JsonValue[]): boolean {
  return new Set(list.map(identityOf)).size < list.length;
}

/** The same for equal values and for no others; the order of members does not count. */
export function identityOf(value: JsonValue): string {
  if (isList(value)) return `[${value.map(identityOf).join(',')}]`;
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${identityOf(value[key] as JsonValue)}`).join(',')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
