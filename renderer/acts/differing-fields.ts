/** Which fields of two templates differ, by their paths: items of lists by their names, where they have some. */
import { isObject, type JsonObject, type JsonValue } from '../../engine/base/json.ts';
import { changesBetween } from '../editor/changes.ts';

type Side = JsonValue | undefined;

export function differingFields(one: Side, other: Side, path = ''): readonly string[] {
  if (changesBetween(one, other).length === 0) return [];
  if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.flatMap((name) => differingFields(own(one, name), own(other, name), path === '' ? name : `${path}.${name}`));
  }
  const [some, others] = [byName(one), byName(other)];
  if (some === undefined || others === undefined) return [path];
  const names = [...new Set([...some.keys(), ...others.keys()])];
  return names.flatMap((name) => differingFields(some.get(name), others.get(name), `${path}[${name}]`));
}

function own(object: JsonObject, name: string): Side {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Undefined for what is no list of things with names of their own. */
function byName(list: Side): ReadonlyMap<string, JsonObject> | undefined {
  if (!Array.isArray(list)) return undefined;
  const named = new Map<string, JsonObject>();
  for (const item of list as readonly JsonValue[]) if (isObject(item) && typeof item['name'] === 'string') named.set(item['name'], item);
  return named.size === list.length ? named : undefined;
}
