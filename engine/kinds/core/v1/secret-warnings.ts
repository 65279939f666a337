/** What users of TLS secrets are warned of. Mirrors pkg/registry/core/secret/strategy.go and Go's crypto/tls.X509KeyPair. */
import type { Secret } from '../../../api/core/v1/types.gen.ts';
import { readPem } from '../../../apimachinery/pem.ts';
import type { CertificateJudge } from '../../../contracts/certificates.ts';

/** Without a judge nothing behind the PEM is told. */
export function secretWarnings({ type, data = {} }: Secret, judge: CertificateJudge | undefined): readonly string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const fault = keyPairFault(atob(data['tls.crt'] ?? ''), atob(data['tls.key'] ?? ''), judge);
  return fault === undefined ? [] : [fault];
}

function keyPairFault(certificate: string, key: string, judge: CertificateJudge | undefined): string | undefined {
  const { blocks } = readPem(certificate);
  const first = blocks.find(({ type }) => type === 'CERTIFICATE');
  if (first === undefined) return noCertificate(blocks.map(({ type }) => type));
  const keys = readPem(key).blocks;
  const own = keys.find(({ type }) => isKey(type));
  if (own === undefined) return noKey(keys.map(({ type }) => type));
  return judge?.certificateFault(first.bytes) ?? judge?.pairFault(first.bytes, own.bytes);
}

function isKey(type: string): boolean {
  return type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');
}

function noCertificate(skipped: readonly string[]): string {
  const [only = ''] = skipped;
  if (skipped.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (skipped.length === 1 && only.endsWith('PRIVATE KEY'))
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function noKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE') return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}
