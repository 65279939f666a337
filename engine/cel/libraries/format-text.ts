/** `"%d of %s".format([…])` (cel-go ext/formatting.go, in the locale en_US). */
import { compareTexts } from '../order.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { goFloat } from '../../base/go-float.ts';
import { CelError, type CelMap, type CelValue, isList, isMap, isObject, typeOf, Unsigned } from '../values.ts';
import { CelDuration, CelTimestamp } from './times.ts';

const defaultPrecision = 6;
const precisionMax = 100;

/** Why clauses refuse a value. */
export const refusals: ReadonlyMap<string, string> = new Map([
  ['d', 'decimal clause can only be used on integers'],
  ['f', 'fixed-point clause can only be used on doubles'],
  ['e', 'scientific clause can only be used on doubles'],
  ['b', 'only integers and bools can be formatted as binary'],
  ['o', 'octal clause can only be used on integers'],
  ['x', 'only integers, byte buffers, and strings can be formatted as hex'],
  ['X', 'only integers, byte buffers, and strings can be formatted as hex'],
]);

/** The letters of the clauses of a text that is given so many arguments. Throws CelError. */
export function* clauses(text: string, given: number): Generator<string> {
  let next = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '%') continue;
    if (text[at + 1] === '%') {
      at++;
      continue;
    }
    if (next++ >= given) throw new CelError(`index ${next - 1} out of range`);
    if (at + 1 >= text.length) throw new CelError('unexpected end of string');
    const { length } = clauseAt(text.slice(at + 1));
    yield text[at + length] as string;
    at += length;
  }
}

/** Throws CelError. */
export function formatText(text: string, args: readonly CelValue[]): string {
  let built = '';
  let next = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '%') {
      built += text[at++];
      continue;
    }
    if (text[at + 1] === '%') {
      built += '%';
      at += 2;
      continue;
    }
    if (next >= args.length) throw new CelError(`index ${next} out of range`);
    if (at + 1 >= text.length) throw new CelError('unexpected end of string');
    const { length, write } = clauseAt(text.slice(at + 1));
    built += formatted(write, args[next++] as CelValue);
    at += 1 + length;
  }
  return built;
}

type Write = (value: CelValue) => string;

function formatted(write: Write, value: CelValue): string {
  try {
    return write(value);
  } catch (error) {
    throw error instanceof CelError ? new CelError(`error during formatting: ${error.message}`) : error;
  }
}

function clauseAt(text: string): { readonly length: number; readonly write: Write } {
  const precision = /^\.([0-9]*)/.exec(text);
  const fail = (why: string): never => {
    throw new CelError(`could not parse formatting clause: ${why}`);
  };
  if (precision !== null && precision[0].length === text.length) fail('error while parsing precision: could not find end of precision specifier');
  if (precision !== null && precision[1] === '')
    fail('error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax');
  const digits = precision === null ? defaultPrecision : Math.min(Number(precision[1]), precisionMax);
  const at = precision?.[0].length ?? 0;
  const letter = text[at] as string;
  const write = writers(digits).get(letter) ?? fail(`unrecognized formatting clause "${letter}"`);
  return { length: at + 1, write };
}

function writers(digits: number): ReadonlyMap<string, Write> {
  return new Map<string, Write>([
    ['s', plainText],
    ['d', (value) => decimal(value)],
    ['f', (value) => grouped(doubleOf(value, refusals.get('f') ?? ''), digits)],
    ['e', (value) => scientific(doubleOf(value, refusals.get('e') ?? ''), digits)],
    ['b', (value) => (typeof value === 'boolean' ? String(Number(value)) : inBase(value, 2, refusals.get('b') ?? ''))],
    ['o', (value) => inBase(value, 8, refusals.get('o') ?? '')],
    ['x', hex],
    ['X', (value) => hex(value).toUpperCase()],
  ]);
}

function wrong(why: string, value: CelValue): never {
  throw new CelError(`${why}, was given ${typeOf(value)}`);
}

/** `%s`. */
function plainText(value: CelValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Unsigned) return String(value.value);
  if (typeof value === 'number') return goFloat(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (isList(value)) return listText(value);
  if (isMap(value)) return mapText(value);
  if (value instanceof CelTimestamp || value instanceof CelDuration) return value.toString();
  if (isObject(value) && value.celType === 'type') return String((value as { readonly name?: string }).name);
  return wrong('string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps', value);
}

function listText(list: readonly CelValue[]): string {
  return `[${list.map(within).join(', ')}]`;
}

function mapText(map: CelMap): string {
  const entries = map.keys().map((key) => {
    if (typeof key === 'number') throw new CelError('no formatting function for map key of type double');
    return [within(key), within(map.get(key) as CelValue)] as const;
  });
  return `{${entries
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([key, value]) => `${key}:${value}`)
    .join(', ')}}`;
}

/** As part of a list or map. */
function within(value: CelValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint8Array) return `b${JSON.stringify(new TextDecoder().decode(value))}`;
  if (typeof value === 'number') return Number.isFinite(value) ? fixed(value, defaultPrecision) : JSON.stringify(infiniteText(value));
  if (value instanceof CelTimestamp) return `timestamp(${JSON.stringify(value.toString())})`;
  if (value instanceof CelDuration) return `duration(${JSON.stringify(value.toString())})`;
  if (isObject(value) && value.celType !== 'type') throw new CelError(`no formatting function for ${value.celType}`);
  return plainText(value);
}

function infiniteText(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function decimal(value: CelValue): string {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Unsigned ? String(value.value) : wrong(refusals.get('d') ?? '', value);
}

function doubleOf(value: CelValue, why: string): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN') return Number.NaN;
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  return value === '-Infinity' ? Number.NEGATIVE_INFINITY : wrong(why, value);
}

function special(value: number): string | undefined {
  return Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? undefined : value > 0 ? '∞' : '-∞';
}

/** Halves are rounded to what is even, as Go does. */
function fixed(value: number, digits: number): string {
  const rounded = value.toFixed(digits);
  const exact = value.toFixed(100);
  const end = exact.indexOf('.') + 1 + digits;
  if (!/^50*$/.test(exact.slice(end)) || /[02468]$/.test(rounded)) return rounded;
  return exact.slice(0, digits === 0 ? end - 1 : end);
}

function grouped(value: number, digits: number): string {
  const odd = special(value);
  if (odd !== undefined) return odd;
  const [before = '', after] = fixed(value, digits).split('.');
  const thousands = before.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return after === undefined ? thousands : `${thousands}.${after}`;
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Upstream takes the precision for a width, and writes six digits. */
function scientific(value: number, width: number): string {
  const odd = special(value);
  if (odd !== undefined) return odd.padStart(width);
  const [mantissa = '', exponent = '+0'] = value.toExponential(defaultPrecision).split('e');
  const power = exponent.replace(/^[+-]/, '').padStart(2, '0');
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${[...power].map((digit) => raised[Number(digit)]).join('')}`.padStart(width);
}

function inBase(value: CelValue, base: number, why: string): string {
  if (typeof value === 'bigint') return value.toString(base);
  return value instanceof Unsigned ? value.value.toString(base) : wrong(why, value);
}

function hex(value: CelValue): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (bytes instanceof Uint8Array) return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return inBase(value, 16, refusals.get('x') ?? '');
}
