/** Whether a certificate is one for a name. Mirrors VerifyHostname of Go's crypto/x509, in its words. */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** Go looks at alternative names alone, never at the common name. Undefined for a name that it has. */
export function nameFault(name: string, certificate: PeerCertificate): string | undefined {
  const names = (certificate.subjectaltname ?? '').split(', ').filter((entry) => entry !== '');
  const ofType = (type: string): readonly string[] => names.flatMap((entry) => (entry.startsWith(`${type}:`) ? [entry.slice(type.length + 1)] : []));
  const [ips, domains] = [ofType('IP Address'), ofType('DNS')];
  if (names.length > 0 && checkServerIdentity(name, certificate) === undefined) return undefined;
  if (isIP(name) !== 0) {
    if (ips.length === 0) return `cannot validate certificate for ${name} because it doesn't contain any IP SANs`;
    return `certificate is valid for ${ips.join(', ')}, not ${name}`;
  }
  if (names.length === 0) return 'certificate relies on legacy Common Name field, use SANs instead';
  if (domains.length === 0) return `certificate is not valid for any names, but wanted to match ${name}`;
  return `certificate is valid for ${domains.join(', ')}, not ${name}`;
}
