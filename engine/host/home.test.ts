import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { isPair, issueCertificate } from '../serving/certificates.ts';
import { loadKeys } from './home.ts';
import { withHomeLock } from './home-lock.ts';

const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'wavetank-homes-'));
const isRoot = process.getuid?.() === 0;
let home: string;
let count = 0;

beforeEach(() => {
  home = join(folder, String(++count));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('keeps everything in the home from other users, also what was open before', () => {
  mkdirSync(join(home, 'pki'), { recursive: true, mode: 0o755 });
  writeFileSync(join(home, 'pki', 'admin.token'), 'known', { mode: 0o644 });
  expect(loadKeys(home).adminToken).toBe('known');
  const modes = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(home, name)));
  expect(new Set(modes.map((stats) => `${stats.isDirectory() ? 'folder' : 'file'} ${(stats.mode & 0o777).toString(8)}`))).toEqual(
    new Set(['folder 700', 'file 600']),
  );
  expect(statSync(home).mode & 0o777).toBe(0o700);
});

it('gives clients a key that all of them read, also where an earlier build gave another', () => {
  const { authority, admin } = loadKeys(home);
  expect(admin.keyPem).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
  expect(isPair(admin, authority)).toBe(true);
  expect(loadKeys(home).admin).toEqual(admin);
  const earlier = issueCertificate(authority, { commonName: 'kubernetes-admin', organizations: ['system:masters'], usage: 'client', days: 365 });
  writeFileSync(join(home, 'pki', 'admin.crt'), earlier.certificatePem, { mode: 0o600 });
  writeFileSync(join(home, 'pki', 'admin.key'), earlier.keyPem, { mode: 0o600 });
  const renewed = loadKeys(home);
  expect(renewed.admin.keyPem).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
  expect(renewed.authority).toEqual(authority);
});

it.skipIf(!isRoot)('refuses a home that is, or leads to, a folder of another user', () => {
  const theirs = join(folder, 'theirs');
  mkdirSync(theirs, { recursive: true });
  symlinkSync(theirs, home);
  lchownSync(home, 12_345, 12_345);
  expect(() => loadKeys(home)).toThrow(/is a link or a folder of another user; set WAVETANK_HOME to a folder of your own/);
  rmSync(home);
  symlinkSync(theirs, home);
  chownSync(theirs, 12_345, 12_345);
  expect(() => loadKeys(home)).toThrow(/leads to a folder of another user/);
  expect(() => loadKeys(theirs)).toThrow(/folder of another user/);
  expect(readdirSync(theirs)).toEqual([]);
});

it('follows a link of the user’s own', () => {
  mkdirSync(join(folder, 'mine'));
  symlinkSync(join(folder, 'mine'), home);
  chmodSync(join(folder, 'mine'), 0o755);
  expect(loadKeys(home)).toEqual(loadKeys(join(folder, 'mine')));
});

it('makes anew what does not fit together: a key of another certificate, a certificate of another authority', () => {
  const first = loadKeys(home);
  const pki = join(home, 'pki');
  writeFileSync(join(pki, 'admin.key'), readFileSync(join(pki, 'apiserver.key')));
  const second = loadKeys(home);
  expect(second.admin).not.toEqual(first.admin);
  expect(second.server).toEqual(first.server);
  for (const name of ['ca.key', 'ca.crt']) rmSync(join(pki, name));
  const third = loadKeys(home);
  expect(third.server).not.toEqual(first.server);
  expect(third.tokens).toEqual(first.tokens);
});

it('takes over a lock whose holder has died, and no other', () => {
  mkdirSync(home);
  const lock = join(home, '.lock');
  writeFileSync(lock, JSON.stringify({ pid: process.pid, began: 'in another life' }));
  expect(withHomeLock(home, () => readdirSync(home))).toEqual(['.lock']);
  expect(readdirSync(home)).toEqual([]);
});

it('makes one authority when several clusters start for the first time at once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-home-'));
  const script = `import { loadKeys } from ${JSON.stringify(new URL('./home.ts', import.meta.url).href)}; console.log(loadKeys(${JSON.stringify(home)}).authority.certificatePem)`;
  const starts = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', script])));
  expect(new Set(starts.map(({ stdout }) => stdout)).size).toBe(1);
  rmSync(home, { recursive: true });
});
