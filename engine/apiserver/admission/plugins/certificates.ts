/**
 * Who may approve and sign for a signer, and attest its trust; who is not certified as an administrator. Mirrors
 * plugin/pkg/admission/certificates and pkg/certauthorization.
 */
import { superuserGroup } from '../../../contracts/access.ts';
import type { CertificateSigningRequest } from '../../../api/certificates/v1/types.gen.ts';
import type { ClusterTrustBundle } from '../../../api/certificates/v1beta1/types.gen.ts';
import { decodeBase64Text } from '../../../base/base64.ts';
import { deepEqual } from '../../../base/equal.ts';
import type { JsonValue } from '../../../base/json.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { CertificateReader } from '../../../contracts/certificates.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

const requests = ['certificatesigningrequests.certificates.k8s.io'];
const clientSigner = 'kubernetes.io/kube-apiserver-client';

/** By the signer's name, or by its domain with `/*` behind it. */
function mayFor({ identity, authorize }: AdmissionAttributes, verb: string, signerName: string): boolean {
  const asked = { verb, isResource: true, path: '', group: 'certificates.k8s.io', version: '*', resource: 'signers', subresource: '', namespace: '' };
  return [signerName, `${signerName.split('/')[0]}/*`].some((name) => authorize(identity, { ...asked, name }).allowed);
}

export const certificateApproval = defineAdmissionPlugin({
  name: 'CertificateApproval',
  verbs: ['UPDATE'],
  resources: requests,
  subresources: ['approval'],
  validate(attributes) {
    const signerName = (attributes.oldObject as CertificateSigningRequest).spec?.signerName ?? '';
    if (!mayFor(attributes, 'approve', signerName))
      refuse(attributes, `user not permitted to approve requests with signerName ${goQuote(signerName)}`);
  },
});

export const certificateSigning = defineAdmissionPlugin({
  name: 'CertificateSigning',
  verbs: ['UPDATE'],
  resources: requests,
  subresources: ['status'],
  validate(attributes) {
    const [next, old] = [attributes.object as CertificateSigningRequest, attributes.oldObject as CertificateSigningRequest];
    const isSigned = next.status?.certificate !== old.status?.certificate;
    const conditions = ({ status }: CertificateSigningRequest): JsonValue => (status?.conditions ?? []) as unknown as JsonValue;
    if (!isSigned && deepEqual(conditions(next), conditions(old))) return;
    const signerName = old.spec?.signerName ?? '';
    if (!mayFor(attributes, 'sign', signerName)) refuse(attributes, `user not permitted to sign requests with signerName ${goQuote(signerName)}`);
  },
});

/** Without a reader of certificates nobody signs either. */
export function createCertificateSubjectRestriction(reader: Pick<CertificateReader, 'read'> | undefined): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'CertificateSubjectRestriction',
    verbs: ['CREATE'],
    resources: requests,
    validate(attributes) {
      const { spec } = attributes.object as CertificateSigningRequest;
      if (spec?.signerName !== clientSigner || reader === undefined) return;
      if (organizationsOf(reader, spec.request, attributes).includes(superuserGroup))
        refuse(attributes, `use of ${clientSigner} signer with ${superuserGroup} group is not allowed`);
    },
  });
}

function organizationsOf(
  reader: Pick<CertificateReader, 'read'>,
  request: string | null | undefined,
  attributes: AdmissionAttributes,
): readonly string[] {
  try {
    return reader.read(decodeBase64Text(request ?? '')).organizations;
  } catch (error) {
    return refuse(attributes, `failed to parse CSR: ${(error as Error).message}`);
  }
}

export function createClusterTrustBundleAttest(isEnabled: boolean): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'ClusterTrustBundleAttest',
    verbs: ['CREATE', 'UPDATE'],
    resources: ['clustertrustbundles.certificates.k8s.io'],
    validate(attributes) {
      const [next, old] = [attributes.object as ClusterTrustBundle, attributes.oldObject as ClusterTrustBundle | undefined];
      const signerName = next.spec?.signerName ?? '';
      if (!isEnabled || signerName === '' || (old !== undefined && isHousekeeping(next, old))) return;
      if (!mayFor(attributes, 'attest', signerName)) refuse(attributes, `user not permitted to attest for signerName ${goQuote(signerName)}`);
    },
  });
}

/** Migration of what is stored, and garbage collection. */
function isHousekeeping(next: ClusterTrustBundle, old: ClusterTrustBundle): boolean {
  const rest = ({ metadata, ...object }: ClusterTrustBundle): JsonValue => {
    const { ownerReferences: _o, finalizers: _f, managedFields: _m, ...others } = metadata;
    return { ...object, metadata: others } as unknown as JsonValue;
  };
  return deepEqual(rest(next), rest(old));
}
