/** The order of keys: of the fields of a message, which is the schema's, and of maps, which is that of bytes. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { setOwn } from '../../base/dictionary.ts';
import { fieldAt, fieldCount, roomFor } from '../../base/plain.ts';
import type { CompiledField, CompiledMessage } from './compile.ts';

export type Plain = { [key: string]: JsonValue };
export type ReadonlyPlain = { readonly [key: string]: JsonValue };

/** Places in the schema, in order, of the fields that are given or written whatever was given, and how many keys are none. */
export function fieldsOf(given: ReadonlyPlain, message: CompiledMessage): { readonly places: readonly number[]; readonly ignored: number } {
  const { positions } = message;
  const places: number[] = [];
  let ignored = 0;
  for (const key in given) {
    const place = fieldAt(given, key) === undefined ? undefined : positions.get(key);
    if (place === undefined) ignored++;
    else places.push(place);
  }
  for (const field of message.always) if (given[field.name] === undefined) places.push(positions.get(field.name) as number);
  sortFew(places);
  return { places, ignored };
}

/** By insertion: they are few, and mostly in order. */
function sortFew(places: number[]): void {
  for (let index = 1; index < places.length; index++) {
    const place = places[index] as number;
    let at = index;
    for (; at > 0 && (places[at - 1] as number) > place; at--) places[at] = places[at - 1] as number;
    places[at] = place;
  }
}

/** Where the field of that name stands in the schema, looked for from `from` on; as many as there are fields when it does not. */
export function positionFrom({ json }: CompiledMessage, name: string, from: number): number {
  let position = from;
  while (position < json.length && (json[position] as CompiledField).name !== name) position++;
  return position;
}

/** Whether all keys are fields in the schema's order, and none is missing that is always written. */
export function isInOrder(given: ReadonlyPlain, message: CompiledMessage): boolean {
  const { json } = message;
  let position = 0;
  let always = 0;
  for (const key in given) {
    position = positionFrom(message, key, position);
    const field = json[position++];
    if (field === undefined || fieldAt(given, key) === undefined) return false;
    if (!field.omitEmpty) always++;
  }
  return always === message.always.length;
}

export function fieldsBefore(given: ReadonlyPlain, end: string): Plain {
  const result = roomFor(fieldCount(given)) as Plain;
  for (const key in given) {
    if (key === end) break;
    result[key] = fieldAt(given, key) as JsonValue;
  }
  return result;
}

export function entriesBefore(given: ReadonlyPlain, keys: readonly string[], end: number): Plain {
  const result: Plain = {};
  for (let index = 0; index < end; index++) setOwn(result, keys[index] as string, given[keys[index] as string] as JsonValue);
  return result;
}

export function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) if ((keys[index - 1] as string) > (keys[index] as string)) return false;
  return true;
}

/** Both have the same keys; the order of `result` is the schema's. */
export function sameOrder(given: ReadonlyPlain, result: ReadonlyPlain): boolean {
  const keys = Object.keys(given);
  let index = 0;
  for (const key in result) if (keys[index++] !== key) return false;
  return true;
}

export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** With the keys of all maps in order: Go's maps have none, and what is kept of them as it came is written so. What is in order is given back itself. */
export function withSortedKeys(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const next = items.map(withSortedKeys);
    return next.every((item, index) => item === items[index]) ? value : next;
  }
  const object = value as JsonObject;
  const keys = Object.keys(object);
  const wasSorted = isSorted(keys);
  let changed = !wasSorted;
  const next: { [key: string]: JsonValue } = {};
  for (const key of wasSorted ? keys : keys.sort(byCodeUnits)) {
    const inner = withSortedKeys(object[key] as JsonValue);
    if (inner !== object[key]) changed = true;
    setOwn(next, key, inner);
  }
  return changed ? next : object;
}
