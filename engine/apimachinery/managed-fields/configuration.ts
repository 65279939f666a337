/**
 * Merges a configuration into an object without anybody owning anything, as mutating policies do. Mirrors ApplyStructuredMergeDiff of
 * apiserver pkg/admission/plugin/policy/mutating/patch/smd.go.
 */
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { merge, MergeError } from './merge.ts';
import { resolve, type TypeNode } from './types.ts';
import { faultsText, typeFaults } from './validate.ts';

/** Why a configuration cannot be merged, in upstream's words. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

export interface Configuration {
  readonly json: JsonObject;
  /** What stands in it and is no JSON; there is an empty text in its place. */
  readonly odd: readonly Odd[];
}

interface Odd {
  readonly path: readonly (string | number)[];
  /** In Go's ways to show a value. */
  readonly print: string;
  readonly syntax: string;
  readonly type: string;
}

/** Throws ConfigurationError. */
export function mergeConfiguration(live: JsonObject, { json: configuration, odd }: Configuration, type: TypeNode): JsonValue {
  const faults = [...typeFaults(configuration, type), ...odd.map((value) => oddFault(value, configuration, type))];
  if (faults.length > 0) throw new ConfigurationError(`failed to convert patch object to typed object: ${faultsText(faults)}`);
  const atomics = atomicsOf(configuration, type, '');
  if (atomics.length > 0)
    throw new ConfigurationError(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`);
  try {
    return merge(live, configuration, type) ?? {};
  } catch (error) {
    if (error instanceof MergeError) throw new ConfigurationError(`failed to merge patch: ${error.message}`);
    throw error;
  }
}

function oddFault({ path, print, syntax, type: goType }: Odd, configuration: JsonObject, root: TypeNode): string {
  let [value, type]: [JsonValue, TypeNode] = [configuration, root];
  for (const step of path) {
    const resolved = resolve(type, value);
    const within = resolved.kind === 'atomic' ? (resolved.inner ?? resolved) : resolved;
    type = within.kind === 'map' ? (within.fields?.get(String(step))?.type ?? within.element) : 'element' in within ? within.element : type;
    value = (value as { readonly [step: string]: JsonValue })[step] ?? null;
  }
  const at = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  const resolved = resolve(type, value);
  if (resolved.kind !== 'scalar') return `${at}: expected ${resolved.kind === 'map' ? 'map' : 'list'}, got &{${print}}`;
  switch (resolved.type) {
    case 'numeric':
      return `${at}: expected numeric (int or float), got ${goType}`;
    case 'string':
      return `${at}: expected string, got &value.valueUnstructured{Value:${syntax}}`;
    case 'boolean':
      return `${at}: expected boolean, got &{${print}}`;
    default:
      return `${at}: expected any scalar, got &{${print}}`;
  }
}

/** Where a configuration says something that is owned as a whole: all else of it would be lost. */
function atomicsOf(value: JsonValue, type: TypeNode, path: string): readonly string[] {
  if (value === null || typeof value !== 'object') return [];
  const resolved = resolve(type, value);
  const own = resolved.kind === 'atomic' ? [path] : [];
  const within = resolved.kind === 'atomic' ? resolved.inner : resolved;
  if (isList(value)) {
    if (within?.kind !== 'list' && within?.kind !== 'items') return own;
    return [...own, ...value.flatMap((item, index) => atomicsOf(item, within.element, `${path}[${index}]`))];
  }
  if (!isObject(value) || within?.kind !== 'map') return own;
  const below = Object.entries(value).flatMap(([name, member]) => {
    const field = within.fields?.get(name);
    return field === undefined ? [] : atomicsOf(member, field.type, `${path}.${name}`);
  });
  return [...own, ...below];
}
