import { createPublicKey, generateKeyPairSync, type KeyObject, sign, constants } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyFault } from './key-judge.ts';

const signed = new TextEncoder().encode('the uid of a pod');
const der = (key: KeyObject): Uint8Array => createPublicKey(key as never).export({ format: 'der', type: 'spki' });
const proofOf = (key: KeyObject): Uint8Array => {
  if (key.asymmetricKeyType === 'ed25519') return sign(null, signed, key);
  return sign('sha256', signed, key.asymmetricKeyType === 'rsa' ? { key, padding: constants.RSA_PKCS1_PSS_PADDING } : key);
};
const rsa = (modulusLength: number): KeyObject => generateKeyPairSync('rsa', { modulusLength }).privateKey;
const curve = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).privateKey;

describe('a key that a pod wants certified', () => {
  it.each([
    ['Ed25519', generateKeyPairSync('ed25519').privateKey],
    ['P-256', curve('P-256')],
    ['P-521', curve('P-521')],
    ['RSA 3072', rsa(3072)],
  ])('%s is taken with a proof, and not with that of another', (_name, key) => {
    expect(keyFault({ key: der(key), proof: proofOf(key), signed })).toBeUndefined();
    const told = { of: 'proof', text: 'could not verify proof-of-possession signature' };
    expect(keyFault({ key: der(key), proof: proofOf(key), signed: new Uint8Array([1]) })).toEqual(told);
    expect(keyFault({ key: der(key), proof: new Uint8Array([0]), signed })).toEqual(told);
  });

  it.each([
    ['a small modulus', der(rsa(2048)), { of: 'key', shown: '2048-bit modulus', text: 'RSA keys must have modulus size 3072 or 4096' }],
    ['a small curve', der(curve('secp224r1')), { of: 'key', shown: 'curve P-224', text: 'elliptic public keys must use curve P256 or P384' }],
    ['a curve that Go does not know', der(curve('secp256k1')), { of: 'key', text: 'must be a valid PKIX-serialized public key' }],
    [
      'a key that signs nothing',
      der(generateKeyPairSync('x25519').privateKey),
      { of: 'key', text: 'unknown public key type; supported types are Ed25519, ECDSA, and RSA' },
    ],
    ['no key', new Uint8Array([0]), { of: 'key', text: 'must be a valid PKIX-serialized public key' }],
    ['what trails', Buffer.concat([der(curve('P-256')), Buffer.from([0])]), { of: 'key', text: 'must be a valid PKIX-serialized public key' }],
  ])('%s is refused', (_name, key, fault) => {
    expect(keyFault({ key, proof: new Uint8Array([0]), signed })).toEqual(fault);
  });
});
