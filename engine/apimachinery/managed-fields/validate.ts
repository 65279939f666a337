/**
 * Whether an applied configuration fits its type. The sentences are those of structured-merge-diff, which clients see inside
 * `failed to create typed patch object`.
 */
import { goJson } from '../quote.ts';
import type { JsonValue } from '../../base/json.ts';
import { isList, isMap, itemElement, resolve, type TypeNode } from './types.ts';

/** Faults as `.spec.foo: field not declared in schema`. */
export function typeFaults(value: JsonValue, type: TypeNode, path = ''): readonly string[] {
  const resolved = resolve(type, value);
  if (value === null || resolved.kind === 'atomic') return [];
  if (resolved.kind === 'scalar') return isMap(value) || isList(value) ? [`${path}: expected scalar, got ${goJson(value)}`] : [];
  if (resolved.kind === 'list') {
    if (!isList(value)) return [`${path}: expected list, got ${goJson(value)}`];
    const seen = new Set<string>();
    return value.flatMap((item, index) => {
      const element = itemElement(resolved, item);
      if (element === undefined)
        return [`${path}: element ${index}: associative list with keys may not have ${item === null ? 'a null element' : 'non-map elements'}`];
      if (seen.has(element)) return [`${path}: duplicate entries for key ${printElement(element)}`];
      seen.add(element);
      return typeFaults(item, resolved.element, `${path}${printElement(element)}`);
    });
  }
  if (!isMap(value)) return [`${path}: expected map, got ${goJson(value)}`];
  const faults: string[] = [];
  for (const key of Object.keys(value)) {
    const field = resolved.fields?.get(key);
    if (resolved.fields !== undefined && field === undefined && resolved.element.kind !== 'deduced') {
      // Upstream looks no further in this map.
      faults.push(`${path}.${key}: field not declared in schema`);
      break;
    }
    faults.push(...typeFaults(value[key] ?? null, field?.type ?? resolved.element, `${path}.${key}`));
  }
  return faults;
}

function printElement(element: string): string {
  const content = element.slice(2);
  if (element.startsWith('v:')) return `[=${content}]`;
  return `[${Object.entries(JSON.parse(content) as { [key: string]: JsonValue })
    .map(([name, value]) => `${name}=${goJson(value)}`)
    .join(',')}]`;
}

/** One fault bare, several listed. */
export function faultsText(faults: readonly string[]): string {
  return faults.length === 1 ? (faults[0] ?? '') : ['errors:', ...faults.map((fault) => `  ${fault}`)].join('\n');
}
