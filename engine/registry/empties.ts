/**
 * Empty lists and maps that a client sends where a field may be absent. Go keeps them while it works on the object: its validation prints them
 * (`{}`, not `null`), and a few comparisons see them. Storage does not: protobuf cannot tell them from absent ones. So our objects are without
 * them throughout, and what was sent is looked at where upstream would show it.
 */
import type { FieldErrorList } from '../apimachinery/field-errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { TypeNode } from '../apimachinery/managed-fields/types.ts';
import { assert } from '../base/assert.ts';
import { isList, isObject } from '../base/json.ts';
import { fieldAt } from '../base/plain.ts';
import { setOwn } from '../base/dictionary.ts';
import { withoutOmitted } from '../apimachinery/internal-value.ts';
import type { Core, WriteCall } from './core.ts';

/** `whole` is what the document of the call makes of the object. Custom objects keep what is empty in storage, too. */
export function noteSent(call: WriteCall, whole: KubeObject): void {
  if (call.resource.schema.custom === undefined) call.sent = whole;
}

/** The faults as they are worded of the object that was sent: whether it has any does not depend on what is empty. */
export function asSent(
  core: Core,
  { resource, sent }: WriteCall,
  object: KubeObject,
  { faults, judge }: { readonly faults: FieldErrorList; readonly judge: (object: KubeObject) => FieldErrorList },
): FieldErrorList {
  assert(faults.length > 0, 'only what is refused is worded');
  if (sent === undefined) return faults;
  const again = Map.groupBy(judge(withEmpties(object, sent)), placeOf);
  const told = new Map<string, number>();
  return faults.map((fault) => {
    const place = placeOf(fault);
    const nth = told.get(place) ?? 0;
    told.set(place, nth + 1);
    const other = again.get(place)?.[nth];
    if (other === undefined) return fault;
    return 'badValue' in other ? { ...other, badValue: withoutOmitted(core.schemas, resource.schema, other) } : other;
  });
}

function placeOf({ type, field }: FieldErrorList[number]): string {
  return `${type} ${field}`;
}

/** `object` with what is empty in `sent` and absent in it; the same reference where there is nothing. Lists that are not alike are left. */
export function withEmpties<T>(object: T, sent: unknown): T {
  if (isList(object) && isList(sent)) return (object.length === sent.length ? listWith(object, sent) : object) as T;
  return isObject(object) && isObject(sent) ? (fieldsWith(object, sent) as T) : object;
}

function listWith(list: readonly unknown[], sent: readonly unknown[]): readonly unknown[] {
  return mapSame(list, (item, index) => withEmpties(item, sent[index]));
}

function mapSame(list: readonly unknown[], change: (item: unknown, index: number) => unknown): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const next = change(list[index], index);
    if (next !== list[index]) (changed ??= [...list])[index] = next;
  }
  return changed ?? list;
}

/** The same inside of items of atomic lists alone; `type` is that of `object`. */
export function withListEmpties<T>(object: T, sent: unknown, type: TypeNode): T {
  const made = type.kind === 'atomic' ? type.inner : type;
  if (made === undefined || made.kind === 'scalar' || made.kind === 'deduced') return object;
  if (isList(object) && isList(sent)) {
    if (made.kind === 'items') return withEmpties(object, sent);
    if (made.kind !== 'list' || object.length !== sent.length) return object;
    return mapSame(object, (item, index) => withListEmpties(item, sent[index], made.element)) as T;
  }
  if (made.kind !== 'map' || !isObject(object) || !isObject(sent)) return object;
  let changed: { [name: string]: unknown } | undefined;
  for (const name in sent) {
    const here = Object.hasOwn(object, name) ? (object as Fields)[name] : undefined;
    if (typeof here !== 'object' || here === null) continue;
    const next = withListEmpties(here, fieldAt(sent, name), made.fields?.get(name)?.type ?? made.element);
    if (next === here) continue;
    changed ??= { ...(object as Fields) };
    setOwn(changed, name, next);
  }
  return (changed as T | undefined) ?? object;
}

type Fields = { readonly [name: string]: unknown };

function fieldsWith(object: Fields, sent: Fields): Fields {
  let changed: { [name: string]: unknown } | undefined;
  for (const name in sent) {
    const here = Object.hasOwn(object, name) ? object[name] : undefined;
    const there = fieldAt(sent, name);
    const next = here === undefined || here === null ? (isHollow(there) ? there : here) : withEmpties(here, there);
    if (next === here) continue;
    changed ??= { ...object };
    setOwn(changed, name, next);
  }
  return changed ?? object;
}

/** Empty, or made of nothing but what is empty. */
function isHollow(value: unknown): boolean {
  if (isList(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isHollow);
}
