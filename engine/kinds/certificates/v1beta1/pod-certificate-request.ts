/** Certificates that a kubelet asks for a pod. */
import type { PodCertificateRequest } from '../../../api/certificates/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { columns, described, labelsText, nameOf } from '../../shared/table.ts';
import { validatePodRequest, validatePodRequestStatus, validatePodRequestUpdate } from './pod-request-validation.ts';

const aDay = Object.freeze({ maxExpirationSeconds: 86_400 });

export const podCertificateRequestKind = defineKind<PodCertificateRequest>({
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  kind: 'PodCertificateRequest',
  plural: 'podcertificaterequests',
  singular: 'podcertificaterequest',
  namespaced: true,
  schema: 'io.k8s.api.certificates.v1beta1.PodCertificateRequest',
  // The key and the proof are never left out: where none were sent they are seen.
  emptyBytes: [['spec', 'stubPKCS10Request']],
  storagePrefix: 'podcertificaterequests',
  gate: 'PodCertificateRequest',
  hasGeneration: false,
  metaChecks: { keptByStatus: true },
  // Upstream drops a status that is made with it, and has it owned.
  resetFields: [],
  statusSubresource: { verbs: ['get', 'patch', 'update'], resetFields: [['spec']], validateUpdate: validatePodRequestStatus },
  defaults: (request) => edit(request, 'spec', (spec) => fill(spec, aDay)),
  validate: validatePodRequest,
  validateUpdate: validatePodRequestUpdate,
  allowUnconditionalUpdate: false,
  fieldLabels: { withoutNamespace: true },
  selectableFields: {
    'spec.signerName': (object) => object.spec?.signerName ?? '',
    'spec.podName': (object) => object.spec?.podName ?? '',
    'spec.nodeName': (object) => object.spec?.nodeName ?? '',
  },
  columns: columns(
    'Name',
    described('PodName', 'podName is the name of the pod into which the certificate will be mounted.'),
    described('ServiceAccountName', 'serviceAccountName is the name of the service account the pod is running as.'),
    described('NodeName', 'nodeName is the name of the node the pod is assigned to.'),
    'SignerName',
    described('State', 'Is the request Pending, Issued, Denied, or Failed?'),
    'UnverifiedUserAnnotations',
  ),
  row(object) {
    const { podName = '', serviceAccountName = '', nodeName = '', signerName = '', unverifiedUserAnnotations } = object.spec ?? {};
    const state =
      (object.status?.conditions ?? []).map((condition) => condition.type).findLast((type) => ['Issued', 'Denied', 'Failed'].includes(type)) ??
      'Pending';
    return [nameOf(object), podName, serviceAccountName, nodeName, signerName, state, labelsText(unverifiedUserAnnotations)];
  },
});
