/** Texts beyond the standard (cel-go ext/strings.go, version 2). */
import { global, member, type Overload, traversalCost, traversed } from '../functions.ts';
import { dyn, int, listOf, string } from '../types.ts';
import { CelError, type CelValue, sizeOf } from '../values.ts';
import { formatText } from './format-text.ts';
import { spendContent } from './lists.ts';

const whole = ([size = 0]: readonly number[]): number => size;
const traversal = { cost: (sizes: readonly number[]) => Math.ceil(whole(sizes) * traversalCost), size: whole, spendByName: traversed() };
const searched = { ...traversal, spendByName: spendContent };
const rewritten = { ...traversal, spendByName: traversed(2) };
const joining = { spendByName: (_: unknown, result: CelValue | undefined) => Math.ceil(sizeOf(result ?? null) * 2 * traversalCost) };

function indexIn(text: string, piece: string, from: bigint): bigint {
  if (piece === '') return from;
  if (from < 0n) throw new CelError(`index out of range: ${from}`);
  const [letters, wanted] = [[...text], [...piece]];
  for (let i = Number(from); i + wanted.length <= letters.length; i++) if (wanted.every((letter, k) => letters[i + k] === letter)) return BigInt(i);
  return -1n;
}

function lastIndexIn(text: string, piece: string, from?: bigint): bigint {
  const [letters, wanted] = [[...text], [...piece]];
  if (piece === '') return from ?? BigInt(letters.length);
  if (from !== undefined && from < 0n) throw new CelError(`index out of range: ${from}`);
  if (from !== undefined && from >= BigInt(letters.length)) return -1n;
  const start = Math.min(Number(from ?? letters.length), letters.length - wanted.length);
  for (let i = start; i >= 0; i--) if (wanted.every((letter, k) => letters[i + k] === letter)) return BigInt(i);
  return -1n;
}

function checkedIndex(index: bigint, length: number): number {
  if (index < 0n || index > BigInt(length)) throw new CelError(`index out of range: ${index}`);
  return Number(index);
}

function part(text: string, start: bigint, end?: bigint): string {
  const letters = [...text];
  if (end !== undefined && start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  const from = checkedIndex(start, letters.length);
  return letters.slice(from, end === undefined ? undefined : checkedIndex(end, letters.length)).join('');
}

/** The first so many; a negative number means all. */
function replaced(text: string, from: string, to: string, most: bigint): string {
  if (most < 0n) return text.replaceAll(from, () => to);
  if (from === '') {
    const letters = [...text];
    return [...letters, ''].map((letter, i) => (BigInt(i) < most ? to + letter : letter)).join('');
  }
  const parts = text.split(from);
  const cut = Math.min(Number(most > 0x7fff_ffffn ? 0x7fff_ffffn : most), parts.length - 1);
  return [...parts.slice(0, cut).map((piece) => piece + to), parts.slice(cut).join(from)].join('');
}

function split(text: string, separator: string, most: bigint): readonly string[] {
  if (most === 0n) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  if (most < 0n || BigInt(parts.length) <= most) return parts;
  const kept = Number(most) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

function quote(text: string): string {
  return `"${[...text.toWellFormed()].map((letter) => escapes.get(letter) ?? letter).join('')}"`;
}

const space = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const ends = new RegExp(`^${space}+`, 'u');
const isSpace = new RegExp(`^${space}$`, 'u');

/** From the end by hand: a pattern would look at each run of spaces again. */
function trimmed(text: string): string {
  const rest = text.replace(ends, '');
  let end = rest.length;
  while (end > 0 && isSpace.test(rest[end - 1] as string)) end--;
  return rest.slice(0, end);
}

const replacing = {
  cost: traversal.cost,
  spendByName: rewritten.spendByName,
  size: ([size = 0, , to = 0]: readonly number[]) => size * Math.max(1, to),
};

export const stringFunctions: readonly Overload[] = [
  member('charAt', [string, int], string, (text: string, index: bigint) => [...text][checkedIndex(index, [...text].length)] ?? ''),
  member('indexOf', [string, string], int, (text: string, piece: string) => indexIn(text, piece, 0n), searched),
  member('indexOf', [string, string, int], int, indexIn, searched),
  member('lastIndexOf', [string, string], int, (text: string, piece: string) => lastIndexIn(text, piece), searched),
  member('lastIndexOf', [string, string, int], int, (text: string, piece: string, from: bigint) => lastIndexIn(text, piece, from), searched),
  member('lowerAscii', [string], string, (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()), traversal),
  member('upperAscii', [string], string, (text: string) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()), traversal),
  member('replace', [string, string, string], string, (text: string, from: string, to: string) => replaced(text, from, to, -1n), replacing),
  member('replace', [string, string, string, int], string, replaced, replacing),
  member('split', [string, string], listOf(string), (text: string, separator: string) => split(text, separator, -1n), rewritten),
  member('split', [string, string, int], listOf(string), split, rewritten),
  member('substring', [string, int], string, (text: string, start: bigint) => part(text, start), traversal),
  member('substring', [string, int, int], string, (text: string, start: bigint, end: bigint) => part(text, start, end), traversal),
  member('trim', [string], string, trimmed, traversal),
  member('join', [listOf(string)], string, (list: readonly string[]) => joined(list, ''), joining),
  member('join', [listOf(string), string], string, joined, joining),
  global('strings.quote', [string], string, quote, { cost: traversal.cost, size: whole, spend: traversed() }),
  member('format', [string, listOf(dyn)], string, formatText, { cost: ([size = 0]) => Math.ceil(size * traversalCost) }),
];

function joined(list: readonly CelValue[], separator: string): string {
  for (const one of list) if (typeof one !== 'string') throw new CelError(`join: invalid input: ${String(one)}`);
  return list.join(separator);
}
