/**
 * KubeSchedulerConfiguration files: `kubescheduler.config.k8s.io/v1`. What a file says wins over the deprecated flags, as upstream; what
 * is not built is refused and not passed over.
 */
import { dump, load } from 'js-yaml';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ProfileOptions } from '../../scheduler/options.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import { readProfiles } from './scheduler-profiles.ts';
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
  const profiles = readProfiles(document['profiles'] ?? []);
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
  return dump(
    { ...document, profiles: profiles.length > 0 ? profiles.map(profileDocument) : names.map((schedulerName) => ({ schedulerName })) },
    { sortKeys: true },
  );
}

function profileDocument({ schedulerName, percentageOfNodesToScore, plugins, pluginArgs }: ProfileOptions): JsonObject {
  const sets = Object.entries(plugins ?? {}).map(([point, { enabled = [], disabled = [] }]) => {
    return [point, { enabled: enabled.map((one) => ({ ...one })), disabled: disabled.map((name) => ({ name })) }] as const;
  });
  return {
    schedulerName,
    ...(percentageOfNodesToScore === undefined ? {} : { percentageOfNodesToScore }),
    ...(plugins === undefined ? {} : { plugins: Object.fromEntries(sets) }),
    ...(pluginArgs === undefined ? {} : { pluginConfig: Object.entries(pluginArgs).map(([name, args]) => ({ name, args })) }),
  };
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
