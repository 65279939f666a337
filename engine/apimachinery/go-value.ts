/** How Go's fmt prints what a document was read into (`interface{}`), for messages that upstream writes with %v, %#v and %T. */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { goFloat, goQuote } from './quote.ts';

/** %v */
export function goPrint(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value);
  if (typeof value !== 'object') return String(value);
  return `map[${sortedEntries(value as JsonObject, (key, inner) => `${key}:${goPrint(inner)}`).join(' ')}]`;
}

/** %s, of what is no text. */
export function goPrintText(value: JsonValue): string {
  return value === null ? '%!s(<nil>)' : textWithin(value);
}

function textWithin(value: JsonValue): string {
  if (value === null || typeof value === 'string') return value ?? '<nil>';
  if (Array.isArray(value)) return `[${value.map(textWithin).join(' ')}]`;
  if (typeof value === 'object') return `map[${sortedEntries(value as JsonObject, (key, inner) => `${key}:${textWithin(inner)}`).join(' ')}]`;
  return `%!s(${goTypeOf(value)}=${goPrint(value)})`;
}

/** %#v */
export function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value);
  if (typeof value !== 'object') return String(value);
  return `map[string]interface {}{${sortedEntries(value as JsonObject, (key, inner) => `${goQuote(key)}:${goSyntax(inner)}`).join(', ')}}`;
}

function numberText(value: number | bigint): string {
  return goTypeOf(value) === 'int64' ? String(value) : goFloat(Number(value));
}

function isInt64(value: number | bigint): boolean {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** Whole numbers beyond 64 bits are floating-point numbers to Go. */
export function wholeText(value: number | bigint): string {
  return String(typeof value === 'bigint' && BigInt.asIntN(64, value) !== value ? Number(value) : value);
}

/** %T */
export function goTypeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'object':
      return 'map[string]interface {}';
    default:
      return isInt64(value) ? 'int64' : 'float64';
  }
}

function sortedEntries(object: JsonObject, print: (key: string, value: JsonValue) => string): readonly string[] {
  return Object.entries(object)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => print(key, inner));
}
