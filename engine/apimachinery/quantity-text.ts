/** Quantities as the server keeps their texts, and as it finds out that one is whole. Mirrors apimachinery pkg/api/resource/quantity.go. */
import { goQuantityOf } from './go-quantity.ts';
import { formatQuantity, parseQuantity, quantityCharsMax } from './quantity.ts';

/** Texts that are canonical at a glance: up to fifteen digits without a zero in front or three behind. */
const plainDecimal = /^[1-9](?:[0-9]{0,14})[numkMGTPE]?$/;
const threeZeros = /000[numkMGTPE]?$/;
const plainBinary = /^([1-9][0-9]{0,3})[KMGTP]i$/;

/**
 * Canonical, or what upstream reuses of what was written: `1.234`, `+5`, `05` and `1e0` stay what they are. Throws QuantityError. White space
 * around is forgiven, as upstream's JSON decoder does.
 */
export function canonicalQuantity(text: string): string {
  if (text === '0') return text;
  if (plainDecimal.test(text) && !threeZeros.test(text)) return text;
  const binary = plainBinary.exec(text);
  if (binary !== null && Number(binary[1]) % 1024 !== 0) return text;
  const given = text.length > quantityCharsMax ? text : text.trim();
  const quantity = parseQuantity(given);
  return goQuantityOf(given).text || formatQuantity(quantity);
}

/** Multiples for which upstream's thousandths wrap around when they are too many; of others there are none then. */
const wrapping: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);
const milli = -3;

/** Whether an amount has no fraction, as upstream finds out in thousandths of 64 bits. Throws QuantityError. */
export function isWholeQuantity(text: string): boolean {
  parseQuantity(text);
  const { short, long = [0n, 0] } = goQuantityOf(text);
  if (short === undefined) {
    const exact = long[1] <= 0 ? long[0] * 1000n : long[0] / 10n ** BigInt(long[1] + milli);
    return BigInt.asIntN(64, exact) % 1000n === 0n && (long[1] <= 0 || long[0] % 10n ** BigInt(long[1] + milli) === 0n);
  }
  const [value, scale] = short;
  const shift = scale - milli;
  if (shift < 0) return value % 10n ** BigInt(-scale) === 0n;
  const product = value * 10n ** BigInt(shift);
  const wrapped = BigInt.asIntN(64, product);
  return (wrapped !== product && !wrapping.has(shift)) || wrapped % 1000n === 0n;
}
