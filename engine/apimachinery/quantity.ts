/**
 * Exact amounts with suffixes, `100m`, `1.5Gi`, `12e6`, and their canonical text. An amount is mantissa × 10^scale; the mantissa is
 * a number while it is safe and a bigint beyond. Mirrors k8s.io/apimachinery pkg/api/resource.
 */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface Quantity {
  readonly mantissa: number | bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
}

/** A text that is no quantity; the message is upstream's. */
export class QuantityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'QuantityError';
  }
}

const formatWrong = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const numberWrong = 'unable to parse numeric part of quantity';
const suffixWrong = "unable to parse quantity's suffix";
const maxInt64 = (1n << 63n) - 1n;
const nano = -9;

const decimalExponents: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binaryExponents: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);
const decimalSuffixes: ReadonlyMap<number, string> = new Map([...decimalExponents].map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/** A quantity of a thousand digits is no amount of anything, and arithmetic with its digits would only burn time. */
export const quantityCharsMax = 1_024;
const anatomy = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;

/** A bigint that fits becomes a number again. */
function compact(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

function make(mantissa: number | bigint, scale: number, format: QuantityFormat): Quantity {
  return { mantissa, scale, format };
}

/** Division that rounds away from zero. */
function divideUp(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

function interpretSuffix(suffix: string): readonly [base: 2 | 10, exponent: number, format: QuantityFormat] {
  const decimal = decimalExponents.get(suffix);
  if (decimal !== undefined) return [10, decimal, 'DecimalSI'];
  const binary = binaryExponents.get(suffix);
  if (binary !== undefined) return [2, binary, 'BinarySI'];
  // An exponent of a thousand is no amount of anything, and its digits would only burn time.
  if (/^[eE][-+]?[0-9]+$/.test(suffix) && Number(suffix.slice(1)) <= 1000) return [10, Number(suffix.slice(1)), 'DecimalExponent'];
  throw new QuantityError(suffixWrong);
}

/** Throws QuantityError. */
export function parseQuantity(text: string): Quantity {
  const parts = text === '' || text.length > quantityCharsMax ? null : anatomy.exec(text);
  if (parts === null) throw new QuantityError(formatWrong);
  const [, sign = '', whole = '', fraction = '', suffix = ''] = parts;
  const [base, exponent, format] = interpretSuffix(suffix);
  const digits = whole + fraction;
  // A unit alone is none of it; those too large for upstream's short form are read as written, and nothing is written.
  if (digits === '' && base === 2 && exponent >= 50) throw new QuantityError(numberWrong);
  if (digits.length <= 15 && fraction === '' && base === 10 && exponent >= nano) {
    const small = Number(digits);
    return make(sign === '-' && small !== 0 ? -small : small, exponent, format);
  }
  return parseLarge(sign === '-', digits, fraction.length, base, exponent, format);
}

function parseLarge(negative: boolean, digits: string, places: number, base: 2 | 10, exponent: number, format: QuantityFormat): Quantity {
  let mantissa = BigInt(digits === '' ? '0' : digits);
  let scale = -places;
  if (base === 10) scale += exponent;
  else mantissa <<= BigInt(exponent);
  if (scale < nano) {
    const cut = nano - scale;
    mantissa = cut > digits.length + 20 ? (mantissa === 0n ? 0n : 1n) : divideUp(mantissa, 10n ** BigInt(cut));
    scale = nano;
  }
  let shown = format;
  if (format === 'BinarySI') {
    const one = 10n ** BigInt(-scale);
    if (mantissa > maxInt64 * one) {
      mantissa = maxInt64;
      scale = 0;
    }
    if (mantissa > 0n && mantissa < one) shown = 'DecimalSI';
  }
  return make(compact(negative ? -mantissa : mantissa), scale, shown);
}

/** The two mantissas at the smaller scale. */
function align(a: Quantity, b: Quantity): readonly [bigint, bigint, number] {
  const scale = Math.min(a.scale, b.scale);
  const left = BigInt(a.mantissa) * 10n ** BigInt(a.scale - scale);
  return [left, BigInt(b.mantissa) * 10n ** BigInt(b.scale - scale), scale];
}

export function compareQuantity(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.scale === b.scale) return a.mantissa < b.mantissa ? -1 : a.mantissa > b.mantissa ? 1 : 0;
  const [left, right] = align(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function isZeroQuantity(quantity: Quantity): boolean {
  return quantity.mantissa === 0;
}

export function quantitySign(quantity: Quantity): -1 | 0 | 1 {
  return quantity.mantissa < 0 ? -1 : quantity.mantissa > 0 ? 1 : 0;
}

/** The format of a zero gives way to the other's. */
export function addQuantity(a: Quantity, b: Quantity): Quantity {
  const format = isZeroQuantity(a) ? b.format : a.format;
  if (isZeroQuantity(b)) return isZeroQuantity(a) ? make(0, a.scale, format) : a;
  if (isZeroQuantity(a)) return b;
  if (a.scale === b.scale && typeof a.mantissa === 'number' && typeof b.mantissa === 'number') {
    const sum = a.mantissa + b.mantissa;
    if (Number.isSafeInteger(sum)) return make(sum, a.scale, format);
  }
  const [left, right, scale] = align(a, b);
  return make(compact(left + right), scale, format);
}

export function negateQuantity(quantity: Quantity): Quantity {
  return isZeroQuantity(quantity) ? quantity : make(-quantity.mantissa, quantity.scale, quantity.format);
}

export function subQuantity(a: Quantity, b: Quantity): Quantity {
  return addQuantity(a, negateQuantity(b));
}

/** The amount in units of 10^scale, rounded away from zero, capped to an int64. */
export function scaledValue(quantity: Quantity, scale: number): number {
  const shift = quantity.scale - scale;
  if (shift === 0 && typeof quantity.mantissa === 'number') return quantity.mantissa;
  if (shift > 0 && shift <= 15 && typeof quantity.mantissa === 'number') {
    const product = quantity.mantissa * 10 ** shift;
    if (Number.isSafeInteger(product)) return product;
  }
  const big = BigInt(quantity.mantissa);
  const exact = shift >= 0 ? big * 10n ** BigInt(shift) : divideUp(big, 10n ** BigInt(-shift));
  if (exact > maxInt64) return Number(maxInt64);
  return exact < -maxInt64 ? -Number(maxInt64) : Number(exact);
}

/** Whole units, rounded up. */
export function quantityValue(quantity: Quantity): number {
  return scaledValue(quantity, 0);
}

/** Thousandths, rounded up. */
export function quantityMilliValue(quantity: Quantity): number {
  return scaledValue(quantity, -3);
}

/** A floating point approximation. */
export function quantityToFloat(quantity: Quantity): number {
  return Number(`${quantity.mantissa}e${quantity.scale}`);
}

export function newQuantity(value: number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return make(value, 0, format);
}

export function newMilliQuantity(value: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
  return make(value, -3, format);
}

function formatDecimal(quantity: Quantity, format: QuantityFormat): string {
  let amount = BigInt(quantity.mantissa);
  let exponent = quantity.scale;
  while (amount % 1000n === 0n) {
    amount /= 1000n;
    exponent += 3;
  }
  while (amount % 10n === 0n) {
    amount /= 10n;
    exponent += 1;
  }
  while (exponent % 3 !== 0) {
    amount *= 10n;
    exponent -= 1;
  }
  if (format === 'DecimalExponent') return exponent === 0 ? amount.toString() : `${amount}e${exponent}`;
  return `${amount}${decimalSuffixes.get(exponent) ?? ''}`;
}

/** Canonical text: the largest suffix that keeps the number whole. */
export function formatQuantity(quantity: Quantity): string {
  if (isZeroQuantity(quantity)) return '0';
  if (quantity.format !== 'BinarySI') return formatDecimal(quantity, quantity.format);
  const big = BigInt(quantity.mantissa);
  const divisor = quantity.scale < 0 ? 10n ** BigInt(-quantity.scale) : 1n;
  const exact = quantity.scale < 0 ? big / divisor : big * 10n ** BigInt(quantity.scale);
  const whole = big % divisor === 0n;
  if (!whole || (exact > -1024n && exact < 1024n)) return formatDecimal(quantity, 'DecimalSI');
  let amount = exact;
  let power = 0;
  while (amount % 1024n === 0n) {
    amount /= 1024n;
    power++;
  }
  return `${amount}${binarySuffixes[power] ?? ''}`;
}

/** A count or a percentage of a total, as rollouts and disruption budgets use it. Throws with upstream's text. */
export function scaledValueFromIntOrPercent(value: number | string | undefined | null, total: number, roundUp: boolean): number {
  if (value === undefined || value === null) throw new QuantityError('nil value for IntOrString');
  if (typeof value === 'number') return value;
  if (!value.endsWith('%')) throw new QuantityError('invalid value for IntOrString: invalid type: string is not a percentage');
  const digits = value.slice(0, -1);
  if (!/^[+-]?[0-9]+$/.test(digits)) {
    throw new QuantityError(`invalid value for IntOrString: invalid value "${value}": strconv.Atoi: parsing "${digits}": invalid syntax`);
  }
  const share = (Number(digits) * total) / 100;
  return roundUp ? Math.ceil(share) : Math.floor(share);
}
