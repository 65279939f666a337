/** The admission plugins of every cluster, in upstream's order. Order is meaning, so this list is written by hand. */
import { createAdmissionChain } from '../apiserver/admission/plugin.ts';
import { createDefaultIngressClass, createDefaultStorageClass } from '../apiserver/admission/plugins/default-class.ts';
import { createDefaultTolerationSeconds } from '../apiserver/admission/plugins/default-toleration-seconds.ts';
import { createLimitRanger } from '../apiserver/admission/plugins/limit-ranger.ts';
import { namespaceLifecycle } from '../apiserver/admission/plugins/namespace-lifecycle.ts';
import { createNodeRestriction, type NodeRestrictionOptions } from '../apiserver/admission/plugins/node-restriction.ts';
import { createPriorityPlugin } from '../apiserver/admission/plugins/priority.ts';
import { createResourceQuotaPlugin, type QuotaReader } from '../apiserver/admission/plugins/resource-quota.ts';
import { runtimeClass } from '../apiserver/admission/plugins/runtime-class.ts';
import { createServiceAccountPlugin } from '../apiserver/admission/plugins/service-account.ts';
import { storageObjectInUseProtection } from '../apiserver/admission/plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '../apiserver/admission/plugins/taint-nodes-by-condition.ts';
import type { AdmissionChain } from '../apiserver/admission.ts';
import type { LimitRange, ResourceQuota } from '../api/core/v1/types.gen.ts';
import type { IngressClass } from '../api/networking/v1/types.gen.ts';
import type { PriorityClass } from '../api/scheduling/v1/types.gen.ts';
import type { StorageClass } from '../api/storage/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Random } from '../base/random.ts';
import type { Settings } from './settings.ts';

/** What quotas are counted by. */
export type CountingReader = Pick<QuotaReader, 'nowMs' | 'objectsOf'>;

/** `stored` lists the objects below a storage prefix. */
export function createAdmission(
  settings: Settings,
  random: Random,
  stored: (prefix: string) => readonly KubeObject[],
  { nowMs, objectsOf }: CountingReader,
  access: NodeRestrictionOptions,
): AdmissionChain {
  return createAdmissionChain([
    namespaceLifecycle,
    createLimitRanger((namespace) => stored(`limitranges/${namespace}`) as readonly LimitRange[]),
    createServiceAccountPlugin(random.stream('admission/service-account')),
    createNodeRestriction(access),
    taintNodesByCondition,
    createPriorityPlugin(() => (stored('priorityclasses') as readonly PriorityClass[]).find((entry) => entry.globalDefault === true)),
    createDefaultTolerationSeconds(
      settings.number('default-not-ready-toleration-seconds'),
      settings.number('default-unreachable-toleration-seconds'),
    ),
    createDefaultStorageClass(() => stored('storageclasses') as readonly StorageClass[]),
    storageObjectInUseProtection,
    runtimeClass,
    createDefaultIngressClass(() => stored('ingressclasses') as readonly IngressClass[]),
    createResourceQuotaPlugin({
      nowMs,
      quotasOf: (namespace) => stored(`resourcequotas/${namespace}`) as readonly ResourceQuota[],
      objectsOf,
    }),
  ]);
}
