/**
 * Which plugins run where: the default ones, switched and weighed by a profile's `plugins`, for all points (`multiPoint`) and for each.
 * Mirrors mergePlugins of apis/config/v1/default_plugins.go and expandMultiPointPlugins of framework/runtime/framework.go.
 */
import type { ExtensionPoint, PluginDefinition } from './framework/plugin.ts';

export const pointNames = [
  'preEnqueue',
  'queueSort',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'permit',
  'preBind',
  'bind',
  'postBind',
] as const;
export type PointName = (typeof pointNames)[number];

export interface PluginSwitch {
  readonly name: string;
  readonly weight?: number;
}

export interface PluginSet {
  readonly enabled?: readonly PluginSwitch[];
  /** `*` for all. */
  readonly disabled?: readonly string[];
}

export type PluginSets = { readonly [point in PointName | 'multiPoint']?: PluginSet };

/** The text is upstream's. */
export class PluginSetError extends Error {
  constructor(profile: string, fault: string) {
    super(`initializing profiles: creating profile for scheduler name ${profile}: ${fault}`);
    this.name = 'PluginSetError';
  }
}

/** Throws PluginSetError. */
export function pluginsByPoint(definitions: readonly PluginDefinition[], sets: PluginSets, profile: string): Record<PointName, readonly string[]> {
  const multi = merged(
    definitions.map(({ name }) => ({ name })),
    sets.multiPoint,
  ).map(({ name }) => name);
  const known = new Map(definitions.map((definition) => [definition.name, definition]));
  const result = {} as Record<PointName, readonly string[]>;
  for (const point of pointNames) {
    const type = pointOf(point);
    for (const name of multi) if (!known.has(name)) throw new PluginSetError(profile, `${type}Plugin ${JSON.stringify(name)} does not exist`);
    const own = ownOf(sets[point], known, type, profile);
    result[point] = expanded(
      own,
      sets[point]?.disabled ?? [],
      multi,
      (name) => known.get(name)?.points.includes(type) === true,
      (name) => {
        throw new PluginSetError(profile, `plugin ${JSON.stringify(name)} already registered as "${type}Plugin"`);
      },
    );
  }
  if (result.queueSort.length !== 1)
    throw new PluginSetError(
      profile,
      result.queueSort.length === 0 ? `no queue sort plugin is enabled` : 'only one queue sort plugin can be enabled',
    );
  if (result.bind.length === 0)
    throw new PluginSetError(profile, `at least one bind plugin is needed for profile with scheduler name ${JSON.stringify(profile)}`);
  return result;
}

/** By plugin: what `score` says before what `multiPoint` says before the default; 1 where nobody says anything. */
export function scoreWeights(definitions: readonly PluginDefinition[], sets: PluginSets): ReadonlyMap<string, number> {
  const defaults = definitions.map(({ name, defaultWeight }) => ({ name, weight: defaultWeight }));
  const weights = new Map<string, number>();
  for (const { name, weight } of [...(sets.score?.enabled ?? []), ...merged(defaults, sets.multiPoint)])
    if (!weights.has(name)) weights.set(name, weight || 1);
  return weights;
}

function pointOf(name: PointName): ExtensionPoint {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}` as ExtensionPoint;
}

/** A default that is named again takes what is said of it and keeps its place. */
function merged(defaults: readonly PluginSwitch[], { enabled = [], disabled = [] }: PluginSet = {}): readonly PluginSwitch[] {
  const replaced = new Set<PluginSwitch>();
  const kept = disabled.includes('*')
    ? []
    : defaults
        .filter(({ name }) => !disabled.includes(name))
        .map((one) => {
          const custom = enabled.findLast(({ name }) => name === one.name);
          if (custom !== undefined) replaced.add(custom);
          return custom ?? one;
        });
  return [...kept, ...enabled.filter((one) => !replaced.has(one))];
}

function ownOf(set: PluginSet | undefined, known: ReadonlyMap<string, PluginDefinition>, type: ExtensionPoint, profile: string): readonly string[] {
  const own: string[] = [];
  for (const { name } of set?.enabled ?? []) {
    const definition = known.get(name);
    if (definition === undefined) throw new PluginSetError(profile, `${type}Plugin ${JSON.stringify(name)} does not exist`);
    if (!definition.points.includes(type)) throw new PluginSetError(profile, `plugin ${JSON.stringify(name)} does not extend ${type}Plugin plugin`);
    if (own.includes(name)) throw new PluginSetError(profile, `plugin ${JSON.stringify(name)} already registered as "${type}Plugin"`);
    own.push(name);
  }
  return own;
}

/** First what both name, as the point orders it; then the others of `multiPoint`; then the others of the point. */
function expanded(
  own: readonly string[],
  disabled: readonly string[],
  multi: readonly string[],
  belongs: (name: string) => boolean,
  twice: (name: string) => never,
): readonly string[] {
  if (disabled.includes('*')) return own;
  const overriding = new Set<string>();
  const others: string[] = [];
  for (const name of multi) {
    if (!belongs(name) || disabled.includes(name)) continue;
    if (own.includes(name)) overriding.add(name);
    else if (others.includes(name)) twice(name);
    else others.push(name);
  }
  return [...own.filter((name) => overriding.has(name)), ...others, ...own.filter((name) => !overriding.has(name))];
}
