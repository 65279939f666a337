/**
 * Regular expressions as Go's regexp package reads them (RE2 with Perl's classes): the tree of a pattern, or what is wrong with it in Go's
 * words. Mirrors regexp/syntax of Go.
 */
import { type ClassTest, perlClass, posixClass, propertyClass, ranges, type Range } from './classes.ts';

export class PatternError extends Error {
  constructor(code: string, part: string) {
    super(`error parsing regexp: ${code}: \`${part}\``);
    this.name = 'PatternError';
  }
}

export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'word' | 'noWord';

export type Pattern =
  | { readonly kind: 'empty' }
  | { readonly kind: 'one'; readonly test: ClassTest }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'chain' | 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'group'; readonly index: number; readonly body: Pattern }
  | { readonly kind: 'repeat'; readonly body: Pattern; readonly min: number; readonly max: number | undefined; readonly isGreedy: boolean };

export interface ParsedPattern {
  readonly root: Pattern;
  /** Of capturing groups, without the whole. */
  readonly groups: number;
}

interface Flags {
  readonly foldsCase: boolean;
  readonly dotTakesLines: boolean;
  readonly isMultiline: boolean;
  readonly isLazy: boolean;
}

const repeatMax = 1000;
const repetition = /^(?:[*+?]|\{(\d+)(,(\d*))?\})/;
const depthMax = 1000;
const noFlags: Flags = { foldsCase: false, dotTakesLines: false, isMultiline: false, isLazy: false };

/** Throws PatternError. */
export function parsePattern(source: string): ParsedPattern {
  return new Reader(source).read();
}

class Reader {
  readonly #source: string;
  #at = 0;
  #groups = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): ParsedPattern {
    const { pattern } = this.#choice(noFlags, undefined);
    return { root: pattern, groups: this.#groups };
  }

  get #rest(): string {
    return this.#source.slice(this.#at);
  }

  /** Up to the closing parenthesis, which is taken, or to the end where `opened` is undefined. Flags may change on the way. */
  #choice(given: Flags, opened: number | undefined): { readonly pattern: Pattern; readonly flags: Flags } {
    if (++this.#depth > depthMax) throw new PatternError('expression nests too deeply', this.#source);
    let flags = given;
    const choices: Pattern[] = [];
    let chain: Pattern[] = [];
    const close = (): void => {
      choices.push(chain.length === 1 ? (chain[0] as Pattern) : chain.length === 0 ? { kind: 'empty' } : { kind: 'chain', parts: chain });
      chain = [];
    };
    for (;;) {
      const letter = this.#source[this.#at];
      if (letter === undefined || letter === ')') {
        if (letter === ')' && opened === undefined) throw new PatternError('unexpected )', this.#source);
        if (letter === undefined && opened !== undefined) throw new PatternError('missing closing )', this.#source);
        this.#at += letter === undefined ? 0 : 1;
        close();
        this.#depth--;
        return { pattern: choices.length === 1 ? (choices[0] as Pattern) : { kind: 'choice', parts: choices }, flags };
      }
      if (letter === '|') {
        this.#at++;
        close();
        continue;
      }
      const change = this.#flagChange(flags);
      if (change !== undefined) {
        flags = change;
        // An operator behind them repeats what stands before them.
        const last = /^[*+?{]/.test(this.#rest) ? chain.pop() : undefined;
        if (last !== undefined) this.#repeated(last, flags, chain);
        continue;
      }
      if (this.#rest.startsWith('\\Q')) {
        // What follows repeats the last letter.
        const letters = this.#quoted(flags);
        chain.push(...letters.slice(0, -1));
        const last = letters.at(-1);
        if (last !== undefined) this.#repeated(last, flags, chain);
      } else this.#repeated(this.#atom(flags), flags, chain);
    }
  }

  /** `(?i)`: for what follows in this group. */
  #flagChange(flags: Flags): Flags | undefined {
    const found = /^\(\?([imsU]*)(-[imsU]+)?\)/.exec(this.#rest);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return changed(flags, found[1] ?? '', found[2] ?? '');
  }

  #quoted(flags: Flags): readonly Pattern[] {
    const from = this.#at + 2;
    const end = this.#source.indexOf('\\E', from);
    const text = this.#source.slice(from, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#source.length : end + 2;
    return [...text].map((letter) => one(letter, flags));
  }

  #repeated(atom: Pattern, flags: Flags, chain: Pattern[]): void {
    let body = atom;
    const start = this.#at;
    for (let isFirst = true; ; isFirst = false) {
      const found = repetition.exec(this.#rest);
      if (found === null) break;
      const { min, max } = checkedBounds(found);
      this.#at += found[0].length;
      const isLazy = this.#source[this.#at] === '?';
      if (isLazy) this.#at++;
      if (!isFirst) throw new PatternError('invalid nested repetition operator', this.#source.slice(start, this.#at));
      body = { kind: 'repeat', body, min, max, isGreedy: isLazy === flags.isLazy };
      if (repeats(body) > repeatMax) throw new PatternError('invalid repeat count', found[0]);
    }
    chain.push(body);
  }

  #atom(flags: Flags): Pattern {
    const letter = String.fromCodePoint(this.#source.codePointAt(this.#at) as number);
    if (letter === '(') return this.#group(flags);
    if (letter === '[') return this.#class(flags);
    if (letter === '\\') return this.#escape(flags);
    const operator = repetition.exec(this.#rest);
    if (operator !== null) {
      checkedBounds(operator);
      const lazy = this.#rest[operator[0].length] === '?' ? '?' : '';
      throw new PatternError('missing argument to repetition operator', operator[0] + lazy);
    }
    this.#at += letter.length;
    if (letter === '.') return { kind: 'one', test: flags.dotTakesLines ? () => true : (point) => point !== 10 };
    if (letter === '^') return { kind: 'assert', assertion: flags.isMultiline ? 'lineStart' : 'textStart' };
    if (letter === '$') return { kind: 'assert', assertion: flags.isMultiline ? 'lineEnd' : 'textEnd' };
    return one(letter, flags);
  }

  #group(flags: Flags): Pattern {
    const start = this.#at;
    const plain = /^\(\?([imsU]*)(-[imsU]+)?:/.exec(this.#rest);
    if (plain !== null) {
      this.#at += plain[0].length;
      return this.#choice(changed(flags, plain[1] ?? '', plain[2] ?? ''), start).pattern;
    }
    if (/^\(\?P?</.test(this.#rest)) this.#name();
    else if (this.#rest.startsWith('(?')) {
      const part = /^\(\?[imsU-]*[^:)]?/su.exec(this.#rest)?.[0] ?? '(?';
      throw new PatternError('invalid or unsupported Perl syntax', part);
    } else this.#at++;
    const index = ++this.#groups;
    return { kind: 'group', index, body: this.#choice(flags, start).pattern };
  }

  #name(): void {
    const found = /^\(\?P?<([^>]*)>/.exec(this.#rest);
    if (found === null) throw new PatternError('invalid named capture', this.#rest);
    const name = found[1] ?? '';
    if (!/^\w+$/.test(name)) throw new PatternError('invalid named capture', found[0]);
    this.#at += found[0].length;
  }

  #escape(flags: Flags): Pattern {
    const letter = this.#source[this.#at + 1];
    const assertion = ({ A: 'textStart', z: 'textEnd', b: 'word', B: 'noWord' } as const)[letter ?? ''];
    if (assertion !== undefined) {
      this.#at += 2;
      return { kind: 'assert', assertion };
    }
    const test = this.#classEscape();
    if (test !== undefined) return { kind: 'one', test: folding(test, flags) };
    return one(String.fromCodePoint(this.#escapedPoint()), flags);
  }

  /** `\d`, `\pL`, `\p{Greek}`. */
  #classEscape(): ClassTest | undefined {
    const perl = perlClass(this.#rest.slice(0, 2));
    if (perl !== undefined) {
      this.#at += 2;
      return perl;
    }
    if (!/^\\p/i.test(this.#rest)) return undefined;
    const found = /^\\([pP])(?:\{(\^?)([^}]*)\}|(.))/su.exec(this.#rest);
    if (found === null) throw new PatternError('invalid character class range', this.#rest);
    const test = propertyClass(found[3] ?? found[4] ?? '');
    if (test === undefined) throw new PatternError('invalid character class range', found[0]);
    this.#at += found[0].length;
    const isNegated = (found[1] === 'P') !== (found[2] === '^');
    return isNegated ? (point) => !test(point) : test;
  }

  #escapedPoint(): number {
    const found = /^\\(?:x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{2})|([1-7][0-7]{1,2}|0[0-7]{0,2})|([aftnrv])|([\0-/:-@[-`{-\x7f]))/u.exec(this.#rest);
    if (found === null) {
      if (this.#rest === '\\') throw new PatternError('trailing backslash at end of expression', '');
      throw new PatternError('invalid escape sequence', /^\\(?:x\{?[0-9a-fA-F]*.?|.)/su.exec(this.#rest)?.[0] ?? '\\');
    }
    const [whole, long, short, octal, control, plain] = found;
    const point =
      plain !== undefined
        ? (plain.codePointAt(0) as number)
        : control !== undefined
          ? '\x07\f\t\n\r\v'.charCodeAt('aftnrv'.indexOf(control))
          : Number.parseInt(long ?? short ?? octal ?? '', octal === undefined ? 16 : 8);
    if (point > 0x10ffff) throw new PatternError('invalid escape sequence', whole);
    this.#at += whole.length;
    return point;
  }

  #class(flags: Flags): Pattern {
    const start = this.#at++;
    const isNegated = this.#source[this.#at] === '^';
    if (isNegated) this.#at++;
    const tests: ClassTest[] = [];
    const spans: Range[] = [];
    for (let isFirst = true; this.#source[this.#at] !== ']' || isFirst; isFirst = false) {
      if (this.#at >= this.#source.length) throw new PatternError('missing closing ]', this.#source.slice(start));
      const named = /^\[:(\^?)(\w+):\]/.exec(this.#rest);
      const test = named === null ? this.#classEscape() : posixClass(named[2] ?? '');
      if (named !== null) {
        if (test === undefined) throw new PatternError('invalid character class range', named[0]);
        this.#at += named[0].length;
        tests.push(named[1] === '^' ? (point) => !test(point) : test);
      } else if (test !== undefined) tests.push(test);
      else spans.push(this.#span());
    }
    this.#at++;
    const within = ranges(spans);
    const inClass = folding((point) => within(point) || tests.some((test) => test(point)), flags);
    return { kind: 'one', test: isNegated ? (point) => !inClass(point) : inClass };
  }

  #span(): Range {
    const start = this.#at;
    const low = this.#classPoint(start);
    if (this.#source[this.#at] !== '-' || this.#source[this.#at + 1] === ']' || this.#at + 1 >= this.#source.length) return [low, low];
    this.#at++;
    const high = this.#classPoint(start);
    if (high < low) throw new PatternError('invalid character class range', this.#source.slice(start, this.#at));
    return [low, high];
  }

  #classPoint(start: number): number {
    if (this.#at >= this.#source.length) throw new PatternError('missing closing ]', this.#source.slice(start));
    if (this.#source[this.#at] === '\\') return this.#escapedPoint();
    const point = this.#source.codePointAt(this.#at) as number;
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }
}

/** Counts are judged before what they count. */
function checkedBounds(found: RegExpExecArray): ReturnType<typeof bounds> {
  const { min, max } = bounds(found);
  if (found[1] !== undefined && (min > repeatMax || (max ?? 0) > repeatMax || (max !== undefined && min > max)))
    throw new PatternError('invalid repeat count', found[0]);
  return { min, max };
}

function bounds([whole, low, comma, high]: RegExpExecArray): { readonly min: number; readonly max: number | undefined } {
  if (low === undefined) return { min: whole === '+' ? 1 : 0, max: whole === '?' ? 1 : undefined };
  if (comma === undefined) return { min: Number(low), max: Number(low) };
  return { min: Number(low), max: high === '' || high === undefined ? undefined : Number(high) };
}

/** How often the innermost part is written out: what one repetition in another comes to. */
function repeats(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'chain':
    case 'choice':
      return Math.max(1, ...pattern.parts.map(repeats));
    case 'group':
      return repeats(pattern.body);
    case 'repeat':
      return Math.max(1, pattern.max ?? pattern.min) * repeats(pattern.body);
    default:
      return 1;
  }
}

function changed(flags: Flags, on: string, off: string): Flags {
  const of = (letter: string, before: boolean): boolean => (off.includes(letter) ? false : before || on.includes(letter));
  return {
    foldsCase: of('i', flags.foldsCase),
    dotTakesLines: of('s', flags.dotTakesLines),
    isMultiline: of('m', flags.isMultiline),
    isLazy: of('U', flags.isLazy),
  };
}

function one(letter: string, flags: Flags): Pattern {
  const wanted = letter.codePointAt(0) as number;
  return { kind: 'one', test: folding((point) => point === wanted, flags) };
}

/** Without case: any of the letters that are the same but for it. */
function folding(test: ClassTest, { foldsCase }: Flags): ClassTest {
  if (!foldsCase) return test;
  return (point) => test(point) || orbit(point).some((each) => test(each));
}

function orbit(point: number): readonly number[] {
  const letter = String.fromCodePoint(point);
  const forms = [letter.toLowerCase(), letter.toUpperCase(), letter.toLowerCase().toUpperCase(), letter.toUpperCase().toLowerCase()];
  return forms.flatMap((form) => ([...form].length === 1 ? [form.codePointAt(0) as number] : []));
}
