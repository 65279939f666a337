/**
 * Certificates that a kubelet asks for a pod: of a pod that runs on its node, as that pod's service account. Part of the plugin
 * NodeRestriction; mirrors admitPodCertificateRequest of plugin/pkg/admission/noderestriction.
 */
import type { PodCertificateRequest } from '../../../api/certificates/v1beta1/types.gen.ts';
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { newStatusError } from '../../../apimachinery/errors.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { isMirrorPod } from '../../../component-helpers/pod.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { refuse } from '../refusal.ts';
import type { NodeCheck } from './node-restriction.ts';

export const checkPodCertificateRequest: NodeCheck = (node, attributes, { featureEnabled }) => {
  if (!featureEnabled('PodCertificateRequest')) return refuse(attributes, 'PodCertificateRequest feature gate is disabled');
  if (attributes.verb !== 'CREATE') return refuse(attributes, `unexpected operation ${attributes.verb}`);
  if (attributes.subresource !== '') return refuse(attributes, `unexpected subresource ${attributes.subresource}`);
  const { namespace = '' } = attributes;
  const { spec } = attributes.object as unknown as PodCertificateRequest;
  const { nodeName = '', podName = '', serviceAccountName = '' } = spec ?? {};
  const podKey = goQuote(`${namespace}/${podName}`);
  if (nodeName !== node)
    refuse(attributes, `PodCertificateRequest.Spec.NodeName=${goQuote(nodeName)}, which is not the requesting node ${goQuote(node)}`);
  const { uid = '' } = found(attributes, 'node', undefined, nodeName, goQuote(nodeName)).metadata;
  if (uid !== spec?.nodeUID)
    perhapsLater(
      `PodCertificateRequest for pod ${podKey} names node UID ${goQuote(spec?.nodeUID ?? '')}, inconsistent with the running node (${goQuote(uid)})`,
    );
  const pod = found(attributes, 'pod', namespace, podName, podKey) as Pod;
  checkPod(pod, spec, podKey, attributes);
  if (serviceAccountName !== (pod.spec?.serviceAccountName ?? '')) {
    const running = goQuote(pod.spec?.serviceAccountName ?? '');
    refuse(
      attributes,
      `PodCertificateRequest for pod ${podKey} contains serviceAccountName (${goQuote(serviceAccountName)}) that differs from running pod (${running})`,
    );
  }
  const account = found(attributes, 'serviceaccount', namespace, serviceAccountName, goQuote(`${namespace}/${serviceAccountName}`));
  if (account.metadata.uid === spec.serviceAccountUID) return;
  const named = `names service account UID ${goQuote(spec.serviceAccountUID)}`;
  perhapsLater(
    `PodCertificateRequest for pod ${podKey} ${named}, which differs from the running service account (${goQuote(account.metadata.uid ?? '')})`,
  );
};

function checkPod(pod: Pod, { podUID, nodeName }: NonNullable<PodCertificateRequest['spec']>, podKey: string, attributes: AdmissionAttributes): void {
  const { uid = '' } = pod.metadata;
  if (podUID !== uid)
    perhapsLater(`PodCertificateRequest for pod ${podKey} contains pod UID (${goQuote(podUID)}) which differs from running pod ${goQuote(uid)}`);
  if ((pod.spec?.nodeName ?? '') !== nodeName)
    refuse(attributes, `pod ${podKey} is not running on node ${goQuote(nodeName)} named in the PodCertificateRequest`);
  if (isMirrorPod(pod)) refuse(attributes, `pod ${podKey} is a mirror pod`);
}

const words = { node: 'node', pod: 'pod', serviceaccount: 'service account' };

function found(attributes: AdmissionAttributes, kind: keyof typeof words, namespace: string | undefined, name: string, shown: string): KubeObject {
  const object = attributes.lookup('', `${kind}s`, namespace, name);
  if (object !== undefined) return object;
  return perhapsLater(`while retrieving ${words[kind]} ${shown} named in the PodCertificateRequest: ${kind} ${goQuote(name)} not found`);
}

/** Upstream's caches may be behind, so the kubelet is not told that it may never. */
function perhapsLater(message: string): never {
  throw newStatusError(500, '', message);
}
