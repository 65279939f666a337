/** A profile: the plugins that schedule the pods of one scheduler name, in order, with their weights and arguments. */
import type { JsonObject } from '../base/json.ts';
import type { Handle, Plugin, PluginDefinition } from './framework/plugin.ts';
import type { SchedulerOptions } from './options.ts';

export interface ProfileEntry {
  readonly name: string;
  readonly plugin: Plugin;
  readonly weight: number;
  readonly args: JsonObject;
}

export interface Profile {
  readonly schedulerName: string;
  readonly percentageOfNodesToScore: number;
  readonly entries: readonly ProfileEntry[];
}

export function createProfiles(options: SchedulerOptions, definitions: readonly PluginDefinition[], handle: Handle): ReadonlyMap<string, Profile> {
  const given = options.profiles.length > 0 ? options.profiles : [{ schedulerName: options.schedulerName }];
  const ordered = definitions.toSorted((a, b) => a.order - b.order);
  const profiles = new Map<string, Profile>();
  for (const { schedulerName, percentageOfNodesToScore, disabled = [], weights = {}, pluginArgs = {} } of given) {
    const entries = ordered
      .filter(({ name }) => !disabled.includes(name))
      .map((definition) => {
        const args = { ...definition.args, ...pluginArgs[definition.name] };
        const weight = weights[definition.name] ?? definition.defaultWeight;
        return { name: definition.name, plugin: definition.create(handle, args), weight, args };
      });
    profiles.set(schedulerName, { schedulerName, percentageOfNodesToScore: percentageOfNodesToScore ?? options.percentageOfNodesToScore, entries });
  }
  return profiles;
}
