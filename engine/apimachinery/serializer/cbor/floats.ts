/** Floating point of three widths, as CBOR has it. */

const [half, single, double] = [0xf9, 0xfa, 0xfb] as const;
/** Bits of the fractions of halves and singles, and how far apart their exponents begin. */
const [halfFraction, singleFraction] = [10, 23] as const;
const cut = singleFraction - halfFraction;
const [halfBias, singleBias] = [15, 127] as const;
const leastExponent = -14;
const infinite = 0x1f;
/** Halves below 2^-14 are multiples of it. */
const leastHalf = 1 / (1 << 24);

/** The shortest item that is exactly this number. */
export function floatItem(value: number): Uint8Array {
  const bits = halfOf(value);
  if (bits !== undefined) return Uint8Array.of(half, bits >> 8, bits & 0xff);
  const isSingle = Math.fround(value) === value;
  const bytes = new Uint8Array(isSingle ? 5 : 9);
  const view = new DataView(bytes.buffer);
  bytes[0] = isSingle ? single : double;
  if (isSingle) view.setFloat32(1, value);
  else view.setFloat64(1, value);
  return bytes;
}

/** The number that these sixteen bits are. */
export function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> halfFraction) & infinite;
  const fraction = bits & 0x3ff;
  if (exponent === infinite) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * leastHalf;
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, ((exponent - halfBias + singleBias) << singleFraction) | (fraction << cut));
  return sign * view.getFloat32(0);
}

/** Undefined for what sixteen bits do not hold exactly. */
function halfOf(value: number): number | undefined {
  if (Math.fround(value) !== value) return undefined;
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  const bits = view.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  if (value === 0) return sign;
  const exponent = ((bits >>> singleFraction) & 0xff) - singleBias;
  if (exponent > halfBias || exponent < leastExponent - halfFraction) return undefined;
  const fraction = bits & 0x7fffff;
  if (exponent >= leastExponent) {
    const kept = fraction >> cut;
    return kept << cut === fraction ? sign | ((exponent + halfBias) << halfFraction) | kept : undefined;
  }
  const whole = fraction | (1 << singleFraction);
  const shift = cut + leastExponent - exponent;
  return (whole >> shift) << shift === whole ? sign | (whole >> shift) : undefined;
}
