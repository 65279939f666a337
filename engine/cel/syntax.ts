/** Trees of the Common Expression Language (cel.dev/specification). Macros are nodes of their own. */
import { byteLength } from '../apimachinery/validation.ts';
import type { Spend } from './functions.ts';
import type { CelValue } from './values.ts';

/** `at`: where the node stands in the source, as upstream points at it: names and literals at their start, the rest at its operator. */
export type Expression = { readonly at: number } & (
  | { readonly kind: 'literal'; readonly value: CelValue }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'select'; readonly operand: Expression; readonly field: string; readonly isTest: boolean; readonly isOptional?: boolean }
  /** `spend`: what it costs when it runs; a plan has it. */
  | { readonly kind: 'call'; readonly name: string; readonly target?: Expression; readonly args: readonly Expression[]; readonly spend?: Spend }
  /** `optional`: the places of elements with a question mark, which are left out where they are absent. */
  | { readonly kind: 'list'; readonly elements: readonly Expression[]; readonly optional?: ReadonlySet<number> }
  | {
      readonly kind: 'map';
      readonly entries: readonly (readonly [key: Expression, value: Expression])[];
      readonly optional?: ReadonlySet<number>;
    }
  /** An object of a named type. */
  | { readonly kind: 'struct'; readonly name: string; readonly fields: readonly StructField[]; readonly optional: ReadonlySet<number> }
  | {
      readonly kind: 'loop';
      readonly macro: LoopMacro;
      readonly range: Expression;
      readonly variable: string;
      /** Of loops with two: then the first is the index or key. */
      readonly second?: string;
      readonly filter?: Expression;
      readonly body: Expression;
    }
  /** `optMap` and `optFlatMap`: what the value is turned into, where there is one. */
  | { readonly kind: 'present'; readonly target: Expression; readonly variable: string; readonly body: Expression; readonly isFlat: boolean }
  | { readonly kind: 'bind'; readonly variable: string; readonly value: Expression; readonly body: Expression }
);

/** `at`: where the colon stands. */
export type StructField = readonly [name: string, value: Expression, at: number];

export type LoopMacro = 'all' | 'exists' | 'exists_one' | 'map' | 'filter' | 'transformMap' | 'transformMapEntry';

/** What is wrong with a text, in upstream's words; `at` is an offset, undefined where it is wrong as a whole. */
export interface SyntaxFault {
  readonly message: string;
  readonly at: number | undefined;
}

/** One behind which nothing can be read. */
export class CelSyntaxError extends Error implements SyntaxFault {
  readonly at: number | undefined;

  constructor(message: string, at: number | undefined) {
    super(message);
    this.name = 'CelSyntaxError';
    this.at = at;
  }
}

/** Of more than one byte. */
function isWide(character: string): boolean {
  return character > '\x7f';
}

/** A line that is longer is not shown. */
const snippetBytesMax = 16_384;

/** As cel-go shows it (common/error.go): place, what is wrong, the line, and a pointer. */
export function displayFault(source: string, at: number | undefined, message: string): string {
  if (at === undefined) return `ERROR: <input>:-1:0: ${message}`;
  // Of nothing there is no line to show.
  if (source === '') return `ERROR: <input>:1:0: ${message}`;
  const before = source.slice(0, at);
  const begin = before.lastIndexOf('\n') + 1;
  const stop = source.indexOf('\n', at);
  const text = source.slice(begin, stop === -1 ? source.length : stop);
  const passed = source.slice(begin, at);
  const pairs = passed.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0;
  const place = `ERROR: <input>:${before.split('\n').length}:${passed.length - pairs + 1}: ${message}`;
  if (text.length > snippetBytesMax || byteLength(text) > snippetBytesMax) return place;
  const pointer = [...passed].map((character) => (isWide(character) ? '．' : '.')).join('');
  return `${place}\n | ${text.replaceAll('\t', ' ')}\n | ${pointer}${isWide(source.slice(at, at + 1)) ? '＾' : '^'}`;
}
