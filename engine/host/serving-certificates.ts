/** Which certificates a secure port shows, and reading them from files. Mirrors apiserver pkg/server/options/serving.go and pkg/server/dynamiccertificates. */
import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isPair, type KeyPair } from '../serving/certificates.ts';
import { CommandError } from './command-error.ts';
import { readNamed } from './named-file.ts';

/** A pair for the clients that ask for one of these names. */
interface NamedPair {
  readonly pair: KeyPair;
  readonly names: readonly string[];
  /** Whether the names were said, and not read from the certificate: these win. */
  readonly said: boolean;
}

export interface ServingCertificates {
  readonly server: KeyPair;
  /** Of a client that asks for this name; undefined where it is shown `server`. */
  readonly pairFor: (name: string) => KeyPair | undefined;
}

/** What options say: names of files, empty where they were not given. */
export interface ServingFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly certDir: string;
  /** `cert,key` or `cert,key:name,name` each. */
  readonly named: readonly string[];
  /** What the files in `certDir` are called. */
  readonly name: string;
  /** Exit code of what cannot be used. */
  readonly faultCode: number;
}

/** `otherwise` makes the pair where no file has one. Throws a CommandError for files that are missing, cannot be read, or do not belong together. */
export function servingCertificates(
  files: ServingFiles,
  otherwise: (inFolder: readonly [cert: string, key: string] | undefined) => KeyPair,
): ServingCertificates {
  const { certFile, keyFile, certDir, name, faultCode } = files;
  if ((certFile === '') !== (keyFile === '')) throw new CommandError('missing filename for serving cert', faultCode);
  const read = (cert: string, key: string): KeyPair => readPair(cert, key, faultCode);
  const inFolder = certDir === '' ? undefined : ([join(certDir, `${name}.crt`), join(certDir, `${name}.key`)] as const);
  const found = (): KeyPair => (inFolder?.every((file) => existsSync(file)) === true ? read(...inFolder) : otherwise(inFolder));
  const named = files.named.map((text) => namedPair(text, read));
  return { server: certFile === '' ? found() : read(certFile, keyFile), pairFor: (asked) => choose(named, asked.toLowerCase()) };
}

function readPair(certFile: string, keyFile: string, faultCode: number): KeyPair {
  const pair = { certificatePem: readNamed(certFile, faultCode), keyPem: readNamed(keyFile, faultCode) };
  try {
    if (isPair(pair)) return pair;
  } catch (error) {
    throw new CommandError(`tls: failed to read ${certFile} and ${keyFile}: ${(error as Error).message}`, faultCode);
  }
  throw new CommandError('tls: private key does not match public key', faultCode);
}

/** `cert,key` or `cert,key:name,name`. */
function namedPair(text: string, read: (certFile: string, keyFile: string) => KeyPair): NamedPair {
  const colon = text.indexOf(':');
  const [certFile = '', keyFile = ''] = (colon < 0 ? text : text.slice(0, colon)).split(',');
  const pair = read(certFile, keyFile);
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
