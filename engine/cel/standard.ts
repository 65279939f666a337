/** The functions and operators that every environment has (cel-go common/stdlib); times and patterns have files of their own. */
import { goBool } from '../apimachinery/go-bool.ts';
import { goFloat } from '../base/go-float.ts';
import { global, member, type Overload, type Spend, traversalCost, traversed } from './functions.ts';
import { int64Max } from './lexer.ts';
import { matchFunctions } from './libraries/patterns.ts';
import { indexOf } from './libraries/optionals.ts';
import { timeFunctions } from './libraries/times.ts';
import { compareBytes, compareTexts } from './order.ts';
import { bool, bytes, type CelType, double, dyn, int, listOf, mapOf, parameter, string, typeOfType, uint } from './types.ts';
import {
  CelError,
  CelTypeValue,
  celEqual,
  type CelList,
  type CelMap,
  type CelObject,
  type CelValue,
  compareNumbers,
  isList,
  isMap,
  isObject,
  numeric,
  sizeOf,
  typeOf,
  Unsigned,
} from './values.ts';

const a = parameter('A');
const b = parameter('B');
const int64Min = -int64Max - 1n;
const uint64Max = (1n << 64n) - 1n;

/** `size` counts code points. */
export function lengthOf(value: CelValue): bigint {
  return BigInt(sizeOf(value));
}

export function int64(value: bigint): bigint {
  if (value > int64Max || value < int64Min) throw new CelError('integer overflow');
  return value;
}

export function uint64(value: bigint): Unsigned {
  if (value > uint64Max || value < 0n) throw new CelError('unsigned integer overflow');
  return new Unsigned(value);
}

function arithmetic(symbol: string, whole: (x: bigint, y: bigint) => bigint, broken?: (x: number, y: number) => number): readonly Overload[] {
  const name = `_${symbol}_`;
  return [
    global(name, [int, int], int, (x: bigint, y: bigint) => int64(whole(x, y))),
    global(name, [uint, uint], uint, (x: Unsigned, y: Unsigned) => uint64(whole(x.value, y.value))),
    ...(broken === undefined ? [] : [global(name, [double, double], double, broken)]),
  ];
}

const nonZero = (fault: string, of: (x: bigint, y: bigint) => bigint) => (x: bigint, y: bigint) => {
  if (y === 0n) throw new CelError(fault);
  return of(x, y);
};

/** Comparing looks at the shorter of two. */
const lesser = ([x = 0, y = 0]: readonly number[]): number => Math.ceil(Math.min(x, y) * traversalCost);
const compared: Spend = ([x = null, y = null]) => lesser([sizeOf(x), sizeOf(y)]);
/** Values of Kubernetes are found equal at once. */
const equated: Spend = (values) =>
  isObject(values[0] ?? null) && !(values[0] as CelObject).celType.startsWith('optional') ? 1 : compared(values, undefined);
const sum = ([x = 0, y = 0]: readonly number[]): number => x + y;

/** Adding bytes or lists. */
const concatenated = { cost: (sizes: readonly number[]) => Math.ceil(sum(sizes) * traversalCost), size: sum };

function relation(symbol: string, holds: (order: number) => boolean): readonly Overload[] {
  const name = `_${symbol}_`;
  const numbers: readonly CelType[] = [int, uint, double];
  const numeral = (x: CelValue, y: CelValue): boolean => {
    const order = compareNumbers(numeric(x) as bigint, numeric(y) as bigint);
    if (order === undefined) throw new CelError('NaN values cannot be ordered');
    return holds(order);
  };
  return [
    global(name, [bool, bool], bool, (x: boolean, y: boolean) => holds(Number(x) - Number(y))),
    ...numbers.flatMap((left) => numbers.map((right) => global(name, [left, right], bool, numeral))),
    global(name, [string, string], bool, (x: string, y: string) => holds(compareTexts(x, y)), { cost: lesser }),
    global(name, [bytes, bytes], bool, (x: Uint8Array, y: Uint8Array) => holds(compareBytes(x, y)), { cost: lesser }),
  ];
}

function at(list: readonly CelValue[], index: CelValue): CelValue {
  const i = indexOf(index);
  const found = i < 0 || i >= list.length ? undefined : list[Number(i)];
  if (found === undefined) throw new CelError(`index out of bounds: ${i}`);
  return found;
}

export function keyText(key: CelValue): string {
  return key instanceof Unsigned ? `${key.value}` : String(key);
}

function get(map: CelMap, key: CelValue): CelValue {
  const found = map.get(key);
  if (found === undefined) throw new CelError(`no such key: ${keyText(key)}`);
  return found;
}

const operators: readonly Overload[] = [
  global('_==_', [a, a], bool, (x: CelValue, y: CelValue) => celEqual(x, y), { cost: lesser, spendByName: equated }),
  global('_!=_', [a, a], bool, (x: CelValue, y: CelValue) => !celEqual(x, y), { cost: lesser, spendByName: compared }),
  ...relation('<', (order) => order < 0),
  ...relation('<=', (order) => order <= 0),
  ...relation('>', (order) => order > 0),
  ...relation('>=', (order) => order >= 0),
  ...arithmetic(
    '+',
    (x, y) => x + y,
    (x, y) => x + y,
  ),
  global('_+_', [string, string], string, (x: string, y: string) => x + y, { cost: (sizes) => Math.ceil(sum(sizes) * traversalCost), size: sum }),
  global('_+_', [bytes, bytes], bytes, (x: Uint8Array, y: Uint8Array) => Buffer.concat([x, y]), concatenated),
  global('_+_', [listOf(a), listOf(a)], listOf(a), (x: CelList, y: CelList) => x.traits?.plus(y) ?? [...x, ...y], { size: sum }),
  ...arithmetic(
    '-',
    (x, y) => x - y,
    (x, y) => x - y,
  ),
  ...arithmetic(
    '*',
    (x, y) => x * y,
    (x, y) => x * y,
  ),
  ...arithmetic(
    '/',
    nonZero('division by zero', (x, y) => x / y),
    (x, y) => x / y,
  ),
  ...arithmetic(
    '%',
    nonZero('modulus by zero', (x, y) => x % y),
  ),
  global('-_', [int], int, (x: bigint) => int64(-x)),
  global('-_', [double], double, (x: number) => -x),
  global('!_', [bool], bool, (x: boolean) => !x),
  global('_[_]', [listOf(a), int], a, at),
  global('_[_]', [mapOf(a, b), a], b, get),
  global('@in', [a, listOf(a)], bool, (x: CelValue, list: readonly CelValue[]) => list.some((one) => celEqual(x, one)), {
    cost: ([, size = 0]) => size,
  }),
  global('@in', [a, mapOf(a, b)], bool, (key: CelValue, map: CelMap) => map.has(key)),
];

const sized: readonly CelType[] = [bytes, listOf(a), mapOf(a, b), string];
const sizes: readonly Overload[] = sized.flatMap((type) => [global('size', [type], int, lengthOf), member('size', [type], int, lengthOf)]);

const texts: readonly Overload[] = [
  member('startsWith', [string, string], bool, (x: string, y: string) => x.startsWith(y), {
    cost: ([, y = 0]) => Math.ceil(y * traversalCost),
    spend: traversed(),
  }),
  member('endsWith', [string, string], bool, (x: string, y: string) => x.endsWith(y), {
    cost: ([, y = 0]) => Math.ceil(y * traversalCost),
    spend: traversed(),
  }),
  member('contains', [string, string], bool, (x: string, y: string) => x.includes(y), {
    cost: ([x = 0, y = 0]) => Math.ceil(x * traversalCost) * Math.ceil(y * traversalCost),
  }),
];

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
    throw error;
  }
}

function parsed(text: string, pattern: RegExp, type: string): string {
  if (!pattern.test(text)) throw new CelError(`type conversion error from 'string' to '${type}'`);
  return text;
}

function wholeOf(value: number, type: string): bigint {
  if (!Number.isFinite(value) || (type === 'integer' ? value <= -(2 ** 63) : value < 0)) throw new CelError(`${type} overflow`);
  return BigInt(Math.trunc(value));
}

function truth(text: string): boolean {
  const found = goBool(text);
  if (found === undefined) throw new CelError(`type conversion error from 'string' to 'bool'`);
  return found;
}

/** As Go reads it, without hexadecimal ones. */
function doubleFrom(text: string): number {
  const fail = (): never => {
    throw new CelError(`type conversion error from 'string' to 'double'`);
  };
  if (/^nan$/i.test(text)) return Number.NaN;
  const infinite = /^([-+]?)inf(?:inity)?$/i.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (!/^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/.test(text)) return fail();
  const value = Number(text);
  return Number.isFinite(value) ? value : fail();
}

const conversions: readonly Overload[] = [
  global('int', [int], int, (x: bigint) => x),
  global('int', [uint], int, (x: Unsigned) => int64(x.value)),
  global('int', [double], int, (x: number) => int64(wholeOf(x, 'integer'))),
  global('int', [string], int, (x: string) => int64(BigInt(parsed(x, /^-?[0-9]+$/, 'int')))),
  global('uint', [uint], uint, (x: Unsigned) => x),
  global('uint', [int], uint, (x: bigint) => uint64(x)),
  global('uint', [double], uint, (x: number) => uint64(wholeOf(x, 'unsigned integer'))),
  global('uint', [string], uint, (x: string) => uint64(BigInt(parsed(x, /^[0-9]+$/, 'uint')))),
  global('double', [double], double, (x: number) => x),
  global('double', [int], double, (x: bigint) => Number(x)),
  global('double', [uint], double, (x: Unsigned) => Number(x.value)),
  global('double', [string], double, doubleFrom),
  global('string', [string], string, (x: string) => x),
  global('string', [int], string, (x: bigint) => `${x}`),
  global('string', [uint], string, (x: Unsigned) => `${x.value}`),
  global('string', [double], string, goFloat),
  global('string', [bytes], string, utf8, { spend: traversed() }),
  global('string', [bool], string, (x: boolean) => `${x}`),
  global('bool', [bool], bool, (x: boolean) => x),
  global('bool', [string], bool, truth),
  global('bytes', [bytes], bytes, (x: Uint8Array) => x),
  global('bytes', [string], bytes, (x: string) => new TextEncoder().encode(x), { spend: traversed() }),
  global('dyn', [a], dyn, (x: CelValue) => x),
  global('type', [a], typeOfType(a), (x: CelValue) => new CelTypeValue(typeOf(x))),
];

/** The first of some that take what is not known yet decides what it is: upstream has them by the names of their types. */
const ranks: ReadonlyMap<string, number> = new Map(['bytes', 'double', 'opaque', 'int', 'list', 'string', 'uint'].map((kind, i) => [kind, i]));
const arithmeticNames: ReadonlySet<string> = new Set(['_+_', '_-_', '_*_', '_/_', '_%_', '-_']);
const rankOf = ({ name, args: [first] }: Overload): number => (arithmeticNames.has(name) ? (ranks.get(first?.kind ?? '') ?? 0) : 0);

export const standardFunctions: readonly Overload[] = [
  ...operators,
  ...sizes,
  ...texts,
  ...matchFunctions,
  ...conversions,
  ...timeFunctions,
].toSorted((x, y) => rankOf(x) - rankOf(y));

/** The element of a list or map, or of an optional one's. Throws CelError. */
export function elementAt(value: CelValue, index: CelValue): CelValue {
  const isKey = typeof index === 'string' || typeof index === 'boolean' || numeric(index) !== undefined;
  if (!isKey) throw new CelError(`invalid qualifier type: ${goName(index)}`);
  if (isList(value)) return at(value, index);
  if (isMap(value)) return get(value, index);
  throw new CelError(`no such key: ${keyText(index)}`);
}

/** What a loop runs over. */
export function iterated(range: CelValue): readonly CelValue[] {
  if (isList(range)) return range;
  if (isMap(range)) return range.keys();
  throw new CelError(`got '${goName(range)}', expected iterable type`);
}

/** The type that Go has for it. */
export function goName(value: CelValue): string {
  if (value === null) return 'types.Null';
  const name = typeOf(value);
  const last = name.slice(name.lastIndexOf('.') + 1);
  return `${name.startsWith('kubernetes.') ? 'cel' : 'types'}.${last.slice(0, 1).toUpperCase()}${last.slice(1)}`;
}
