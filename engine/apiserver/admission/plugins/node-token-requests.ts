/**
 * Tokens that a kubelet asks for: bound to a pod that runs on its node, for an audience that the pod (or a volume driver it uses) asks
 * for. Part of the plugin NodeRestriction; mirrors admitServiceAccount of plugin/pkg/admission/noderestriction.
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../../../api/core/v1/types.gen.ts';
import type { TokenRequest } from '../../../api/authentication/v1/types.gen.ts';
import type { CSIDriver } from '../../../api/storage/v1/types.gen.ts';
import { type GroupResource, newNotFound } from '../../../apimachinery/errors.ts';
import { aggregateOf } from '../../../apimachinery/field-errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { claimNameOf } from '../../../component-helpers/pod-references.ts';
import { inTreePluginOf, migratedDriver } from '../../../component-helpers/storage.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { refuse } from '../refusal.ts';
import type { NodeCheck } from './node-restriction.ts';

export const checkTokenRequest: NodeCheck = (node, attributes, options) => {
  if (attributes.verb !== 'CREATE' || attributes.subresource !== 'token') return;
  const { spec } = attributes.object as unknown as TokenRequest;
  const bound = spec.boundObjectRef;
  if (bound === undefined || bound === null || bound.apiVersion !== 'v1' || bound.kind !== 'Pod' || !bound.name)
    return refuse(attributes, 'node requested token not bound to a pod');
  if (!bound.uid) return refuse(attributes, 'node requested token with a pod binding without a uid');
  const pod = attributes.lookup('', 'pods', attributes.namespace, bound.name) as Pod | undefined;
  if (pod === undefined) throw newNotFound(podKind, bound.name);
  if (pod.metadata.uid !== bound.uid) {
    const why = `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    return refuse(attributes, why);
  }
  if (pod.spec?.nodeName !== node) return refuse(attributes, 'node requested token bound to a pod scheduled on a different node');
  if (options.featureEnabled('ServiceAccountNodeAudienceRestriction')) checkAudience(spec.audiences ?? [], pod, attributes, options);
};

function checkAudience(audiences: readonly string[], pod: Pod, attributes: AdmissionAttributes, options: Parameters<NodeCheck>[2]): void {
  if (audiences.length > 1) refuse(attributes, 'node may only request 0 or 1 audiences');
  const audience = audiences[0] ?? '';
  const asked = (pod.spec?.volumes ?? []).map((volume) => asksFor(volume, audience, pod, attributes));
  if (asked.includes(true)) return;
  const missing = asked.filter((found) => typeof found === 'string');
  if (missing.length > 0) refuse(attributes, `error validating audience ${goQuote(audience)}: ${aggregateOf(missing)}`);
  const { identity, namespace, name } = attributes;
  const question = { isResource: true, path: '', group: '', version: 'v1', resource: audience, subresource: '', namespace, name };
  if (options.authorize(identity, { ...question, verb: 'request-serviceaccounts-token-audience' }, attributes.ask).allowed) return;
  refuse(
    attributes,
    `audience ${goQuote(audience)} not found in pod spec volume, ${identity.name} is not authorized to request tokens for this audience`,
  );
}

/** A text says what on the way to the volume's driver is not there. */
function asksFor(volume: Volume, audience: string, pod: Pod, attributes: AdmissionAttributes): boolean | string {
  const tokens = (volume.projected?.sources ?? []).flatMap(({ serviceAccountToken }) =>
    serviceAccountToken === undefined ? [] : [serviceAccountToken],
  );
  if (tokens.some((token) => (token.audience ?? '') === audience)) return true;
  const { name = '', missing } = driverOf(volume, pod, attributes);
  if (missing !== undefined || name === '') return missing ?? false;
  const driver = attributes.lookup(driverKind.group, 'csidrivers', undefined, name) as CSIDriver | undefined;
  if (driver === undefined) return notFoundText(driverKind, name);
  return (driver.spec?.tokenRequests ?? []).some((request) => request.audience === audience);
}

/** The driver of a volume, or of what its claim is bound to: the one that took over where a plugin in the tree is named. */
function driverOf(volume: Volume, pod: Pod, attributes: AdmissionAttributes): { readonly name?: string; readonly missing?: string } {
  const claimName = claimNameOf(pod, volume);
  if (claimName === undefined) return driverNameOf(volume.csi?.driver, volume);
  const claim = attributes.lookup('', 'persistentvolumeclaims', pod.metadata.namespace, claimName) as PersistentVolumeClaim | undefined;
  if (claim === undefined) return { missing: notFoundText(claimKind, claimName) };
  const volumeName = claim.spec?.volumeName ?? '';
  const bound = (volumeName === '' ? undefined : attributes.lookup('', 'persistentvolumes', undefined, volumeName)) as PersistentVolume | undefined;
  return bound === undefined ? { missing: notFoundText(volumeKind, volumeName) } : driverNameOf(bound.spec?.csi?.driver, bound.spec);
}

function driverNameOf(name: string | undefined, source: Parameters<typeof inTreePluginOf>[0]): { readonly name?: string } {
  const found = name ?? migratedDriver(inTreePluginOf(source) ?? '');
  return found === undefined ? {} : { name: found };
}

/** Upstream's listers name what they do not find by its kind, not by its resource. */
const podKind = { group: '', resource: 'pod' };
const claimKind = { group: '', resource: 'persistentvolumeclaim' };
const volumeKind = { group: '', resource: 'persistentvolume' };
const driverKind = { group: 'storage.k8s.io', resource: 'csidriver' };

function notFoundText(kind: GroupResource, name: string): string {
  return newNotFound(kind, name).status.message ?? '';
}
