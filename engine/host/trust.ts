/** Authorities that somebody on the other end is to be known by. */
import { X509Certificate } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';

/**
 * Each certificate of `ca` (PEM) is trusted by itself, whether it signed itself or not, as Go trusts its roots: many give the server's own
 * certificate for its authority. Nothing of it where none is given: the machine's own authorities count then.
 */
export function trusting(ca: string | Buffer | undefined): Pick<SecureContextOptions, 'ca' | 'allowPartialTrustChain'> {
  return ca === undefined || ca.length === 0 ? {} : { ca, allowPartialTrustChain: true };
}

/** SHA-256 of each certificate in the bundle, as hex. Throws for one that is none. */
export function fingerprints(pem: string): ReadonlySet<string> {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return new Set(blocks.map((block) => new X509Certificate(block).fingerprint256.replaceAll(':', '').toLowerCase()));
}
