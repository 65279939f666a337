/**
 * Equality as rules of kinds ask for it: amounts count and not their texts, so that `1.125` cpu is `1125m`. Mirrors apimachinery
 * pkg/api/equality (Semantic). Quantities are told by the fields that hold them; what users name themselves is compared as it is.
 */
import { deepEqual, fieldsEqual } from '../base/equal.ts';
import { compareQuantity, parseQuantity, QuantityError } from './quantity.ts';

const lists: ReadonlySet<string> = new Set([
  'limits',
  'requests',
  'capacity',
  'allocatable',
  'allocatedResources',
  'overhead',
  'hard',
  'used',
  'consumedCapacity',
]);
/** By the field that holds them. */
const fields: ReadonlyMap<string, string> = new Map([
  ['sizeLimit', 'emptyDir'],
  ['divisor', 'resourceFieldRef'],
]);

/** What they hold is users' own and has no amounts, whatever it is called there: upstream keeps its bytes. */
const opaque: ReadonlySet<string> = new Set(['data', 'parameters', 'properties', 'default', 'example', 'enum']);

type Fields = { readonly [key: string]: unknown };

/** The order of keys does not count, and a field that is undefined counts as absent. */
export function semanticEqual(a: unknown, b: unknown): boolean {
  return isEqual(a, b, '', '');
}

function isEqual(a: unknown, b: unknown, holder: string, name: string): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b === 'string') return (lists.has(holder) || fields.get(name) === holder) && isSameAmount(a, b);
  if (opaque.has(name)) return isWrittenAlike(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index], '', ''));
  return !Array.isArray(b) && fieldsEqual(a as Fields, b as Fields, (value, other, key) => isEqual(value, other, name, key));
}

/** Of what is kept as it was written, keys in another order are other bytes. */
export function isWrittenAlike(a: unknown, b: unknown): boolean {
  return deepEqual(a, b) && inSameOrder(a, b);
}

function inSameOrder(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return true;
  if (Array.isArray(a)) return a.every((item, index) => inSameOrder(item, (b as readonly unknown[])[index]));
  const given = Object.keys(a);
  const keys = Object.keys(b);
  return given.every((key, index) => key === keys[index] && inSameOrder((a as Fields)[key], (b as Fields)[key]));
}

function isSameAmount(a: string, b: string): boolean {
  try {
    return compareQuantity(parseQuantity(a), parseQuantity(b)) === 0;
  } catch (error) {
    // What is no quantity has no amount.
    if (error instanceof QuantityError) return false;
    throw error;
  }
}
