/**
 * Lists that are sets or maps: no item, or no key, stands twice. Mirrors pkg/apiserver/schema/listtype of apiextensions-apiserver, which
 * tells the second occurrence of each and no later one.
 */
import { duplicate, type FieldErrorList, type FieldPath, invalid, root } from '../../apimachinery/field-errors.ts';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { FaultSink } from './fault-sink.ts';
import { inOrder } from './rewrite.ts';
import type { Structural } from './structural.ts';
import { identityOf } from './uniqueness.ts';

/** Faults of all lists within an object. `path` is undefined for a whole one. */
export function validateListTypes(value: JsonValue, structural: Structural, path: FieldPath | undefined): FieldErrorList {
  const out = new FaultSink();
  if (structural.hasKeyedLists && isObject(value)) walk(value, structural, path, out);
  return out.faults;
}

function walk(value: JsonValue, s: Structural, path: FieldPath | undefined, out: FaultSink): void {
  if (!s.hasKeyedLists) return;
  if (isObject(value)) walkObject(value, s, path, out);
  else if (isList(value)) {
    const at = path ?? root('');
    if (s.listType === 'set')
      for (const index of repeated(value.map(identityOf))) out.push(duplicate(at.index(index), inOrder(value[index] as JsonValue)));
    else if (s.listType === 'map') judgeMap(value, s.listMapKeys, at, out);
    if (s.items?.hasKeyedLists) for (const [index, item] of value.entries()) walk(item, s.items, at.index(index), out);
  }
}

function walkObject(value: JsonObject, { properties, additionalProperties }: Structural, path: FieldPath | undefined, out: FaultSink): void {
  if (typeof additionalProperties === 'object' && additionalProperties.hasKeyedLists)
    for (const [key, member] of Object.entries(value)) walk(member, additionalProperties, (path ?? root('')).key(key), out);
  for (const [name, property] of properties) {
    const member = property.hasKeyedLists ? getOwn(value, name) : undefined;
    if (member !== undefined) walk(member, property, path === undefined ? root(name) : path.child(name), out);
  }
}

function judgeMap(list: readonly JsonValue[], keys: readonly string[], path: FieldPath, out: FaultSink): void {
  const stranger = list.findIndex((item) => item !== null && !isObject(item));
  if (stranger >= 0) return out.push(invalid(path.index(stranger), list[stranger], 'must be an object for an array of list-type map'));
  const keysOf = list.map((item) => keyOf(item as JsonObject | null, keys));
  for (const index of repeated(keysOf.map(identityOf))) out.push(duplicate(path.index(index), inOrder(keysOf[index] as JsonObject)));
}

/** What is not there is no part of the key. */
function keyOf(item: JsonObject | null, keys: readonly string[]): JsonObject {
  const key: { [name: string]: JsonValue } = {};
  for (const name of keys) {
    const value = item === null ? undefined : getOwn(item, name);
    if (value !== undefined) setOwn(key, name, value);
  }
  return key;
}

/** Where something stands for the second time. */
function repeated(identities: readonly string[]): readonly number[] {
  const times = new Map<string, number>();
  const second: number[] = [];
  for (const [index, identity] of identities.entries()) {
    const before = times.get(identity) ?? 0;
    if (before === 1) second.push(index);
    times.set(identity, before + 1);
  }
  return second;
}
