/** Failures of HTTPS in Go's words, which upstream's messages repeat. */
/** What a certificate's names do not say, in Go's words. */
export class NameError extends Error {}

const unknownAuthority = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_SIGNATURE_FAILURE',
]);

/** What went wrong on the way to a server, as Go's client words it. */
export function inGo(error: Error, host: string, port: number): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  const last = error instanceof AggregateError ? (error.errors as readonly Error[]).at(-1) : undefined;
  const { address = host } = (last ?? error) as { readonly address?: string };
  const verification = 'tls: failed to verify certificate: x509: ';
  if (error instanceof NameError) return verification + error.message;
  if (unknownAuthority.has(code)) return `${verification}certificate signed by unknown authority`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return `${verification}certificate has expired or is not yet valid`;
  const at = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${at}: connect: connection refused`;
  if (code === 'EHOSTUNREACH') return `dial tcp ${at}: connect: no route to host`;
  if (code === 'ENETUNREACH') return `dial tcp ${at}: connect: network is unreachable`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') return 'http: server gave HTTP response to HTTPS client';
  return code === 'ECONNRESET' ? 'EOF' : error.message;
}
