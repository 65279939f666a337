/** Options of kubelets, of the scheduler and of faults, from the settings in force. */
import { parseDuration } from '../apimachinery/time.ts';
import type { JsonObject } from '../base/json.ts';
import type { Release } from '../contracts/release.ts';
import type { FaultSettings } from '../faults/fault.ts';
import type { NodesOptions, VolumeRules } from '../nodes/context.ts';
import type { FeatureGates } from '../releases/feature-gates.ts';
import { simulatedCloudName } from '../cloud/provider.ts';
import { readConfiguration } from '../scheduler/configuration/configuration.ts';
import type { SchedulerOptions } from '../scheduler/options.ts';
import { ConfigurationError } from '../scheduler/configuration/fields.ts';
import { gatesOfPolicy, type Policy, policyOfProvider, readPolicy } from '../scheduler/policy/policy.ts';
import { crashBackoff } from './kubelet-settings.ts';
import { type Settings, SettingsError } from './settings.ts';

export function nodesOptions(settings: Settings, release: Release, gates: FeatureGates): NodesOptions {
  const { gitVersion, timing, restartCountMax, kubeletSpeech: speech, formerNodeLabels } = release;
  return {
    clusterCidr: settings.text('cluster-cidr'),
    cloud: hasSimulatedCloud(settings),
    podCidrBits: settings.number('node-cidr-mask-size'),
    eviction: {
      hard: settings.text('eviction-hard'),
      soft: settings.text('eviction-soft'),
      softGracePeriod: settings.text('eviction-soft-grace-period'),
      minimumReclaim: settings.text('eviction-minimum-reclaim'),
      maxPodGraceSeconds: settings.number('eviction-max-pod-grace-period'),
      pressureTransitionMs: settings.milliseconds('eviction-pressure-transition-period'),
      imageGcHighPercent: settings.number('image-gc-high-threshold'),
      imageGcLowPercent: settings.number('image-gc-low-threshold'),
      imageMinAgeMs: settings.milliseconds('minimum-image-ttl-duration'),
    },
    shutdown: {
      graceMs: settings.milliseconds('shutdown-grace-period'),
      criticalGraceMs: settings.milliseconds('shutdown-grace-period-critical-pods'),
      byPriority: [...settings.map('shutdown-grace-period-by-pod-priority')].map(([priority, text]) => ({
        priority: Number(priority),
        graceMs: parseDuration(text) ?? 0,
      })),
    },
    podsMax: settings.number('max-pods'),
    leaseDurationSeconds: settings.number('node-lease-duration-seconds'),
    statusUpdateMs: settings.milliseconds('node-status-update-frequency'),
    statusReportMs: timing.nodeStatusReportMs,
    renewsLeases: hasNodeLeases(release, gates),
    csiDriver: true,
    relaxedVariableNames: gates.enabled('RelaxedEnvironmentVariableValidation'),
    volumes: volumeRules(release, gates),
    kubeletVersion: gitVersion,
    crashBackoff: crashBackoff(settings, gates),
    waitsForBackoffs: timing.waitsForBackoffs,
    forgetsProbes: gates.enabled('ChangeContainerStatusOnKubeletRestart'),
    tellsSandbox: gates.enabled('PodReadyToStartContainersCondition'),
    declaredFeatures: declaredFeatures.filter((name) => gates.enabled('NodeDeclaredFeatures') && gates.enabled(name)),
    ...(restartCountMax === undefined ? undefined : { restartCountMax }),
    ...(speech === undefined ? undefined : { speech }),
    ...(formerNodeLabels === undefined ? undefined : { formerNodeLabels }),
  };
}

/** A gate that a release does not know any more leaves what it let be. */
function volumeRules({ featureGates }: Pick<Release, 'featureGates'>, gates: FeatureGates): VolumeRules {
  const isOff = (name: string): boolean => featureGates.some((gate) => gate.name === name) && !gates.enabled(name);
  return {
    expandsSubPaths: gates.enabled('VolumeSubpathEnvExpansion'),
    growsInUse: !isOff('ExpandInUsePersistentVolumes'),
    mapsBlocks: !isOff('CSIBlockVolume'),
  };
}

/** What a kubelet says that it can do, each under the name of its gate. Mirrors component-helpers/nodedeclaredfeatures. */
const declaredFeatures: readonly string[] = [
  'ExtendWebSocketsToKubelet',
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'RestartAllContainersOnContainerExits',
];

/** Percent of the nodes that the scheduler of release 1.13 looks for. */
const policyShare = 50;

/** What the settings of the control plane say of the scheduler. */
export function schedulerOptions(
  settings: Settings,
  release: Pick<Release, 'name' | 'schedulesByPolicy'>,
  gates: FeatureGates,
): Partial<SchedulerOptions> {
  const unknown = release.schedulesByPolicy ? 'scheduler-config' : 'policy-config-file';
  if (settings.text(unknown) !== '') throw new SettingsError(`--${unknown} is not for release ${release.name}`);
  const text = settings.text('scheduler-config');
  return {
    schedulerName: settings.text('scheduler-name'),
    podInitialBackoffSeconds: settings.number('pod-initial-backoff-seconds'),
    podMaxBackoffSeconds: settings.number('pod-max-backoff-seconds'),
    unschedulableStayMs: settings.milliseconds('pod-max-in-unschedulable-pods-duration'),
    percentageOfNodesToScore: settings.number('percentage-of-nodes-to-score'),
    announcesNodes: gates.enabled('NominatedNodeNameForExpectation'),
    podGroups: gates.enabled('GenericWorkload'),
    gangs: gates.enabled('GangScheduling'),
    workloadClaims: gates.enabled('DRAWorkloadResourceClaims'),
    placesGroups: gates.enabled('TopologyAwareWorkloadScheduling'),
    preemptsForGroups: gates.enabled('WorkloadAwarePreemption'),
    declaredFeatures: gates.enabled('NodeDeclaredFeatures'),
    capacityScoring: gates.enabled('StorageCapacityScoring'),
    extendedResources: gates.enabled('DRAExtendedResource'),
    deviceTaintRules: gates.enabled('DRADeviceTaintRules'),
    ...(text === '' ? {} : configuredScheduler(text, gates)),
    ...(release.schedulesByPolicy ? policyOptions(settings, policyOf(settings, gates)) : {}),
  };
}

/** The policy of the file, else of the provider. */
function policyOf(settings: Settings, gates: FeatureGates): Policy {
  const found = gatesOfPolicy((gate) => gates.enabled(gate));
  const weight = settings.number('hard-pod-affinity-symmetric-weight');
  const text = settings.text('policy-config-file');
  return inSettings(() => (text === '' ? policyOfProvider(settings.text('algorithm-provider'), found, weight) : readPolicy(text, found, weight)));
}

/** A file may name what a gate of this cluster leaves out. */
function inSettings<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigurationError ? new SettingsError(error.message) : error;
  }
}

/** How a scheduler goes by a policy. What is worked out for a pod is not kept for others: services and controllers decide on it too. */
export function policyOptions(settings: Settings, policy: Policy): Partial<SchedulerOptions> {
  const share = settings.number('percentage-of-nodes-to-score');
  return { policy, extenders: policy.extenders, classCache: false, percentageOfNodesToScore: share === 0 ? policyShare : share };
}

/** What a KubeSchedulerConfiguration says instead. */
function configuredScheduler(text: string, gates: FeatureGates): Partial<SchedulerOptions> {
  const { document, profiles, extenders } = inSettings(() => readConfiguration(text, (gate) => gates.enabled(gate)));
  const numbers = ['podInitialBackoffSeconds', 'podMaxBackoffSeconds', 'percentageOfNodesToScore'] as const;
  const given = numbers.flatMap((name) => (typeof document[name] === 'number' ? [[name, document[name]] as const] : []));
  return { ...Object.fromEntries(given), profiles, extenders };
}

/** Requests a second and burst of the scheduler's client: of its configuration, else of the flags. */
export function schedulerLimits(settings: Settings): readonly [qps: number, burst: number] {
  const [qps, burst] = clientLimits(settings, 'scheduler-');
  const text = settings.text('scheduler-config');
  const { clientConnection } = text === '' ? {} : readConfiguration(text).document;
  const { qps: ownQps, burst: ownBurst } = (clientConnection ?? {}) as JsonObject;
  return [typeof ownQps === 'number' ? ownQps : qps, typeof ownBurst === 'number' ? ownBurst : burst];
}

/** Whether kubelets renew leases, and there is a namespace for them. */
export function hasNodeLeases({ nodeLeaseGate }: Release, gates: FeatureGates): boolean {
  return nodeLeaseGate === undefined || gates.enabled(nodeLeaseGate);
}

/** A cloud outside is left to the programs that know it. */
export function hasSimulatedCloud(settings: Settings): boolean {
  return settings.text('cloud-provider') === simulatedCloudName;
}

/** What decides how long a silent node is believed, for the words of faults. */
export function faultSettings(settings: Settings): FaultSettings {
  return {
    graceMs: settings.milliseconds('node-monitor-grace-period'),
    evictionMs: settings.number('default-unreachable-toleration-seconds') * 1000,
    hasCloud: hasSimulatedCloud(settings),
  };
}

/** Requests a second and burst of a component's client, as `Wiring.limiter` takes them. */
export function clientLimits(settings: Settings, prefix: '' | 'scheduler-', share = { qps: 1, burst: 1 }): readonly [qps: number, burst: number] {
  return [settings.number(`${prefix}kube-api-qps`) * share.qps, settings.number(`${prefix}kube-api-burst`) * share.burst];
}
