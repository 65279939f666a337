/**
 * KubeSchedulerConfiguration files: `kubescheduler.config.k8s.io/v1`. What a file says wins over the deprecated flags, as upstream; what
 * is not built is refused and not passed over.
 */
import { dump } from 'js-yaml';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import {
  configurationKind,
  configurationVersion,
  leaves,
  readConfiguration as readText,
  type ReadConfiguration,
} from '../../scheduler/configuration/configuration.ts';
import { extenderShown } from '../../scheduler/configuration/extenders.ts';
import { ConfigurationError } from '../../scheduler/configuration/fields.ts';
import type { HasGate } from '../../scheduler/configuration/plugin-args.ts';
import type { ProfileOptions } from '../../scheduler/options.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import { readFileOf } from './daemon-certificates.ts';

export interface SchedulerConfiguration extends Pick<ReadConfiguration, 'profiles' | 'extenders'> {
  /** With what the file says in the place of what it speaks of. */
  readonly flags: FlagValues;
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

/** Throws a CommandError for a file that cannot be read, and for what in it is not known or wrong. */
export function readConfiguration(file: string, flags: FlagValues, hasGate?: HasGate): SchedulerConfiguration {
  const { document, profiles, extenders } = documentOf(file, hasGate);
  const given = new Map<string, readonly string[]>();
  for (const [path, value] of leaves(document)) {
    const flag = getOwn(flagOf, path);
    if (flag !== undefined) given.set(flag, [String(value)]);
  }
  return { flags: flags.with(given), profiles, extenders };
}

function documentOf(file: string, hasGate?: HasGate): ReadConfiguration {
  const text = readFileOf(file);
  try {
    return readText(text, hasGate);
  } catch (error) {
    throw error instanceof ConfigurationError ? badUsage(error.message) : error;
  }
}

/** The configuration in force, for `--write-config-to`. */
export function configurationText({ flags, profiles, extenders }: SchedulerConfiguration): string {
  const document: { [field: string]: JsonValue } = { apiVersion: configurationVersion, kind: configurationKind };
  for (const [path, flag] of Object.entries(flagOf)) {
    const [outer = '', inner] = path.split('.');
    const value = typed(flags.text(flag));
    const before = getOwn(document, outer) as JsonObject | undefined;
    setOwn(document, outer, inner === undefined ? value : { ...before, [inner]: value });
  }
  const names = profiles.length > 0 ? profiles.map(({ schedulerName }) => schedulerName) : [flags.text('scheduler-name')];
  return dump(
    {
      ...document,
      ...(extenders.length === 0 ? {} : { extenders: extenders.map(extenderShown) }),
      profiles: profiles.length > 0 ? profiles.map(profileDocument) : names.map((schedulerName) => ({ schedulerName })),
    },
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

function typed(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
