/**
 * One OpenAPI document of version 2 out of this server's own and those of servers of other APIs. Of each only what describes its group and
 * version is taken; definitions and parameters that say something else under the same name get another name. Mirrors kube-openapi
 * pkg/aggregator (MergeSpecsIgnorePathConflictRenamingDefinitionsAndParameters, FilterSpecByPaths).
 */
import { getOwn } from '../../base/dictionary.ts';
import { deepEqual } from '../../base/equal.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';

export interface ForeignDocument {
  /** What its paths begin with. */
  readonly prefix: string;
  /** Whatever a server said. */
  readonly document: unknown;
}

type Kind = 'definitions' | 'parameters';
type Table = ReadonlyMap<string, JsonValue>;

/** In parts, as long as more come. */
interface Parts {
  readonly paths: Table;
  readonly definitions: Table;
  readonly parameters: Table;
}

const gvkKey = 'x-kubernetes-group-version-kind';
/** What is nested deeper is no description of anything. */
const depthMax = 500;
const namedKeys: ReadonlySet<string> = new Set(['properties', 'definitions', 'patternProperties', 'paths', 'parameters', 'responses']);
/** Values, and not schemas. */
const opaqueKeys: ReadonlySet<string> = new Set(['default', 'example', 'examples', 'enum']);

export function mergeDocuments(own: JsonObject, others: readonly ForeignDocument[]): JsonObject {
  let merged = partsOf(own);
  for (const { document, prefix } of others) {
    if (!isObject(document) || !isObject(document['paths']) || !isShallow(document)) continue;
    merged = merge(
      merged,
      keepPaths(partsOf(document), (path) => path.startsWith(prefix)),
    );
  }
  const { paths, definitions, parameters } = merged;
  return {
    ...own,
    paths: sorted(paths),
    definitions: sorted(definitions),
    ...(parameters.size === 0 ? {} : { parameters: sorted(parameters) }),
  };
}

function partsOf(document: JsonObject): Parts {
  const table = (name: string): Table => {
    const part = document[name];
    return new Map(isObject(part) ? Object.entries(part) : []);
  };
  return { paths: table('paths'), definitions: table('definitions'), parameters: table('parameters') };
}

function sorted(table: Table): JsonObject {
  return Object.fromEntries([...table].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What was used by paths that go, and by nothing else, goes with them. */
function keepPaths(parts: Parts, keeps: (path: string) => boolean): Parts {
  const before = usedDefinitions(parts);
  const kept = { ...parts, paths: new Map([...parts.paths].filter(([path]) => keeps(path))) };
  const after = usedDefinitions(kept);
  return { ...kept, definitions: new Map([...parts.definitions].filter(([name]) => after.has(name) || !before.has(name))) };
}

function usedDefinitions({ paths, definitions, parameters }: Parts): ReadonlySet<string> {
  const seen = new Set<string>();
  const used = new Set<string>();
  const waiting = [...paths.values()];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const reference of referencesIn(next)) {
      if (seen.has(reference)) continue;
      seen.add(reference);
      const definition = nameIn('definitions', reference);
      if (definition !== undefined) used.add(definition);
      const found = definition === undefined ? parameters.get(nameIn('parameters', reference) ?? '') : definitions.get(definition);
      if (found !== undefined) waiting.push(found);
    }
  return used;
}

function nameIn(kind: Kind, reference: string): string | undefined {
  const begin = `#/${kind}/`;
  return reference.startsWith(begin) ? reference.slice(begin.length) : undefined;
}

function merge(into: Parts, from: Parts): Parts {
  const isNew = (path: string): boolean => !into.paths.has(path);
  const newPaths = [...from.paths.keys()].filter(isNew);
  if (newPaths.length === 0) return into;
  let source = newPaths.length === from.paths.size ? from : keepPaths(from, isNew);
  source = renamed(source, 'definitions', renamesOf(into.definitions, source.definitions, isSameDefinition));
  source = renamed(source, 'parameters', renamesOf(into.parameters, source.parameters, deepEqual));
  const definitions = new Map(into.definitions);
  for (const [name, definition] of source.definitions) {
    const existing = definitions.get(name);
    definitions.set(name, existing === undefined ? definition : withKinds(existing, definition));
  }
  return {
    paths: new Map([...into.paths, ...source.paths]),
    definitions,
    parameters: new Map([...source.parameters, ...into.parameters]),
  };
}

/** By the old name; one that was renamed so before keeps that name. */
function renamesOf(into: Table, from: Table, isSame: (a: JsonValue, b: JsonValue) => boolean): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  const taken = new Set(into.keys());
  for (const [name, value] of [...from].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const existing = into.get(name);
    if (existing === undefined || isSame(existing, value)) continue;
    for (let number = 2; ; number++) {
      const next = `${name}_v${number}`;
      const other = into.get(next);
      if (other === undefined ? taken.has(next) || from.has(next) : !isSame(other, value)) continue;
      renames.set(name, next);
      taken.add(next);
      break;
    }
  }
  return renames;
}

function renamed(parts: Parts, kind: Kind, renames: ReadonlyMap<string, string>): Parts {
  if (renames.size === 0) return parts;
  const follow = (reference: string): string => {
    const next = renames.get(nameIn(kind, reference) ?? '');
    return next === undefined ? reference : `#/${kind}/${next}`;
  };
  const all = (table: Table): Table => new Map([...table].map(([name, value]) => [name, withReferences(value, follow)]));
  const parted = { paths: all(parts.paths), definitions: all(parts.definitions), parameters: all(parts.parameters) };
  return { ...parted, [kind]: new Map([...parted[kind]].map(([name, value]) => [renames.get(name) ?? name, value])) };
}

/** The same but for the kinds that it is said to be of. */
function isSameDefinition(a: JsonValue, b: JsonValue): boolean {
  if (!isObject(a) || !isObject(b)) return deepEqual(a, b);
  const { [gvkKey]: _a, ...first } = a;
  const { [gvkKey]: _b, ...second } = b;
  return deepEqual(first, second);
}

function withKinds(existing: JsonValue, more: JsonValue): JsonValue {
  if (!isObject(existing) || !isObject(more) || !Array.isArray(more[gvkKey])) return existing;
  const known: readonly JsonValue[] = Array.isArray(existing[gvkKey]) ? existing[gvkKey] : [];
  const textOf = (kind: JsonValue): string =>
    isObject(kind) ? `${String(kind['group'])}/${String(kind['version'])}.${String(kind['kind'])}` : JSON.stringify(kind);
  const all = new Map([...more[gvkKey], ...known].map((kind) => [textOf(kind), kind]));
  if (all.size === known.length) return existing;
  return { ...existing, [gvkKey]: [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind) };
}

function* referencesIn(value: JsonValue): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* referencesIn(item);
    return;
  }
  if (!isObject(value)) return;
  const reference = getOwn(value, '$ref');
  if (typeof reference === 'string') yield reference;
  for (const [key, inner] of Object.entries(value)) {
    if (isOpaque(key)) continue;
    // Names of a user's choice.
    if (namedKeys.has(key) && isObject(inner)) for (const one of Object.values(inner)) yield* referencesIn(one);
    else yield* referencesIn(inner);
  }
}

function withReferences(value: JsonValue, follow: (reference: string) => string, isNames = false): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, follow));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (!isNames && key === '$ref' && typeof inner === 'string') return [key, follow(inner)];
      if (!isNames && isOpaque(key)) return [key, inner];
      return [key, withReferences(inner, follow, !isNames && namedKeys.has(key))];
    }),
  );
}

function isOpaque(key: string): boolean {
  return opaqueKeys.has(key) || key.startsWith('x-');
}

/** Looked at level by level, so that no depth is too much for it. */
function isShallow(document: JsonObject): boolean {
  let level: readonly JsonValue[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return false;
    level = level.flatMap((value): readonly JsonValue[] => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []));
  }
  return true;
}
