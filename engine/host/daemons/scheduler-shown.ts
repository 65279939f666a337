/**
 * What `/configz` of the scheduler shows: the KubeSchedulerConfiguration in force. Paths, their order and what no flag says were read
 * from the real one of 1.36.3.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { JsonObject } from '../../base/json.ts';
import { gatedArgs, type HasGate } from '../../scheduler/configuration/plugin-args.ts';
import type { ProfileOptions } from '../../scheduler/options.ts';
import { type PluginSet, pointNames } from '../../scheduler/plugin-sets.ts';
import { plugins } from '../../scheduler/plugins/index.gen.ts';
import type { ConfigurationRow } from './configz.ts';

export const schedulerConfiguration: readonly ConfigurationRow[] = [
  { path: 'kind', value: 'KubeSchedulerConfiguration' },
  { path: 'apiVersion', value: 'kubescheduler.config.k8s.io/v1' },
  { path: 'parallelism', value: 16 },
  { path: 'leaderElection.leaderElect', flag: 'leader-elect' },
  { path: 'leaderElection.leaseDuration', flag: 'leader-elect-lease-duration' },
  { path: 'leaderElection.renewDeadline', flag: 'leader-elect-renew-deadline' },
  { path: 'leaderElection.retryPeriod', flag: 'leader-elect-retry-period' },
  { path: 'leaderElection.resourceLock', flag: 'leader-elect-resource-lock' },
  { path: 'leaderElection.resourceName', flag: 'leader-elect-resource-name' },
  { path: 'leaderElection.resourceNamespace', flag: 'leader-elect-resource-namespace' },
  { path: 'clientConnection.kubeconfig', flag: 'kubeconfig' },
  { path: 'clientConnection.acceptContentTypes', value: '' },
  { path: 'clientConnection.contentType', flag: 'kube-api-content-type' },
  { path: 'clientConnection.qps', flag: 'kube-api-qps' },
  { path: 'clientConnection.burst', flag: 'kube-api-burst' },
  { path: 'enableProfiling', flag: 'profiling' },
  { path: 'enableContentionProfiling', flag: 'contention-profiling' },
  { path: 'percentageOfNodesToScore', flag: 'percentage-of-nodes-to-score' },
  { path: 'podInitialBackoffSeconds', flag: 'pod-initial-backoff-seconds' },
  { path: 'podMaxBackoffSeconds', flag: 'pod-max-backoff-seconds' },
];

/** What stands behind a gate that is off by default is no part of a profile that says nothing. */
const gated: ReadonlySet<string> = new Set(['GangScheduling']);
const ordered = plugins.filter(({ name }) => !gated.has(name)).toSorted((a, b) => a.order - b.order);
/** Plugins of a profile that says nothing, with their weights. */
const multiPoint: readonly (readonly [name: string, weight: number])[] = ordered.map(({ name, defaultWeight }) => [name, defaultWeight] as const);

const version = 'kubescheduler.config.k8s.io/v1';
/** Arguments that plugins have when a profile says nothing; upstream leaves empty lists out. */
const standardArgs: readonly (readonly [name: string, args: JsonObject])[] = [
  'DefaultPreemption',
  'DynamicResources',
  'InterPodAffinity',
  'NodeAffinity',
  'NodeResourcesBalancedAllocation',
  'NodeResourcesFit',
  'PodTopologySpread',
  'VolumeBinding',
].map((name) => [name, withoutEmptyLists(plugins.find((plugin) => plugin.name === name)?.args ?? {})]);
const pointsBehind = ['placementGenerate', 'placementScore'];

/** A profile as it stands in the configuration, with what it did not say. */
export function profileShown(
  { schedulerName, percentageOfNodesToScore, plugins: sets = {}, pluginArgs = {} }: ProfileOptions,
  hasGate: HasGate,
): JsonObject {
  const given = (points: readonly string[]): JsonObject =>
    Object.fromEntries(points.map((point) => [point, setShown(getOwn(sets, point) ?? {}, [])]));
  return {
    schedulerName,
    ...(percentageOfNodesToScore === undefined ? {} : { percentageOfNodesToScore }),
    plugins: { ...given(pointNames), multiPoint: setShown(getOwn(sets, 'multiPoint') ?? {}, multiPoint), ...given(pointsBehind) },
    pluginConfig: standardArgs.map(([name, args]) => ({
      name,
      args: { kind: `${name}Args`, apiVersion: version, ...gatedArgs(name, args, hasGate), ...getOwn(pluginArgs, name) },
    })),
  };
}

/** What is on by default, less what is off, with what is on besides. */
function setShown({ enabled = [], disabled = [] }: PluginSet, standard: typeof multiPoint): JsonObject {
  const left = standard.filter(([name]) => !disabled.includes(name) && !disabled.includes('*'));
  const kept = left.map(([name, weight]) => ({ name, weight: enabled.find((one) => one.name === name)?.weight ?? weight }));
  const more = enabled.filter(({ name }) => left.every(([other]) => other !== name)).map(({ name, weight = 0 }) => ({ name, weight }));
  const all = [...kept, ...more];
  return { ...(all.length === 0 ? {} : { enabled: all }), ...(disabled.length === 0 ? {} : { disabled: disabled.map((name) => ({ name })) }) };
}

function withoutEmptyLists(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => !Array.isArray(value) || value.length > 0));
}
