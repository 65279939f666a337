/**
 * Where Wavetank keeps things on this machine: the certificate authority and token key (made once, by the machine's own randomness),
 * the running clusters' records and kubeconfigs. `WAVETANK_HOME`, else the platform's place for a user's state.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority, isCurrent, isPair, issueCertificate, type KeyPair } from '../serving/certificates.ts';
import { type FrontProxy, frontProxyOf } from './front-proxy.ts';
import { replaceFile } from './files.ts';
import { homeFolder, makeFolder } from './home-folder.ts';
import { withHomeLock } from './home-lock.ts';

export interface Keys {
  readonly authority: KeyPair;
  readonly server: KeyPair;
  readonly admin: KeyPair;
  /** P-256 key that signs service account tokens. */
  readonly tokens: KeyPair;
  /** Names users to servers of other APIs; absent where requests are handed on to nobody. */
  readonly frontProxy?: FrontProxy;
  /** Bearer token of the admin. */
  readonly adminToken: string;
}

const serverNames = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  '127.0.0.1',
  '::1',
  '10.96.0.1',
];
const validDays = 365;
const renewDays = 30;
const privateMode = 0o600;

/** Reads the keys of this machine; makes what is missing or about to end. */
export function loadKeys(home = homeFolder()): Keys {
  const folder = join(home, 'pki');
  makeFolder(home);
  makeFolder(folder);
  return withHomeLock(folder, () => readKeys(folder));
}

function readKeys(folder: string): Keys {
  const authority = pair(folder, 'ca', 365, () => createAuthority('wavetank-ca'));
  const issued = (name: string, make: () => KeyPair, fits?: (found: KeyPair) => boolean): KeyPair =>
    pair(folder, name, renewDays, make, { authority, fits });
  return {
    authority,
    server: issued('apiserver', () =>
      issueCertificate(authority, { commonName: 'kube-apiserver', names: serverNames, usage: 'server', days: validDays }),
    ),
    admin: issued(
      'admin',
      () =>
        issueCertificate(authority, {
          commonName: 'kubernetes-admin',
          organizations: ['system:masters'],
          usage: 'client',
          keyType: 'rsa',
          days: validDays,
        }),
      // Earlier builds made others, which not every client reads.
      ({ keyPem }) => keyPem.startsWith('-----BEGIN RSA PRIVATE KEY-----'),
    ),
    frontProxy: frontProxyOf((name, days, make, signer) => pair(folder, name, days, make, { authority: signer }), { renewDays, validDays }),
    tokens: pair(folder, 'tokens', renewDays, () => createAuthority('wavetank-tokens')),
    adminToken: secret(join(folder, 'admin.token')),
  };
}

interface Wanted {
  /** Who has signed it. */
  readonly authority?: KeyPair | undefined;
  readonly fits?: ((found: KeyPair) => boolean) | undefined;
}

/** A key and its certificate: what is there if it fits together and is good for a while, else made now. */
function pair(folder: string, name: string, days: number, make: () => KeyPair, { authority, fits = () => true }: Wanted = {}): KeyPair {
  const certificate = join(folder, `${name}.crt`);
  const key = join(folder, `${name}.key`);
  if (existsSync(certificate) && existsSync(key)) {
    const found = { certificatePem: readPrivate(certificate), keyPem: readPrivate(key) };
    if (isCurrent(found.certificatePem, days) && isPair(found, authority) && fits(found)) return found;
  }
  const made = make();
  replaceFile(certificate, made.certificatePem, privateMode);
  replaceFile(key, made.keyPem, privateMode);
  return made;
}

function secret(file: string): string {
  if (existsSync(file)) return readPrivate(file).trim();
  const text = randomBytes(24).toString('base64url');
  replaceFile(file, text, privateMode);
  return text;
}

/** Reads a file of ours, which others must not read. */
function readPrivate(file: string): string {
  if (process.getuid !== undefined && (statSync(file).mode & 0o077) !== 0) chmodSync(file, privateMode);
  return readFileSync(file, 'utf8');
}
