/** Profiles of a KubeSchedulerConfiguration, checked as upstream does (apis/config/validation/validation.go). */
import {
  aggregateText,
  duplicate,
  type FieldError,
  type FieldErrorList,
  type FieldPath,
  invalid,
  required,
  root,
} from '../../apimachinery/field-errors.ts';
import { deepEqual } from '../../base/equal.ts';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ProfileOptions } from '../options.ts';
import { pluginsByPoint, pointNames, type PluginSet, type PluginSets, PluginSetError } from '../plugin-sets.ts';
import { plugins as definitions } from '../plugins/index.gen.ts';
import { arrayOf, ConfigurationError, objectOf, strict, topListOf } from './fields.ts';
import { type HasGate, pluginArgs } from './plugin-args.ts';

const apiVersion = 'kubescheduler.config.k8s.io/v1';
const setNames: readonly string[] = [...pointNames, 'multiPoint'];
/** Names that older versions knew. */
const removed = ['AzureDiskLimits', 'CinderLimits', 'EBSLimits', 'GCEPDLimits'];
/** Points of pod groups, which no plugin here has. */
const groupPoints = ['placementGenerate', 'placementScore'];

export interface ReadProfiles {
  readonly profiles: readonly ProfileOptions[];
  readonly faults: FieldErrorList;
  /** What is found when the profiles are made, which is after the faults of the whole file. Throws ConfigurationError. */
  check(): void;
}

/** Throws ConfigurationError for what is no list of profiles. */
export function readProfiles(value: JsonValue, hasGate: HasGate): ReadProfiles {
  const list = topListOf(value, 'profiles', 'KubeSchedulerProfile').map((profile, i) => objectOf(profile, `profiles[${i}]`));
  const path = root('profiles');
  list.forEach((profile, i) => strict(profile, ['schedulerName', 'percentageOfNodesToScore', 'plugins', 'pluginConfig'], `profiles[${i}]`));
  const profiles = list.map((profile, i) => profileOf(profile, `profiles[${i}]`));
  const faults = [...list.flatMap((profile, i) => profileFaults(list, profile, i, path.index(i), hasGate)), ...queueSortFaults(profiles, path)];
  return { profiles, faults, check: () => profiles.forEach(checkPlugins) };
}

function profileOf(profile: JsonObject, path: string): ProfileOptions {
  const { schedulerName = '', percentageOfNodesToScore } = profile;
  return {
    schedulerName: String(schedulerName),
    ...(typeof percentageOfNodesToScore === 'number' ? { percentageOfNodesToScore } : {}),
    ...(profile['plugins'] === undefined ? {} : { plugins: setsOf(objectOf(profile['plugins'], `${path}.plugins`), `${path}.plugins`) }),
    ...(profile['pluginConfig'] === undefined ? {} : { pluginArgs: argsOf(profile['pluginConfig']) }),
  };
}

function setsOf(sets: JsonObject, path: string): PluginSets {
  strict(sets, [...setNames, ...groupPoints], path);
  const found: { [point in (typeof pointNames)[number] | 'multiPoint']?: PluginSet } = {};
  for (const point of [...pointNames, 'multiPoint'] as const) {
    const set = sets[point];
    if (set === undefined) continue;
    strict(objectOf(set, `${path}.${point}`), ['enabled', 'disabled'], `${path}.${point}`);
    setOwn(found, point, {
      enabled: switches(set, 'enabled', `${path}.${point}`),
      disabled: switches(set, 'disabled', `${path}.${point}`).map(({ name }) => name),
    });
  }
  return found;
}

function switches(set: JsonValue, member: 'enabled' | 'disabled', path: string): readonly { readonly name: string; readonly weight?: number }[] {
  return arrayOf((set as JsonObject)[member] ?? [], `${path}.${member}`).map((entry, i) => {
    const { name, weight, ...rest } = objectOf(entry, `${path}.${member}[${i}]`);
    strict(rest, [], `${path}.${member}[${i}]`);
    return { name: String(name ?? ''), ...(typeof weight === 'number' ? { weight } : {}) };
  });
}

/** Fields that a plugin's arguments do not have are refused. */
function argsOf(list: JsonValue): { readonly [plugin: string]: JsonObject } {
  const found: { [plugin: string]: JsonObject } = {};
  for (const entry of arrayOf(list, 'pluginConfig')) {
    const { name = '', args = {} } = objectOf(entry, 'pluginConfig');
    const { apiVersion: _version, kind: _kind, ...rest } = objectOf(args, 'pluginConfig.args');
    const plugin = String(name);
    const known = getOwn(pluginArgs, plugin);
    const unknown = known === undefined ? undefined : Object.keys(rest).find((field) => !known.fields.includes(field));
    if (unknown !== undefined)
      throw new ConfigurationError(
        `decoding args for plugin ${JSON.stringify(plugin)}: strict decoding error: unknown field ${JSON.stringify(unknown)}`,
      );
    setOwn(found, plugin, rest);
  }
  return found;
}

function profileFaults(...[all, profile, i, path, hasGate]: [readonly JsonObject[], JsonObject, number, FieldPath, HasGate]): FieldErrorList {
  const { schedulerName = '', percentageOfNodesToScore: share, plugins = {}, pluginConfig = [] } = profile;
  const first = all.findIndex((other) => (other['schedulerName'] ?? '') === schedulerName);
  const faults: FieldError[] = schedulerName === '' ? [required(path.child('schedulerName'))] : [];
  if (typeof share === 'number' && (share < 0 || share > 100))
    faults.push(invalid(path.child('percentageOfNodesToScore'), share, 'not in valid range [0-100]'));
  for (const point of pointNames) {
    const set = (plugins as JsonObject)[point];
    if (set === undefined) continue;
    switches(set, 'enabled', point).forEach(({ name }, k) => {
      if (removed.includes(name)) faults.push(removedFault(path.child('plugins').child(point).child('enabled').index(k), name));
    });
  }
  const seen = new Set<string>();
  (pluginConfig as readonly JsonObject[]).forEach(({ name = '', args = {} }, k) => {
    const at = path.child('pluginConfig').index(k);
    const plugin = String(name);
    if (seen.has(plugin)) faults.push(duplicate(at, plugin));
    seen.add(plugin);
    const known = getOwn(pluginArgs, plugin);
    if (removed.includes(plugin)) faults.push(removedFault(at, plugin));
    else if (known !== undefined && known.isLate !== true) faults.push(...known.validate(args as JsonObject, at.child('args'), hasGate));
  });
  if (first < i) faults.push(duplicate(path.child('schedulerName'), `profiles[${first}].schedulerName`));
  return faults;
}

function removedFault(path: FieldPath, name: string): FieldError {
  return invalid(path, name, `was invalid in version "${apiVersion}" (KubeSchedulerConfiguration is version "${apiVersion}")`);
}

/** One queue is for all profiles. */
function queueSortFaults(profiles: readonly ProfileOptions[], path: FieldPath): FieldErrorList {
  const sets = profiles.map(({ plugins }) => plugins?.queueSort ?? { enabled: [], disabled: [] });
  const [first] = sets;
  const count = first?.enabled?.length ?? 0;
  return [
    ...(count > 1
      ? [invalid(path.index(0).child('plugins').child('queueSort').child('Enabled'), count, 'only one queue sort plugin can be enabled')]
      : []),
    ...sets.flatMap((set, i) =>
      deepEqual(set as JsonValue, first as JsonValue)
        ? []
        : [invalid(path.index(i).child('plugins').child('queueSort'), set, 'must be the same for all profiles')],
    ),
  ];
}

/** What upstream finds when it makes the profile. */
function checkPlugins({ schedulerName, plugins = {}, pluginArgs: given = {} }: ProfileOptions): void {
  const used = (): readonly string[] => {
    try {
      const ordered = definitions.toSorted((a, b) => a.order - b.order);
      return Object.values(pluginsByPoint(ordered, plugins, schedulerName)).flat();
    } catch (error) {
      if (error instanceof PluginSetError) throw new ConfigurationError(error.message);
      throw error;
    }
  };
  const names = used();
  for (const [plugin, args] of Object.entries(given)) {
    const known = getOwn(pluginArgs, plugin);
    if (known?.isLate !== true || !names.includes(plugin)) continue;
    // None of these asks for a gate.
    const faults = known.validate(args, root(''), () => true);
    const text = aggregateText(faults.map((fault) => ({ ...fault, field: fault.field.replace(/^\./, '') })));
    if (faults.length > 0)
      throw new ConfigurationError(new PluginSetError(schedulerName, `initializing plugin ${JSON.stringify(plugin)}: ${text}`).message);
  }
}
