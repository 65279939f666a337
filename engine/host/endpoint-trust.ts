/** What an endpoint shows and believes besides the keys of this machine. */
import type { TlsOptions } from '../serving/listener.ts';
import type { Keys } from './home.ts';
import type { ServingCertificates } from './serving-certificates.ts';

export interface EndpointTrust {
  /** Absent where the machine's own pair is shown to all. */
  readonly serving?: ServingCertificates | undefined;
  /** Who signs certificates of clients, and of proxies that say for whom they ask. */
  readonly clientAuthoritiesPem?: string;
}

export function tlsOf({ server, authority }: Keys, { serving, clientAuthoritiesPem = '' }: EndpointTrust): TlsOptions {
  return { server, ...serving, clientAuthorityPem: authority.certificatePem + clientAuthoritiesPem };
}
