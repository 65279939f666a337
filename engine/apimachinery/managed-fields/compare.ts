/**
 * What differs between two typed values, as sets of fields added, removed and modified. Subtrees shared by reference cost nothing,
 * and sets of shapes that were met before are found, not made. Mirrors typed.Compare and typed.ToFieldSet of structured-merge-diff.
 */
import { getOwn } from '../../base/dictionary.ts';
import { deepEqual } from '../../base/equal.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { fieldAt } from '../../base/plain.ts';
import { ElementTexts } from './element-texts.ts';
import { type FieldSet, leaf, makeNode } from './field-set.ts';
import type { Gathered, SetGathering } from './set-gathering.ts';
import { itemElement, type ListNode, type MapNode, resolve, type TypeNode } from './types.ts';

export interface Difference {
  readonly added: FieldSet | undefined;
  readonly removed: FieldSet | undefined;
  readonly modified: FieldSet | undefined;
}

type Child = readonly [element: string, difference: Difference];
type Children = (readonly [element: string, node: FieldSet])[];

function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (isList(value)) return value.length === 0;
  if (!isObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

/** Collects the children of one level; `result` is undefined when nothing differs. */
class Gathering {
  readonly #sets: SetGathering;
  #added: Gathered | undefined;
  #removed: Gathered | undefined;
  #modified: Gathered | undefined;

  constructor(sets: SetGathering) {
    this.#sets = sets;
  }

  add(element: string, { added, removed, modified }: Difference): void {
    if (added !== undefined) this.#added = (this.#added ?? this.#sets.start(false)).with(element, added);
    if (removed !== undefined) this.#removed = (this.#removed ?? this.#sets.start(false)).with(element, removed);
    if (modified !== undefined) this.#modified = (this.#modified ?? this.#sets.start(false)).with(element, modified);
  }

  result(): Difference | undefined {
    if (this.#added === undefined && this.#removed === undefined && this.#modified === undefined) return undefined;
    return { added: this.#added?.set, removed: this.#removed?.set, modified: this.#modified?.set };
  }
}

const addedLeaf: Difference = { added: leaf, removed: undefined, modified: undefined };
const removedLeaf: Difference = { added: undefined, removed: leaf, modified: undefined };
const changedLeaf: Difference = { added: undefined, removed: undefined, modified: leaf };
const nothingSkipped: ReadonlySet<string> = new Set();

/** What became of another type has changed as the one and as the other: whole, and in what is below it. */
function both(before: Difference | undefined, after: Difference | undefined): Difference | undefined {
  if (before === undefined || after === undefined) return before ?? after;
  return {
    added: before.added ?? after.added,
    removed: before.removed ?? after.removed,
    modified: before.modified ?? after.modified,
  };
}

/** The sets in its answers are those that stand for their equals in the pool of `sets`. */
export class Comparer {
  readonly #sets: SetGathering;
  readonly #elements = new ElementTexts();

  constructor(sets: SetGathering) {
    this.#sets = sets;
  }

  /** The set of all fields of a value that was not there before, itself included. */
  whole(value: JsonValue, type: TypeNode): FieldSet {
    if (typeof value !== 'object' || value === null || type.kind === 'scalar' || type.kind === 'atomic') return leaf;
    const resolved = resolve(type, value);
    if (resolved.kind === 'map') return isObject(value) ? this.#wholeMap(value, resolved) : leaf;
    return resolved.kind === 'list' && isList(value) ? this.#wholeList(value, resolved) : leaf;
  }

  #wholeMap(value: JsonObject, type: MapNode): FieldSet {
    let gathered = this.#sets.start(true);
    for (const key in value) {
      const child = fieldAt(value, key);
      if (child === undefined) continue;
      const field = type.fields?.get(key);
      gathered = gathered.with(field?.element ?? this.#elements.ofKey(key), this.whole(child, field?.type ?? type.element));
    }
    for (const field of type.always) {
      if (value[field.name] === undefined && field.zero !== undefined) gathered = gathered.with(field.element, this.whole(field.zero, field.type));
    }
    return gathered.set;
  }

  #wholeList(list: readonly JsonValue[], type: ListNode): FieldSet {
    let gathered = this.#sets.start(true);
    if (list.length === 1) {
      const element = this.#elements.ofItem(type, list[0] ?? null);
      return element === undefined ? leaf : gathered.with(element, this.whole(list[0] ?? null, type.element)).set;
    }
    const seen = new Map<string, FieldSet>();
    for (const item of list) {
      const element = this.#elements.ofItem(type, item);
      if (element !== undefined) seen.set(element, seen.has(element) ? leaf : this.whole(item, type.element));
    }
    for (const [element, node] of seen) gathered = gathered.with(element, node);
    return gathered.set;
  }

  /** Undefined when the values are the same. */
  compare(left: JsonValue | undefined, right: JsonValue | undefined, type: TypeNode): Difference | undefined {
    if (left === right) return undefined;
    if (left === undefined) return right === undefined ? undefined : this.#added(right, type);
    if (right === undefined) return this.#removed(left, type);
    const leftType = resolve(type, left);
    const rightType = resolve(type, right);
    if (left !== null && right !== null && leftType.kind !== rightType.kind)
      return both(this.#typed(left, right, leftType), this.#typed(left, right, rightType));
    return this.#typed(left, right, left === null || leftType.kind === 'scalar' ? rightType : leftType);
  }

  #typed(left: JsonValue, right: JsonValue, resolved: ReturnType<typeof resolve>): Difference | undefined {
    if (resolved.kind === 'scalar' || resolved.kind === 'atomic') return deepEqual(left, right) ? undefined : changedLeaf;
    if (isBlank(left) && isBlank(right)) return deepEqual(left, right) ? undefined : changedLeaf;
    if (resolved.kind === 'list') return this.#lists(isList(left) ? left : [], isList(right) ? right : [], resolved);
    return this.maps(isObject(left) ? left : {}, isObject(right) ? right : {}, resolved, nothingSkipped);
  }

  #added(value: JsonValue, type: TypeNode): Difference {
    const added = this.whole(value, type);
    return added === leaf ? addedLeaf : { added, removed: undefined, modified: undefined };
  }

  #removed(value: JsonValue, type: TypeNode): Difference {
    const removed = this.whole(value, type);
    return removed === leaf ? removedLeaf : { added: undefined, removed, modified: undefined };
  }

  /** Field by field; `skip` names fields that nobody owns, `also` is what is known to differ beside them. */
  maps(left: JsonObject, right: JsonObject, type: MapNode, skip: ReadonlySet<string>, also?: Child): Difference | undefined {
    const gathering = new Gathering(this.#sets);
    // Users choose the keys of a map that names no fields: one may be called as something that every object inherits.
    const isFree = type.fields === undefined;
    for (const key in left) {
      const mine = fieldAt(left, key);
      const other = isFree ? getOwn(right, key) : right[key];
      if (mine === other || skip.has(key)) continue;
      this.#field(key, mine, other, type, gathering);
    }
    for (const key in right) {
      const other = fieldAt(right, key);
      const mine = isFree ? getOwn(left, key) : left[key];
      if (mine !== undefined || other === undefined || skip.has(key)) continue;
      this.#field(key, undefined, other, type, gathering);
    }
    if (also !== undefined) gathering.add(...also);
    return gathering.result();
  }

  #field(key: string, left: JsonValue | undefined, right: JsonValue | undefined, type: MapNode, gathering: Gathering): void {
    const field = type.fields?.get(key);
    const zero = field?.zero;
    const difference = this.compare(left === undefined ? zero : left, right === undefined ? zero : right, field?.type ?? type.element);
    if (difference !== undefined) gathering.add(field?.element ?? this.#elements.ofKey(key), difference);
  }

  #lists(left: readonly JsonValue[], right: readonly JsonValue[], type: ListNode): Difference | undefined {
    const gathering = new Gathering(this.#sets);
    const before = new Map<string, JsonValue[]>();
    const after = new Map<string, JsonValue[]>();
    // Items shared at the same place are the same whatever their keys.
    let start = 0;
    while (start < left.length && start < right.length && left[start] === right[start]) start++;
    this.#index(left, start, type, before);
    this.#index(right, start, type, after);
    for (const [element, mine] of before) this.#items(element, mine, after.get(element) ?? [], type, gathering);
    for (const [element, theirs] of after) if (!before.has(element)) this.#items(element, [], theirs, type, gathering);
    return gathering.result();
  }

  #index(list: readonly JsonValue[], start: number, type: ListNode, into: Map<string, JsonValue[]>): void {
    for (let index = start; index < list.length; index++) {
      const item = list[index] ?? null;
      const element = this.#elements.ofItem(type, item);
      if (element === undefined) continue;
      const known = into.get(element);
      if (known === undefined) into.set(element, [item]);
      else known.push(item);
    }
  }

  /** Items that share a path element; several of them are owned as one. */
  #items(element: string, left: readonly JsonValue[], right: readonly JsonValue[], type: ListNode, gathering: Gathering): void {
    if (left.length <= 1 && right.length <= 1) {
      const difference = this.compare(left[0], right[0], type.element);
      if (difference !== undefined) gathering.add(element, difference);
    } else if (left.length >= 2 && right.length >= 2) {
      if (!deepEqual(left, right)) gathering.add(element, changedLeaf);
    } else if (left.length >= 2)
      gathering.add(element, { added: right[0] === undefined ? undefined : this.whole(right[0], type.element), removed: leaf, modified: undefined });
    else gathering.add(element, { added: leaf, removed: left[0] === undefined ? undefined : this.whole(left[0], type.element), modified: undefined });
  }
}

/** The fields that an applied configuration names. */
export function toFieldSet(value: JsonValue, type: TypeNode): FieldSet | undefined {
  const resolved = resolve(type, value);
  if (resolved.kind === 'scalar' || resolved.kind === 'atomic') return leaf;
  if (resolved.kind === 'map') return isObject(value) ? mapFieldSet(value, resolved) : undefined;
  if (!isList(value)) return undefined;
  const children = new Map<string, FieldSet>();
  for (const item of value) {
    const element = itemElement(resolved, item);
    if (element === undefined) continue;
    const below = children.has(element) ? undefined : toFieldSet(item, resolved.element);
    children.set(element, below === undefined ? leaf : asMember(below));
  }
  return children.size === 0 ? undefined : makeNode(false, [...children]);
}

function mapFieldSet(value: JsonObject, type: MapNode): FieldSet | undefined {
  const children: Children = [];
  for (const key in value) {
    const child = fieldAt(value, key);
    if (child === undefined) continue;
    const field = type.fields?.get(key);
    const below = toFieldSet(child, field?.type ?? type.element);
    const member = child === null || (isObject(child) && isBlank(child)) || field === undefined;
    if (below !== undefined) children.push([field?.element ?? `f:${key}`, member ? asMember(below) : below]);
    else if (member) children.push([field?.element ?? `f:${key}`, leaf]);
  }
  return children.length === 0 ? undefined : makeNode(false, children);
}

function asMember(node: FieldSet): FieldSet {
  if (node === leaf || '.' in node) return node;
  return makeNode(true, Object.entries(node));
}
