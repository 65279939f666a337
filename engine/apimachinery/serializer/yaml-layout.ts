/**
 * Texts whose layout go-yaml 2 reads and the reader here does not, laid out so that it does: inside `[…]`, `{…}` and quotes go-yaml asks for no
 * indentation (scannerc.go rolls none while flow_level is not zero), and a colon right before what ends an element belongs to its text.
 */

import { EVENT_ID, parseEvents, type ScalarEvent, YAMLException } from 'js-yaml';

interface Edit {
  readonly at: number;
  readonly insert: string;
}

interface Found {
  readonly indents: readonly Edit[];
  readonly quotes: readonly Edit[];
  readonly slash: number | undefined;
}

/** What is laid out anew may be this many times as long: whoever writes a flow at column 1,000 and ends it at column 0 a thousand times is refused. */
const growthMax = 3;
const lineEnd = /[\r\n]/;

/** Whether a colon stands right before the end of an element: `[fd00::]`. */
const endsInColon = /:[,\]}]/;

/** How a text is laid out; looked through when something of it is in question, and once. */
export class Layout {
  readonly #text: string;
  #found: Found | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text with elements that end in a colon in quotes. */
  get withColonsKept(): string {
    return endsInColon.test(this.#text) ? (edited(this.#text, this.#scanned.quotes) ?? this.#text) : this.#text;
  }

  /** That text, and what is too far left inside flows and quotes moved in; undefined where nothing is, or too much. Lines keep their numbers. */
  get withFlowIndents(): string | undefined {
    const { indents, quotes } = this.#scanned;
    if (indents.length === 0) return undefined;
    return edited(
      this.#text,
      [...indents, ...quotes].sort((one, other) => one.at - other.at),
    );
  }

  /** The line, from 1, of the first slash that a quoted text escapes, which go-yaml does not know; undefined where there is none. */
  get lineOfEscapedSlash(): number | undefined {
    const at = this.#text.includes('\\/') ? this.#scanned.slash : undefined;
    return at === undefined ? undefined : this.#text.slice(0, at).split('\n').length;
  }

  get #scanned(): Found {
    return (this.#found ??= new LayoutScanner(this.#text).scan());
  }
}

/** A block text that the whole text ends in has no line break at its end that is not written: the reader here would add one. */
export function withLastBreakLeft(text: string, maxDepth: number): string {
  if (!/^[ \t][^\r\n]*$/.test(text.slice(text.lastIndexOf('\n') + 1))) return text;
  const last = lastScalar(text, maxDepth);
  if (last === undefined || last.indent < 0 || last.valueEnd !== text.length) return text;
  const header = text.lastIndexOf('\n', last.valueStart - 2) + 1;
  const line = text.slice(header, last.valueStart).replace(/([|>])([1-9]?)\+?([1-9]?)(?=\s*(?:#.*)?\r?\n$)/, '$1$2$3-');
  return text.slice(0, header) + line + text.slice(last.valueStart);
}

/** None of what cannot be read, of which the reader says more. */
function lastScalar(text: string, maxDepth: number): ScalarEvent | undefined {
  try {
    let last: ScalarEvent | undefined;
    for (const event of parseEvents(text, { maxDepth })) if (event.type === EVENT_ID.SCALAR) last = event;
    return last;
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

function edited(text: string, edits: readonly Edit[]): string | undefined {
  const added = edits.reduce((sum, { insert }) => sum + insert.length, 0);
  if (added === 0 || added > growthMax * text.length) return undefined;
  const parts: string[] = [];
  let from = 0;
  for (const { at, insert } of edits) {
    parts.push(text.slice(from, at), insert);
    from = at;
  }
  return parts.join('') + text.slice(from);
}

/** Goes once over a text. What is no YAML ends somewhere too: the reader says what is wrong with it. */
class LayoutScanner {
  readonly #text: string;
  readonly #indents: Edit[] = [];
  readonly #quotes: Edit[] = [];
  #slash: number | undefined;
  /** Characters that indents would add. */
  #added = 0;
  /** The line break at the end of the line that is read. */
  #break = -1;
  #at = 0;
  #lineStart = 0;
  /** Column of the innermost key or dash that holds what is read. */
  #parent = -1;
  /** What begins at the next line is its value; a document is nobody's. */
  #isOpen = true;
  /** A plain text goes on in lines that are further in than this. */
  #plain: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): Found {
    while (this.#at < this.#text.length) this.#line();
    return { indents: this.#indents, quotes: this.#quotes, slash: this.#slash };
  }

  #line(): void {
    this.#lineStart = this.#at;
    this.#skipBlanks();
    const column = this.#column();
    if (this.#isEnd() || this.#is('#')) {
      if (this.#is('#')) this.#plain = undefined;
      return this.#nextLine();
    }
    if (column === 0 && /^(?:---|\.\.\.)(?=\s|$)/.test(this.#text.slice(this.#at, this.#at + 4))) {
      this.#at += 3;
      this.#parent = -1;
      this.#plain = undefined;
      this.#isOpen = true;
    } else if (this.#plain !== undefined && column > this.#plain) return this.#nextLine();
    else if (!this.#isOpen || column <= this.#parent) this.#parent = column - 1;
    this.#plain = undefined;
    this.#isOpen = false;
    this.#tokens();
  }

  #tokens(): void {
    let node = this.#column();
    for (;;) {
      this.#skipBlanks();
      const [character = '', next = '\n'] = [this.#text[this.#at], this.#text[this.#at + 1]];
      const isBeforeBlank = /\s/.test(next);
      if (this.#isEnd() || character === '#') {
        this.#isOpen = true;
        return this.#nextLine();
      }
      if ('-?:'.includes(character) && isBeforeBlank) {
        this.#parent = character === ':' ? node : this.#column();
        this.#at++;
        continue;
      }
      node = this.#column();
      if ('&*!'.includes(character)) this.#skipWord();
      else if ('|>'.includes(character) && this.#blockHeader()) return this.#blockText();
      else if ('"\''.includes(character)) this.#quoted();
      else if ('[{'.includes(character)) this.#flow();
      else if (!this.#plainText()) return this.#nextLine();
    }
  }

  #blockHeader(): boolean {
    return /^[|>][-+1-9]{0,2}[ \t]*(?:#.*)?$/.test(this.#text.slice(this.#at, this.#endOfLine()));
  }

  #blockText(): void {
    this.#nextLine();
    while (this.#at < this.#text.length) {
      this.#lineStart = this.#at;
      while (this.#is(' ')) this.#at++;
      if (!this.#isEnd() && this.#column() <= this.#parent) {
        this.#at = this.#lineStart;
        return;
      }
      this.#nextLine();
    }
  }

  /** Whether it is a key; otherwise it may go on in the next line. */
  #plainText(): boolean {
    const rest = this.#text.slice(this.#at, this.#endOfLine());
    const found = /(:)(?=[ \t]|$)|[ \t]#/.exec(rest);
    if (found?.[1] === undefined) {
      if (found === null) this.#plain = this.#parent;
      return false;
    }
    this.#at += found.index;
    return true;
  }

  #quoted(): void {
    const quote = this.#text[this.#at];
    this.#at++;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at];
      if (this.#isEnd()) {
        this.#moveIn(true);
        continue;
      }
      this.#at++;
      if (character === '\\' && quote === '"' && !this.#isEnd()) {
        if (this.#is('/')) this.#slash ??= this.#at;
        this.#at++;
      } else if (character === quote && (quote === '"' || !this.#is("'"))) return;
      else if (character === quote) this.#at++;
    }
  }

  #flow(): void {
    let depth = 0;
    let plainFrom: number | undefined;
    do {
      const character = this.#text[this.#at] as string;
      if (this.#isEnd()) {
        this.#moveIn(plainFrom === undefined);
        continue;
      }
      const isBlankBefore = /\s/.test(this.#text[this.#at - 1] ?? ' ');
      if (character === '#' && isBlankBefore) {
        this.#at = this.#endOfLine();
        plainFrom = undefined;
        continue;
      }
      if (plainFrom === undefined && '"\''.includes(character)) {
        this.#quoted();
        continue;
      }
      if ('[]{},'.includes(character)) {
        if (plainFrom !== undefined && !'[{'.includes(character)) this.#keepColon(plainFrom);
        plainFrom = undefined;
        if ('[{'.includes(character)) depth++;
        else if (character !== ',') depth--;
      } else if (character === ':' && (plainFrom === undefined || /\s/.test(this.#text[this.#at + 1] ?? ' '))) plainFrom = undefined;
      else if (plainFrom === undefined && !/\s/.test(character)) plainFrom = this.#at;
      this.#at++;
    } while (depth > 0 && this.#at < this.#text.length);
  }

  #keepColon(from: number): void {
    if (this.#text[this.#at - 1] !== ':') return;
    this.#quotes.push({ at: from, insert: "'" });
    for (let at = from; at < this.#at; at++) if (this.#text[at] === "'") this.#quotes.push({ at, insert: "'" });
    this.#quotes.push({ at: this.#at, insert: "'" });
  }

  /** The next line of a flow or a quoted text, in which tabs indent nothing: behind a plain text go-yaml refuses them. */
  #moveIn(mayHaveTabs: boolean): void {
    this.#nextLine();
    this.#lineStart = this.#at;
    while (this.#is(' ')) this.#at++;
    const spaces = this.#column();
    this.#skipBlanks();
    const missing = this.#parent + 1 - (mayHaveTabs ? spaces : this.#column());
    // What is more than enough to refuse the text is not gathered.
    if (missing <= 0 || this.#isEnd() || this.#added > growthMax * this.#text.length) return;
    this.#added += missing;
    this.#indents.push({ at: this.#lineStart, insert: ' '.repeat(missing) });
  }

  #skipBlanks(): void {
    while (this.#is(' ') || this.#is('\t')) this.#at++;
  }

  #skipWord(): void {
    while (this.#at < this.#text.length && !/\s/.test(this.#text[this.#at] as string)) this.#at++;
  }

  #is(character: string): boolean {
    return this.#text[this.#at] === character;
  }

  #isEnd(): boolean {
    return this.#at >= this.#text.length || lineEnd.test(this.#text[this.#at] as string);
  }

  #column(): number {
    return this.#at - this.#lineStart;
  }

  #endOfLine(): number {
    const end = this.#lineBreak();
    return this.#text[end - 1] === '\r' && end > this.#at ? end - 1 : end;
  }

  /** Looked for once a line, which may be the whole text. */
  #lineBreak(): number {
    if (this.#break < this.#at) {
      const at = this.#text.indexOf('\n', this.#at);
      this.#break = at === -1 ? this.#text.length : at;
    }
    return this.#break;
  }

  #nextLine(): void {
    this.#at = Math.min(this.#lineBreak() + 1, this.#text.length);
  }
}
