/** Signatures of RFC 6979: its own examples, and that whoever knows the key's public half believes them. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { signForJose } from './deterministic-ecdsa.ts';

/** The key of the RFC's appendix A.2.5. */
const text = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');
const key = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    d: text('c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721'),
    x: text('60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6'),
    y: text('7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299'),
  },
});

test.each([
  ['sample', 'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716', 'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8'],
  ['test', 'f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367', '019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083'],
])('the text %j has the signature of the RFC', (said, r, s) => {
  expect(signForJose(Buffer.from(said), key).toString('hex')).toBe(r + s);
});

test.each([
  ['P-384', 'sha384'],
  ['P-521', 'sha512'],
])('signatures on %s are believed and are the same again', (namedCurve, digest) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  for (let at = 0; at < 5; at++) {
    const signature = signForJose(Buffer.from(`text ${at}`), privateKey);
    expect(signForJose(Buffer.from(`text ${at}`), privateKey)).toEqual(signature);
    expect(verify(digest, Buffer.from(`text ${at}`), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
  }
});

test('signatures are believed and are the same again', () => {
  for (let at = 0; at < 50; at++) {
    const signature = signForJose(Buffer.from(`text ${at}`), key);
    expect(signForJose(Buffer.from(`text ${at}`), key)).toEqual(signature);
    expect(verify('sha256', Buffer.from(`text ${at}`), { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
  }
});
