/** Which certificates a daemon's secure port shows. Mirrors apiserver pkg/server/options/serving.go and pkg/server/dynamiccertificates. */
import { X509Certificate } from 'node:crypto';
import { readInGo } from '../go-files.ts';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority, issueCertificate, isPair, type KeyPair } from '../../serving/certificates.ts';
import { badUsage, type FlagValues } from './flag-set.ts';

/** A pair for the clients that ask for one of these names. */
interface NamedPair {
  readonly pair: KeyPair;
  readonly names: readonly string[];
  /** Whether the names were said, and not read from the certificate: these win. */
  readonly said: boolean;
}

export interface ServingCertificates {
  readonly server: KeyPair;
  readonly pairFor: (name: string) => KeyPair | undefined;
}

const selfSignedDays = 365;
const keyMode = 0o600;

/** Throws a CommandError for files that are missing, cannot be read, or do not belong together. */
export function servingCertificates(daemon: string, flags: FlagValues): ServingCertificates {
  const certFile = flags.text('tls-cert-file');
  const keyFile = flags.text('tls-private-key-file');
  if ((certFile === '') !== (keyFile === '')) throw badUsage('missing filename for serving cert');
  const server = certFile === '' ? selfSigned(daemon, flags.text('cert-dir')) : readPair(certFile, keyFile);
  const named = flags.all('tls-sni-cert-key').map(namedPair);
  return { server, pairFor: (name) => choose(named, name.toLowerCase()) };
}

export function readFileOf(path: string): string {
  try {
    return readInGo(path);
  } catch (error) {
    throw badUsage((error as Error).message);
  }
}

function readPair(certFile: string, keyFile: string): KeyPair {
  const pair = { certificatePem: readFileOf(certFile), keyPem: readFileOf(keyFile) };
  try {
    if (isPair(pair)) return pair;
  } catch (error) {
    throw badUsage(`tls: failed to read ${certFile} and ${keyFile}: ${(error as Error).message}`);
  }
  throw badUsage('tls: private key does not match public key');
}

/** Of the folder, where one is said: made at the first start, found again at the next. */
function selfSigned(daemon: string, folder: string): KeyPair {
  if (folder === '') return fresh();
  const certFile = join(folder, `${daemon}.crt`);
  const keyFile = join(folder, `${daemon}.key`);
  if (existsSync(certFile) && existsSync(keyFile)) return readPair(certFile, keyFile);
  const pair = fresh();
  try {
    mkdirSync(folder, { recursive: true });
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

/** `cert,key` or `cert,key:name,name`. */
function namedPair(text: string): NamedPair {
  const colon = text.indexOf(':');
  const [certFile = '', keyFile = ''] = (colon < 0 ? text : text.slice(0, colon)).split(',');
  const pair = readPair(certFile, keyFile);
  const said =
    colon < 0
      ? []
      : text
          .slice(colon + 1)
          .split(',')
          .filter((name) => name !== '');
  if (said.length > 0) return { pair, names: said.map((name) => name.toLowerCase()), said: true };
  return { pair, names: namesIn(pair.certificatePem), said: false };
}

function namesIn(certificatePem: string): readonly string[] {
  const { subjectAltName = '', subject } = new X509Certificate(certificatePem);
  const names = subjectAltName.split(', ').flatMap((part) => (part.startsWith('DNS:') ? [part.slice(4)] : []));
  const commonName = /^CN=(.*)$/m.exec(subject)?.[1];
  return (names.length > 0 || commonName === undefined ? names : [commonName]).map((name) => name.toLowerCase());
}

/** Names that were said win over those of a certificate, whole names over `*.`; the first given wins among equals. */
function choose(pairs: readonly NamedPair[], name: string): KeyPair | undefined {
  const wildcard = `*${name.slice(Math.max(0, name.indexOf('.')))}`;
  for (const wanted of [name, wildcard])
    for (const said of [true, false]) {
      const found = pairs.find((one) => one.said === said && one.names.includes(wanted));
      if (found !== undefined) return found.pair;
    }
  return undefined;
}
