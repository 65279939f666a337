/**
 * KubeSchedulerConfiguration files: `kubescheduler.config.k8s.io/v1`. What a file says wins over the deprecated flags, as upstream; what
 * is not built is refused and not passed over.
 */
import { dump, load } from 'js-yaml';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ProfileOptions } from '../../scheduler/options.ts';
import { plugins } from '../../scheduler/plugins/index.gen.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import { readFileOf } from './serving-certificates.ts';

const apiVersion = 'kubescheduler.config.k8s.io/v1';
const kind = 'KubeSchedulerConfiguration';

export interface SchedulerConfiguration {
  /** With what the file says in the place of what it speaks of. */
  readonly flags: FlagValues;
  readonly profiles: readonly ProfileOptions[];
}

/** Paths of the file and the flags that they are. */
const flagOf: Readonly<Record<string, string>> = {
  'clientConnection.burst': 'kube-api-burst',
  'clientConnection.contentType': 'kube-api-content-type',
  'clientConnection.kubeconfig': 'kubeconfig',
  'clientConnection.qps': 'kube-api-qps',
  enableContentionProfiling: 'contention-profiling',
  enableProfiling: 'profiling',
  'leaderElection.leaderElect': 'leader-elect',
  'leaderElection.leaseDuration': 'leader-elect-lease-duration',
  'leaderElection.renewDeadline': 'leader-elect-renew-deadline',
  'leaderElection.resourceLock': 'leader-elect-resource-lock',
  'leaderElection.resourceName': 'leader-elect-resource-name',
  'leaderElection.resourceNamespace': 'leader-elect-resource-namespace',
  'leaderElection.retryPeriod': 'leader-elect-retry-period',
  percentageOfNodesToScore: 'percentage-of-nodes-to-score',
  podInitialBackoffSeconds: 'pod-initial-backoff-seconds',
  podMaxBackoffSeconds: 'pod-max-backoff-seconds',
};

/** Known, and of nothing that there is here. */
const withoutEffect: ReadonlySet<string> = new Set(['parallelism', 'clientConnection.acceptContentTypes', 'delayCacheUntilActive']);

/** Throws a CommandError for a file that cannot be read, and for what in it is not known, not built or wrong. */
export function readConfiguration(file: string, flags: FlagValues): SchedulerConfiguration {
  const document = documentOf(file);
  const given = new Map<string, readonly string[]>();
  const profiles = [...profilesOf(document['profiles'] ?? [])];
  for (const [path, value] of leaves(document)) {
    if (path === 'apiVersion' || path === 'kind' || path.split('.')[0] === 'profiles' || withoutEffect.has(path)) continue;
    const flag = getOwn(flagOf, path);
    if (flag !== undefined) given.set(flag, [String(value)]);
    else if (path === 'extenders') refuse(path, 'extenders are not built');
    else throw badUsage(`strict decoding error: unknown field ${JSON.stringify(path)}`);
  }
  return { flags: flags.with(given), profiles };
}

/** The configuration in force, for `--write-config-to`. */
export function configurationText(flags: FlagValues, profiles: readonly ProfileOptions[]): string {
  const document: { [field: string]: JsonValue } = { apiVersion, kind };
  for (const [path, flag] of Object.entries(flagOf)) {
    const [outer = '', inner] = path.split('.');
    const value = typed(flags.text(flag));
    const before = getOwn(document, outer) as JsonObject | undefined;
    setOwn(document, outer, inner === undefined ? value : { ...before, [inner]: value });
  }
  const names = profiles.length > 0 ? profiles.map(({ schedulerName }) => schedulerName) : [flags.text('scheduler-name')];
  return dump({ ...document, profiles: names.map((schedulerName) => ({ schedulerName })) }, { sortKeys: true });
}

function documentOf(file: string): JsonObject {
  let document: unknown;
  try {
    document = load(readFileOf(file));
  } catch (error) {
    throw badUsage((error as Error).message);
  }
  const fields = isObject(document) ? document : {};
  if (fields['kind'] === kind && fields['apiVersion'] === apiVersion) return fields;
  throw badUsage(
    `no kind ${JSON.stringify(fields['kind'] ?? '')} is registered for version ${JSON.stringify(fields['apiVersion'] ?? '')}; expected ${kind} of ${apiVersion}`,
  );
}

/** The two levels of the document as paths with dots; lists are leaves. */
function leaves(document: JsonObject): readonly (readonly [path: string, value: JsonValue])[] {
  return Object.entries(document).flatMap(([name, value]): (readonly [string, JsonValue])[] =>
    isObject(value) ? Object.entries(value).map(([inner, leaf]) => [`${name}.${inner}`, leaf]) : [[name, value]],
  );
}

function profilesOf(value: JsonValue): readonly ProfileOptions[] {
  if (!Array.isArray(value)) return refuse('profiles', 'a list is expected');
  const profiles = (value as readonly JsonValue[]).map((profile, index) => profileOf(profile, `profiles[${index}]`));
  const names = profiles.map(({ schedulerName }) => schedulerName);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0) throw badUsage(`profiles[${twice}].schedulerName: Duplicate value: ${JSON.stringify(names[twice])}`);
  return profiles;
}

function profileOf(value: JsonValue, path: string): ProfileOptions {
  if (!isObject(value)) return refuse(path, 'an object is expected');
  const { schedulerName, percentageOfNodesToScore, plugins: sets = {}, pluginConfig = [], ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw badUsage(`strict decoding error: unknown field ${JSON.stringify(`${path}.${unknown}`)}`);
  if (typeof schedulerName !== 'string' || schedulerName === '') throw badUsage(`${path}.schedulerName: Required value`);
  return {
    schedulerName,
    ...(typeof percentageOfNodesToScore === 'number' ? { percentageOfNodesToScore } : {}),
    ...pluginSets(sets, `${path}.plugins`),
    pluginArgs: argsOf(pluginConfig, `${path}.pluginConfig`),
  };
}

/** Plugins are switched for all their extension points, and weighed; one point alone cannot be switched off here. */
function pluginSets(sets: JsonValue, path: string): Pick<ProfileOptions, 'disabled' | 'weights'> {
  if (!isObject(sets)) return refuse(path, 'an object is expected');
  const disabled: string[] = [];
  const weights: [string, number][] = [];
  for (const [point, set] of Object.entries(sets)) {
    if (point !== 'multiPoint' && point !== 'score') refuse(`${path}.${point}`, 'only multiPoint and the weights of score are built');
    if (!isObject(set)) refuse(`${path}.${point}`, 'an object is expected');
    for (const { name } of entriesOf(set, 'disabled')) {
      if (point === 'multiPoint') disabled.push(...(name === '*' ? plugins.map((plugin) => plugin.name) : [known(name, `${path}.${point}`)]));
      else weights.push([known(name, `${path}.${point}`), 0]);
    }
  }
  for (const [point, set] of Object.entries(sets))
    for (const { name, weight } of entriesOf(set, 'enabled')) {
      const plugin = known(name, `${path}.${point}`);
      if (disabled.includes(plugin)) disabled.splice(disabled.indexOf(plugin), 1);
      if (weight !== undefined) weights.push([plugin, weight]);
    }
  return { disabled, weights: Object.fromEntries(weights) };
}

interface PluginEntry {
  readonly name: string;
  readonly weight?: number;
}

function entriesOf(set: JsonValue | undefined, member: 'enabled' | 'disabled'): readonly PluginEntry[] {
  const list = isObject(set) ? (set[member] ?? []) : [];
  if (!Array.isArray(list)) return refuse(member, 'a list is expected');
  return (list as readonly JsonValue[]).map((entry) => {
    if (!isObject(entry) || typeof entry['name'] !== 'string') return refuse(member, 'entries have a name');
    return { name: entry['name'], ...(typeof entry['weight'] === 'number' ? { weight: entry['weight'] } : {}) };
  });
}

function known(name: string, path: string): string {
  if (plugins.some((plugin) => plugin.name === name)) return name;
  throw badUsage(`${path}: plugin ${JSON.stringify(name)} does not exist`);
}

function argsOf(list: JsonValue, path: string): Readonly<Record<string, JsonObject>> {
  if (!Array.isArray(list)) return refuse(path, 'a list is expected');
  const entries = (list as readonly JsonValue[]).map((entry) => {
    if (!isObject(entry) || typeof entry['name'] !== 'string' || !isObject(entry['args'])) return refuse(path, 'entries have a name and args');
    const { apiVersion: _version, kind: _kind, ...args } = entry['args'];
    return [known(entry['name'], path), args] as const;
  });
  return Object.fromEntries(entries);
}

function typed(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(path: string, why: string): never {
  throw badUsage(`${path}: ${why}`);
}
