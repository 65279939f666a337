/** Reads regular expressions of POSIX, with what GNU and busybox add to them: `\+`, `\?`, `\|`, `\w`, `\b`, `\<`. */

export type Node =
  | { readonly kind: 'one'; readonly test: (char: string) => boolean }
  /** `^`, `$`, `<`, `>`, `b`, `B`. */
  | { readonly kind: 'assert'; readonly what: string }
  | { readonly kind: 'chain' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'group'; readonly index: number; readonly body: Node }
  | { readonly kind: 'repeat'; readonly body: Node; readonly min: number; readonly max: number | undefined };

export class ExpressionFault extends Error {}

const depthMax = 50;
const repeatMax = 255;
const charsMax = 4_096;

export function parseExpression(source: string, isExtended: boolean): { readonly root: Node; readonly groups: number } {
  if (source.length > charsMax) throw new ExpressionFault('Regular expression too big');
  const parser = new Parser(source, isExtended);
  const root = parser.choice(0);
  if (!parser.isOver) throw new ExpressionFault('Unmatched ) or \\)');
  return { root, groups: parser.groups };
}

const classes: ReadonlyMap<string, RegExp> = new Map([
  ['alpha', /[A-Za-z]/],
  ['digit', /[0-9]/],
  ['alnum', /[A-Za-z0-9]/],
  ['upper', /[A-Z]/],
  ['lower', /[a-z]/],
  ['space', /[\t\n\v\f\r ]/],
  ['blank', /[ \t]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['xdigit', /[0-9A-Fa-f]/],
  ['print', /[ -~]/],
  ['graph', /[!-~]/],
  ['cntrl', /\p{Cc}/u],
]);
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['f', '\f'],
  ['v', '\v'],
]);

class Parser {
  groups = 0;
  #at = 0;
  readonly #source: string;
  readonly #isExtended: boolean;

  constructor(source: string, isExtended: boolean) {
    this.#source = source;
    this.#isExtended = isExtended;
  }

  get isOver(): boolean {
    return this.#at >= this.#source.length;
  }

  /** Whether the operator stands there that is written so in extended expressions, and with a backslash in basic ones. */
  #sees(operator: string, at = this.#at): boolean {
    const text = this.#isExtended ? operator : `\\${operator}`;
    return this.#source.startsWith(text, at);
  }

  #takes(operator: string): boolean {
    if (!this.#sees(operator)) return false;
    this.#at += this.#isExtended ? 1 : 2;
    return true;
  }

  choice(depth: number): Node {
    if (depth > depthMax) throw new ExpressionFault('Regular expression too big');
    const parts = [this.#chain(depth)];
    while (this.#takes('|')) parts.push(this.#chain(depth));
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'choice', parts };
  }

  #chain(depth: number): Node {
    const parts: Node[] = [];
    while (!this.isOver && !this.#sees('|') && !(depth > 0 && this.#sees(')'))) parts.push(this.#repeated(depth, parts.length === 0));
    return { kind: 'chain', parts };
  }

  #repeated(depth: number, isFirst: boolean): Node {
    let node = this.#atom(depth, isFirst);
    for (;;) {
      if (this.#source[this.#at] === '*' && node.kind !== 'assert') {
        this.#at++;
        node = { kind: 'repeat', body: node, min: 0, max: undefined };
      } else if (this.#takes('+')) node = { kind: 'repeat', body: node, min: 1, max: undefined };
      else if (this.#takes('?')) node = { kind: 'repeat', body: node, min: 0, max: 1 };
      else if (this.#sees('{')) {
        const bounds = this.#bounds();
        if (bounds === undefined) return node;
        node = { kind: 'repeat', body: node, ...bounds };
      } else return node;
    }
  }

  #bounds(): { readonly min: number; readonly max: number | undefined } | undefined {
    const rest = this.#source.slice(this.#at, this.#at + 16);
    const match = (this.#isExtended ? /^\{(\d{0,3})(,?)(\d{0,3})\}/ : /^\\\{(\d{0,3})(,?)(\d{0,3})\\\}/).exec(rest);
    if (match === null || (match[1] === '' && match[2] === '')) {
      if (!this.#isExtended) throw new ExpressionFault('Invalid content of \\{\\}');
      return undefined;
    }
    this.#at += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === '' ? min : match[3] === '' ? undefined : Number(match[3]);
    if (min > repeatMax || (max !== undefined && (max > repeatMax || max < min))) throw new ExpressionFault('Invalid content of \\{\\}');
    return { min, max };
  }

  #atom(depth: number, isFirst: boolean): Node {
    if (this.#takes('(')) {
      const index = ++this.groups;
      const body = this.choice(depth + 1);
      if (!this.#takes(')')) throw new ExpressionFault('Unmatched ( or \\(');
      return { kind: 'group', index, body };
    }
    const char = this.#source[this.#at++] as string;
    const isLast = this.isOver || this.#sees('|') || (depth > 0 && this.#sees(')'));
    if (char === '^' && (this.#isExtended || isFirst)) return { kind: 'assert', what: '^' };
    if (char === '$' && (this.#isExtended || isLast)) return { kind: 'assert', what: '$' };
    if (char === '.') return { kind: 'one', test: () => true };
    if (char === '[') return this.#bracket();
    if (char === '\\') return this.#escape();
    if (this.#isExtended && isFirst && /[*+?]/.test(char)) throw new ExpressionFault('Invalid preceding regular expression');
    return { kind: 'one', test: (one) => one === char };
  }

  #escape(): Node {
    const char = this.#source[this.#at++];
    if (char === undefined) throw new ExpressionFault('Trailing backslash');
    if (/[1-9]/.test(char)) throw new ExpressionFault('back references in patterns are not simulated');
    switch (char) {
      case 'w':
        return { kind: 'one', test: (one) => /\w/.test(one) };
      case 'W':
        return { kind: 'one', test: (one) => /\W/.test(one) };
      case 's':
        return { kind: 'one', test: (one) => /\s/.test(one) };
      case 'S':
        return { kind: 'one', test: (one) => /\S/.test(one) };
      case 'b':
      case 'B':
      case '<':
      case '>':
        return { kind: 'assert', what: char };
      default: {
        const meant = escapes.get(char) ?? char;
        return { kind: 'one', test: (one) => one === meant };
      }
    }
  }

  #bracket(): Node {
    const isNot = this.#source[this.#at] === '^';
    if (isNot) this.#at++;
    const tests: ((char: string) => boolean)[] = [];
    for (let isFirst = true; ; isFirst = false) {
      const char = this.#source[this.#at];
      if (char === undefined) throw new ExpressionFault('Unmatched [, [^, [:, [., or [=');
      if (char === ']' && !isFirst) break;
      tests.push(this.#member());
    }
    this.#at++;
    return { kind: 'one', test: (char) => tests.some((test) => test(char)) !== isNot };
  }

  #member(): (char: string) => boolean {
    const [whole, name = ''] = /^\[:(\w{1,10}):\]/.exec(this.#source.slice(this.#at, this.#at + 16)) ?? [];
    if (whole !== undefined) {
      this.#at += whole.length;
      const known = classes.get(name);
      if (known === undefined) throw new ExpressionFault('Invalid character class name');
      return (char) => known.test(char);
    }
    const from = this.#char();
    if (this.#source[this.#at] !== '-' || this.#source[this.#at + 1] === ']' || this.#at + 1 >= this.#source.length) return (char) => char === from;
    this.#at++;
    const to = this.#char();
    if (to < from) throw new ExpressionFault('Invalid range end');
    return (char) => from <= char && char <= to;
  }

  #char(): string {
    const char = this.#source[this.#at++] as string;
    const meant = char === '\\' ? escapes.get(this.#source[this.#at] ?? '') : undefined;
    if (meant !== undefined) this.#at++;
    return meant ?? char;
  }
}
