/**
 * Refuses what would use more than a resource quota of its namespace allows, and charges the quota's status in the same attempt: what
 * is written there, by whomever, is what counts until the quota's controller counts anew. Mirrors apiserver
 * pkg/admission/plugin/resourcequota/controller.go.
 */
import type { PersistentVolumeClaim, Pod, ResourceQuota } from '../../../api/core/v1/types.gen.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import { chargeQuotas, type LimitedResource, QuotaRefusal } from '../../../component-helpers/quota/charge.ts';
import { changesClaimUsage, isTerminatingPod } from '../../../component-helpers/quota/quota.ts';
import type { DeviceFacts } from '../../../component-helpers/quota/extended-devices.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

export interface QuotaReader {
  nowMs(): number;
  quotasOf(attributes: AdmissionAttributes): readonly ResourceQuota[];
  /** What ResourceClaims are judged by, where they take extended resources. */
  devicesOf?(attributes: AdmissionAttributes): DeviceFacts;
}

/** Never counted: upstream ignores events and what asks about access. */
const ignored: ReadonlySet<string> = new Set(['events', 'bindings', 'localsubjectaccessreviews']);

/** `limited` must not be used where no quota covers it. */
export function createResourceQuotaPlugin(reader: QuotaReader, limited: readonly LimitedResource[] = []): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'ResourceQuota',
    verbs: ['CREATE', 'UPDATE'],
    subresources: ['', 'resize', 'status'],
    validate(attributes) {
      if (attributes.namespace === '' || !concerns(attributes)) return;
      const quotas = reader.quotasOf(attributes);
      if (quotas.length > 0 || limited.length > 0) charge(attributes, quotas, reader, limited);
    },
  });
}

/** Creations count; so do updates that change what an object counts for. */
function concerns(attributes: AdmissionAttributes): boolean {
  const { verb, group, resource, subresource } = attributes;
  if (resource === 'namespaces' || ignored.has(resource)) return false;
  const isCore = group === '';
  if (verb === 'CREATE' && subresource === '') return true;
  const { object, oldObject } = attributes;
  if (subresource === 'status')
    return isCore && resource === 'persistentvolumeclaims' && changesClaimUsage(object as PersistentVolumeClaim, oldObject as PersistentVolumeClaim);
  const isPod = isCore && resource === 'pods';
  if (subresource === 'resize') return isPod && verb === 'UPDATE';
  if (verb === 'CREATE') return true;
  if (isPod) return isTerminatingPod(object as Pod) !== isTerminatingPod(oldObject as Pod);
  return isCore ? resource === 'services' || resource === 'persistentvolumeclaims' : group === 'resource.k8s.io' && resource === 'resourceclaims';
}

function charge(attributes: AdmissionAttributes, quotas: readonly ResourceQuota[], reader: QuotaReader, limited: readonly LimitedResource[]): void {
  const { group, resource, subresource, object, oldObject } = attributes;
  if (object === undefined) return;
  try {
    const request = {
      type: { group, resource },
      object,
      oldObject,
      isEnforced: subresource !== 'status',
      nowMs: reader.nowMs(),
      devices: reader.devicesOf?.(attributes),
    };
    const charged = chargeQuotas(quotas, request, limited);
    for (const quota of charged) attributes.updateStatus('', 'resourcequotas', quota);
  } catch (error) {
    if (!(error instanceof QuotaRefusal)) throw error;
    const { message } = error;
    if (error.forbidden) refuse(attributes, message);
    throw new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
  }
}
