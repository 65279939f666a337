/**
 * What the daemons of a release find wrong with options before they read their kubeconfig, in their words and order: Validate of
 * cmd/kube-controller-manager/app/options and of cmd/kube-scheduler/app/options, and of component-base logs and metrics.
 */
import type { Release } from '../../contracts/release.ts';
import { FeatureGateError, FeatureGates } from '../../releases/feature-gates.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import { lockKinds } from './resource-locks.ts';
import { logFaults } from './log-checks.ts';
import { metricFaults } from './metric-checks.ts';
import { oldSchedulerFaults } from './old-scheduler-checks.ts';
import { signingFaults } from './signing-keys.ts';
import { versionFaults } from './version-checks.ts';

const portMax = 65_535;
/** Upstream's own slip. */
const insecurePortMax = 65_335;

type Limits = readonly [flag: string, min: number, max: number | undefined, words: 'less' | 'larger' | 'greater' | 'zero'];

/** In the order in which upstream's controllers look at theirs. */
const limits: readonly Limits[] = [
  ['concurrent-daemonset-syncs', 1, undefined, 'greater'],
  ['concurrent-device-taint-eviction-syncs', 1, undefined, 'zero'],
  ['concurrent-resourceclaim-syncs', 1, undefined, 'larger'],
  ['concurrent-statefulset-syncs', 1, undefined, 'greater'],
  ['concurrent-service-endpoint-syncs', 1, 50, 'less'],
  ['max-endpoints-per-slice', 1, 1000, 'less'],
  ['mirroring-concurrent-service-endpoint-syncs', 1, 50, 'less'],
  ['mirroring-max-endpoints-per-subset', 1, 1000, 'less'],
  ['concurrent-ephemeralvolume-syncs', 1, undefined, 'greater'],
  ['concurrent-horizontal-pod-autoscaler-syncs', 1, undefined, 'greater'],
  ['concurrent-job-syncs', 1, undefined, 'greater'],
  ['concurrent-cron-job-syncs', 1, undefined, 'greater'],
];

/** Names of controllers that there are, also former ones. */
export interface KnownControllers {
  readonly has: (name: string) => boolean;
}

/** Throws a CommandError that names all faults. */
export function checkCommandLine(daemon: string, flags: FlagValues, release: Release, controllers: KnownControllers): void {
  const isOld = flags.dialect === 'old';
  if (!isOld) throwAll(logFaults(flags));
  const isManager = daemon === 'kube-controller-manager';
  const hasGate = (name: string): boolean => isGateOn(flags, release, name);
  const own = isManager ? managerFaults(flags, controllers) : isOld ? oldSchedulerFaults(flags) : [];
  throwAll(
    [
      ...(isOld ? [] : globalFaults(flags, release)),
      ...own,
      ...securePortFaults(flags),
      ...(isOld ? insecurePortFaults(flags, isManager) : [...proxyFaults(flags, hasGate), ...metricFaults(flags)]),
      ...(isManager ? cloudFaults(flags) : []),
    ],
    isOld,
  );
}

function throwAll(faults: readonly string[], isOld = false): void {
  const [first, ...more] = isOld ? faults : new Set(faults);
  if (first !== undefined) throw badUsage(more.length === 0 ? first : `[${[first, ...more].join(', ')}]`);
}

/** Gates are looked at once versions can be. */
function globalFaults(flags: FlagValues, release: Release): readonly string[] {
  const versions = versionFaults(flags);
  return versions.length > 0 ? versions : gateFaults(flags, release);
}

function gateFaults(flags: FlagValues, { featureGates }: Release): readonly string[] {
  try {
    new FeatureGates(featureGates, gatesText(flags));
    return [];
  } catch (error) {
    if (error instanceof FeatureGateError) return [error.message];
    throw error;
  }
}

/** False where what is said of gates cannot be read, which is told elsewhere. */
function isGateOn(flags: FlagValues, release: Release, name: string): boolean {
  return gateFaults(flags, release).length === 0 && new FeatureGates(release.featureGates, gatesText(flags)).enabled(name);
}

/** Gates of `kube`, which need not be named. Throws a FeatureGateError for those of other components. */
export function gatesText(flags: FlagValues): string {
  const parts = flags.all('feature-gates').flatMap((text) => text.split(',').map((part) => part.trim()));
  const bare = parts.map((part) => {
    const [, component, gate] = /^([^:=]*):(.*)$/.exec(part) ?? [];
    if (component === undefined || flags.dialect === 'old') return part;
    if (component !== '' && component !== 'kube') throw new FeatureGateError(`component not registered: ${component}`);
    return gate ?? '';
  });
  return bare.filter((part) => part !== '').join(',');
}

function managerFaults(flags: FlagValues, controllers: KnownControllers): readonly string[] {
  const isOld = flags.dialect === 'old';
  // What the seeds know is taken too: without --emulate it is the server that decides which release it is.
  const isOtherLock = flags.isGiven('leader-elect-resource-lock') && !lockKinds.includes(flags.text('leader-elect-resource-lock'));
  return [
    ...(!isOld && flags.isOn('leader-elect') && isOtherLock ? ['resourceLock value must be "leases"'] : []),
    ...controllerFaults(flags, controllers),
    ...(!isOld && flags.milliseconds('attach-detach-reconcile-sync-period') < 1000 && !flags.isOn('disable-attach-detach-reconcile-sync')
      ? ['duration time must be greater than one second as set via command line option reconcile-sync-loop-period']
      : []),
    ...(isOld ? [] : [...signingFaults(flags), ...limits.flatMap((limit) => limitFaults(flags, limit))]),
  ];
}

function controllerFaults(flags: FlagValues, { has }: KnownControllers): readonly string[] {
  return flags
    .named('controllers')
    .filter((name) => name !== '*')
    .map((name) => name.replace(/^-/, ''))
    .filter((name) => !has(name))
    .map((name) => `${JSON.stringify(name)} is not in the list of known controllers`);
}

function limitFaults(flags: FlagValues, [flag, min, max, words]: Limits): readonly string[] {
  const value = flags.number(flag);
  if (max !== undefined && value > max) return [`${flag} must not be more than ${max}, but got ${value}`];
  if (value >= min) return [];
  switch (words) {
    case 'less':
      return [`${flag} must not be less than ${min}, but got ${value}`];
    case 'zero':
      return [`${flag} must be greater than zero, got ${value}`];
    case 'larger':
      return [`${flag} must be larger than 0, got ${value}`];
    default:
      return [`${flag} must be greater than 0, but got ${value}`];
  }
}

/** Upstream's text turns with the sign. */
function securePortFaults(flags: FlagValues): readonly string[] {
  const text = flags.text('secure-port');
  const port = flags.number('secure-port');
  if (port >= 0 && port <= portMax) return [];
  return [
    `--secure-port ${text} must be between ${
      port < 0 ? '0 and 65535, inclusive. 0 for turning off secure port' : '1 and 65535, inclusive. It cannot be turned off with 0'
    }`,
  ];
}

function insecurePortFaults(flags: FlagValues, isManager: boolean): readonly string[] {
  const port = flags.number('port');
  if (port >= 0 && port <= insecurePortMax) return [];
  return [
    `${isManager ? 'insecure port' : '--port'} ${flags.text('port')} must be between 0 and ${insecurePortMax}, inclusive. 0 for turning off insecure (HTTP) port`,
  ];
}

const headerFlags = ['username-headers', 'group-headers', 'extra-headers-prefix', 'allowed-names'].map((name) => `requestheader-${name}`);

function proxyFaults(flags: FlagValues, hasGate: (name: string) => boolean): readonly string[] {
  const isEmpty = (name: string): boolean => flags.named(name).some((value) => value.trim() === '');
  const empty = headerFlags.filter(isEmpty);
  return [...empty.map((name) => `empty value in ${JSON.stringify(name)}`), ...uidHeaderFaults(flags, hasGate)];
}

function uidHeaderFaults(flags: FlagValues, hasGate: (name: string) => boolean): readonly string[] {
  const flag = 'requestheader-uid-headers';
  const uids = flags.named(flag);
  if (uids.length === 0) return [];
  if (!hasGate('RemoteRequestHeaderUID')) return [`--${flag} requires the "RemoteRequestHeaderUID" feature to be enabled`];
  return [
    ...(uids.some((value) => value.trim() === '') ? [`empty value in ${JSON.stringify(flag)}`] : []),
    ...(uids.some((header) => header.toLowerCase() === 'x-remote-uid')
      ? []
      : [`--${flag} is set without specifying the standard X-Remote-Uid header - API aggregation will not work`]),
  ];
}

function cloudFaults(flags: FlagValues): readonly string[] {
  if (flags.dialect === 'old') return [];
  const provider = flags.text('cloud-provider');
  const allocator = flags.text('cidr-allocator-type');
  return [
    ...(['', 'external', 'wavetank'].includes(provider)
      ? []
      : [
          `cloud provider ${JSON.stringify(provider)} was specified, but built-in cloud providers are disabled. Please set --cloud-provider=external and migrate to an external cloud provider`,
        ]),
    ...(['', 'RangeAllocator'].includes(allocator) ? [] : [`built-in cloud providers are disabled. The ipam ${allocator} is not available`]),
  ];
}
