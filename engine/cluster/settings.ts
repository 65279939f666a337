/** Options in force: text under flag names, checked once, read as typed values. */
import { parseThresholds } from '../component-helpers/eviction-thresholds.ts';
import { formatDuration, parseDuration } from '../apimachinery/time.ts';
import type { JsonValue } from '../base/json.ts';
import type { ControllerOptions, HorizontalPodAutoscalerOptions } from '../controllers/controller.ts';
import type { Release } from '../contracts/release.ts';
import { FeatureGateError, FeatureGates } from '../releases/feature-gates.ts';
import { defaultRelease } from '../releases/releases.ts';
import { defaultOf, type Flag, flags, getFlag } from './flags.ts';
import { expectedOf, mistakeTogether } from './flag-checks.ts';

/** An option that does not exist or does not parse: one line that says what to do. */
export class SettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

/** What of a release decides on options. */
export type SettingsRelease = Pick<Release, 'flagDefaults' | 'featureGates'>;

export class Settings {
  readonly #values: ReadonlyMap<string, string>;

  readonly #release: SettingsRelease;

  constructor(given: Readonly<Record<string, string>> = {}, release: SettingsRelease = defaultRelease) {
    this.#release = release;
    const values = new Map(flags.map((flag) => [flag.name, defaultOf(flag, release)]));
    for (const [name, text] of Object.entries(given)) {
      const flag = getFlag(name);
      if (flag === undefined) throw new SettingsError(`unknown option --${name}; \`wavetank up --help\` lists them`);
      check(flag, text);
      if (name === 'feature-gates') checkGates(text, release);
      values.set(name, text);
    }
    checkTogether((name) => values.get(name) ?? '');
    this.#values = values;
  }

  text(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) throw new SettingsError(`unknown option --${name}`);
    return value;
  }

  number(name: string): number {
    return Number(this.text(name));
  }

  boolean(name: string): boolean {
    return this.text(name) === 'true';
  }

  milliseconds(name: string): number {
    return mustParseDuration(name, this.text(name));
  }

  list(name: string): readonly string[] {
    return this.text(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  map(name: string): ReadonlyMap<string, string> {
    return new Map(this.list(name).map((part) => splitPair(part)));
  }

  /** Every option in force, typed, under its flag name. */
  entries(): Readonly<Record<string, JsonValue>> {
    return Object.fromEntries(flags.map((flag) => [flag.name, this.#typed(flag)]));
  }

  /** Only what was given differently from the defaults; what a session file has to remember. */
  changed(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      flags.filter((flag) => this.text(flag.name) !== defaultOf(flag, this.#release)).map((flag) => [flag.name, this.text(flag.name)]),
    );
  }

  #typed(flag: Flag): JsonValue {
    switch (flag.type) {
      case 'integer':
      case 'number':
        return this.number(flag.name);
      case 'boolean':
        return this.boolean(flag.name);
      case 'duration':
        return formatDuration(this.milliseconds(flag.name));
      case 'list':
        return this.list(flag.name);
      case 'map':
        return Object.fromEntries(this.map(flag.name));
      default:
        return this.text(flag.name);
    }
  }
}

/** What of a controller decides whether it runs. */
export interface Enabling {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly onByDefault?: false;
  readonly gates?: readonly string[];
}

/** A controller list as upstream reads it: what is said of a name first counts, then `*`, for those that are on by default. */
export function isControllerEnabled(list: readonly string[], { name, aliases, onByDefault }: Enabling): boolean {
  const names = [name, ...aliases];
  const said = list.find((item) => names.includes(item.startsWith('-') ? item.slice(1) : item));
  if (said !== undefined) return !said.startsWith('-');
  return list.includes('*') && onByDefault !== false;
}

/** Whether every gate that a controller needs is on. */
export function hasGates({ gates = [] }: Enabling, features: FeatureGates): boolean {
  return gates.every((gate) => features.enabled(gate));
}

export function controllerOptions(
  settings: Settings,
  { timing, podTemplateForms, featureGates }: Pick<Release, 'timing' | 'podTemplateForms' | 'featureGates'>,
  rootCaPem: string,
  sha256: (text: string) => string,
): ControllerOptions {
  return {
    concurrentDaemonSetSyncs: settings.number('concurrent-daemonset-syncs'),
    concurrentStatefulSetSyncs: settings.number('concurrent-statefulset-syncs'),
    concurrentDeploymentSyncs: settings.number('concurrent-deployment-syncs'),
    concurrentRcSyncs: settings.number('concurrent-rc-syncs'),
    concurrentResourceQuotaSyncs: settings.number('concurrent-resource-quota-syncs'),
    concurrentReplicaSetSyncs: settings.number('concurrent-replicaset-syncs'),
    concurrentJobSyncs: settings.number('concurrent-job-syncs'),
    concurrentCronJobSyncs: settings.number('concurrent-cron-job-syncs'),
    concurrentEndpointSyncs: settings.number('concurrent-endpoint-syncs'),
    concurrentServiceEndpointSyncs: settings.number('concurrent-service-endpoint-syncs'),
    concurrentGcSyncs: settings.number('concurrent-gc-syncs'),
    concurrentNamespaceSyncs: settings.number('concurrent-namespace-syncs'),
    concurrentServiceAccountSyncs: settings.number('concurrent-serviceaccount-syncs'),
    concurrentTtlAfterFinishedSyncs: settings.number('concurrent-ttl-after-finished-syncs'),
    volumeBinderSyncPeriodMs: settings.milliseconds('pvclaimbinder-sync-period'),
    enableDynamicProvisioning: settings.boolean('enable-dynamic-provisioning'),
    recyclerHostPath: {
      minimumSeconds: settings.number('pv-recycler-minimum-timeout-hostpath'),
      secondsPerGib: settings.number('pv-recycler-timeout-increment-hostpath'),
    },
    recyclerNfs: {
      minimumSeconds: settings.number('pv-recycler-minimum-timeout-nfs'),
      secondsPerGib: settings.number('pv-recycler-increment-timeout-nfs'),
    },
    concurrentEphemeralVolumeSyncs: settings.number('concurrent-ephemeralvolume-syncs'),
    disableForceDetachOnTimeout: settings.boolean('disable-force-detach-on-timeout'),
    sha256,
    horizontalPodAutoscaler: horizontalPodAutoscalerOptions(settings, new FeatureGates(featureGates, settings.text('feature-gates'))),
    nodeMonitorPeriodMs: settings.milliseconds('node-monitor-period'),
    nodeMonitorGracePeriodMs: settings.milliseconds('node-monitor-grace-period'),
    nodeStartupGracePeriodMs: settings.milliseconds('node-startup-grace-period'),
    nodeEvictionRate: settings.number('node-eviction-rate'),
    secondaryNodeEvictionRate: settings.number('secondary-node-eviction-rate'),
    unhealthyZoneThreshold: settings.number('unhealthy-zone-threshold'),
    largeClusterSizeThreshold: settings.number('large-cluster-size-threshold'),
    terminatedPodGcThreshold: settings.number('terminated-pod-gc-threshold'),
    maxEndpointsPerSlice: settings.number('max-endpoints-per-slice'),
    jobBackoffMaxMs: timing.jobBackoffMaxMs,
    podTemplateForms,
    concurrentServiceSyncs: settings.number('concurrent-service-syncs'),
    configureCloudRoutes: settings.boolean('configure-cloud-routes'),
    allocateNodeCidrs: settings.boolean('allocate-node-cidrs'),
    clusterCidr: settings.text('cluster-cidr'),
    nodeCidrMaskSize: settings.number('node-cidr-mask-size'),
    clusterSigningDurationMs: Math.min(
      settings.milliseconds('cluster-signing-duration'),
      settings.milliseconds('experimental-cluster-signing-duration'),
    ),
    legacyTokenCleanUpMs: settings.milliseconds('legacy-service-account-token-clean-up-period'),
    serviceClusterIpRange: settings.text('service-cluster-ip-range'),
    maxUnavailableStatefulSet: new FeatureGates(featureGates, settings.text('feature-gates')).enabled('MaxUnavailableStatefulSet'),
    mirroringConcurrentServiceEndpointSyncs: settings.number('mirroring-concurrent-service-endpoint-syncs'),
    mirroringMaxEndpointsPerSubset: settings.number('mirroring-max-endpoints-per-subset'),
    mirroringUpdatesBatchMs: settings.milliseconds('mirroring-endpointslice-updates-batch-period'),
    rootCaPem,
  };
}

function horizontalPodAutoscalerOptions(settings: Settings, gates: FeatureGates): HorizontalPodAutoscalerOptions {
  const prefix = 'horizontal-pod-autoscaler';
  return {
    concurrentSyncs: settings.number('concurrent-horizontal-pod-autoscaler-syncs'),
    syncPeriodMs: settings.milliseconds(`${prefix}-sync-period`),
    downscaleStabilizationMs: settings.milliseconds(`${prefix}-downscale-stabilization`),
    tolerance: settings.number(`${prefix}-tolerance`),
    cpuInitializationMs: settings.milliseconds(`${prefix}-cpu-initialization-period`),
    initialReadinessDelayMs: settings.milliseconds(`${prefix}-initial-readiness-delay`),
    hasOwnTolerance: gates.enabled('HPAConfigurableTolerance'),
  };
}

function checkGates(text: string, { featureGates }: SettingsRelease): void {
  try {
    new FeatureGates(featureGates, text);
  } catch (error) {
    if (!(error instanceof FeatureGateError)) throw error;
    throw new SettingsError(`invalid value ${JSON.stringify(text)} for --feature-gates: ${error.message}`);
  }
}

function check(flag: Flag, text: string): void {
  const fail = (expected: string): never => {
    throw new SettingsError(`invalid value ${JSON.stringify(text)} for --${flag.name}: expected ${expected}`);
  };
  switch (flag.type) {
    case 'integer':
    case 'number': {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value)) fail('a number');
      if (flag.type === 'integer' && !Number.isInteger(value)) fail('a whole number');
      if (flag.min !== undefined && value < flag.min) fail(`at least ${flag.min}`);
      if (flag.max !== undefined && value > flag.max) fail(`at most ${flag.max}`);
      break;
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') fail('true or false');
      break;
    case 'duration':
      if (mustParseDuration(flag.name, text) < 0) fail('a duration of 0 or more');
      break;
    case 'map':
      for (const part of text.split(',')) if (part.trim() !== '' && !part.includes('=')) fail('key=value pairs');
      break;
    default:
  }
  const expected = expectedOf(flag.name, text);
  if (expected !== undefined) fail(expected);
}

function checkTogether(textOf: (name: string) => string): void {
  const [reading, mutating] = ['max-requests-inflight', 'max-mutating-requests-inflight'].map((name) => Number(textOf(name))) as [number, number];
  if (textOf('enable-priority-and-fairness') === 'true' && reading + mutating === 0)
    throw new SettingsError(
      `invalid configuration: MaxRequestsInFlight=${reading} and MaxMutatingRequestsInFlight=${mutating}; they must add up to something positive`,
    );
  const mistake = mistakeTogether((name) => mustParseDuration(name, textOf(name)));
  if (mistake !== undefined) throw new SettingsError(mistake);
  checkEviction(textOf);
  checkShutdown(textOf);
}

function checkShutdown(settings: (name: string) => string): void {
  const [all, critical] = ['shutdown-grace-period', 'shutdown-grace-period-critical-pods'].map((name) => mustParseDuration(name, settings(name))) as [
    number,
    number,
  ];
  if (critical > all) throw new SettingsError('--shutdown-grace-period must be at least as long as --shutdown-grace-period-critical-pods');
  const byPriority = settings('shutdown-grace-period-by-pod-priority');
  if (byPriority === '') return;
  if (all > 0) throw new SettingsError('--shutdown-grace-period-by-pod-priority and --shutdown-grace-period exclude each other');
  for (const [priority, text] of byPriority.split(',').map((part) => splitPair(part.trim()))) {
    if (!/^-?\d+$/.test(priority) || parseDuration(text) === undefined)
      throw new SettingsError(
        `invalid value ${JSON.stringify(byPriority)} for --shutdown-grace-period-by-pod-priority: expected pairs such as 0=30s`,
      );
  }
}

function checkEviction(textOf: (name: string) => string): void {
  const [low, high] = ['image-gc-low-threshold', 'image-gc-high-threshold'].map((name) => Number(textOf(name))) as [number, number];
  if (high > 100 || low > high)
    throw new SettingsError(`--image-gc-low-threshold (${low}) must not exceed --image-gc-high-threshold (${high}), and neither 100`);
  try {
    parseThresholds({
      hard: textOf('eviction-hard'),
      soft: textOf('eviction-soft'),
      softGracePeriod: textOf('eviction-soft-grace-period'),
      minimumReclaim: textOf('eviction-minimum-reclaim'),
    });
  } catch (error) {
    throw new SettingsError(`invalid options --eviction-…: ${(error as Error).message}`);
  }
}

function mustParseDuration(name: string, text: string): number {
  const value = parseDuration(text);
  if (value === undefined) throw new SettingsError(`invalid value ${JSON.stringify(text)} for --${name}: expected a duration such as 40s or 5m0s`);
  return value;
}

function splitPair(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  return [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}
