/**
 * Tokens that a kubelet asks for: bound to a pod that runs on its node, for an audience that the pod (or a volume driver it uses) asks
 * for. Part of the plugin NodeRestriction; mirrors admitServiceAccount of plugin/pkg/admission/noderestriction.
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../../../api/core/v1/types.gen.ts';
import type { TokenRequest } from '../../../api/authentication/v1/types.gen.ts';
import type { CSIDriver } from '../../../api/storage/v1/types.gen.ts';
import { newNotFound } from '../../../apimachinery/errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { claimNameOf } from '../../../component-helpers/pod-references.ts';
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
  if (pod === undefined) throw newNotFound({ group: '', resource: 'pods' }, bound.name);
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
  if ((pod.spec?.volumes ?? []).some((volume) => asksFor(volume, audience, pod, attributes))) return;
  const { identity, namespace, name } = attributes;
  const question = { isResource: true, path: '', group: '', version: 'v1', resource: audience, subresource: '', namespace, name };
  if (options.authorize(identity, { ...question, verb: 'request-serviceaccounts-token-audience' }, attributes.ask).allowed) return;
  refuse(
    attributes,
    `audience ${goQuote(audience)} not found in pod spec volume, ${identity.name} is not authorized to request tokens for this audience`,
  );
}

function asksFor(volume: Volume, audience: string, pod: Pod, attributes: AdmissionAttributes): boolean {
  const tokens = (volume.projected?.sources ?? []).flatMap(({ serviceAccountToken }) =>
    serviceAccountToken === undefined ? [] : [serviceAccountToken],
  );
  if (tokens.some((token) => (token.audience ?? '') === audience)) return true;
  const driverName = volume.csi?.driver ?? driverBehind(volume, pod, attributes);
  if (driverName === undefined) return false;
  const driver = attributes.lookup('storage.k8s.io', 'csidrivers', undefined, driverName) as CSIDriver | undefined;
  return (driver?.spec?.tokenRequests ?? []).some((request) => request.audience === audience);
}

/** The driver of the volume that the claim is bound to. */
function driverBehind(volume: Volume, pod: Pod, attributes: AdmissionAttributes): string | undefined {
  const claimName = claimNameOf(pod, volume) || undefined;
  const found = claimName === undefined ? undefined : attributes.lookup('', 'persistentvolumeclaims', pod.metadata.namespace, claimName);
  const claim = found as PersistentVolumeClaim | undefined;
  const volumeName = claim?.spec?.volumeName || undefined;
  const bound =
    volumeName === undefined ? undefined : (attributes.lookup('', 'persistentvolumes', undefined, volumeName) as PersistentVolume | undefined);
  return bound?.spec?.csi?.driver;
}
