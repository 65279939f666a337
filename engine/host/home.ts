/**
 * Where Wavetank keeps things on this machine: the certificate authority and token key (made once, by the machine's own randomness),
 * the running clusters' records and kubeconfigs. `WAVETANK_HOME`, else the platform's place for a user's state.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { createAuthority, isCurrent, issueCertificate, type KeyPair } from '../serving/certificates.ts';
import { CommandError } from './command-error.ts';

export interface Keys {
  readonly authority: KeyPair;
  readonly server: KeyPair;
  readonly admin: KeyPair;
  /** P-256 key that signs service account tokens. */
  readonly tokens: KeyPair;
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
const lockWaitMs = 5000;
const lockPollMs = 10;

export function homeFolder(): string {
  const own = process.env['WAVETANK_HOME'];
  if (own !== undefined && own !== '') return own;
  if (platform() === 'win32') return join(process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'wavetank');
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support', 'wavetank');
  return join(process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'wavetank');
}

/** Reads the keys of this machine; makes what is missing or about to end. */
export function loadKeys(home = homeFolder()): Keys {
  const folder = join(home, 'pki');
  makeFolder(folder);
  return locked(folder, () => readKeys(folder));
}

/** Two first starts at once must not make two authorities: the folder is held while keys are read or made. */
function locked<T>(folder: string, act: () => T): T {
  const lock = join(folder, '.lock');
  const deadlineMs = Date.now() + lockWaitMs;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'EEXIST') throw new CommandError(`cannot write into ${folder} (${code}); set WAVETANK_HOME to a folder that can be written`);
      // Whoever made it has died: keys are made in a fraction of a second.
      if (Date.now() > deadlineMs) break;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockPollMs);
    }
  }
  try {
    return act();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function readKeys(folder: string): Keys {
  const authority = pair(folder, 'ca', 365, () => createAuthority('wavetank-ca'));
  const issued = (name: string, make: () => KeyPair): KeyPair => pair(folder, name, renewDays, make);
  return {
    authority,
    server: issued('apiserver', () =>
      issueCertificate(authority, { commonName: 'kube-apiserver', names: serverNames, usage: 'server', days: validDays }),
    ),
    admin: issued('admin', () =>
      issueCertificate(authority, { commonName: 'kubernetes-admin', organizations: ['system:masters'], usage: 'client', days: validDays }),
    ),
    tokens: pair(folder, 'tokens', renewDays, () => createAuthority('wavetank-tokens')),
    adminToken: secret(join(folder, 'admin.token')),
  };
}

export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CommandError(
      `cannot make the folder ${folder} (${(error as NodeJS.ErrnoException).code}); set WAVETANK_HOME to one that can be written`,
    );
  }
}

function pair(folder: string, name: string, days: number, make: () => KeyPair): KeyPair {
  const certificate = join(folder, `${name}.crt`);
  const key = join(folder, `${name}.key`);
  if (existsSync(certificate) && existsSync(key)) {
    const certificatePem = readFileSync(certificate, 'utf8');
    if (isCurrent(certificatePem, days)) return { certificatePem, keyPem: readFileSync(key, 'utf8') };
  }
  const made = make();
  writeFileSync(certificate, made.certificatePem);
  writePrivate(key, made.keyPem);
  return made;
}

function secret(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const text = randomBytes(24).toString('base64url');
  writePrivate(file, text);
  return text;
}

function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}
