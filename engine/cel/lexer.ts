/** Tokens of CEL: literals become values here. */
import { getOwn } from '../base/dictionary.ts';
import { CelSyntaxError, type SyntaxFault } from './syntax.ts';
import { type CelValue, Unsigned } from './values.ts';

export interface Token {
  /** `end` after the last. */
  readonly kind: 'name' | 'literal' | 'operator' | 'end';
  readonly text: string;
  readonly at: number;
  readonly value?: CelValue;
}

/** Behind a dot. */
export function noAlternative({ kind, text, at }: Token): CelSyntaxError {
  return new CelSyntaxError(`Syntax error: no viable alternative at input '.${kind === 'end' ? '' : text}'`, at);
}

const whitespace = /(?:[\t\n\f\r ]|\/\/[^\n]*)+/y;
const number = /0x[0-9a-fA-F]+[uU]?|(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)|[0-9]+[uU]?/y;
const name = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const quoted = /`[A-Za-z0-9_.\-/ ]*`/y;
const operator = /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}]/y;
const literals: ReadonlyMap<string, CelValue> = new Map<string, CelValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
export const int64Max = (1n << 63n) - 1n;
const uint64Max = (1n << 64n) - 1n;

/** What is wrong with a text, told and left out. */
export type Report = (fault: SyntaxFault) => void;

/** What is no token is left out. */
export function tokenize(source: string, report: Report): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  for (;;) {
    at += take(whitespace)?.length ?? 0;
    if (at >= source.length) break;
    const text = stringAt(source, at, report);
    const token =
      typeof text === 'number'
        ? undefined
        : (text ??
          numberToken(take(number), isSigned(tokens, at) ? at - 1 : at, at, report) ??
          wordToken(take(name), take(quoted), at) ??
          operatorToken(take(operator), at));
    if (token !== undefined) tokens.push(token);
    const end = typeof text === 'number' ? text : Math.min(source.length, at + (token?.text.length ?? unknownLength(source, at)));
    if (token === undefined) report({ message: `Syntax error: token recognition error at: '${source.slice(at, end)}'`, at });
    at = end;
  }
  tokens.push({ kind: 'end', text: '<EOF>', at });
  return tokens;
}

/** Whether a minus belongs to the number that begins here. */
function isSigned(tokens: readonly Token[], at: number): boolean {
  const [before, sign] = [tokens.at(-2), tokens.at(-1)];
  return sign?.text === '-' && sign.at === at - 1 && (before === undefined || (before.kind === 'operator' && !/[)\]}]/.test(before.text)));
}

/** What begins an operator of two letters is told with the letter that is none of it. */
function unknownLength(source: string, at: number): number {
  return /[=&|]/.test(source[at] ?? '') ? 2 : String.fromCodePoint(source.codePointAt(at) ?? 0).length;
}

function operatorToken(text: string | undefined, at: number): Token | undefined {
  return text === undefined ? undefined : { kind: 'operator', text, at };
}

function wordToken(text: string | undefined, escaped: string | undefined, at: number): Token | undefined {
  if (escaped !== undefined) return { kind: 'name', text: escaped, at };
  if (text === undefined) return undefined;
  const value = literals.get(text);
  return value === undefined ? { kind: text === 'in' ? 'operator' : 'name', text, at } : { kind: 'literal', text, at, value };
}

/** `begin`: with its sign. */
function numberToken(text: string | undefined, begin: number, at: number, report: Report): Token | undefined {
  if (text === undefined) return undefined;
  if (!text.startsWith('0x') && /[.eE]/.test(text)) return { kind: 'literal', text, at, value: Number(text) };
  const isUnsigned = /[uU]$/.test(text);
  const value = BigInt(isUnsigned ? text.slice(0, -1) : text);
  if (isUnsigned) {
    if (value > uint64Max) report({ message: 'invalid uint literal', at });
    return { kind: 'literal', text, at, value: new Unsigned(value) };
  }
  // One more than the largest is allowed behind a minus, which the parser looks at.
  if (value > int64Max + 1n) {
    report({ message: 'invalid int literal', at: begin });
    return { kind: 'literal', text, at, value: 0n };
  }
  return { kind: 'literal', text, at, value };
}

/** What an escape is, from its backslash on. */
const escape = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv\\?"'`]))/y;

/** Undefined where none begins; behind the place where it goes wrong, for one that is none. */
function stringAt(source: string, at: number, report: Report): Token | number | undefined {
  const head = /^(?:[rR][bB]?|[bB][rR]?)?("""|'''|"|')/.exec(source.slice(at, at + 5));
  if (head === null) return undefined;
  const quote = head[1] as string;
  const prefix = head[0].slice(0, head[0].length - quote.length).toLowerCase();
  const isRaw = prefix.includes('r');
  let end = at + head[0].length;
  while (!source.startsWith(quote, end)) {
    // Of three quotes two are an empty text.
    if (end >= source.length && quote.length === 3)
      return { kind: 'literal', text: head[0].slice(0, -1), at, value: prefix.includes('b') ? new Uint8Array() : '' };
    if (end >= source.length) return end;
    if (quote.length === 1 && /[\n\r]/.test(source[end] as string)) return end + 1;
    const wrong = source[end] === '\\' && !isRaw ? wrongEscapeAt(source, end) : undefined;
    if (wrong !== undefined) return Math.min(wrong + 1, source.length);
    end += source[end] === '\\' && !isRaw ? escape.lastIndex - end : 1;
  }
  const inner = source.slice(at + head[0].length, end);
  const text = source.slice(at, end + quote.length);
  try {
    const value = prefix.includes('b') ? bytesOf(inner, at, isRaw) : isRaw ? inner : unescape(inner, at, false);
    return { kind: 'literal', text, at, value };
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    report(error);
    return { kind: 'literal', text, at, value: '' };
  }
}

/** The first letter that makes it none; undefined for an escape, behind which `escape` stands then. */
function wrongEscapeAt(source: string, at: number): number | undefined {
  escape.lastIndex = at;
  if (escape.test(source)) return undefined;
  const [head = ''] = /^(?:[xXuU][0-9a-fA-F]*|[0-3][0-7]?)/.exec(source.slice(at + 1, at + 10)) ?? [];
  return at + 1 + head.length;
}

const simpleEscapes: { readonly [letter: string]: string } = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};
const escapes = new RegExp(escape.source, 'g');

function unescape(text: string, at: number, isBytes: boolean): string {
  return text.replace(escapes, (_, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
    const code = hex ?? short ?? long;
    if (code !== undefined || octal !== undefined) {
      const point = code === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(code, 16);
      if (point > 0x10ffff || (isBytes && hex === undefined && octal === undefined)) throw new CelSyntaxError('invalid unicode code point', at);
      return String.fromCodePoint(point);
    }
    return getOwn(simpleEscapes, letter ?? '') ?? '';
  });
}

/** Escapes of bytes stand for one byte each, all else for its UTF-8. */
function bytesOf(text: string, at: number, isRaw: boolean): Uint8Array {
  const plain = (part: string): readonly number[] => [...new TextEncoder().encode(part)];
  if (isRaw) return Uint8Array.from(plain(text));
  const bytes: number[] = [];
  let from = 0;
  for (const found of text.matchAll(escapes)) {
    bytes.push(...plain(text.slice(from, found.index)), unescape(found[0], at, true).charCodeAt(0));
    from = found.index + found[0].length;
  }
  return Uint8Array.from([...bytes, ...plain(text.slice(from))]);
}
