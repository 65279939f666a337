/** The options that say which certificates the API shows, under upstream's names: files of this machine, and so no part of a session. */
import { localServerName } from '../local-client.ts';
import { type ServingCertificates, servingCertificates } from '../serving-certificates.ts';
import type { Keys } from '../home.ts';
import type { AuditFlag } from './audit-options.ts';
import { type Given, text } from './given.ts';
import { texts } from './options.ts';

const flag = (name: string, value: string, help: string): AuditFlag => ({ name, value, default: '', help });
const sniFlag = 'tls-sni-cert-key';

export const servingFlags: readonly AuditFlag[] = [
  flag('cert-dir', 'folder', 'Where apiserver.crt and apiserver.key may lie, which the API shows; not read when both files are given'),
  flag('tls-cert-file', 'file', "The certificate that the API shows, and those above it; one of this machine's authority without it"),
  flag('tls-private-key-file', 'file', 'The key of --tls-cert-file'),
  flag(sniFlag, 'cert,key:names', 'A certificate and its key, and the names for which they are shown: cert,key:*.example.org; more than once'),
];
export const repeatedServingFlags: ReadonlySet<string> = new Set([sniFlag]);

/** Undefined where this machine's own pair is shown to all. Commands of this machine are shown that always. Throws CommandError. */
export function readServing(given: Given, { server }: Keys): ServingCertificates | undefined {
  if (servingFlags.every(({ name }) => text(given, name) === undefined && texts(given, name).length === 0)) return undefined;
  const files = {
    certFile: text(given, 'tls-cert-file') ?? '',
    keyFile: text(given, 'tls-private-key-file') ?? '',
    certDir: text(given, 'cert-dir') ?? '',
    named: texts(given, sniFlag),
    name: 'apiserver',
    faultCode: 2,
  };
  const { pairFor, ...shown } = servingCertificates(files, () => server);
  return { ...shown, pairFor: (name) => (name === localServerName ? server : pairFor(name)) };
}
