/** The fields of Go's `resource.Quantity` after its text was parsed, as Go prints them. Mirrors ParseQuantity of pkg/api/resource/quantity.go. */
import { parseQuantity, type QuantityFormat } from './quantity.ts';

export interface GoQuantity {
  /** The short form, where the amount fits; else the long one holds it. */
  readonly short: readonly [value: bigint, scale: number] | undefined;
  readonly long: readonly [unscaled: bigint, scale: number] | undefined;
  /** The text is kept where it looks canonical, whether it is or not. */
  readonly text: string;
  readonly format: QuantityFormat;
}

const anatomy = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const decimalExponents = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const nano = -9;
/** Decimal digits that an int64 holds in any case. */
const shortDigits = 18;
const maxInt64 = (1n << 63n) - 1n;
const wordMask = (1n << 64n) - 1n;

/** The members in braces, for a canonical text. */
export function goQuantityBody(text: string): string {
  const amount = goQuantityOf(text);
  const [value, scale] = amount.short ?? [0n, 0];
  const long = amount.long === undefined ? '<nil>' : `{unscaled:(big.Int)${bigIntBody(amount.long[0])} scale:(inf.Scale)${amount.long[1]}}`;
  return (
    `{i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}} ` +
    `d:(resource.infDecAmount){Dec:(*inf.Dec)${long}} s:(string)${amount.text} Format:(resource.Format)${amount.format}}`
  );
}

/** What Go has in memory after it has parsed the text, which is that of a quantity. */
export function goQuantityOf(text: string): GoQuantity {
  if (text === '0') return { short: [0n, 0], long: undefined, text, format: 'DecimalSI' };
  const [, sign = '', whole = '', fraction = '', suffix = ''] = anatomy.exec(text) ?? [];
  // Zeros around the digits are no digits to upstream's parser either.
  const digits = (whole.replace(/^0+/, '') || '0') + fraction;
  const power = binarySuffixes.indexOf(suffix);
  const binary = (): GoQuantity | undefined => (fraction === '' ? shortBinary(text, sign, digits, (power + 1) * 10) : undefined);
  return (power >= 0 ? binary() : shortDecimal(text, sign, digits, fraction.length, suffix)) ?? longAmount(text);
}

function shortDecimal(text: string, sign: string, digits: string, places: number, suffix: string): GoQuantity | undefined {
  const index = decimalExponents.indexOf(suffix);
  const scale = (index >= 0 ? index * 3 + nano : Number(suffix.slice(1))) - places;
  if (digits.length > shortDigits || scale < nano) return undefined;
  const isCanonical = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return {
    short: [sign === '-' ? -BigInt(digits) : BigInt(digits), scale],
    long: undefined,
    text: isCanonical ? text : '',
    format: index >= 0 ? 'DecimalSI' : 'DecimalExponent',
  };
}

function shortBinary(text: string, sign: string, digits: string, exponent: number): GoQuantity | undefined {
  if (15 - digits.length - Math.floor((exponent * 3) / 10) - 1 < 0) return undefined;
  const value = BigInt(digits);
  const amount = value << BigInt(exponent);
  if (amount > maxInt64) return undefined;
  // Upstream keeps the text only where the number itself is no multiple of eight.
  return { short: [sign === '-' ? -amount : amount, 0], long: undefined, text: (value & 7n) === 0n ? '' : text, format: 'BinarySI' };
}

/** In units of a billionth, whatever the text. */
function longAmount(text: string): GoQuantity {
  const { mantissa, scale, format } = parseQuantity(text);
  const isCapped = format === 'BinarySI' && BigInt(mantissa) === maxInt64 && scale === 0;
  const long = isCapped ? ([maxInt64, 0] as const) : ([BigInt(mantissa) * 10n ** BigInt(scale - nano), -nano] as const);
  return { short: undefined, long, text: '', format };
}

function bigIntBody(value: bigint): string {
  const words: bigint[] = [];
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 64n) words.push(rest & wordMask);
  return `{neg:(bool)${value < 0n} abs:(big.nat)${words.length === 0 ? '<nil>' : `[${words.join(' ')}]`}}`;
}
