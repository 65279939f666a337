/** One request that a path answers, before either dialect of OpenAPI has written it down. */
import type { GroupVersionKind } from '../../apimachinery/object.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'boolean' | 'integer';
  /** What it is for. */
  readonly description?: string | undefined;
}

/** A definition's name; `string` for bare text. */
export type ResponseBody = string;

export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** `x-kubernetes-action` and `x-kubernetes-group-version-kind`; discovery has none. */
  readonly action?: string;
  readonly gvk?: GroupVersionKind;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly definition: string; readonly required: boolean };
  /** None where nothing is said of it. */
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly codes: readonly number[];
  readonly response: ResponseBody;
}

export interface PathEntry {
  readonly path: string;
  readonly operations: readonly Operation[];
}

const booleans: ReadonlySet<string> = new Set([
  'allowWatchBookmarks',
  'exact',
  'export',
  'force',
  'includeUninitialized',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'sendInitialEvents',
  'watch',
]);
const integers: ReadonlySet<string> = new Set(['gracePeriodSeconds', 'limit', 'timeoutSeconds']);

/** What a parameter is for, by its name. */
export type Describe = (parameter: string) => string | undefined;

export function queryParameters(names: readonly string[], describe: Describe): readonly Parameter[] {
  return names.map((name) => ({
    name,
    in: 'query',
    type: booleans.has(name) ? 'boolean' : integers.has(name) ? 'integer' : 'string',
    description: describe(name),
  }));
}

/** The `{name}` parts of a path. */
export function pathParameters(path: string, describe: Describe): readonly Parameter[] {
  const names = path.split('/').filter((segment) => segment.startsWith('{'));
  return names.map((segment) => segment.slice(1, -1)).map((name) => ({ name, in: 'path', type: 'string', description: describe(name) }));
}

function sameParameter(a: Parameter, b: Parameter): boolean {
  return a.name === b.name && a.in === b.in;
}

/** What every operation of the path takes stands once, beside them. */
export function sharedParameters(operations: readonly Operation[]): readonly Parameter[] {
  const [first, ...others] = operations;
  if (first === undefined) return [];
  const shared = first.parameters.filter((parameter) =>
    others.every((other) => other.parameters.some((candidate) => sameParameter(candidate, parameter))),
  );
  return [...shared].sort(byName);
}

export function ownParameters(operation: Operation, shared: readonly Parameter[]): readonly Parameter[] {
  const own = operation.parameters.filter((parameter) => !shared.some((candidate) => sameParameter(candidate, parameter)));
  return own.sort(byName);
}

function byName(a: Parameter, b: Parameter): number {
  return a.name === b.name ? (a.in < b.in ? -1 : 1) : a.name < b.name ? -1 : 1;
}
