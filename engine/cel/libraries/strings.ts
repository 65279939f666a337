/** Texts and lists beyond the standard (cel-go ext/strings.go, apiserver pkg/cel/library/lists.go), without `format`. */
import { member, type Overload, traversalCost } from '../functions.ts';
import { bool, type CelType, double, int, listOf, parameter, string } from '../types.ts';
import { CelError, celEqual, type CelValue, compareNumbers, numeric } from '../values.ts';

const traversal = { cost: ([size = 0]: readonly number[]) => Math.ceil(size * traversalCost), size: ([size = 0]: readonly number[]) => size };

function indexIn(text: readonly string[], part: readonly string[], from: number): bigint {
  for (let i = from; i + part.length <= text.length; i++) if (part.every((letter, k) => text[i + k] === letter)) return BigInt(i);
  return -1n;
}

function checkedIndex(index: bigint, length: number): number {
  if (index < 0n || index > BigInt(length)) throw new CelError(`index out of range: ${index}`);
  return Number(index);
}

function part(text: string, start: bigint, end?: bigint): string {
  const letters = [...text];
  const to = end === undefined ? letters.length : checkedIndex(end, letters.length);
  const from = checkedIndex(start, letters.length);
  if (from > to) throw new CelError(`invalid substring range. start: ${start}, end: ${to}`);
  return letters.slice(from, to).join('');
}

const ascii = (text: string, from: RegExp, to: (letter: string) => string): string => text.replace(from, to);
const a = parameter('A');
const numbers: readonly CelType[] = [int, double];

function ordered(x: CelValue, y: CelValue): number {
  const [m, n] = [numeric(x), numeric(y)];
  if (m !== undefined && n !== undefined) return compareNumbers(m, n) ?? 0;
  return String(x) < String(y) ? -1 : Number(String(x) > String(y));
}

function extreme(name: string, wanted: -1 | 1): Overload {
  return member(name, [listOf(a)], a, (list: readonly CelValue[]) => {
    const [first] = list;
    if (first === undefined) throw new CelError(`${name} called on empty list`);
    return list.reduce((best, one) => (ordered(one, best) * wanted > 0 ? one : best));
  });
}

export const stringFunctions: readonly Overload[] = [
  member('charAt', [string, int], string, (text: string, index: bigint) => [...text][checkedIndex(index, [...text].length)] ?? ''),
  member('indexOf', [string, string], int, (text: string, piece: string) => indexIn([...text], [...piece], 0), traversal),
  member(
    'indexOf',
    [string, string, int],
    int,
    (text: string, piece: string, from: bigint) => indexIn([...text], [...piece], checkedIndex(from, [...text].length)),
    traversal,
  ),
  member('lowerAscii', [string], string, (text: string) => ascii(text, /[A-Z]/g, (letter) => letter.toLowerCase()), traversal),
  member('upperAscii', [string], string, (text: string) => ascii(text, /[a-z]/g, (letter) => letter.toUpperCase()), traversal),
  member('replace', [string, string, string], string, (text: string, from: string, to: string) => text.replaceAll(from, () => to), {
    ...traversal,
    size: ([size = 0, , to = 0]) => size * Math.max(1, to),
  }),
  member(
    'split',
    [string, string],
    listOf(string),
    (text: string, separator: string) => (separator === '' ? [...text] : text.split(separator)),
    traversal,
  ),
  member('substring', [string, int], string, (text: string, start: bigint) => part(text, start), traversal),
  member('substring', [string, int, int], string, (text: string, start: bigint, end: bigint) => part(text, start, end), traversal),
  member('trim', [string], string, (text: string) => text.trim(), traversal),
  member('join', [listOf(string)], string, (list: readonly string[]) => list.join('')),
  member('join', [listOf(string), string], string, (list: readonly string[], separator: string) => list.join(separator)),
  extreme('min', -1),
  extreme('max', 1),
  ...numbers.map((type) => member('sum', [listOf(type)], type, (list: readonly CelValue[]) => sumOf(list))),
  member('isSorted', [listOf(a)], bool, (list: readonly CelValue[]) => list.every((one, i) => i === 0 || ordered(list[i - 1] as CelValue, one) <= 0)),
  member('indexOf', [listOf(a), a], int, (list: readonly CelValue[], wanted: CelValue) => BigInt(list.findIndex((one) => celEqual(one, wanted)))),
  member('lastIndexOf', [listOf(a), a], int, (list: readonly CelValue[], wanted: CelValue) =>
    BigInt(list.findLastIndex((one) => celEqual(one, wanted))),
  ),
];

function sumOf(list: readonly CelValue[]): CelValue {
  if (typeof list[0] === 'number') return list.reduce<number>((sum, one) => sum + Number(numeric(one) ?? 0), 0);
  return list.reduce<bigint>((sum, one) => sum + BigInt(numeric(one) ?? 0), 0n);
}
