/** The admission plugins that there are. Which are on, and in which order, is the release's to say. */
import { createAdmissionChain } from '../apiserver/admission/plugin.ts';
import { alwaysAdmit, alwaysDeny } from '../apiserver/admission/plugins/always.ts';
import { alwaysPullImages } from '../apiserver/admission/plugins/always-pull-images.ts';
import {
  certificateApproval,
  certificateSigning,
  createCertificateSubjectRestriction,
  createClusterTrustBundleAttest,
} from '../apiserver/admission/plugins/certificates.ts';
import { createDefaultIngressClass, createDefaultStorageClass } from '../apiserver/admission/plugins/default-class.ts';
import { createDefaultTolerationSeconds } from '../apiserver/admission/plugins/default-toleration-seconds.ts';
import { denyEscalatingExec, denyExecOnPrivileged } from '../apiserver/admission/plugins/deny-exec.ts';
import { denyServiceExternalIPs } from '../apiserver/admission/plugins/deny-service-external-ips.ts';
import { EventRateLimit } from '../apiserver/admission/plugins/event-rate-limit.ts';
import { extendedResourceToleration } from '../apiserver/admission/plugins/extended-resource-toleration.ts';
import { createImagePolicyWebhook } from '../apiserver/admission/plugins/image-policy-webhook.ts';
import { createJobValidation } from '../apiserver/admission/plugins/job-validation.ts';
import { createLimitRanger } from '../apiserver/admission/plugins/limit-ranger.ts';
import { limitPodHardAntiAffinityTopology } from '../apiserver/admission/plugins/limit-pod-hard-anti-affinity-topology.ts';
import { namespaceLifecycle } from '../apiserver/admission/plugins/namespace-lifecycle.ts';
import { namespaceAutoProvision, namespaceExists } from '../apiserver/admission/plugins/namespaces.ts';
import { createNodeDeclaredFeatureValidator } from '../apiserver/admission/plugins/node-declared-features.ts';
import { createNodeRestriction, type NodeRestrictionOptions } from '../apiserver/admission/plugins/node-restriction.ts';
import { ownerReferencesPermissionEnforcement } from '../apiserver/admission/plugins/owner-references-permission-enforcement.ts';
import { initializers } from '../apiserver/admission/plugins/initializers.ts';
import { persistentVolumeClaimResize } from '../apiserver/admission/plugins/persistent-volume-claim-resize.ts';
import { createPodGroupWorkloadExists } from '../apiserver/admission/plugins/pod-group-workload-exists.ts';
import { createPersistentVolumeLabel, type PlacedDisks } from '../apiserver/admission/plugins/persistent-volume-label.ts';
import { createPodGroupProtection } from '../apiserver/admission/plugins/pod-group-protection.ts';
import { podPreset } from '../apiserver/admission/plugins/pod-preset.ts';
import { createPodSecurityPolicy } from '../apiserver/admission/pod-security-policies/plugin.ts';
import { createPodNodeSelector } from '../apiserver/admission/plugins/pod-node-selector.ts';
import { podResizeValidator } from '../apiserver/admission/plugins/pod-resize-validator.ts';
import { createPodSecurity } from '../apiserver/admission/plugins/pod-security.ts';
import { createPodTolerationRestriction } from '../apiserver/admission/plugins/pod-toleration-restriction.ts';
import { createPodTopologyLabels } from '../apiserver/admission/plugins/pod-topology-labels.ts';
import { createPriorityPlugin } from '../apiserver/admission/plugins/priority.ts';
import { createResourceQuotaPlugin } from '../apiserver/admission/plugins/resource-quota.ts';
import { runtimeClass } from '../apiserver/admission/plugins/runtime-class.ts';
import { securityContextDeny } from '../apiserver/admission/plugins/security-context-deny.ts';
import { createServiceAccountPlugin } from '../apiserver/admission/plugins/service-account.ts';
import { storageObjectInUseProtection } from '../apiserver/admission/plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '../apiserver/admission/plugins/taint-nodes-by-condition.ts';
import type { AdmissionAttributes, AdmissionChain } from '../apiserver/admission.ts';
import type { LimitRange, Pod, ResourceQuota } from '../api/core/v1/types.gen.ts';
import type { IngressClass } from '../api/networking/v1/types.gen.ts';
import type { DeviceClass, ResourceClaim } from '../api/resource/v1/types.gen.ts';
import type { PriorityClass } from '../api/scheduling/v1/types.gen.ts';
import type { StorageClass } from '../api/storage/v1/types.gen.ts';
import type { LimitedResource } from '../component-helpers/quota/charge.ts';
import type { DeviceFacts } from '../component-helpers/quota/extended-devices.ts';
import type { AdmissionMeter } from '../apiserver/admission/meter.ts';
import type { AdmissionPlugin } from '../apiserver/admission/plugin.ts';
import { assert } from '../base/assert.ts';
import type { CertificateReader } from '../contracts/certificates.ts';
import type { Release } from '../contracts/release.ts';
import { FeatureGates } from '../releases/feature-gates.ts';
import { type AdmissionConfiguration, readAdmissionConfiguration } from './admission-configuration.ts';
import { enabledPlugins } from './enabled-plugins.ts';
import type { Settings } from './settings.ts';

/** Whether pods mount their account's Secret: in releases before they had tokens of their own, unless a gate says otherwise. */
export function mountsTokenSecrets({ ratchets, featureGates }: AdmissionRelease, settings: Settings): boolean {
  return !ratchets.BoundTokens && !new FeatureGates(featureGates, settings.text('feature-gates')).enabled('BoundServiceAccountTokenVolume');
}

type AdmissionRelease = Pick<Release, 'admissionOrder' | 'admissionDefaults' | 'ratchets' | 'featureGates'>;

/** What plugins ask beside what a request tells them. */
export interface AdmissionSurroundings extends NodeRestrictionOptions {
  nowMs(): number;
  readonly certificates: Pick<CertificateReader, 'read'> | undefined;
  /** Counts what admission does. */
  readonly meter: AdmissionMeter;
  /** Those of the cloud; undefined where there is none. */
  disks?(): PlacedDisks | undefined;
  /** Where Events are limited. */
  readonly eventLimits?: EventRateLimit | undefined;
}

/** After the last of these webhooks of the host are asked. */
const hooks = 'ValidatingAdmissionWebhook';

/**
 * `further` are the plugins that go by what users configure, under upstream's names; `ofHost` stand behind them. What a release has on
 * and is not built lets all pass.
 */
export function createAdmission(
  release: AdmissionRelease,
  settings: Settings,
  around: AdmissionSurroundings,
  further: readonly AdmissionPlugin[],
  ofHost: readonly AdmissionPlugin[] = [],
): AdmissionChain {
  const names = enabledPlugins(release, settings);
  const plugins = new Map([...builtIn(release, settings, around, new Set(names)), ...further].map((plugin) => [plugin.name, plugin]));
  return createAdmissionChain(
    names.flatMap((name) => [...(plugins.has(name) ? [plugins.get(name) as AdmissionPlugin] : []), ...(name === hooks ? ofHost : [])]),
    around.meter,
  );
}

/** What it has counted is the cluster's to remember; undefined where it is off. */
export function createEventLimits(settings: Settings, nowMs: () => number): EventRateLimit | undefined {
  if (!settings.list('enable-admission-plugins').includes('EventRateLimit')) return undefined;
  return new EventRateLimit(configurationOf(settings).eventLimits(), nowMs);
}

function imagePolicyOf({ imagePolicy }: AdmissionConfiguration): readonly AdmissionPlugin[] {
  const policy = imagePolicy();
  return policy === undefined ? [] : [createImagePolicyWebhook(policy)];
}

function configurationOf(settings: Pick<Settings, 'text'>): AdmissionConfiguration {
  const configuration = readAdmissionConfiguration(settings.text('admission-control-config-file'));
  assert(typeof configuration !== 'string', 'settings are checked');
  return configuration;
}

function builtIn(
  release: AdmissionRelease,
  settings: Settings,
  around: AdmissionSurroundings,
  names: ReadonlySet<string>,
): readonly AdmissionPlugin[] {
  const configuration = configurationOf(settings);
  // The configuration of one that is off may be wrong.
  const where = (name: string, made: () => readonly AdmissionPlugin[]): readonly AdmissionPlugin[] => (names.has(name) ? made() : []);
  const gates = new FeatureGates(release.featureGates, settings.text('feature-gates'));
  const { nowMs } = around;
  return [
    alwaysAdmit,
    namespaceAutoProvision,
    namespaceLifecycle,
    namespaceExists,
    securityContextDeny,
    limitPodHardAntiAffinityTopology,
    podPreset,
    createLimitRanger(({ stored, namespace }) => stored(`limitranges/${namespace}`) as readonly LimitRange[], release.ratchets.PartialSums),
    createServiceAccountPlugin({ mountsSecrets: mountsTokenSecrets(release, settings), limitsEnvFrom: release.ratchets.LimitedEnvironments }),
    createNodeRestriction({ ...around, ownsMirrorPods: release.ratchets.OwnedMirrorPods }),
    ...(gates.enabled('TaintNodesByCondition') ? [taintNodesByCondition] : []),
    alwaysPullImages,
    ...where('ImagePolicyWebhook', () => imagePolicyOf(configuration)),
    ...where('PodSecurity', () => [createPodSecurity(configuration.podSecurity(), around.meter)]),
    createPodSecurityPolicy({ hasGroups: gates.enabled('RunAsGroup') }),
    denyEscalatingExec,
    denyExecOnPrivileged,
    createPodNodeSelector(configuration.podNodeSelectors()),
    ...priorityPlugin(gates, release.ratchets.CriticalPodsAnywhere),
    createDefaultTolerationSeconds(
      settings.number('default-not-ready-toleration-seconds'),
      settings.number('default-unreachable-toleration-seconds'),
    ),
    ...where('PodTolerationRestriction', () => [createPodTolerationRestriction(configuration.tolerations(), release.ratchets.CoveringTolerations)]),
    ...(around.eventLimits === undefined ? [] : [around.eventLimits.plugin]),
    extendedResourceToleration,
    createDefaultStorageClass(({ stored }) => stored('storageclasses') as readonly StorageClass[], release.ratchets.NewestDefault),
    ...(gates.enabled('StorageObjectInUseProtection') ? [storageObjectInUseProtection] : []),
    createPodGroupProtection(gates.enabled('GenericWorkload')),
    createPersistentVolumeLabel(() => around.disks?.(), gates.enabled('VolumeScheduling')),
    ownerReferencesPermissionEnforcement,
    persistentVolumeClaimResize,
    runtimeClass,
    certificateApproval,
    certificateSigning,
    createClusterTrustBundleAttest(gates.enabled('ClusterTrustBundle')),
    createCertificateSubjectRestriction(around.certificates),
    createDefaultIngressClass(({ stored }) => stored('ingressclasses') as readonly IngressClass[]),
    denyServiceExternalIPs,
    createPodTopologyLabels(gates.enabled('PodTopologyLabelsAdmission')),
    createPodGroupWorkloadExists(gates.enabled('GenericWorkload')),
    createNodeDeclaredFeatureValidator(gates.enabled('NodeDeclaredFeatures')),
    createJobValidation(gates.enabled('GenericWorkload')),
    podResizeValidator,
    initializers,
    ...where('ResourceQuota', () => [quotaPlugin(gates, nowMs, configuration.limitedResources())]),
    alwaysDeny,
  ];
}

function quotaPlugin(gates: FeatureGates, nowMs: () => number, limitedResources: readonly LimitedResource[]): AdmissionPlugin {
  return createResourceQuotaPlugin(
    {
      nowMs,
      quotasOf: ({ stored, namespace }) => stored(`resourcequotas/${namespace}`) as readonly ResourceQuota[],
      ...(gates.enabled('DRAExtendedResource') ? { devicesOf: deviceFacts } : {}),
    },
    limitedResources,
  );
}

function priorityPlugin(gates: FeatureGates, criticalAnywhere: boolean): readonly AdmissionPlugin[] {
  if (!gates.enabled('PodPriority')) return [];
  // Two at once could become the default before anybody looked: of those the least counts.
  const globalDefault = ({ stored }: AdmissionAttributes): PriorityClass | undefined =>
    (stored('priorityclasses') as readonly PriorityClass[])
      .filter((entry) => entry.globalDefault === true)
      .reduce<PriorityClass | undefined>((least, entry) => (least !== undefined && least.value <= entry.value ? least : entry), undefined);
  return [
    createPriorityPlugin(globalDefault, {
      judgesGroups: gates.enabled('WorkloadAwarePreemption'),
      criticalAnywhere,
      heedsAnnotation: gates.enabled('ExperimentalCriticalPodAnnotation'),
    }),
  ];
}

function deviceFacts({ stored, lookup }: AdmissionAttributes): DeviceFacts {
  return {
    deviceClasses: () => stored('deviceclasses') as readonly DeviceClass[],
    pod: (namespace, name) => lookup('', 'pods', namespace, name) as Pod | undefined,
    claims: (namespace) => stored(`resourceclaims/${namespace}`) as readonly ResourceClaim[],
  };
}
