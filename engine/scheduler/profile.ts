/** A profile: the plugins that schedule the pods of one scheduler name, by extension point and in order, with their weights and arguments. */
import { assert } from '../base/assert.ts';
import type { JsonObject } from '../base/json.ts';
import { ignoredResources } from './extenders/options.ts';
import type { Handle, Plugin, PluginDefinition } from './framework/plugin.ts';
import { findsItself, withoutStates } from './missing-states.ts';
import type { SchedulerOptions } from './options.ts';
import { type PointName, pluginsByPoint, pointNames, scoreWeights } from './plugin-sets.ts';

export interface ProfileEntry {
  /** Where the plugin stands in `entries`. */
  readonly index: number;
  readonly name: string;
  readonly plugin: Plugin;
  readonly weight: number;
  readonly args: JsonObject;
}

export interface Profile {
  readonly schedulerName: string;
  readonly percentageOfNodesToScore: number;
  /** All plugins that are switched on somewhere. */
  readonly entries: readonly ProfileEntry[];
  /** Those of each extension point, in the order in which they run. */
  readonly at: { readonly [point in PointName]: readonly ProfileEntry[] };
  /** Those whose PreFilter is switched off and whose filter finds out itself what it needs; nobody hears what the PreFilter says. */
  readonly quiet: readonly ProfileEntry[];
}

/** Throws PluginSetError for plugins that are not there or do not belong where they are switched on. */
export function createProfiles(options: SchedulerOptions, definitions: readonly PluginDefinition[], handle: Handle): ReadonlyMap<string, Profile> {
  const given = options.profiles.length > 0 ? options.profiles : [{ schedulerName: options.schedulerName }];
  const ignored = ignoredResources(options.extenders);
  const ordered = definitions.filter(({ gate }) => gate === undefined || options[gate]).sort((a, b) => a.order - b.order);
  const profiles = new Map<string, Profile>();
  for (const { schedulerName, percentageOfNodesToScore, plugins = {}, pluginArgs = {} } of given) {
    const names = pluginsByPoint(ordered, plugins, schedulerName);
    const weights = scoreWeights(ordered, plugins);
    const used = new Set(Object.values(names).flat());
    const entries = ordered
      .filter(({ name }) => used.has(name))
      .map((definition, index) => {
        const { name } = definition;
        // Upstream puts what extenders see to in the place of what the profile leaves out.
        const left = ignored.length > 0 && 'ignoredResources' in definition.args ? { ignoredResources: ignored } : {};
        const gated = definition.gatedArgs !== undefined && options[definition.gatedArgs.gate] ? definition.gatedArgs.args : {};
        const args = { ...definition.args, ...gated, ...pluginArgs[name], ...left };
        const plugin = withoutStates(definition, definition.create(handle, args), (point) => names[point].includes(name));
        return { index, name, plugin, weight: weights.get(name) ?? 1, args };
      });
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    const listOf = (point: PointName): readonly ProfileEntry[] => names[point].flatMap((name) => byName.get(name) ?? []);
    const at = Object.fromEntries(pointNames.map((point) => [point, listOf(point)])) as Profile['at'];
    assert(at.bind.length > 0, 'somebody binds');
    profiles.set(schedulerName, {
      schedulerName,
      percentageOfNodesToScore: percentageOfNodesToScore ?? options.percentageOfNodesToScore,
      entries,
      at,
      quiet: ordered.filter((one) => findsItself(one, (point) => names[point].includes(one.name))).flatMap(({ name }) => byName.get(name) ?? []),
    });
  }
  return profiles;
}

/** Names of the entries behind one. */
export function behind(entries: readonly ProfileEntry[], name: string): ReadonlySet<string> {
  return new Set(entries.slice(entries.findIndex((entry) => entry.name === name) + 1).map((entry) => entry.name));
}
