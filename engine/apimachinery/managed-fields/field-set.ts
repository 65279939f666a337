/**
 * Sets of field paths, in the very shape in which `fieldsV1` writes them: `{"f:spec":{"f:replicas":{}}}`. An empty child is a member,
 * a child with `.` a member that has members below. Sets are immutable and share subtrees, so storing one costs nothing. Mirrors
 * fieldpath.Set of sigs.k8s.io/structured-merge-diff.
 */
import { goJson, goQuote } from '../quote.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { fieldAt } from '../../base/plain.ts';

/** A set at the root; below it, a node. */
export type FieldSet = { readonly [element: string]: FieldSet };
type MutableSet = { [element: string]: FieldSet };

/** A member without members below. */
export const leaf: FieldSet = Object.freeze({});
export const emptySet: FieldSet = leaf;

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether a node is itself a member. */
export function isMember(node: FieldSet): boolean {
  return '.' in node || isEmptySet(node);
}

const kindOrder = 'fkvi';

/** The order of path elements: fields, keys, values, indices; each by its own content. */
function compareElements(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '.') return -1;
  if (b === '.') return 1;
  const kind = a.charAt(0);
  if (kind !== b.charAt(0)) return kindOrder.indexOf(kind) - kindOrder.indexOf(b.charAt(0));
  if (kind === 'k') return compareKeys(a.slice(2), b.slice(2));
  if (kind === 'v') return compareValues(JSON.parse(a.slice(2)) as JsonValue, JSON.parse(b.slice(2)) as JsonValue);
  if (kind === 'i') return Number(a.slice(2)) - Number(b.slice(2));
  return a < b ? -1 : 1;
}

/** A key with a value that is no text. */
const numericKey = /":[^"]/;

function compareKeys(a: string, b: string): number {
  if (!numericKey.test(a) && !numericKey.test(b)) return a < b ? -1 : 1;
  const left = Object.entries(JSON.parse(a) as JsonObject);
  const right = Object.entries(JSON.parse(b) as JsonObject);
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (name !== other[0]) return name < other[0] ? -1 : 1;
    const order = compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const typeOrder = ['number', 'string', 'boolean', 'object'];

function compareValues(a: JsonValue, b: JsonValue): number {
  if (typeof a !== typeof b) return typeOrder.indexOf(typeof a) - typeOrder.indexOf(typeof b);
  if (typeof a === 'object') {
    const left = goJson(a);
    const right = goJson(b);
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return a === b ? 0 : a !== null && b !== null && a < b ? -1 : 1;
}

/** A node from its children in any order. Without children it is a plain member. */
export function makeNode(member: boolean, children: readonly (readonly [element: string, node: FieldSet])[]): FieldSet {
  if (children.length === 0) return leaf;
  const out: MutableSet = {};
  if (member) out['.'] = leaf;
  for (const [element, node] of sortChildren(children)) out[element] = node;
  return out;
}

type Child = readonly [element: string, node: FieldSet];

/** Beyond so many children insertion would cost more than it saves. */
const insertionMax = 32;

/** By insertion: levels are small and mostly in order. */
function sortChildren(children: readonly Child[]): readonly Child[] {
  if (children.length > insertionMax) return [...children].sort(([a], [b]) => (a === b ? 0 : inOrder(a, b) ? -1 : 1));
  let sorted: Child[] | undefined;
  for (let index = 1; index < children.length; index++) {
    const child = children[index];
    const before = (sorted ?? children)[index - 1];
    if (child === undefined || before === undefined || inOrder(before[0], child[0])) continue;
    sorted ??= [...children];
    let place = index;
    for (let left = sorted[place - 1]; left !== undefined && !inOrder(left[0], child[0]); left = sorted[place - 1]) {
      sorted[place] = left;
      place--;
    }
    sorted[place] = child;
  }
  return sorted ?? children;
}

function inOrder(a: string, b: string): boolean {
  return a.charCodeAt(0) === 102 && b.charCodeAt(0) === 102 ? a < b : compareElements(a, b) < 0;
}

/** Members of either. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  return unionNodes(a, b, false);
}

/** Members of any, joined in pairs, so that many small sets cost no more than their members. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  let level = sets;
  while (level.length > 1) {
    const next: FieldSet[] = [];
    for (let i = 0; i < level.length; i += 2) next.push(union(level[i] ?? emptySet, level[i + 1] ?? emptySet));
    level = next;
  }
  return level[0] ?? emptySet;
}

function unionNodes(a: FieldSet, b: FieldSet, nested: boolean): FieldSet {
  if (a === b) return a;
  const children: (readonly [string, FieldSet])[] = [];
  let changed = false;
  for (const element in a) {
    if (element === '.') continue;
    const mine = fieldAt(a, element) ?? leaf;
    const other = b[element];
    const joined = other === undefined ? mine : unionNodes(mine, other, true);
    if (joined !== mine) changed = true;
    children.push([element, joined]);
  }
  for (const element in b) {
    if (element === '.' || element in a) continue;
    changed = true;
    children.push([element, fieldAt(b, element) ?? leaf]);
  }
  const member = nested && (isMember(a) || isMember(b));
  if (!changed && member === (nested && isMember(a))) return a;
  return makeNode(member, children);
}

/** Members of `a` that are none of `b`. With `recursive`, a member of `b` also takes away everything below it. */
export function difference(a: FieldSet, b: FieldSet, recursive = false): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a;
  return differenceNodes(a, b, false, recursive) ?? emptySet;
}

/** Undefined when nothing is left. */
function differenceNodes(a: FieldSet, b: FieldSet, nested: boolean, recursive: boolean): FieldSet | undefined {
  if (nested && recursive && isMember(b)) return undefined;
  let touched = nested && isMember(a) && isMember(b);
  const member = nested && isMember(a) && !isMember(b);
  const kept = new Map<string, FieldSet | undefined>();
  // Through `a`, whatever the sizes: thousands of managers of a field each may lose to one large set.
  for (const element in a) {
    const mine = element === '.' ? undefined : fieldAt(a, element);
    const other = b[element];
    if (mine === undefined || other === undefined) continue;
    const rest = differenceNodes(mine, other, true, recursive);
    if (rest === mine) continue;
    touched = true;
    kept.set(element, rest);
  }
  if (!touched) return a;
  const children: (readonly [string, FieldSet])[] = [];
  for (const element in a) {
    if (element === '.') continue;
    const node = kept.has(element) ? kept.get(element) : fieldAt(a, element);
    if (node !== undefined) children.push([element, node]);
  }
  if (children.length === 0) return member ? leaf : undefined;
  return makeNode(member, children);
}

/** Members of both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return intersectionNodes(a, b, false) ?? emptySet;
}

function intersectionNodes(a: FieldSet, b: FieldSet, nested: boolean): FieldSet | undefined {
  if (a === b) return a;
  const children: (readonly [string, FieldSet])[] = [];
  for (const element in a) {
    const other = element === '.' ? undefined : b[element];
    if (other === undefined) continue;
    const node = intersectionNodes(fieldAt(a, element) ?? leaf, other, true);
    if (node !== undefined) children.push([element, node]);
  }
  const member = nested && isMember(a) && isMember(b);
  return children.length === 0 && !member ? undefined : makeNode(member, children);
}

/** Paths of all members, as upstream prints them: `.spec.containers[name="a"].image`. */
export function pathTexts(set: FieldSet): readonly string[] {
  const out: string[] = [];
  collectPaths(set, '', out);
  return out;
}

/** Members of a node come before what lies below them, all fields of one level first, as upstream iterates. */
function collectPaths(set: FieldSet, prefix: string, out: string[]): void {
  for (const element in set) if (element !== '.' && isMember(fieldAt(set, element) ?? leaf)) out.push(prefix + elementText(element));
  for (const element in set) {
    const node = fieldAt(set, element) ?? leaf;
    if (element !== '.' && !isEmptySet(node)) collectPaths(node, prefix + elementText(element), out);
  }
}

function elementText(element: string): string {
  const content = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${content}`;
    case 'k':
      return `[${Object.entries(JSON.parse(content) as JsonObject)
        .map(([name, value]) => `${name}=${valueText(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${valueText(JSON.parse(content) as JsonValue)}]`;
    default:
      return `[${content}]`;
  }
}

function valueText(value: JsonValue): string {
  return typeof value === 'string' ? goQuote(value) : goJson(value);
}

/** Whether the set has the member that the printed path names. */
export function hasPath(set: FieldSet, path: string): boolean {
  return pathTexts(set).includes(path);
}

/** The set of paths given as field names. */
export function setOfFields(paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce(
    (set, path) =>
      union(
        set,
        path.reduceRight((node, name) => ({ [`f:${name}`]: node }), leaf),
      ),
    emptySet,
  );
}
