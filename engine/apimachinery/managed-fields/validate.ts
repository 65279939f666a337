/**
 * Whether an applied configuration fits its type. The sentences are those of structured-merge-diff, which clients see inside
 * `failed to create typed patch object`.
 */
import { goPrint, goSyntax, goTypeOf } from '../go-value.ts';
import { goJson } from '../quote.ts';
import { isList, isObject, type JsonValue } from '../../base/json.ts';
import { itemElement, keyless, type ListNode, type MapNode, openMap, resolve, type ScalarNode, type TypeNode } from './types.ts';

/** Faults as `.spec.foo: field not declared in schema`. What is stored already `mayRepeat` an entry. */
export function typeFaults(value: JsonValue, type: TypeNode, path = '', mayRepeat = false): readonly string[] {
  const resolved = resolve(type, value);
  if (value === null || resolved === openMap) return [];
  switch (resolved.kind) {
    case 'scalar':
      return scalarFaults(value, resolved, path);
    case 'atomic':
      return resolved.inner?.kind === 'items'
        ? itemFaults(value, resolved.inner.element, path, mayRepeat)
        : typeFaults(value, resolved.inner ?? openMap, path, mayRepeat);
    case 'list':
      return elementFaults(value, resolved, path, mayRepeat);
    case 'map':
      return fieldFaults(value, resolved, path, mayRepeat);
  }
}

/** Of what is stored already. */
export function storedFaults(value: JsonValue, type: TypeNode): readonly string[] {
  return typeFaults(value, type, '', true);
}

function scalarFaults(value: JsonValue, { type }: ScalarNode, path: string): readonly string[] {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (type) {
    case 'numeric':
      return isNumber ? [] : [`${path}: expected numeric (int or float), got ${goTypeOf(value)}`];
    case 'string':
      return typeof value === 'string' ? [] : [`${path}: expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${path}: expected boolean, got &{${goPrint(value)}}`];
    case 'any':
      return isObject(value) || isList(value) ? [`${path}: expected any scalar, got &{${goPrint(value)}}`] : [];
    case 'unchecked':
      return [];
  }
}

function itemFaults(value: JsonValue, element: TypeNode, path: string, mayRepeat: boolean): readonly string[] {
  if (!isList(value)) return [`${path}: expected list, got &{${goPrint(value)}}`];
  return value.flatMap((item, index) => typeFaults(item, element, `${path}[${index}]`, mayRepeat));
}

function elementFaults(value: JsonValue, list: ListNode, path: string, mayRepeat: boolean): readonly string[] {
  if (!isList(value)) return [`${path}: expected list, got &{${goPrint(value)}}`];
  const seen = new Set<string>();
  const out: string[] = [];
  for (const [index, item] of value.entries()) {
    const element = itemElement(list, item);
    // Behind what has no place in the list upstream looks no further.
    if (element === undefined) return [...out, `${path}: element ${index}: ${list.relation === 'set' ? noMember(item) : noEntry(item)}`];
    if (element === keyless)
      return [
        ...out,
        `${path}: element ${index}: associative list with keys has an element that omits all key fields [${list.keys.map((key) => JSON.stringify(key)).join(' ')}] (and doesn't have default values for any key fields)`,
      ];
    if (seen.has(element) && !mayRepeat) out.push(`${path}: duplicate entries for key ${printElement(element)}`);
    out.push(...typeFaults(item, list.element, `${path}${printElement(element)}`, mayRepeat));
    seen.add(element);
  }
  return out;
}

/** Why an item is none of a set. */
function noMember(item: JsonValue): string {
  if (isList(item)) return 'not supported: associative list with lists as elements';
  return `associative list without keys has an element that's ${item === null ? 'an explicit null' : 'a map type'}`;
}

/** Why an item is none of a list whose items are told by their keys. */
function noEntry(item: JsonValue): string {
  return `associative list with keys may not have ${item === null ? 'a null element' : 'non-map elements'}`;
}

function fieldFaults(value: JsonValue, { fields, element }: MapNode, path: string, mayRepeat: boolean): readonly string[] {
  if (!isObject(value)) return [`${path}: expected map, got &{${goPrint(value)}}`];
  const faults: string[] = [];
  for (const key of Object.keys(value)) {
    const field = fields?.get(key);
    if (fields !== undefined && field === undefined && element.kind !== 'deduced') {
      // Upstream looks no further in this map.
      faults.push(`${path}.${key}: field not declared in schema`);
      break;
    }
    faults.push(...typeFaults(value[key] ?? null, field?.type ?? element, `${path}.${key}`, mayRepeat));
  }
  return faults;
}

function printElement(element: string): string {
  const content = element.slice(2);
  if (element.startsWith('v:')) return `[=${content}]`;
  return `[${Object.entries(JSON.parse(content) as { [key: string]: JsonValue })
    .map(([name, value]) => `${name}=${plainText(value)}`)
    .join(',')}]`;
}

/** A value as paths show it: a map is its entries, with nothing between them. */
function plainText(value: JsonValue): string {
  if (isList(value)) return `[${value.map(plainText).join(',')}]`;
  if (!isObject(value)) return goJson(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name}=${plainText(inner)}`)
    .join('');
}

/** One fault bare, several listed. */
export function faultsText(faults: readonly string[]): string {
  return faults.length === 1 ? (faults[0] ?? '') : ['errors:', ...faults.map((fault) => `  ${fault}`)].join('\n');
}
