/**
 * ECDSA signatures on P-256, P-384 and P-521 that draw nothing (RFC 6979): the same key and text give the same signature, so that what is signed may be
 * part of history. Points are multiplied by Node.js; the rest is arithmetic.
 */
import { createECDH, createHash, createHmac, type KeyObject } from 'node:crypto';

interface Curve {
  readonly name: string;
  readonly digest: string;
  readonly order: bigint;
  /** Bytes of a number below the order. */
  readonly size: number;
  /** Bits of those bytes that the order does not reach. */
  readonly spareBits: bigint;
}

const curves: ReadonlyMap<string, Curve> = new Map(
  [
    {
      name: 'prime256v1',
      digest: 'sha256',
      order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
      size: 32,
      spareBits: 0n,
    },
    {
      name: 'secp384r1',
      digest: 'sha384',
      order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
      size: 48,
      spareBits: 0n,
    },
    {
      name: 'secp521r1',
      digest: 'sha512',
      order: 0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
      size: 66,
      spareBits: 7n,
    },
  ].map((curve) => [curve.name, curve]),
);

/** DER of the signature over the digest of the curve's strength. `key` is a private key on one of the two shorter curves: their signatures fit the short form of lengths. */
export function signDeterministically(bytes: Uint8Array, key: KeyObject): Buffer {
  return sequence(...signatureOf(bytes, key, curveOf(key)).map(integer));
}

/** The same as JSON Web Signatures have it (RFC 7518, 3.4): both numbers, as long as the order of the curve. */
export function signForJose(bytes: Uint8Array, key: KeyObject): Buffer {
  const curve = curveOf(key);
  return Buffer.concat(signatureOf(bytes, key, curve).map((value) => toBytes(value, curve)));
}

function curveOf({ asymmetricKeyDetails }: KeyObject): Curve {
  const curve = curves.get(asymmetricKeyDetails?.namedCurve ?? '');
  if (curve === undefined) throw new Error(`no signatures on ${asymmetricKeyDetails?.namedCurve ?? 'no curve'}`);
  return curve;
}

function signatureOf(bytes: Uint8Array, key: KeyObject, curve: Curve): readonly [r: bigint, s: bigint] {
  const { order } = curve;
  const secret = toNumber(Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url'));
  const digest = createHash(curve.digest).update(bytes).digest();
  const message = toNumber(digest) % order;
  for (const nonce of nonces(secret, message, curve)) {
    const r = abscissa(nonce, curve) % order;
    const s = (inverse(nonce, order) * ((message + r * secret) % order)) % order;
    if (r !== 0n && s !== 0n) return [r, s];
  }
  throw new Error('no nonce fits');
}

/** The candidates of RFC 6979, section 3.2, one after the other. */
function* nonces(secret: bigint, message: bigint, curve: Curve): Generator<bigint> {
  const { digest, order, size, spareBits } = curve;
  const seed = Buffer.concat([toBytes(secret, curve), toBytes(message, curve)]);
  const mac = (key: Buffer, ...parts: readonly Uint8Array[]): Buffer => createHmac(digest, key).update(Buffer.concat(parts)).digest();
  const digestBytes = createHash(digest).digest().length;
  let value: Buffer = Buffer.alloc(digestBytes, 1);
  let key: Buffer = Buffer.alloc(digestBytes, 0);
  for (const mark of [0, 1]) {
    key = mac(key, value, Buffer.of(mark), seed);
    value = mac(key, value);
  }
  for (;;) {
    let drawn: Buffer = Buffer.alloc(0);
    while (drawn.length < size) {
      value = mac(key, value);
      drawn = Buffer.concat([drawn, value]);
    }
    const candidate = toNumber(drawn.subarray(0, size)) >> spareBits;
    if (candidate > 0n && candidate < order) yield candidate;
    key = mac(key, value, Buffer.of(0));
    value = mac(key, value);
  }
}

/** The first coordinate of the base point, taken so many times. */
function abscissa(times: bigint, curve: Curve): bigint {
  const points = createECDH(curve.name);
  points.setPrivateKey(toBytes(times, curve));
  return toNumber(points.getPublicKey().subarray(1, 1 + curve.size));
}

/** Modulo the order, by the extended Euclidean algorithm. */
function inverse(value: bigint, order: bigint): bigint {
  let [low, high] = [value % order, order];
  let [x, y] = [1n, 0n];
  while (low > 1n) {
    const ratio = high / low;
    [low, high] = [high % low, low];
    [x, y] = [y - ratio * x, x];
  }
  return ((x % order) + order) % order;
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function toBytes(value: bigint, { size }: Curve): Buffer {
  return Buffer.from(value.toString(16).padStart(size * 2, '0'), 'hex');
}

/** A positive INTEGER of DER: as short as it can be, with a zero before a first byte above 127. */
function integer(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const body = (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(2, body.length), body]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}
