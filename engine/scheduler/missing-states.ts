/**
 * A plugin whose PreFilter or PreScore is switched off while another of its points is not: that one does not find what it needs, and the
 * attempt ends there, as upstream's does (`read … from cycleState: not found`).
 */
import type { Plugin, PluginDefinition } from './framework/plugin.ts';
import { PluginError } from './framework/status.ts';
import type { PointName } from './plugin-sets.ts';

/** The plugin as it runs where only these points are switched on. */
export function withoutStates({ name, points, needs }: PluginDefinition, plugin: Plugin, runs: (point: PointName) => boolean): Plugin {
  let result = plugin;
  for (const [point, type] of [
    ['preFilter', 'PreFilter'],
    ['preScore', 'PreScore'],
  ] as const) {
    if (runs(point) || (point === 'preScore' && !points.includes(type))) continue;
    const missing = needs?.[point];
    for (const broken of missing?.points ?? []) result = { ...result, ...brokenAt(broken, name, missing?.text ?? '') };
  }
  return result;
}

/** Plugins that look for themselves what their PreFilter would have found. */
export function findsItself({ needs }: PluginDefinition, runs: (point: PointName) => boolean): boolean {
  return runs('filter') && !runs('preFilter') && needs?.preFilter === undefined;
}

function brokenAt(point: 'Filter' | 'Score' | 'Reserve' | 'PreBind', name: string, text: string): Partial<Plugin> {
  const quoted = JSON.stringify(name);
  const fail = (where: string) => (): never => {
    throw new PluginError(`${where}: ${text}`, true);
  };
  if (point === 'Filter') return { filter: fail(`running ${quoted} filter plugin`) };
  if (point === 'Reserve') return { reserve: fail(`running Reserve plugin ${quoted}`) };
  if (point === 'PreBind') return { preBindPreFlight: fail(`running PreBindPreFlight ${quoted}`) };
  const score = fail(`running Score plugins: plugin ${quoted} failed with`);
  return { preScore: () => true, score, scoreSlots: score };
}
