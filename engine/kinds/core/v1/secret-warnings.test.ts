import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../../../serving/certificates.ts';
import { certificateJudge } from '../../../serving/x509/certificate-judge.ts';
import { secretWarnings } from './secret-warnings.ts';

const pair = createAuthority('one');
const other = createAuthority('other');
const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
const noise = (type: string): string => `-----BEGIN ${type}-----\nbm9pc2U=\n-----END ${type}-----\n`;

function told(certificate: string, key: string, type = 'kubernetes.io/tls'): readonly string[] {
  const data = { 'tls.crt': btoa(certificate), 'tls.key': btoa(key) };
  return secretWarnings({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, type, data }, certificateJudge);
}

/** The texts were asked of kube-apiserver 1.36.3. */
describe('what is told of the certificate and the key of a TLS secret', () => {
  it('is nothing where they belong together, whatever stands around them and behind the first certificate', () => {
    expect(told(pair.certificatePem, pair.keyPem)).toEqual([]);
    expect(told(`text\n${pair.certificatePem}${other.certificatePem}`, `${noise('EC PARAMETERS')}${pair.keyPem}`)).toEqual([]);
    expect(told(pair.certificatePem, other.keyPem, 'Opaque')).toEqual([]);
  });

  it.each([
    ['', '', 'tls: failed to find any PEM data in certificate input'],
    ['x', pair.keyPem, 'tls: failed to find any PEM data in certificate input'],
    [
      pair.keyPem,
      pair.certificatePem,
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [
      `${noise('A')}${noise('B')}`,
      '',
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
    ],
    [pair.certificatePem, '', 'tls: failed to find any PEM data in key input'],
    [pair.certificatePem, other.certificatePem, 'tls: found a certificate rather than a key in the PEM for the private key'],
    [
      pair.certificatePem,
      noise('XPRIVATE KEY'),
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [XPRIVATE KEY]',
    ],
    [noise('CERTIFICATE'), pair.keyPem, 'x509: malformed certificate'],
    [pair.certificatePem, noise('PRIVATE KEY'), 'tls: failed to parse private key'],
    [pair.certificatePem, pem(generateKeyPairSync('ed448').privateKey), 'tls: failed to parse private key'],
    [pair.certificatePem, pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey), 'tls: failed to parse private key'],
    [pair.certificatePem, pem(generateKeyPairSync('x25519').privateKey), 'tls: found unknown private key type in PKCS#8 wrapping'],
    [pair.certificatePem, rsa, 'tls: private key type does not match public key type'],
    [pair.certificatePem, other.keyPem, 'tls: private key does not match public key'],
    [`${other.certificatePem}${pair.certificatePem}`, pair.keyPem, 'tls: private key does not match public key'],
  ])('is what Go finds first', (certificate, key, text) => {
    expect(told(certificate, key)).toEqual([text]);
  });
});
