/**
 * What turns one JSON value into another, as a JSON value. Unchanged parts are not named, and parts that are the same object are not
 * looked at. The order of an object's members is kept, because texts made of it must not change.
 *
 *   a scalar         the new value
 *   [0, v]           replaced by v
 *   [1, {k: d}]      an object with the same members, some changed
 *   [2, [[k, d]]]    an object with other members or another order: all in order; `d` is [] for one that stays
 *   [3, {i: d}]      a list of the same length, some changed
 *   [4, a, b, [v]]   a list: the first a and the last b stay, v between them
 *   [5, {k: d}, [k]] a map whose order says nothing: changed or new, and gone; `d` is a delta to `null` for a new one
 *   [6, n, [v]]      a list that lost its first n and gained v at its end
 *   [7, {i: d}, [i, n], [p]] a list of pairs, a name and a value: values that changed, by their old places; from place i on n are gone
 *                    (i, n, i, n, …); and the last ones are new
 */
import { setOwn } from '../base/dictionary.ts';
import { isList, type JsonObject, type JsonValue } from '../base/json.ts';

export type Delta = JsonValue;

const stays: readonly JsonValue[] = [];
const shiftLengthMin = 32;

/** Undefined when they are equal. The outer `mapDepth` levels of objects are maps whose order says nothing. */
export function diff(before: JsonValue, after: JsonValue, mapDepth = 0): Delta | undefined {
  if (before === after) return undefined;
  if (after === null || typeof after !== 'object') return after;
  if (before === null || typeof before !== 'object') return [0, after];
  if (isList(before)) return isList(after) ? diffLists(before, after) : [0, after];
  if (isList(after)) return [0, after];
  if (hasProto(before) || hasProto(after)) return [0, after];
  return mapDepth > 0 ? diffMaps(before, after, mapDepth) : diffObjects(before, after);
}

export function apply(before: JsonValue, delta: Delta): JsonValue {
  if (delta === null || typeof delta !== 'object') return delta;
  const [operation, first, second, third] = delta as readonly [number, JsonValue, JsonValue, JsonValue];
  switch (operation) {
    case 0:
      return first;
    case 1:
      return applyMembers(before as JsonObject, first as JsonObject);
    case 2:
      return applyOrdered(before as JsonObject, first as readonly (readonly [string, Delta])[]);
    case 3:
      return applyItems(before as readonly JsonValue[], first as JsonObject);
    case 4: {
      const list = before as readonly JsonValue[];
      return [...list.slice(0, first as number), ...(third as readonly JsonValue[]), ...list.slice(list.length - (second as number))];
    }
    case 5:
      return applyMap(before as JsonObject, first as JsonObject, second as readonly string[]);
    case 7:
      return applyPairs(before as readonly Pair[], first as JsonObject, second as readonly number[], third as readonly Pair[]);
    case 6:
      return [...(before as readonly JsonValue[]).slice(first as number), ...(second as readonly JsonValue[])];
    default:
      throw new TypeError(`no delta: ${String(operation)}`);
  }
}

function diffObjects(before: JsonObject, after: JsonObject): Delta | undefined {
  const names = Object.keys(after);
  const old = Object.keys(before);
  if (names.length !== old.length || names.some((name, index) => name !== old[index])) return diffOrdered(before, after, names);
  let changed: Record<string, Delta> | undefined;
  for (const name of names) {
    const delta = diff(before[name] as JsonValue, after[name] as JsonValue);
    if (delta !== undefined) (changed ??= {})[name] = delta;
  }
  return changed === undefined ? undefined : [1, changed];
}

function diffOrdered(before: JsonObject, after: JsonObject, names: readonly string[]): Delta {
  const members = names.map((name): readonly [string, Delta] => {
    const value = after[name] as JsonValue;
    if (!Object.hasOwn(before, name)) return [name, [0, value]];
    const delta = diff(before[name] as JsonValue, value);
    return [name, delta === undefined ? stays : delta];
  });
  return [2, members];
}

function diffMaps(before: JsonObject, after: JsonObject, mapDepth: number): Delta | undefined {
  const changed: Record<string, Delta> = {};
  let isSame = true;
  for (const name of Object.keys(after)) {
    const value = after[name] as JsonValue;
    const delta = Object.hasOwn(before, name) ? diff(before[name] as JsonValue, value, mapDepth - 1) : whole(value);
    if (delta === undefined) continue;
    setOwn(changed, name, delta);
    isSame = false;
  }
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return isSame && gone.length === 0 ? undefined : [5, changed, gone];
}

function diffLists(before: readonly JsonValue[], after: readonly JsonValue[]): Delta | undefined {
  if (isNamed(before[0]) && isNamed(after[0])) {
    const pairs = diffPairs(before, after);
    if (pairs !== undefined) return pairs.length === 0 ? undefined : pairs;
  }
  if (before.length === after.length) {
    const changed: Record<string, Delta> = {};
    let count = 0;
    for (let index = 0; index < after.length; index++) {
      const delta = diff(before[index] as JsonValue, after[index] as JsonValue);
      if (delta === undefined) continue;
      changed[index] = delta;
      count++;
    }
    if (count === 0) return undefined;
    if (count < after.length || after.length === 1) return [3, changed];
    if (Object.values(changed).every(isPart)) return diffShifted(before, after) ?? [3, changed];
  }
  return diffShifted(before, after) ?? diffEnds(before, after);
}

/** A map as a list of pairs, in which what was used last stands at the end. Empty when they are equal, undefined when they are no such lists. */
function diffPairs(before: readonly JsonValue[], after: readonly JsonValue[]): readonly JsonValue[] | undefined {
  const changed: Record<string, Delta> = {};
  const gone: number[] = [];
  let place = 0;
  let kept = 0;
  // What stays in its place is the longest beginning of the new list that follows the order of the old one.
  for (; kept < after.length; kept++) {
    const pair = after[kept];
    if (!isNamed(pair)) return undefined;
    const at = placeOf(before, pair[0], place);
    if (at === undefined) break;
    if (at > place) gone.push(place, at - place);
    place = at + 1;
    const delta = before[at] === pair ? undefined : diff((before[at] as unknown as Pair)[1], pair[1]);
    if (delta !== undefined) setOwn(changed, String(at), delta);
  }
  if (kept === 0) return undefined;
  if (place < before.length) gone.push(place, before.length - place);
  const added = after.slice(kept);
  return gone.length + added.length + Object.keys(changed).length === 0 ? [] : [7, changed, gone, added];
}

type Pair = readonly [name: string, value: JsonValue];

/** Of a name, from a place on. */
function placeOf(list: readonly JsonValue[], name: string, from: number): number | undefined {
  for (let place = from; place < list.length; place++) {
    const pair = list[place];
    if (isNamed(pair) && pair[0] === name) return place;
  }
  return undefined;
}

function isNamed(pair: JsonValue | undefined): pair is Pair & JsonValue {
  return Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string';
}

function applyPairs(before: readonly Pair[], changed: JsonObject, gone: readonly number[], added: readonly Pair[]): readonly JsonValue[] {
  const next: (Pair | undefined)[] = [...before];
  for (const place of Object.keys(changed)) {
    const [name, value] = before[Number(place)] as Pair;
    next[Number(place)] = [name, apply(value, changed[place] as Delta)];
  }
  for (let at = 0; at < gone.length; at += 2) {
    const first = gone[at] as number;
    next.fill(undefined, first, first + (gone[at + 1] as number));
  }
  return [...next.filter((pair) => pair !== undefined), ...added] as readonly JsonValue[];
}

/** A long list that forgets its oldest: what stays is the same, item by item. */
function diffShifted(before: readonly JsonValue[], after: readonly JsonValue[]): Delta | undefined {
  if (before.length < shiftLengthMin || after.length === 0 || before[0] === after[0]) return undefined;
  const gone = before.indexOf(after[0] as JsonValue);
  if (gone <= 0) return undefined;
  const kept = before.length - gone;
  if (kept > after.length) return undefined;
  for (let index = 0; index < kept; index++) if (before[gone + index] !== after[index]) return undefined;
  return [6, gone, after.slice(kept)];
}

function diffEnds(before: readonly JsonValue[], after: readonly JsonValue[]): Delta {
  const most = Math.min(before.length, after.length);
  let first = 0;
  while (first < most && isEqual(before[first], after[first])) first++;
  let last = 0;
  while (last < most - first && isEqual(before[before.length - 1 - last], after[after.length - 1 - last])) last++;
  return first + last === 0 ? [0, after] : [4, first, last, after.slice(first, after.length - last)];
}

function isEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return diff(a as JsonValue, b as JsonValue) === undefined;
}

function applyMembers(before: JsonObject, changed: JsonObject): JsonObject {
  const next: Record<string, JsonValue> = { ...before };
  for (const name of Object.keys(changed)) setOwn(next, name, apply(before[name] as JsonValue, changed[name] as Delta));
  return next;
}

function applyOrdered(before: JsonObject, members: readonly (readonly [string, Delta])[]): JsonObject {
  const next: Record<string, JsonValue> = {};
  for (const [name, delta] of members) {
    const value = before[name] as JsonValue;
    setOwn(next, name, isList(delta) && delta.length === 0 ? value : apply(value, delta));
  }
  return next;
}

function applyItems(before: readonly JsonValue[], changed: JsonObject): readonly JsonValue[] {
  const next = [...before];
  for (const index of Object.keys(changed)) next[Number(index)] = apply(before[Number(index)] as JsonValue, changed[index] as Delta);
  return next;
}

function applyMap(before: JsonObject, changed: JsonObject, gone: readonly string[]): JsonObject {
  const next: Record<string, JsonValue> = { ...before };
  for (const name of gone) delete next[name];
  for (const name of Object.keys(changed))
    setOwn(next, name, apply(Object.hasOwn(before, name) ? (before[name] as JsonValue) : null, changed[name] as Delta));
  return next;
}

/**
 * The same as `apply` for a value that nobody else has and a delta that nobody needs afterwards: maps and lists are changed where they
 * are, so that many deltas cost no more than they say.
 */
export function applyTo(own: JsonValue, delta: Delta): JsonValue {
  if (!isList(delta)) return apply(own, delta);
  const [operation, first, second, third] = delta as readonly [number, JsonValue, JsonValue, JsonValue];
  switch (operation) {
    case 4: {
      const list = own as JsonValue[];
      return spliced(list, first as number, list.length - (first as number) - (second as number), third as readonly JsonValue[]);
    }
    case 5:
      return applyToMap(own as { [name: string]: JsonValue }, first as JsonObject, second as readonly string[]);
    case 6:
      (own as JsonValue[]).splice(0, first as number);
      for (const item of second as readonly JsonValue[]) (own as JsonValue[]).push(item);
      return own;
    case 7:
      return applyToPairs(own as unknown as [string, JsonValue][], first as JsonObject, second as readonly number[], third as readonly Pair[]);
    default:
      return apply(own, delta);
  }
}

function applyToMap(map: { [name: string]: JsonValue }, changed: JsonObject, gone: readonly string[]): JsonValue {
  for (const name of gone) delete map[name];
  for (const name of Object.keys(changed))
    setOwn(map, name, applyTo(Object.hasOwn(map, name) ? (map[name] as JsonValue) : null, changed[name] as Delta));
  return map;
}

/** So many items at a time are handed over as arguments. */
const argumentsMax = 1_000;

function spliced(list: JsonValue[], at: number, gone: number, added: readonly JsonValue[]): JsonValue {
  if (added.length > argumentsMax) return [...list.slice(0, at), ...added, ...list.slice(at + gone)];
  list.splice(at, gone, ...added);
  return list;
}

function applyToPairs(pairs: [string, JsonValue][], changed: JsonObject, gone: readonly number[], added: readonly Pair[]): JsonValue {
  for (const place of Object.keys(changed)) {
    const pair = pairs[Number(place)] as [string, JsonValue];
    pair[1] = applyTo(pair[1], changed[place] as Delta);
  }
  let to = gone[0] ?? pairs.length;
  for (let index = 0; index < gone.length; index += 2) {
    const from = (gone[index] as number) + (gone[index + 1] as number);
    for (let at = from; at < (gone[index + 2] ?? pairs.length); at++) pairs[to++] = pairs[at] as [string, JsonValue];
  }
  pairs.length = to;
  for (const [name, value] of added) pairs.push([name, value]);
  return pairs as unknown as JsonValue;
}

/** Whether it says less than the whole value. */
function isPart(delta: Delta): boolean {
  return Array.isArray(delta) && delta[0] !== 0;
}

function whole(value: JsonValue): Delta {
  return value !== null && typeof value === 'object' ? [0, value] : value;
}

/** A member of this name cannot be set as others are. */
function hasProto(value: JsonObject): boolean {
  return Object.hasOwn(value, '__proto__');
}
