/**
 * ECDSA signatures on P-256 that draw nothing (RFC 6979): the same key and text give the same signature, so that what is signed may be
 * part of history. Points are multiplied by Node.js; the rest is arithmetic.
 */
import { createECDH, createHash, createHmac, type KeyObject } from 'node:crypto';

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const size = 32;

/** DER of the signature over SHA-256 of the bytes. `key` is a private key on P-256. */
export function signDeterministically(bytes: Uint8Array, key: KeyObject): Buffer {
  return sequence(...signatureOf(bytes, key).map(integer));
}

/** The same as JSON Web Signatures have it (RFC 7518, 3.4): both numbers, 32 bytes each. */
export function signForJose(bytes: Uint8Array, key: KeyObject): Buffer {
  return Buffer.concat(signatureOf(bytes, key).map(toBytes));
}

function signatureOf(bytes: Uint8Array, key: KeyObject): readonly [r: bigint, s: bigint] {
  const secret = toNumber(Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url'));
  const digest = createHash('sha256').update(bytes).digest();
  const message = toNumber(digest) % order;
  for (const nonce of nonces(secret, message)) {
    const r = abscissa(nonce) % order;
    const s = (inverse(nonce) * ((message + r * secret) % order)) % order;
    if (r !== 0n && s !== 0n) return [r, s];
  }
  throw new Error('no nonce fits');
}

/** The candidates of RFC 6979, section 3.2, one after the other. */
function* nonces(secret: bigint, message: bigint): Generator<bigint> {
  const seed = Buffer.concat([toBytes(secret), toBytes(message)]);
  const mac = (key: Buffer, ...parts: readonly Uint8Array[]): Buffer => createHmac('sha256', key).update(Buffer.concat(parts)).digest();
  let value: Buffer = Buffer.alloc(size, 1);
  let key: Buffer = Buffer.alloc(size, 0);
  for (const mark of [0, 1]) {
    key = mac(key, value, Buffer.of(mark), seed);
    value = mac(key, value);
  }
  for (;;) {
    value = mac(key, value);
    const candidate = toNumber(value);
    if (candidate > 0n && candidate < order) yield candidate;
    key = mac(key, value, Buffer.of(0));
    value = mac(key, value);
  }
}

/** The first coordinate of the base point, taken so many times. */
function abscissa(times: bigint): bigint {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(toBytes(times));
  return toNumber(curve.getPublicKey().subarray(1, 1 + size));
}

/** Modulo the order, by the extended Euclidean algorithm. */
function inverse(value: bigint): bigint {
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

function toBytes(value: bigint): Buffer {
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
