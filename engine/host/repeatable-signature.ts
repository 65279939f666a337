/**
 * ECDSA over P-256 whose random number follows from key and text, as RFC 6979 says: the same text signed again gives the same signature, so
 * what containers do with a signed text is the same in a replay. Node.js signs with drawn numbers only; of the curve it does all but the
 * last line of the arithmetic.
 */
import { createECDH, createHash, createHmac, type KeyObject } from 'node:crypto';
import { assert } from '../base/assert.ts';

/** Order of the group. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const length = 32;

/** r and s, 32 bytes each, one after the other, as JSON Web Signatures have them (RFC 7518, 3.4). */
export function signRepeatably(text: string, key: KeyObject): Buffer {
  const secret = Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url');
  assert(key.asymmetricKeyDetails?.namedCurve === 'prime256v1' && secret.length === length, 'a private key of P-256');
  const digest = numberOf(createHash('sha256').update(text).digest()) % order;
  const numbers = new Numbers(secret, bytesOf(digest));
  for (;;) {
    const number = numbers.next();
    const r = abscissa(number) % order;
    const s = (inverse(numberOf(number)) * (digest + r * numberOf(secret))) % order;
    if (r !== 0n && s !== 0n) return Buffer.concat([bytesOf(r), bytesOf(s)]);
  }
}

/** The generator of RFC 6979, section 3.2: numbers of the group, drawn from nothing but key and digest. */
class Numbers {
  #key = Buffer.alloc(length, 0);
  #value = Buffer.alloc(length, 1);

  constructor(secret: Buffer, digest: Buffer) {
    for (const mark of [0, 1]) this.#stir(Buffer.concat([Buffer.from([mark]), secret, digest]));
  }

  next(): Buffer {
    for (;;) {
      this.#value = this.#hmac(this.#value);
      const number = this.#value;
      this.#stir(Buffer.from([0]));
      if (numberOf(number) > 0n && numberOf(number) < order) return number;
    }
  }

  #stir(more: Buffer): void {
    this.#key = this.#hmac(Buffer.concat([this.#value, more]));
    this.#value = this.#hmac(this.#value);
  }

  #hmac(bytes: Buffer): Buffer<ArrayBuffer> {
    return Buffer.from(createHmac('sha256', this.#key).update(bytes).digest());
  }
}

/** Of the curve's base point, taken so many times. */
function abscissa(times: Buffer): bigint {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(times);
  return numberOf(curve.getPublicKey().subarray(1, 1 + length));
}

/** In the group, by Euclid. */
function inverse(value: bigint): bigint {
  let [rest, next] = [order, value];
  let [factor, nextFactor] = [0n, 1n];
  while (next !== 0n) {
    const times = rest / next;
    [rest, next] = [next, rest - times * next];
    [factor, nextFactor] = [nextFactor, factor - times * nextFactor];
  }
  return factor < 0n ? factor + order : factor;
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function bytesOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex');
}
