/**
 * Bytes of which there are none. Go's nil is not its empty slice, and protobuf tells them apart: where storage is of protobuf an empty text that was sent
 * is stored, and nobody ever sees it, for JSON leaves it out. So it goes again with the next write of its part that does not say it, and both are changes.
 */
import type { KubeObject } from '../apimachinery/object.ts';
import { isList, isObject } from '../base/json.ts';
import { fieldAt, withField } from '../base/plain.ts';
import type { KindDefinition } from '../contracts/kind.ts';
import type { WriteCall } from './core.ts';

/** What is read of an object in its stored form. */
export function withoutEmptyBytes<T extends KubeObject>(object: T, { emptyBytes = [] }: Pick<KindDefinition, 'emptyBytes'>): T {
  return emptyBytes.reduce<T>((each, path) => cleared(each, path) as T, object);
}

/** What is stored for `object`, after `stored`: each part comes of what was sent, or stays as it was where the write is of another part. */
export function withEmptyBytes<T extends KubeObject>(
  object: T,
  { emptyBytes = [] }: Pick<KindDefinition, 'emptyBytes'>,
  { subresource, sent }: Pick<WriteCall, 'subresource' | 'sent'>,
  stored: KubeObject | undefined,
): T {
  return emptyBytes.reduce<T>((each, path) => {
    const isOwn = subresource === (path[0] === 'status' ? 'status' : undefined);
    return filled(each, isOwn ? sent : stored, path) as T;
  }, object);
}

function cleared(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || !isObject(value)) return value;
  const inner = fieldAt(value, key);
  if (rest.length === 0) return inner === '' ? withField(value, key, undefined) : value;
  const next = isList(inner) ? sameOrMapped(inner, (item) => cleared(item, rest)) : cleared(inner, rest);
  return next === inner ? value : withField(value, key, next);
}

function filled(value: unknown, source: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || !isObject(value) || !isObject(source)) return value;
  const [inner, there] = [fieldAt(value, key), fieldAt(source, key)];
  if (rest.length === 0) return there === '' && inner === undefined ? withField(value, key, '') : value;
  const next = isList(inner) ? filledItems(inner, isList(there) ? there : [], rest) : filled(inner ?? {}, there, rest);
  return next === inner || (inner === undefined && isObject(next) && Object.keys(next).length === 0) ? value : withField(value, key, next);
}

/** Items are those of the same name, and without names of the same place. */
function filledItems(items: readonly unknown[], sources: readonly unknown[], path: readonly string[]): readonly unknown[] {
  return sameOrMapped(items, (item, index) => {
    const name = isObject(item) ? fieldAt(item, 'name') : undefined;
    const source = name === undefined ? sources[index] : sources.find((each) => isObject(each) && fieldAt(each, 'name') === name);
    return filled(item, source, path);
  });
}

function sameOrMapped(items: readonly unknown[], change: (item: unknown, index: number) => unknown): readonly unknown[] {
  const next = items.map(change);
  return next.some((item, index) => item !== items[index]) ? next : items;
}
