/** Regular expressions in CEL (cel-go common/stdlib, apiserver pkg/cel/library/regex.go), in linear time. */
import { type CompiledPattern, compilePattern } from '../patterns/program.ts';
import { PatternError } from '../patterns/syntax.ts';
import { global, member, type Overload, traversalCost } from '../functions.ts';
import { bool, int, listOf, string } from '../types.ts';
import { CelError, type CelValue, sizeOf } from '../values.ts';

/** What each character of a pattern costs, for each of the text. */
const patternCost = 0.25;

/** The cost of trying a pattern of the second size on a text of the first; an empty text is looked at too. */
export function triedCost([text = 0, pattern = 0]: readonly number[]): number {
  return Math.ceil((text + 1) * traversalCost) * Math.ceil(pattern * patternCost);
}

function compiled(source: string, prefix: string): CompiledPattern {
  try {
    return compilePattern(source);
  } catch (error) {
    throw error instanceof PatternError ? new CelError(prefix + error.message) : error;
  }
}

const matches = (text: string, source: string): boolean => compiled(source, '').test(text);

function find(text: string, source: string): string {
  const found = compiled(source, 'Illegal regex: ').find(text);
  return found === undefined ? '' : text.slice(found.start, found.end);
}

function findAll(text: string, source: string, most: bigint): readonly string[] {
  const limit = most > 0x7fff_ffffn ? -1 : Number(most);
  return compiled(source, 'Illegal regex: ')
    .findAll(text, limit)
    .map(({ start, end }) => text.slice(start, end));
}

const tried = {
  cost: triedCost,
  spendByName: (values: readonly CelValue[]) => triedCost(values.map(sizeOf)),
  size: ([text = 0]: readonly number[]) => text,
};

export const matchFunctions: readonly Overload[] = [
  // Upstream prices the method alone.
  global('matches', [string, string], bool, matches, { cost: triedCost, spend: () => 1 }),
  member('matches', [string, string], bool, matches, { cost: triedCost }),
];

export const patternFunctions: readonly Overload[] = [
  member('find', [string, string], string, find, tried),
  member('findAll', [string, string], listOf(string), (text: string, source: string) => findAll(text, source, -1n), tried),
  member('findAll', [string, string, int], listOf(string), findAll, tried),
];
