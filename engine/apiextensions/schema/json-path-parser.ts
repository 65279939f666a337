/**
 * Paths of printer columns: `.spec.x`, `.status.conditions[?(@.type=="Ready")].status`, `..name`, `['a','b']`, `[0:2]`. Mirrors
 * parser.go of client-go's util/jsonpath; `range` and `end`, which stand between parts of a template, are no path.
 */

export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' | 'recursive' }
  | { readonly kind: 'slice'; readonly from?: number; readonly to?: number; readonly isOne: boolean; readonly step?: number }
  | { readonly kind: 'union'; readonly parts: readonly (readonly PathStep[])[] }
  | { readonly kind: 'filter'; readonly left: readonly PathStep[]; readonly operator: string; readonly right: readonly PathStep[] }
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  | { readonly kind: 'word'; readonly word: string };

export class PathSyntaxError extends Error {
  override readonly name = 'PathSyntaxError';
}

const ends = /[ \t\r\n.,[\]$@{}]/;
const dictKey = /^'([^']*)'$/;
const slicePattern = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const wordStart = /[_\p{L}\p{Nd}]/u;
/** Filters within filters; each level reads its text again. */
const depthMax = 50;

/** Throws PathSyntaxError. */
export function parsePath(text: string): readonly PathStep[] {
  return new PathReader(text, 0).read();
}

class PathReader {
  readonly #text: string;
  readonly #depth: number;
  #at = 0;

  constructor(text: string, depth: number) {
    if (depth > depthMax) throw new PathSyntaxError('filters stand too deep');
    this.#text = text;
    this.#depth = depth;
  }

  read(): readonly PathStep[] {
    const steps: PathStep[] = [];
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] === '}') {
        this.#readRest();
        break;
      }
      this.#next(steps);
    }
    return steps;
  }

  /** What follows a brace is another part of the template: it must be one, and shows nothing. */
  #readRest(): void {
    const next = this.#text.indexOf('{', this.#at);
    if (next >= 0) new PathReader(this.#text.slice(next + 1), this.#depth + 1).read();
  }

  #next(steps: PathStep[]): void {
    if (this.#text.startsWith('[?(', this.#at)) return void steps.push(this.#filter());
    if (this.#text.startsWith('..', this.#at)) return this.#recursive(steps);
    const letter = this.#text[this.#at] as string;
    if (letter === ' ' || letter === '@' || letter === '$') this.#at++;
    else if (letter === '[') steps.push(...this.#brackets());
    else if (letter === '"' || letter === "'") steps.push({ kind: 'value', value: this.#quoted(letter) });
    else if (letter === '.') {
      this.#at++;
      steps.push(this.#field());
    } else if (/[+\-\p{Nd}]/u.test(letter)) steps.push({ kind: 'value', value: this.#number() });
    else if (wordStart.test(letter)) steps.push(this.#word());
    else throw new PathSyntaxError(letter === '\n' || letter === '\r' ? 'unclosed action' : `unrecognized character in action: ${letter}`);
  }

  #recursive(steps: PathStep[]): void {
    if (steps.at(-1)?.kind === 'recursive') throw new PathSyntaxError('invalid multiple recursive descent');
    this.#at += 2;
    steps.push({ kind: 'recursive' });
    if (wordStart.test(this.#text[this.#at] ?? '')) steps.push(this.#field());
  }

  /** Up to what ends a name; a backslash takes its letter in. */
  #field(): PathStep {
    const start = this.#at;
    while (this.#at < this.#text.length && !ends.test(this.#text[this.#at] as string)) this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    const name = this.#text.slice(start, this.#at);
    return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
  }

  #word(): PathStep {
    const start = this.#at;
    while (this.#at < this.#text.length && !ends.test(this.#text[this.#at] as string)) this.#at++;
    const word = this.#text.slice(start, this.#at);
    return word === 'true' || word === 'false' ? { kind: 'value', value: word === 'true' } : { kind: 'word', word };
  }

  #number(): number {
    const found = /^[+-]?[.\p{Nd}]*/u.exec(this.#text.slice(this.#at))?.[0] ?? '';
    this.#at += found.length;
    if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(found)) throw new PathSyntaxError(`cannot parse number ${found}`);
    return Number(found);
  }

  #quoted(mark: string): string {
    const start = this.#at++;
    for (;;) {
      const letter = this.#text[this.#at++];
      if (letter === undefined || letter === '\n') throw new PathSyntaxError('unterminated quoted string');
      if (letter === mark && this.#text[this.#at - 2] !== '\\') break;
    }
    return unescaped(this.#text.slice(start + 1, this.#at - 1));
  }

  /** What stands in brackets: a list of them is a union, a quoted name a field, numbers a slice. */
  #brackets(): readonly PathStep[] {
    const end = this.#text.slice(this.#at).search(/[\]\n]/);
    if (end < 0 || this.#text[this.#at + end] === '\n') throw new PathSyntaxError('unterminated array');
    const inside = this.#text.slice(this.#at + 1, this.#at + end);
    this.#at += end + 1;
    const parts = inside.split(',');
    if (parts.length > 1)
      return [{ kind: 'union', parts: parts.map((part) => new PathReader(`[${part.replace(/^ +| +$/g, '')}]`, this.#depth + 1).read()) }];
    const key = dictKey.exec(inside)?.[1];
    if (key !== undefined) return new PathReader(`.${key}`, this.#depth + 1).read();
    return [sliceOf(inside === '*' ? ':' : inside)];
  }

  #filter(): PathStep {
    const start = (this.#at += 3);
    this.#toEndOfFilter();
    const text = this.#text.slice(start, this.#at - 2);
    const parts = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(text);
    const below = (part: string): readonly PathStep[] => new PathReader(part, this.#depth + 1).read();
    if (parts === null) return { kind: 'filter', left: below(text), operator: 'exists', right: [] };
    return { kind: 'filter', left: below(parts[1] ?? ''), operator: parts[2] ?? '', right: below(parts[3] ?? '') };
  }

  /** One quoted text at most is looked at; a parenthesis inside of it does not close. */
  #toEndOfFilter(): void {
    let mark: string | undefined;
    let isClosed = false;
    for (;;) {
      const letter = this.#text[this.#at++];
      if (letter === undefined || letter === '\n') throw new PathSyntaxError('unterminated filter');
      if (letter === '"' || letter === "'") {
        if (mark === undefined) mark = letter;
        else if (this.#text[this.#at - 2] !== '\\' && letter === mark) isClosed = true;
      } else if (letter === ')' && (mark !== undefined) === isClosed) break;
    }
    if (this.#text[this.#at++] !== ']') throw new PathSyntaxError('unclosed array expect ]');
  }
}

function sliceOf(text: string): PathStep {
  const parts = slicePattern.exec(text);
  if (parts === null) throw new PathSyntaxError(`invalid array index ${text}`);
  const [first, last, step] = parts.slice(1).map((part) => part?.replace(':', ''));
  const numberOf = (part: string | undefined, name: string): object => {
    if (part === undefined || part === '') return {};
    if (part === '-') throw new PathSyntaxError(`array index ${part} is not a number`);
    return { [name]: Number(part) };
  };
  return { kind: 'slice', ...numberOf(first, 'from'), ...numberOf(last, 'to'), isOne: last === undefined, ...numberOf(step, 'step') };
}

/** The usual escapes of Go's texts. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  const letters: { readonly [escape: string]: string } = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs, (_, long?: string, short?: string, letter = '') => {
    const code = long ?? short;
    return code === undefined ? (letters[letter as string] ?? (letter as string)) : String.fromCharCode(Number.parseInt(code, 16));
  });
}
