import { createPrivateKey, createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { mixedNamesRequest, servingRequest as request } from '../../test/support/certificate-requests.ts';
import { createAuthority } from './certificates.ts';
import { createCertificateSigner, plainCertificateReader } from './certificate-signer.ts';
import { signDeterministically } from './deterministic-ecdsa.ts';

it('signatures are those of RFC 6979, appendix A.2.5', () => {
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: Buffer.from('C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721', 'hex').toString('base64url'),
    x: Buffer.from('60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6', 'hex').toString('base64url'),
    y: Buffer.from('7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299', 'hex').toString('base64url'),
  };
  const der = signDeterministically(Buffer.from('sample'), createPrivateKey({ key: jwk, format: 'jwk' }))
    .toString('hex')
    .toUpperCase();
  expect(der).toContain('EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716');
  expect(der).toContain('F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8');
});

it('Node.js takes every signature', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  for (let index = 0; index < 40; index++) {
    const text = Buffer.from(`text ${index}`);
    expect(verify('sha256', text, createPublicKey(privateKey), signDeterministically(text, privateKey))).toBe(true);
  }
});

it('reads a request: subject, names, key', () => {
  expect(plainCertificateReader.read(request)).toMatchObject({
    commonName: 'system:node:a',
    organizations: ['system:nodes'],
    dnsNames: ['a'],
    ipAddresses: ['10.0.0.1'],
    emailAddresses: [],
    uris: [],
  });
});

it('the same order gives the same certificate, which the authority vouches for', () => {
  const authority = createAuthority('ca');
  const signer = createCertificateSigner(authority);
  const notBeforeMs = Date.UTC(2026, 0, 1);
  const order = { request, serial: 'ff'.repeat(16), notBeforeMs, notAfterMs: notBeforeMs + 3_600_000, usages: ['digital signature', 'server auth'] };
  const pem = signer.sign(order);
  expect(signer.sign(order)).toBe(pem);
  const certificate = new X509Certificate(pem);
  expect(certificate.verify(new X509Certificate(authority.certificatePem).publicKey)).toBe(true);
  expect(certificate).toMatchObject({ subject: 'O=system:nodes\nCN=system:node:a', subjectAltName: 'DNS:a, IP Address:10.0.0.1', ca: false });
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(plainCertificateReader.expiryMs(Buffer.from(pem).toString('base64'))).toBe(notBeforeMs + 3_600_000);
});

it('names stand in the order in which Go writes them, and those that it does not read are gone', () => {
  const order = { request: mixedNamesRequest, serial: '01'.repeat(16), notBeforeMs: 0, notAfterMs: 1000, usages: ['client auth'] };
  const certificate = new X509Certificate(createCertificateSigner(createAuthority('ca')).sign(order));
  expect(certificate.subjectAltName).toBe('DNS:a, email:a@b.c, IP Address:10.0.0.1, URI:spiffe://a');
});

it.each([
  ['what is no PEM', 'hello', 'PEM block type must be CERTIFICATE REQUEST'],
  ['what is cut off', '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n', 'asn1: syntax error: data truncated'],
  ['what is empty', '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----\n', 'asn1: structure error: not a certificate request'],
])('refuses %s', (_what, pem, message) => {
  expect(() => plainCertificateReader.read(pem)).toThrow(message);
});

it('refuses a request that another key has signed, and usages that are none', () => {
  const signer = createCertificateSigner(createAuthority('ca'));
  const der = Buffer.from(request.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
  const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  const order = { request: forged, serial: '00'.repeat(16), notBeforeMs: 0, notAfterMs: 1000, usages: ['client auth'] };
  expect(() => signer.sign(order)).toThrow('unable to verify certificate request signature');
  expect(() => signer.sign({ ...order, request, usages: ['odd'] })).toThrow('unrecognized usage values: ["odd"]');
});
