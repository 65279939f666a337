/**
 * Numbers against the limits of a schema, with Go's types: whole numbers of 64 bits are compared as such, and a limit loses what stands
 * behind its point first. Mirrors numberValidator and values.go of kube-openapi.
 */
import { Double } from '../../apimachinery/field-errors.ts';
import { goFloat } from '../../apimachinery/quote.ts';
import type { JsonValue } from '../../base/json.ts';
import { Findings, type Spot, spotText, wrongAs, wrongValue, wrongWhole } from './findings.ts';
import type { Structural } from './structural.ts';

const int64Max = 0x7fffffffffffffffn;
const int64Min = -0x8000000000000000n;

/** A number as Go's decoder reads it: whole, or a double. */
export type GoNumber = { readonly whole: bigint } | { readonly double: number };

/** What is whole and fits 64 bits is whole, however it was written. */
export function goNumberOf(value: number | bigint): GoNumber {
  if (typeof value === 'bigint') return value >= int64Min && value <= int64Max ? { whole: value } : { double: Number(value) };
  return Number.isSafeInteger(value) ? { whole: BigInt(value) } : { double: value };
}

const jsonIntegerMax = 2 ** 53 - 1;

/** Whether a double is near enough to a whole number (swag.IsFloat64AJSONInteger). */
export function isNearlyWhole(value: number): boolean {
  if (!Number.isFinite(value) || value < -jsonIntegerMax - 1 || value > jsonIntegerMax) return false;
  if (Number.isInteger(value)) return true;
  // Converted as unsigned, a negative number lies far away.
  if (value < 0) return false;
  const whole = Math.trunc(value);
  if (whole === 0) return false;
  return (value - whole) / (value + whole) < 1e-9;
}

export function judgeNumber(value: number | bigint, s: Structural, types: readonly string[], format: string, spot: Spot | undefined): Findings {
  const all = new Findings();
  const number = goNumberOf(value);
  const range = rangeOf(types, format);
  const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum } = s.limits;
  const outside = rangeFault(number, range, 'Checked', spot);
  if (outside !== undefined) all.add(wrongWhole(outside));
  const judge = (
    limit: number | undefined,
    prefix: string,
    check: (isNative: boolean, limit: number) => ReturnType<typeof wrongValue> | undefined,
  ): void => {
    if (limit === undefined) return;
    const beyond = rangeFault(isWholeText(limit), range, prefix, spot);
    if (beyond !== undefined) all.add(wrongWhole(beyond));
    const fault = check(beyond === undefined, limit);
    if (fault !== undefined) all.add(fault);
  };
  judge(multipleOf, 'MultipleOf', (isNative, factor) => judgeMultiple(number, factor, isNative, spot));
  judge(maximum, 'Maximum boundary', (isNative, limit) => judgeLimit(number, limit, exclusiveMaximum, 'maximum', isNative, spot));
  judge(minimum, 'Minimum boundary', (isNative, limit) => judgeLimit(number, limit, exclusiveMinimum, 'minimum', isNative, spot));
  all.matchCount++;
  return all;
}

interface NumberRange {
  readonly type: string;
  readonly format: string;
}

/** Only a single type has a range. */
function rangeOf(types: readonly string[], format: string): NumberRange {
  const type = types.length === 1 ? types[0] : '';
  if (type === 'integer') return { type, format: format === 'int32' || format === 'int64' ? format : '' };
  if (type === 'number') return { type, format: format === 'float' || format === 'double' ? format : '' };
  return { type: '', format: '' };
}

/** Limits are doubles, but those that are whole are written as whole numbers are. */
function isWholeText(limit: number): GoNumber {
  return Number.isInteger(limit) ? { whole: BigInt(limit) } : { double: limit };
}

function rangeFault(number: GoNumber, { type, format }: NumberRange, prefix: string, spot: Spot | undefined): string | undefined {
  let fits = true;
  if (type === 'integer') {
    const whole = 'whole' in number ? number.whole : Number.isInteger(number.double) ? BigInt(number.double) : undefined;
    const [low, high] = format === 'int32' ? [-0x80000000n, 0x7fffffffn] : [int64Min, int64Max];
    fits = whole !== undefined && whole >= low && whole <= high;
  } else if (format === 'float') fits = Number.isFinite(Math.fround('whole' in number ? Number(number.whole) : number.double));
  if (fits) return undefined;
  return `${prefix} value must be of type ${type} ${format === '' ? '(default format)' : `with format ${format}`} in ${spotText(spot)}`;
}

/** Go's int64(x) on the usual machines: what does not fit is the smallest. */
function truncated(limit: number): bigint {
  const whole = BigInt(Math.trunc(limit));
  return whole >= int64Min && whole <= int64Max ? whole : int64Min;
}

function judgeLimit(number: GoNumber, limit: number, isExclusive: boolean, which: 'maximum' | 'minimum', isNative: boolean, spot: Spot | undefined) {
  const isWhole = 'whole' in number && isNative;
  const distance = isWhole ? compare(number.whole, truncated(limit)) : compare('whole' in number ? Number(number.whole) : number.double, limit);
  const beyond = which === 'maximum' ? distance : -distance;
  if (beyond < 0 || (beyond === 0 && !isExclusive)) return undefined;
  const word = which === 'maximum' ? 'less' : 'greater';
  const shown = isWhole ? String(truncated(limit)) : goFloat(limit);
  return wrongValue(spot, isWhole ? shownOf(number) : doubleOf(number), `should be ${word} than ${isExclusive ? '' : 'or equal to '}${shown}`);
}

function compare<T extends number | bigint>(a: T, b: T): number {
  return a < b ? -1 : Number(a > b);
}

function judgeMultiple(number: GoNumber, factor: number, isNative: boolean, spot: Spot | undefined) {
  if ('whole' in number && isNative) {
    const whole = truncated(factor);
    if (whole <= 0n) return notPositive(spot, Number(whole));
    return number.whole % whole === 0n ? undefined : wrongValue(spot, shownOf(number), `should be a multiple of ${whole}`);
  }
  if (factor <= 0) return notPositive(spot, new Double(factor));
  const value = 'whole' in number ? Number(number.whole) : number.double;
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return isNearlyWhole(times) ? undefined : wrongValue(spot, doubleOf(number), `should be a multiple of ${goFloat(factor)}`);
}

function notPositive(spot: Spot | undefined, factor: number | Double) {
  const shown = typeof factor === 'number' ? String(factor) : goFloat(factor.value);
  return wrongAs(spot, factor, (name) => `factor MultipleOf declared for ${name} must be positive: ${shown}`);
}

function doubleOf(number: GoNumber): Double {
  return new Double('whole' in number ? Number(number.whole) : number.double);
}

function shownOf(number: GoNumber): JsonValue {
  if (!('whole' in number)) return number.double;
  const small = Number(number.whole);
  return Number.isSafeInteger(small) ? small : number.whole;
}
