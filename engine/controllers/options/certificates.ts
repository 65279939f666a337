import type { CertificateReader } from '../../contracts/certificates.ts';
import { defineOptions, managerFlag } from './family.ts';

export interface CertificateOptions {
  /** Reads certificates, and signs them where somebody does. */
  readonly certificates?: CertificateReader;
  /** The longest that a signed certificate is good. */
  readonly clusterSigningDurationMs: number;
  /** PEM of the CA that clients in pods trust; a placeholder in digests. */
  readonly rootCaPem: string;
  /** In hexadecimal digits; names of objects are made with it. */
  readonly sha256: (text: string) => string;
}

export const certificateOptions = defineOptions<CertificateOptions>({
  flags: [
    managerFlag('cluster-signing-duration', 'duration', '8760h0m0s', 'The longest that a signed certificate is valid'),
    managerFlag('experimental-cluster-signing-duration', 'duration', '8760h0m0s', 'The older name of --cluster-signing-duration'),
  ],
  read: (source) => ({
    ...(source.host.certificates && { certificates: source.host.certificates }),
    clusterSigningDurationMs: Math.min(source.milliseconds('cluster-signing-duration'), source.milliseconds('experimental-cluster-signing-duration')),
    rootCaPem: source.host.rootCaPem,
    sha256: source.host.sha256,
  }),
});
