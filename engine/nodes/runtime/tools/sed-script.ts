/** Reads the scripts of `sed`. What it does not know is refused. */
import { compileExpression, type Expression } from './expressions.ts';

export type Address =
  | { readonly type: 'line'; readonly line: number }
  | { readonly type: 'last' }
  | { readonly type: 'more'; readonly lines: number }
  | { readonly type: 'pattern'; readonly expression: Expression };

interface Addressed {
  readonly from: Address | undefined;
  readonly until: Address | undefined;
  readonly isNot: boolean;
  /** Behind the block, or where it goes. */
  to: number;
}

export type SedCommand = Addressed &
  (
    | { readonly name: 'd' | 'D' | 'p' | 'P' | 'n' | 'N' | 'h' | 'H' | 'g' | 'G' | 'x' | '=' | '{' | 'b' | 't' | 'q' | 'Q' }
    | { readonly name: 'a' | 'i' | 'c'; readonly text: string }
    | { readonly name: 'y'; readonly map: ReadonlyMap<string, string> }
    | {
        readonly name: 's';
        readonly expression: Expression;
        /** Texts, and the numbers of groups; 0 is all of it. */
        readonly replacement: readonly (string | number)[];
        readonly isGlobal: boolean;
        readonly nth: number;
        readonly prints: boolean;
      }
  );

export class SedFault extends Error {}

const commandsMax = 1_000;

/** Throws SedFault, and ExpressionFault. */
export function parseSed(source: string, isExtended: boolean): readonly SedCommand[] {
  return new SedParser(source, isExtended).parse();
}

class SedParser {
  #at = 0;
  #last: Expression | undefined;
  readonly #source: string;
  readonly #isExtended: boolean;
  readonly #commands: SedCommand[] = [];
  readonly #labels = new Map<string, number>();
  readonly #jumps: { readonly command: SedCommand; readonly label: string }[] = [];

  constructor(source: string, isExtended: boolean) {
    this.#source = source;
    this.#isExtended = isExtended;
  }

  parse(): readonly SedCommand[] {
    const blocks: SedCommand[] = [];
    for (;;) {
      this.#skip(/[\s;]/);
      if (this.#at >= this.#source.length) break;
      if (this.#commands.length > commandsMax) throw new SedFault('too many commands');
      if (this.#source[this.#at] === '#') this.#rest();
      else if (this.#source[this.#at] === '}') {
        this.#at++;
        const block = blocks.pop();
        if (block === undefined) throw new SedFault('unexpected }');
        block.to = this.#commands.length;
      } else this.#command(blocks);
    }
    // One that does not end goes to the end.
    for (const block of blocks) block.to = this.#commands.length;
    for (const { command, label } of this.#jumps) {
      const to = label === '' ? this.#commands.length : this.#labels.get(label);
      if (to === undefined) throw new SedFault(`can't find label for jump to '${label}'`);
      command.to = to;
    }
    return this.#commands;
  }

  #skip(what: RegExp): void {
    while (this.#at < this.#source.length && what.test(this.#source[this.#at] as string)) this.#at++;
  }

  /** Up to the end of the line. */
  #rest(): string {
    const end = this.#source.indexOf('\n', this.#at);
    const text = this.#source.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#source.length : end + 1;
    return text;
  }

  #command(blocks: SedCommand[]): void {
    const from = this.#address();
    let until: Address | undefined;
    if (from !== undefined && this.#source[this.#at] === ',') {
      this.#at++;
      this.#skip(/\s/);
      until = this.#address(true);
      if (until === undefined) throw new SedFault('no address after comma');
    }
    this.#skip(/\s/);
    const isNot = this.#source[this.#at] === '!';
    if (isNot) this.#at++;
    this.#skip(/\s/);
    const name = this.#source[this.#at++] ?? '';
    const addressed: Addressed = { from, until, isNot, to: 0 };
    if (name === ':') {
      this.#labels.set(this.#label(), this.#commands.length);
      return;
    }
    const command = this.#read(name, addressed);
    this.#commands.push(command);
    if (name === '{') blocks.push(command);
    else if (name === 'b' || name === 't') this.#jumps.push({ command, label: this.#label() });
    else if (!'aic'.includes(name)) this.#end();
  }

  #label(): string {
    this.#skip(/[ \t]/);
    const start = this.#at;
    while (this.#at < this.#source.length && !/[\s;}]/.test(this.#source[this.#at] as string)) this.#at++;
    return this.#source.slice(start, this.#at);
  }

  #end(): void {
    this.#skip(/[ \t]/);
    const next = this.#source[this.#at];
    if (next !== undefined && !/[;\n}#]/.test(next) && !/\d/.test(next)) throw new SedFault('extra characters after command');
  }

  #number(): number | undefined {
    const [digits] = /^\d{1,9}/.exec(this.#source.slice(this.#at, this.#at + 9)) ?? [];
    if (digits === undefined) return undefined;
    this.#at += digits.length;
    return Number(digits);
  }

  #address(isSecond = false): Address | undefined {
    const char = this.#source[this.#at];
    const line = this.#number();
    if (line !== undefined) return { type: 'line', line };
    if (char === '$') {
      this.#at++;
      return { type: 'last' };
    }
    if (isSecond && char === '+') {
      this.#at++;
      return { type: 'more', lines: this.#number() ?? 0 };
    }
    if (char !== '/' && char !== '\\') return undefined;
    if (char === '\\') this.#at++;
    const pattern = this.#delimited(true);
    const ignoresCase = this.#source[this.#at] === 'I';
    if (ignoresCase) this.#at++;
    return { type: 'pattern', expression: this.#expression(pattern, ignoresCase) };
  }

  /** An empty one is the last one again. */
  #expression(pattern: string, ignoresCase: boolean): Expression {
    if (pattern === '' && this.#last !== undefined) return this.#last;
    if (pattern === '') throw new SedFault('no previous regexp');
    this.#last = compileExpression(pattern, { isExtended: this.#isExtended, ignoresCase });
    return this.#last;
  }

  /** Text up to the delimiter that stands there; with it a delimiter that has a backslash is a character. */
  #delimited(isPattern: boolean): string {
    const mark = this.#source[this.#at++] ?? '';
    if (mark === '' || mark === '\n' || mark === '\\') throw new SedFault('unterminated command');
    let text = '';
    let isInBrackets = false;
    for (; ; this.#at++) {
      const char = this.#source[this.#at];
      if (char === undefined) throw new SedFault(`unmatched '${mark}'`);
      if (char === '\\' && !isInBrackets) {
        const next = this.#source[++this.#at] ?? '';
        text += next === mark && !(isPattern && /[.*+?()[\]{}|^$]/.test(next)) ? next : next === 'n' && isPattern ? '\n' : `\\${next}`;
        continue;
      }
      if (char === mark && !isInBrackets) break;
      if (isPattern && char === '[' && !isInBrackets) isInBrackets = !this.#closesAtOnce();
      else if (isPattern && char === ']' && isInBrackets && !/\[\^?$/.test(text)) isInBrackets = false;
      text += char;
    }
    this.#at++;
    return text;
  }

  /** A bracket that never ends is no bracket. */
  #closesAtOnce(): boolean {
    return this.#source.indexOf(']', this.#at + 2) < 0;
  }

  #read(name: string, addressed: Addressed): SedCommand {
    switch (name) {
      case 'd':
      case 'D':
      case 'p':
      case 'P':
      case 'n':
      case 'N':
      case 'h':
      case 'H':
      case 'g':
      case 'G':
      case 'x':
      case '=':
      case '{':
      case 'b':
      case 't':
      case 'q':
      case 'Q':
        return { ...addressed, name };
      case 'a':
      case 'i':
      case 'c':
        return { ...addressed, name, text: this.#text() };
      case 'y':
        return { ...addressed, name, map: this.#map() };
      case 's':
        return this.#substitution(addressed);
      default:
        throw new SedFault(name === '' || name === '\n' ? 'missing command' : `unsupported command ${name}`);
    }
  }

  /** What `a`, `i` and `c` write: behind a backslash and a newline, or behind them on the line. */
  #text(): string {
    this.#skip(/[ \t]/);
    if (this.#source[this.#at] === '\\') this.#at += /^\\[ \t]*\n/.exec(this.#source.slice(this.#at))?.[0].length ?? 1;
    const lines = [this.#rest()];
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(lines.at(-1) ?? '') && this.#at < this.#source.length) {
      lines.push(`${lines.pop()?.slice(0, -1)}`, this.#rest());
    }
    return lines.join('\n').replaceAll(/\\([^])/g, '$1');
  }

  #map(): ReadonlyMap<string, string> {
    const from = unescaped(this.#delimited(false));
    this.#at--;
    const to = unescaped(this.#delimited(false));
    if (from.length !== to.length) throw new SedFault('strings for y command are different lengths');
    return new Map(from.map((char, at) => [char, to[at] as string]));
  }

  #substitution(addressed: Addressed): SedCommand {
    const pattern = this.#delimited(true);
    this.#at--;
    const replacement = replacementOf(this.#delimited(false));
    let [isGlobal, prints, ignoresCase, nth] = [false, false, false, 1];
    for (;;) {
      const number = this.#number();
      const flag = this.#source[this.#at] ?? '';
      if (number !== undefined) nth = Math.max(1, number);
      else if (flag === 'g') isGlobal = true;
      else if (flag === 'p') prints = true;
      else if (flag === 'i' || flag === 'I') ignoresCase = true;
      else break;
      if (number === undefined) this.#at++;
    }
    const expression = this.#expression(pattern, ignoresCase);
    const most = Math.max(0, ...replacement.filter((part): part is number => typeof part === 'number'));
    if (most > expression.groups) throw new SedFault(`invalid reference \\${most} on s command's RHS`);
    return { ...addressed, name: 's', expression, replacement, isGlobal, prints, nth };
  }
}

function unescaped(text: string): readonly string[] {
  return [...text.replaceAll(/\\([^])/g, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char))];
}

function replacementOf(text: string): readonly (string | number)[] {
  const parts: (string | number)[] = [];
  for (const [whole] of text.matchAll(/\\[^]|&|[^\\&]+|\\$/g)) {
    if (whole === '&') parts.push(0);
    else if (/^\\[0-9]$/.test(whole)) parts.push(Number(whole[1]));
    else if (whole.startsWith('\\')) parts.push(whole[1] === 'n' ? '\n' : whole[1] === 't' ? '\t' : whole.slice(1));
    else parts.push(whole);
  }
  return parts;
}
