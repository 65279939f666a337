/**
 * Reads the text form of label selectors, `a=b,c!=d,e in (x,y),!f,g>1`, with upstream's complaints. Mirrors the lexer and parser of
 * k8s.io/apimachinery pkg/labels/selector.go.
 */
import { errorText, invalid, root } from './field-errors.ts';
import { isQualifiedName } from './formats.ts';
import { type LabelOperator, type LabelRequirement, newRequirement, Selector, SelectorError } from './labels.ts';

type TokenKind = 'error' | 'end' | 'identifier' | ')' | ',' | '!' | '==' | '=' | '>' | 'in' | '<' | '!=' | 'notin' | '(';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const specialTokens: readonly TokenKind[] = [')', ',', '!', '==', '=', '>', '<', '!=', '('];

function isSpace(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\r' || char === '\n';
}

function isSpecial(char: string): boolean {
  return char !== '' && '=!(),><'.includes(char);
}

function scanWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isSpecial(text.charAt(end)) && !isSpace(text.charAt(end)) && text.charAt(end) !== '\0') end++;
  return end;
}

/** The longest known symbol from `start`; a run that begins with no symbol is an error as a whole. */
function scanSymbol(text: string, start: number): { readonly token: Token; readonly end: number } {
  let found: Token | undefined;
  let end = start;
  while (end < text.length && isSpecial(text.charAt(end))) {
    const candidate = text.slice(start, end + 1);
    const kind = specialTokens.find((special) => special === candidate);
    if (kind !== undefined) found = { kind, text: candidate };
    else if (found !== undefined) break;
    end++;
  }
  return { token: found ?? { kind: 'error', text: `error expected: keyword found '${text.slice(start, end)}'` }, end };
}

function scan(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    while (position < text.length && isSpace(text.charAt(position))) position++;
    if (position >= text.length || text.charAt(position) === '\0') break;
    if (isSpecial(text.charAt(position))) {
      const { token, end } = scanSymbol(text, position);
      tokens.push(token);
      position = end;
    } else {
      const end = scanWord(text, position);
      const word = text.slice(position, end);
      tokens.push({ kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word });
      position = end;
    }
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

const operatorOf: ReadonlyMap<TokenKind, LabelOperator> = new Map<TokenKind, LabelOperator>([
  ['in', 'in'],
  ['=', '='],
  ['==', '=='],
  ['>', 'gt'],
  ['<', 'lt'],
  ['notin', 'notin'],
  ['!=', '!='],
]);

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = scan(text);
  }

  parse(): readonly LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const { kind, text } = this.#peek();
      if (kind === 'end') return requirements;
      if (kind !== 'identifier' && kind !== '!') throw new SelectorError(`found '${text}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.#guardedRequirement());
      const next = this.#take();
      if (next.kind === 'end') return requirements;
      if (next.kind !== ',') throw new SelectorError(`found '${next.text}', expected: ',' or 'end of string'`);
      const after = this.#peek();
      if (after.kind !== 'identifier' && after.kind !== '!') throw new SelectorError(`found '${after.text}', expected: identifier after ','`);
    }
  }

  #token(position: number): Token {
    return this.#tokens[Math.min(position, this.#tokens.length - 1)] ?? { kind: 'end', text: '' };
  }

  /** Keywords are plain words everywhere but in the place of an operator. */
  #peek(): Token {
    const token = this.#token(this.#position);
    return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#position++;
    return token;
  }

  #guardedRequirement(): LabelRequirement {
    try {
      return this.#requirement();
    } catch (error) {
      if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  #requirement(): LabelRequirement {
    let token = this.#take();
    const negated = token.kind === '!';
    if (negated) token = this.#take();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
    const faults = isQualifiedName(token.text);
    if (faults.length > 0) throw new SelectorError(errorText(invalid(root('<nil>'), token.text, faults.join('; '))));
    const next = this.#peek();
    if (negated) return newRequirement(token.text, '!', []);
    if (next.kind === 'end' || next.kind === ',') return newRequirement(token.text, 'exists', []);
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#exactValue()];
    return newRequirement(token.text, operator, [...new Set(values)].sort());
  }

  #operator(): LabelOperator {
    const token = this.#token(this.#position++);
    const operator = operatorOf.get(token.kind);
    if (operator === undefined) throw new SelectorError(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
    return operator;
  }

  #exactValue(): string {
    const next = this.#peek();
    if (next.kind === 'end' || next.kind === ',') return '';
    const token = this.#take();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  #values(): readonly string[] {
    const open = this.#take();
    if (open.kind !== '(') throw new SelectorError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#position++;
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',') throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
    const values = this.#list();
    if (this.#take().kind !== ')') throw new SelectorError(`found '${first.text}', expected: ')'`);
    return values;
  }

  /** An empty place between commas stands for the empty value. */
  #list(): readonly string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      const next = this.#peek();
      if (token.kind === 'identifier') {
        values.push(token.text);
        if (next.kind === ',') continue;
        if (next.kind === ')') return values;
        throw new SelectorError(`found '${next.text}', expected: ',' or ')'`);
      }
      if (token.kind !== ',') throw new SelectorError(`found '${token.text}', expected: ',', or identifier`);
      if (values.length === 0 || next.kind === ')' || next.kind === ',') values.push('');
      if (next.kind === ')') return values;
    }
  }
}

/** Throws SelectorError with upstream's text. The empty text selects everything. */
export function parseSelector(text: string): Selector {
  return new Selector(new Parser(text).parse());
}
