import { createPublicKey, generateKeyPairSync, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../base/assert.ts';
import { createAuthority } from '../../serving/certificates.ts';
import { servingRequest } from '../../../test/support/certificate-requests.ts';
import { controllerManagerFlags } from './controller-manager-flags.ts';
import { type FlagValues, parseFlags } from './flag-set.ts';
import { certificatesOf, rootCaOf, signingFaults, tokenSecretsOf } from './signing-keys.ts';

const serving = 'kubernetes.io/kubelet-serving';
const notBeforeMs = Date.UTC(2026, 0, 1);
const order = { request: servingRequest, serial: '01'.repeat(16), notBeforeMs, notAfterMs: notBeforeMs + 3_600_000, usages: ['server auth'] };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function flags(...args: readonly string[]): FlagValues {
  return parseFlags('kube-controller-manager', controllerManagerFlags(), args);
}

function authority(name: string): { readonly flags: readonly string[]; readonly certificate: X509Certificate } {
  const { certificatePem, keyPem } = createAuthority(name);
  return {
    flags: [`cert-file=${file(`${name}.crt`, certificatePem)}`, `key-file=${file(`${name}.key`, keyPem)}`],
    certificate: new X509Certificate(certificatePem),
  };
}

/** With a key of RSA, as kubeadm makes them. */
function rsaAuthority(): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(folder, 'rsa.crt'), join(folder, 'rsa.key')];
  const subject = ['-subj', '/CN=rsa-ca', '-days', '30', '-nodes'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key };
}

describe('--cluster-signing-*', () => {
  it('one pair signs for every signer', () => {
    const { flags: files, certificate } = authority('all');
    const reader = certificatesOf(flags(...files.map((one) => `--cluster-signing-${one}`)));
    for (const name of [serving, 'kubernetes.io/kube-apiserver-client']) {
      const signed = new X509Certificate(must(reader.signerFor?.(name), 'a signer').sign(order));
      expect(signed.verify(certificate.publicKey)).toBe(true);
    }
  });

  it('a key of RSA signs, too', () => {
    const { cert, key } = rsaAuthority();
    const reader = certificatesOf(flags(`--cluster-signing-cert-file=${cert}`, `--cluster-signing-key-file=${key}`));
    const text = must(reader.signerFor?.(serving), 'a signer').sign(order);
    const path = file('signed.crt', text);
    expect(execFileSync('openssl', ['verify', '-no_check_time', '-CAfile', cert, path], { encoding: 'utf8' })).toContain('OK');
  });

  it('a pair of one signer signs for that one alone', () => {
    const { flags: files, certificate } = authority('kubelets');
    const reader = certificatesOf(flags(...files.map((one) => `--cluster-signing-kubelet-serving-${one}`)));
    expect(new X509Certificate(must(reader.signerFor?.(serving), 'a signer').sign(order)).verify(certificate.publicKey)).toBe(true);
    expect(reader.signerFor?.('kubernetes.io/legacy-unknown')).toBeUndefined();
  });

  it('files that change are read again; what does not fit is left alone', () => {
    const first = authority('first');
    const reader = certificatesOf(flags(...first.flags.map((one) => `--cluster-signing-${one}`)));
    const { certificatePem, keyPem } = createAuthority('second');
    const signed = (): X509Certificate => new X509Certificate(must(reader.signerFor?.(serving), 'a signer').sign(order));
    const change = (name: string, text: string, seconds: number): void => utimesSync(file(name, text), seconds, seconds);
    change('first.crt', certificatePem, 1);
    expect(signed().verify(first.certificate.publicKey)).toBe(true);
    change('first.key', keyPem, 2);
    expect(signed().verify(new X509Certificate(certificatePem).publicKey)).toBe(true);
  });

  it('nobody signs without keys', () => {
    expect(certificatesOf(flags()).signerFor).toBeUndefined();
  });

  // Read from kube-controller-manager 1.36.3.
  it.each<[string, readonly string[], string]>([
    [
      'a pair for all and one for a signer',
      ['--cluster-signing-cert-file=/a', '--cluster-signing-kubelet-client-cert-file=/a', '--cluster-signing-kubelet-client-key-file=/b'],
      'cannot specify --cluster-signing-{cert,key}-file and other --cluster-signing-*-file flags at the same time',
    ],
    [
      'a certificate without its key',
      ['--cluster-signing-legacy-unknown-cert-file=/a'],
      '"cluster-signing-legacy-unknown": cannot specify cert without key',
    ],
    [
      'a key without its certificate',
      ['--cluster-signing-kubelet-client-key-file=/a'],
      '"cluster-signing-kube-apiserver-client": cannot specify key without cert',
    ],
  ])('%s', (_name, args, message) => {
    expect(signingFaults(flags(...args))).toContain(message);
  });

  it('files that cannot be read end the daemon', () => {
    const missing = () => certificatesOf(flags('--cluster-signing-cert-file=/nope', '--cluster-signing-key-file=/nope'));
    expect(missing).toThrow('open /nope: no such file or directory');
    const [cert = ''] = authority('one').flags;
    const [, key = ''] = authority('two').flags;
    expect(() => certificatesOf(flags(`--cluster-signing-${cert}`, `--cluster-signing-${key}`))).toThrow('the key is not that of the certificate');
  });
});

describe('--service-account-private-key-file', () => {
  const claims = { namespace: 'ns', secret: 's', serviceAccount: { name: 'sa', uid: 'u' } };

  it.each<[string, () => { readonly privateKey: KeyObject }]>([
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ])('signs tokens with %s', (algorithm, make) => {
    const { privateKey } = make();
    const path = file('sa.key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    const token = must(tokenSecretsOf(flags(`--service-account-private-key-file=${path}`)), 'a signer').sign(claims);
    const [head = '', body = '', signature = ''] = token.split('.');
    const read = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
    expect(read(head)).toMatchObject({ alg: algorithm });
    expect(read(body)).toMatchObject({ sub: 'system:serviceaccount:ns:sa', 'kubernetes.io/serviceaccount/secret.name': 's' });
    const key = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it('nobody fills Secrets without it, and what is no key is refused', () => {
    expect(tokenSecretsOf(flags())).toBeUndefined();
    expect(() => tokenSecretsOf(flags(`--service-account-private-key-file=${file('x', 'x')}`))).toThrow('valid RSA or ECDSA private key');
  });
});

it('--root-ca-file is published in the place of the kubeconfig’s', () => {
  const { certificatePem } = createAuthority('root');
  expect(rootCaOf(flags(), 'kubeconfig')).toBe('kubeconfig');
  expect(rootCaOf(flags(`--root-ca-file=${file('ca.crt', certificatePem)}`), 'kubeconfig')).toBe(certificatePem);
  expect(() => rootCaOf(flags(`--root-ca-file=${file('x', 'x')}`), '')).toThrow('error parsing root-ca-file at');
});
