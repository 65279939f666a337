/**
 * Defaults of custom kinds, and the nulls that stand where none may. Mirrors pkg/apiserver/schema/defaulting of apiextensions-apiserver:
 * a null of a field that is not nullable is left out when the object is read, unless the field has a default, which then takes its place.
 */
import { setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { prune } from './prune.ts';
import { rewriteItems, rewriteMembers } from './rewrite.ts';
import { type Structural, withDefault } from './structural.ts';

/** Leaves out nulls of fields that are neither nullable nor have a default. What nothing is left out of is the same value. */
export function pruneNulls(value: JsonValue, structural: Structural | undefined): JsonValue {
  if (isObject(value)) {
    return rewriteMembers(value, (key, member) => {
      const below = structural && schemaOf(structural, key);
      if (member === null && below !== undefined && !below.nullable && below.default === undefined) return undefined;
      return pruneNulls(member, below);
    });
  }
  return isList(value) ? rewriteItems(value, (item) => pruneNulls(item, structural?.items)) : value;
}

/** Fills in defaults. What nothing is filled into is the same value. */
export function applyDefaults(value: JsonValue, structural: Structural | undefined): JsonValue {
  if (structural === undefined || !structural.hasDefaults) return value;
  if (isObject(value)) {
    return rewriteMembers(withMissing(value, structural), (key, member) => {
      const below = schemaOf(structural, key);
      return applyDefaults(filled(member, below), below);
    });
  }
  return isList(value) ? rewriteItems(value, (item) => applyDefaults(filled(item, structural.items), structural.items)) : value;
}

/** All that a value of the schema gets when it is read: without nulls that may not be, and with defaults. */
export function defaulted(value: JsonValue, structural: Structural | undefined): JsonValue {
  return applyDefaults(pruneNulls(value, structural), structural);
}

function withMissing(value: JsonObject, { properties }: Structural): JsonObject {
  let changed: { [key: string]: JsonValue } | undefined;
  for (const [name, property] of properties) {
    if (property.default === undefined || Object.hasOwn(value, name)) continue;
    changed ??= copyOf(value);
    setOwn(changed, name, property.default);
  }
  return changed ?? value;
}

function copyOf(value: JsonObject): { [key: string]: JsonValue } {
  const copy: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(value)) setOwn(copy, key, value[key] as JsonValue);
  return copy;
}

function filled(value: JsonValue, structural: Structural | undefined): JsonValue {
  return value === null && structural !== undefined && !structural.nullable ? (structural.default ?? null) : value;
}

function schemaOf(structural: Structural, key: string): Structural | undefined {
  const { properties, additionalProperties } = structural;
  return properties.get(key) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}

/** The schema with its defaults pruned: definitions of former releases may have some that are not. */
export function withPrunedDefaults(structural: Structural): Structural {
  return pruneBelow(
    structural,
    structural,
    (leaf) => leaf,
    (root) => root,
  );
}

/** Lays a value at its place into an object of the root schema, and takes it out again. */
type Around = (leaf: JsonValue) => JsonValue;
type Inside = (root: JsonValue) => JsonValue | undefined;

function pruneBelow(s: Structural, root: Structural, around: Around, inside: Inside): Structural {
  if (!s.hasDefaults) return s;
  const { additionalProperties, items } = s;
  const child = (key: string, below: Structural): Structural =>
    pruneBelow(
      below,
      root,
      (leaf) => around(memberOf(key, leaf)),
      (whole) => memberIn(inside(whole), key),
    );
  const pruned = s.default === undefined ? s : withDefault(s, inside(prune(around(s.default), root, { isResourceRoot: true })) ?? null);
  return {
    ...pruned,
    properties: new Map([...s.properties].map(([key, below]) => [key, child(key, below)])),
    additionalProperties: typeof additionalProperties === 'object' ? child('*', additionalProperties) : additionalProperties,
    items:
      items &&
      pruneBelow(
        items,
        root,
        (leaf) => around([leaf]),
        (whole) => firstOf(inside(whole)),
      ),
  };
}

function memberOf(key: string, value: JsonValue): JsonObject {
  const object: { [key: string]: JsonValue } = {};
  setOwn(object, key, value);
  return object;
}

function memberIn(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return isList(value) ? value[0] : undefined;
}
