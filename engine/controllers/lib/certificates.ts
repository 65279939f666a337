/** What the controllers of certificate signing requests share. Mirrors pkg/controller/certificates and pkg/apis/certificates/helpers.go. */
import type { CertificateSigningRequest } from '../../api/certificates/v1/types.gen.ts';
import { assert } from '../../base/assert.ts';
import { decodeBase64Text } from '../../base/base64.ts';
import { type InformerEvent, keyOf } from '../../client/informer.ts';
import { resourceType } from '../../client/resources.ts';
import type { CertificateReader, CertificateRequestFacts } from '../../contracts/certificates.ts';
import { watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import type { ControllerOptions } from '../controller.ts';

export const certificateSigningRequests = resourceType<CertificateSigningRequest>(
  'certificates.k8s.io',
  'v1',
  'certificatesigningrequests',
  'CertificateSigningRequest',
  false,
);

export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet';
export const kubeletServingSigner = 'kubernetes.io/kubelet-serving';
export const clientSigner = 'kubernetes.io/kube-apiserver-client';
export const legacySigner = 'kubernetes.io/legacy-unknown';

/** What controllers of requests have in common; they run where requests can be read. */
export const requestController = {
  serviceAccount: 'certificate-controller',
  canRun: ({ certificates }: ControllerOptions): boolean => certificates !== undefined,
  workers: () => 5,
  backoff: { baseMs: 200, maxMs: 1_000_000 },
  watches: [
    watchOf(certificateSigningRequests, (event: InformerEvent<CertificateSigningRequest>) => (event.type === 'delete' ? [] : [keyOf(event.object)])),
  ],
} as const;

export function mustHaveReader({ certificates }: ControllerOptions): CertificateReader {
  assert(certificates, 'controllers of requests run where somebody reads them');
  return certificates;
}

export function hasCondition({ status }: CertificateSigningRequest, type: string): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type && condition.status !== 'False');
}

/** Throws to be retried: what is no request stays none, but upstream tries again too. */
export function factsOf(reader: CertificateReader, { metadata, spec }: CertificateSigningRequest): CertificateRequestFacts {
  try {
    return reader.read(requestPem(spec?.request));
  } catch (error) {
    throw new RetryError(`unable to parse csr "${metadata.name}": ${(error as Error).message}`);
  }
}

export function requestPem(base64: string | null | undefined): string {
  return decodeBase64Text(base64 ?? '');
}

/** Why a request is none for the certificate by which a kubelet speaks to the API server. */
export function wrongForKubeletClient(facts: CertificateRequestFacts, usages: readonly string[]): string | undefined {
  if (!isNodeGroup(facts)) return 'subject organization is not system:nodes';
  if (facts.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (facts.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (facts.ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (facts.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!facts.commonName.startsWith('system:node:')) return 'subject common name does not begin with system:node:';
  return wrongUsages(usages, 'client auth');
}

/** The same for the certificate by which a kubelet answers. */
export function wrongForKubeletServing(facts: CertificateRequestFacts, usages: readonly string[]): string | undefined {
  if (!isNodeGroup(facts)) return 'subject organization is not system:nodes';
  if (facts.dnsNames.length === 0 && facts.ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (facts.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (facts.uris.length > 0) return 'URI subjectAltNames are not allowed';
  const wrong = wrongUsages(usages, 'server auth');
  if (wrong !== undefined) return wrong;
  return facts.commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

export function wrongForClient(usages: readonly string[]): string | undefined {
  const odd = usages.find((usage) => !['digital signature', 'key encipherment', 'client auth'].includes(usage));
  if (odd !== undefined) return `invalid usage for client certificate: ${odd}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

function isNodeGroup({ organizations }: CertificateRequestFacts): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

/** With or without key encipherment, which only RSA keys need. */
function wrongUsages(usages: readonly string[], needed: string): string | undefined {
  const given = new Set(usages);
  const required = [needed, 'digital signature'];
  const others = [...given].filter((usage) => !required.includes(usage));
  const fits = required.every((usage) => given.has(usage)) && others.every((usage) => usage === 'key encipherment');
  return fits ? undefined : `usages did not match [${[needed, 'digital signature', 'key encipherment'].sort().join(' ')}]`;
}
