/** The admission plugins that there are. Which are on, and in which order, is the release's to say. */
import { createAdmissionChain } from '../apiserver/admission/plugin.ts';
import { createDefaultIngressClass, createDefaultStorageClass } from '../apiserver/admission/plugins/default-class.ts';
import { createDefaultTolerationSeconds } from '../apiserver/admission/plugins/default-toleration-seconds.ts';
import { createLimitRanger } from '../apiserver/admission/plugins/limit-ranger.ts';
import { namespaceLifecycle } from '../apiserver/admission/plugins/namespace-lifecycle.ts';
import { createNodeRestriction, type NodeRestrictionOptions } from '../apiserver/admission/plugins/node-restriction.ts';
import { persistentVolumeClaimResize } from '../apiserver/admission/plugins/persistent-volume-claim-resize.ts';
import { createPodGroupWorkloadExists } from '../apiserver/admission/plugins/pod-group-workload-exists.ts';
import { createPodGroupProtection } from '../apiserver/admission/plugins/pod-group-protection.ts';
import { createPodTopologyLabels } from '../apiserver/admission/plugins/pod-topology-labels.ts';
import { createPriorityPlugin } from '../apiserver/admission/plugins/priority.ts';
import { createResourceQuotaPlugin } from '../apiserver/admission/plugins/resource-quota.ts';
import { runtimeClass } from '../apiserver/admission/plugins/runtime-class.ts';
import { createServiceAccountPlugin } from '../apiserver/admission/plugins/service-account.ts';
import { storageObjectInUseProtection } from '../apiserver/admission/plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '../apiserver/admission/plugins/taint-nodes-by-condition.ts';
import type { AdmissionChain } from '../apiserver/admission.ts';
import type { LimitRange, ResourceQuota } from '../api/core/v1/types.gen.ts';
import type { IngressClass } from '../api/networking/v1/types.gen.ts';
import type { PriorityClass } from '../api/scheduling/v1/types.gen.ts';
import type { StorageClass } from '../api/storage/v1/types.gen.ts';
import type { AdmissionPlugin } from '../apiserver/admission/plugin.ts';
import { assert } from '../base/assert.ts';
import type { Release } from '../contracts/release.ts';
import { FeatureGates } from '../releases/feature-gates.ts';
import { readAdmissionConfiguration } from './admission-configuration.ts';
import type { Settings } from './settings.ts';

/** Where webhooks are asked: no plugin's name. */
const webhookPlace = 'Webhooks';

/** Whether pods mount their account's Secret: in releases before they had tokens of their own, unless a gate says otherwise. */
export function mountsTokenSecrets({ ratchets, featureGates }: AdmissionRelease, settings: Settings): boolean {
  return !ratchets.BoundTokens && !new FeatureGates(featureGates, settings.text('feature-gates')).enabled('BoundServiceAccountTokenVolume');
}

type AdmissionRelease = Pick<Release, 'admissionOrder' | 'ratchets' | 'featureGates'>;

/** `webhooks` and those of the host stand at their place in the release's order. */
export function createAdmission(
  release: AdmissionRelease,
  settings: Settings,
  nowMs: () => number,
  access: NodeRestrictionOptions,
  webhooks: readonly AdmissionPlugin[],
): AdmissionChain {
  const configuration = readAdmissionConfiguration(settings.text('admission-control-config-file'));
  assert(typeof configuration !== 'string', 'settings are checked');
  const gates = new FeatureGates(release.featureGates, settings.text('feature-gates'));
  const plugins = new Map(
    [
      namespaceLifecycle,
      createLimitRanger(({ stored, namespace }) => stored(`limitranges/${namespace}`) as readonly LimitRange[]),
      createServiceAccountPlugin(mountsTokenSecrets(release, settings)),
      createNodeRestriction(access),
      taintNodesByCondition,
      createPodGroupWorkloadExists(gates.enabled('GenericWorkload')),
      createPodGroupProtection(gates.enabled('GenericWorkload')),
      createPodTopologyLabels(gates.enabled('PodTopologyLabelsAdmission')),
      createPriorityPlugin(({ stored }) => (stored('priorityclasses') as readonly PriorityClass[]).find((entry) => entry.globalDefault === true)),
      createDefaultTolerationSeconds(
        settings.number('default-not-ready-toleration-seconds'),
        settings.number('default-unreachable-toleration-seconds'),
      ),
      createDefaultStorageClass(({ stored }) => stored('storageclasses') as readonly StorageClass[]),
      storageObjectInUseProtection,
      persistentVolumeClaimResize,
      runtimeClass,
      createDefaultIngressClass(({ stored }) => stored('ingressclasses') as readonly IngressClass[]),
      createResourceQuotaPlugin(
        { nowMs, quotasOf: ({ stored, namespace }) => stored(`resourcequotas/${namespace}`) as readonly ResourceQuota[] },
        configuration.limitedResources,
      ),
    ].map((plugin) => [plugin.name, plugin]),
  );
  return createAdmissionChain(
    release.admissionOrder.flatMap((name) => {
      if (name === webhookPlace) return webhooks;
      const plugin = plugins.get(name);
      assert(plugin, `admission plugin ${name}`);
      return [plugin];
    }),
  );
}
