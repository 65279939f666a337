/**
 * Empty lists and maps that a client sends where a field may be absent. Go keeps them while it works on the object: its validation prints them
 * (`{}`, not `null`), and a few comparisons see them. Storage does not: protobuf cannot tell them from absent ones. So our objects are without
 * them throughout, and what was sent is looked at where upstream would show it.
 */
import type { FieldErrorList } from '../apimachinery/field-errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { TypeNode } from '../apimachinery/managed-fields/types.ts';
import { isList, isObject } from '../base/json.ts';
import { fieldAt, withField } from '../base/plain.ts';
import { setOwn } from '../base/dictionary.ts';
import { withoutOmitted } from '../apimachinery/internal-value.ts';
import type { Core, WriteCall } from './core.ts';
import type { Resource } from './resource.ts';

/** `whole` is what the document of the call makes of the object. Custom objects keep what is empty in storage, too. */
export function noteSent(call: WriteCall, whole: KubeObject): void {
  if (call.resource.schema.custom === undefined) call.sent = whole;
}

/** Lists and maps that upstream's validation refuses for being there: it asks whether they are nil. */
const refusedEvenEmpty: ReadonlySet<string> = new Set([
  'claims',
  'ownerReferences',
  'finalizers',
  'managedFields',
  'devices',
  'sharedCounters',
  // Of ephemeral containers.
  'ports',
  'limits',
  'requests',
  'resizePolicy',
  'restartPolicyRules',
  // Of a StorageClass, and in the selector of a budget.
  'parameters',
  'matchLabels',
  'matchExpressions',
  // Of a schema in a definition.
  'dependencies',
]);

/** The faults as they are worded of the object that was sent. What is empty adds and takes away only those that say so (`evenEmpty`, `unlessEmpty`). */
export function asSent(
  core: Core,
  { resource, sent: given }: WriteCall,
  object: KubeObject,
  {
    faults,
    judge,
    isNew = false,
  }: { readonly faults: FieldErrorList; readonly judge: (object: KubeObject) => FieldErrorList; readonly isNew?: boolean },
): FieldErrorList {
  const sent = asJudged(core, resource, given);
  const hollow = withEmpties(object, sent);
  const { sparedByDefaults = [], sparedWhenNew = false } = resource.kind;
  const whole = (sparedWhenNew && !isNew ? [] : sparedByDefaults).reduce((each, path) => unfilled(each, given, path), hollow);
  if (whole === object || (faults.length === 0 && whole === hollow && !addsRefused(object, whole))) return faults;
  const again = judge(whole);
  const left = Map.groupBy(faults, placeOf);
  const found = new Set<FieldErrorList[number]>();
  const worded = again.flatMap((fault) => {
    const known = left.get(placeOf(fault))?.shift();
    if (known === undefined) return fault.evenEmpty === true ? [fault] : [];
    found.add(known);
    return ['badValue' in fault ? { ...fault, badValue: withoutOmitted(core.schemas, resource.schema, fault) } : fault];
  });
  const unfound = faults.filter((fault) => !found.has(fault) && fault.unlessEmpty !== true);
  return unfound.length === 0 ? worded : [...worded, ...unfound];
}

/** With its fields where they stand in what is judged. */
function asJudged(core: Core, resource: Resource, sent: KubeObject | undefined): KubeObject | undefined {
  return sent !== undefined && resource.kind.storage?.movesFields === true ? core.toStorage(core.defaulted(sent, resource), resource) : sent;
}

/** `value` with an empty list at the path, where one was sent. */
function unfilled<T>(value: T, sent: unknown, [key, ...rest]: readonly string[]): T {
  if (key === undefined) return isList(sent) && sent.length === 0 ? (sent as T) : value;
  const [here, there] = [isObject(value) ? fieldAt(value, key) : undefined, isObject(sent) ? fieldAt(sent, key) : undefined];
  const next = here === undefined || there === undefined ? here : unfilled(here, there, rest);
  return next === here ? value : withField(value as T & object, key, next);
}

/** Whether `whole` has one of those, and nothing in it, where `object` has none. */
function addsRefused(object: unknown, whole: unknown): boolean {
  if (object === whole || typeof whole !== 'object' || whole === null) return false;
  if (isList(whole)) return whole.some((item, index) => addsRefused(isList(object) ? object[index] : undefined, item));
  return Object.entries(whole).some(([name, inner]) => {
    const here = isObject(object) && Object.hasOwn(object, name) ? fieldAt(object, name) : undefined;
    return (refusedEvenEmpty.has(name) && isHollow(inner) && here === undefined) || addsRefused(here, inner);
  });
}

function placeOf({ type, field }: FieldErrorList[number]): string {
  return `${type} ${field}`;
}

/**
 * `object` with what is empty in `sent` and absent in it; the same reference where there is nothing. Of lists that admission has made longer those
 * items are looked at that have kept their names; others that are not alike are left.
 * `hollow`: which values are empty.
 */
export function withEmpties<T>(object: T, sent: unknown, hollow: (value: unknown) => boolean = isHollow): T {
  if (isList(object) && isList(sent)) return listWith(object, sent, hollow) as T;
  return isObject(object) && isObject(sent) ? (fieldsWith(object, sent, hollow) as T) : object;
}

function listWith(list: readonly unknown[], sent: readonly unknown[], hollow: (value: unknown) => boolean): readonly unknown[] {
  const isAlike = list.length === sent.length;
  return mapSame(list, (item, index) => (isAlike || isSameName(item, sent[index]) ? withEmpties(item, sent[index], hollow) : item));
}

function isSameName(item: unknown, other: unknown): boolean {
  if (!isObject(item) || !isObject(other)) return false;
  const name = fieldAt(item, 'name');
  return typeof name === 'string' && name === fieldAt(other, 'name');
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

function fieldsWith(object: Fields, sent: Fields, hollow: (value: unknown) => boolean): Fields {
  let changed: { [name: string]: unknown } | undefined;
  for (const name in sent) {
    const here = Object.hasOwn(object, name) ? object[name] : undefined;
    const there = fieldAt(sent, name);
    const next = here === undefined || here === null ? (hollow(there) ? there : here) : withEmpties(here, there, hollow);
    if (next === here) continue;
    changed ??= { ...object };
    setOwn(changed, name, next);
  }
  return changed ?? object;
}

/** Empty, or made of nothing but what is empty. */
export function isHollow(value: unknown): boolean {
  if (isList(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isHollow);
}

/** The same, or bytes of which there are none: Go's nil is not its empty slice. */
export function isHollowOrNoBytes(value: unknown): boolean {
  return value === '' || isHollow(value);
}
