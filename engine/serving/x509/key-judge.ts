/** Judges a public key and the proof that somebody holds the other half of it. Mirrors validateDeprecatedPKIXPublicKey of pkg/apis/certificates/validation. */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { KeyFault, KeyProof } from '../../contracts/certificates.ts';
import { requestKey } from './request-judge.ts';

/** OpenSSL's names of the curves that Go knows, and Go's. */
const goCurves: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'P-256'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
  ['secp224r1', 'P-224'],
]);
const unknownKind = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA';
const unreadable = 'must be a valid PKIX-serialized public key';
const moduli: readonly number[] = [3072, 4096];

/** Undefined for a key of a kind that is taken, whose holder has signed what is `signed`. */
export function keyFault({ key: der, proof, signed }: KeyProof): KeyFault | undefined {
  const key = read(der);
  if (key === undefined) return { of: 'key', text: unreadable };
  return kindFault(key) ?? (isProven(key, proof, signed) ? undefined : { of: 'proof', text: 'could not verify proof-of-possession signature' });
}

/** Of a request that can be read; its curves are named anew. */
export function requestKeyFault(der: Uint8Array): Omit<KeyFault, 'of'> | undefined {
  const key = read(requestKey(der) ?? new Uint8Array());
  if (key === undefined) return { text: unknownKind };
  const fault = kindFault(key);
  if (fault === undefined) return undefined;
  const { of: _, ...told } = fault;
  return key.asymmetricKeyType === 'ec' ? { ...told, text: 'elliptic public keys must use curve P256, P384, or P521' } : told;
}

/** A key on a curve that Go's crypto/elliptic has none of is read by nothing that is written in it. */
export function isOnOddCurve({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType === 'ec' && !goCurves.has(asymmetricKeyDetails?.namedCurve ?? '');
}

/** However they are written. */
export function isSameKey(one: Uint8Array, other: Uint8Array): boolean {
  const [first, second] = [read(one), read(other)];
  return first !== undefined && second !== undefined && first.equals(second);
}

function read(der: Uint8Array): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
    // What trails would be passed over.
    return key.export({ format: 'der', type: 'spki' }).length === der.length ? key : undefined;
  } catch {
    return undefined; // what cannot be read is the answer
  }
}

function kindFault({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): KeyFault | undefined {
  if (type === 'ed25519') return undefined;
  if (type === 'ec') {
    const curve = goCurves.get(details?.namedCurve ?? '');
    if (curve === undefined) return { of: 'key', text: unreadable };
    return curve === 'P-224' ? { of: 'key', shown: `curve ${curve}`, text: 'elliptic public keys must use curve P256 or P384' } : undefined;
  }
  if (type !== 'rsa') return { of: 'key', text: unknownKind };
  const bits = Math.ceil((details?.modulusLength ?? 0) / 8) * 8;
  return moduli.includes(bits) ? undefined : { of: 'key', shown: `${bits}-bit modulus`, text: 'RSA keys must have modulus size 3072 or 4096' };
}

function isProven(key: KeyObject, proof: Uint8Array, signed: Uint8Array): boolean {
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', signed, key.asymmetricKeyType === 'rsa' ? pss : key, proof);
}
