/** Certificate signing requests. Mirrors pkg/registry/certificates/certificates/strategy.go. */
import type { CertificateSigningRequest } from '../../../api/certificates/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { humanDuration } from '../../../apimachinery/time.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { csrHooks } from './request-strategy.ts';

export const certificateSigningRequestKind = defineKind<CertificateSigningRequest>({
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  metaChecks: { update: 'MU', status: 'MU' },
  plural: 'certificatesigningrequests',
  singular: 'certificatesigningrequest',
  shortNames: ['csr'],
  namespaced: false,
  schema: 'io.k8s.api.certificates.v1.CertificateSigningRequest',
  emptyBytes: [['status', 'certificate']],
  storagePrefix: 'certificatesigningrequests',
  hasGeneration: false,
  nameValidation: 'none',
  selectableFields: { 'spec.signerName': (object) => object.spec?.signerName ?? '' },
  fieldLabels: { withoutNamespace: true },
  ...csrHooks,
  columns: columns(
    'Name',
    'Age',
    described(
      'SignerName',
      'Requested signer for the request. It is a qualified name in the form: `scope-hostname.io/name`. If empty, it will be defaulted:\n 1. If it\'s a kubelet client certificate, it is assigned\n    "kubernetes.io/kube-apiserver-client-kubelet".\n 2. If it\'s a kubelet serving certificate, it is assigned\n    "kubernetes.io/kubelet-serving".\n 3. Otherwise, it is assigned "kubernetes.io/legacy-unknown".\nDistribution of trust for signers happens out of band. You can select on this field using `spec.signerName`.',
    ),
    described('Requestor', 'Base64-encoded PKCS#10 CSR data'),
    'RequestedDuration',
    described('Condition', 'Conditions applied to the request, such as approval or denial.'),
  ),
  row(object, context) {
    const types = (object.status?.conditions ?? []).map((condition) => condition.type);
    const verdict = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending';
    const condition = verdict + (types.includes('Failed') ? ',Failed' : '') + (object.status?.certificate ? ',Issued' : '');
    const seconds = object.spec?.expirationSeconds;
    const duration = seconds === undefined ? '<none>' : humanDuration(seconds * 1000);
    return [nameOf(object), ageOf(object, context), object.spec?.signerName || '<none>', object.spec?.username ?? '', duration, condition];
  },
});
