/** Which certificates a daemon's secure port shows: those of its flags, else one of its own. Mirrors apiserver pkg/server/options/serving.go. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createAuthority, issueCertificate, type KeyPair } from '../../serving/certificates.ts';
import { readNamed } from '../named-file.ts';
import { type ServingCertificates, servingCertificates } from '../serving-certificates.ts';
import { badUsage, badUsageCode, type FlagValues } from './flag-set.ts';

const selfSignedDays = 365;
const keyMode = 0o600;

/** Throws a CommandError for files that are missing, cannot be read, or do not belong together. */
export function daemonCertificates(daemon: string, flags: FlagValues): ServingCertificates {
  const files = {
    certFile: flags.text('tls-cert-file'),
    keyFile: flags.text('tls-private-key-file'),
    certDir: flags.text('cert-dir'),
    named: flags.all('tls-sni-cert-key'),
    name: daemon,
    faultCode: badUsageCode,
  };
  return servingCertificates(files, selfSigned);
}

export function readFileOf(path: string): string {
  return readNamed(path, badUsageCode);
}

/** Kept in the folder, where one is said, and found again at the next start. */
function selfSigned(inFolder: readonly [cert: string, key: string] | undefined): KeyPair {
  const pair = fresh();
  if (inFolder === undefined) return pair;
  const [certFile, keyFile] = inFolder;
  try {
    mkdirSync(dirname(certFile), { recursive: true });
    writeFileSync(keyFile, pair.keyPem, { mode: keyMode });
    writeFileSync(certFile, pair.certificatePem);
  } catch (error) {
    throw badUsage(`error creating self-signed certificates: ${(error as Error).message}`);
  }
  return pair;
}

function fresh(): KeyPair {
  const seconds = Math.floor(Date.now() / 1000);
  const authority = createAuthority(`localhost-ca@${seconds}`);
  const names = ['localhost', '127.0.0.1'];
  const server = issueCertificate(authority, { commonName: `localhost@${seconds}`, names, usage: 'server', days: selfSignedDays });
  return { ...server, certificatePem: server.certificatePem + authority.certificatePem };
}
