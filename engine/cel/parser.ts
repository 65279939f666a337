/** Parses CEL by precedence, and expands nothing but the macros, which become nodes. Mirrors github.com/google/cel-go/parser. */
import { int64Max, noAlternative, type Report, type Token, tokenize } from './lexer.ts';
import { globalCall, memberCall } from './macros.ts';
import { CelSyntaxError, type Expression, type StructField, type SyntaxFault } from './syntax.ts';
import { Unsigned } from './values.ts';

/** Of one rule of the grammar within itself, and of nodes within nodes. */
const depthMax = 250;
const codePointsMax = 100_000;
const relations: readonly string[] = ['==', '!=', '<', '<=', '>', '>=', 'in'];
const sums: readonly string[] = ['+', '-'];
const products: readonly string[] = ['*', '/', '%'];

/** Upstream's names of operators as functions. */
function operatorName(symbol: string): string {
  if (symbol === 'in') return '@in';
  return symbol === '!' ? '!_' : `_${symbol}_`;
}

/** What a program may not use as a name. */
const reserved: ReadonlySet<string> = new Set([
  ...['as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop', 'package', 'namespace'],
  ...['return', 'var', 'void', 'while'],
]);

export interface ParserOptions {
  readonly hasBindings?: boolean;
}

/** What may stand behind the parenthesis of a call, and behind the brace of an object. */
const argument = "{'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const member = "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}";

/** Rules of upstream's grammar that name themselves. */
type Rule = 'expression' | 'relation' | 'calc' | 'member';

/** What is wrong with a text, in the order in which it was found. */
export class CelSyntaxErrors extends Error {
  readonly faults: readonly SyntaxFault[];

  constructor(faults: readonly SyntaxFault[]) {
    super(faults[0]?.message ?? '');
    this.name = 'CelSyntaxErrors';
    this.faults = faults;
  }
}

/** Throws CelSyntaxErrors. */
export function parse(source: string, options: ParserOptions = {}): Expression {
  // A text has at most as many code points as units: mostly that is all there is to look at.
  const length = source.length > codePointsMax ? [...source].length : 0;
  if (length > codePointsMax)
    throw new CelSyntaxErrors([new CelSyntaxError(`expression code point size exceeds limit: size: ${length}, limit ${codePointsMax}`, undefined)]);
  const faults: SyntaxFault[] = [];
  const report: Report = (fault) => void faults.push(fault);
  try {
    const parsed = new Parser(tokenize(source, report), options, report).parse();
    if (faults.length === 0) return parsed;
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    report(error);
  }
  throw new CelSyntaxErrors(faults);
}

class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  readonly #options: ParserOptions;
  readonly #depths = { expression: 0, relation: 0, calc: 0, member: 0 };
  /** How many nodes that upstream counts stand in one another below a node. */
  readonly #heights = new Map<Expression, number>();

  /** For what does not keep the rest from being read. */
  readonly #report: Report;

  constructor(tokens: readonly Token[], options: ParserOptions, report: Report) {
    this.#tokens = tokens;
    this.#options = options;
    this.#report = report;
  }

  parse(): Expression {
    const found = this.#conditional();
    if (this.#next.kind !== 'end') this.#unexpected();
    if (this.#heightOf([found]) > depthMax) throw new CelSyntaxError('max recursion depth exceeded', undefined);
    return found;
  }

  #enter(rule: Rule): void {
    if (++this.#depths[rule] > depthMax) throw new CelSyntaxError(`expression recursion limit exceeded: ${depthMax}`, undefined);
  }

  /** What a rule that names itself on its left has entered is left at its end, all at once. */
  #within<T>(rule: Rule, act: () => T): T {
    const before = this.#depths[rule];
    this.#enter(rule);
    const made = act();
    this.#depths[rule] = before;
    return made;
  }

  #heightOf(parts: readonly Expression[]): number {
    let most = 0;
    for (const part of parts) most = Math.max(most, this.#heights.get(part) ?? 0);
    return most;
  }

  /** `counted`: what upstream counts. */
  #made(node: Expression, parts: readonly Expression[], counted: 0 | 1): Expression {
    const height = this.#heightOf(parts) + counted;
    if (height > 0) this.#heights.set(node, height);
    return node;
  }

  get #next(): Token {
    return this.#tokens[this.#index] as Token;
  }

  #take(): Token {
    const token = this.#next;
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  #is(text: string): boolean {
    return this.#next.kind === 'operator' && this.#next.text === text;
  }

  #accept(text: string): Token | undefined {
    return this.#is(text) ? this.#take() : undefined;
  }

  #expect(text: string, wanted?: string): Token {
    return this.#accept(text) ?? this.#unexpected(wanted);
  }

  /** `wanted`: what else could stand there, where that is known. */
  #unexpected(wanted?: string): never {
    if (wanted !== undefined) throw new CelSyntaxError(`Syntax error: mismatched input '${this.#next.text}' expecting ${wanted}`, this.#next.at);
    const { kind, text, at } = this.#next;
    const follows = this.#tokens[this.#index + 1];
    const isExtra =
      this.#expected() === '<EOF>'
        ? kind !== 'end' && follows?.kind === 'end'
        : kind === 'operator' && follows !== undefined && startsOperand(follows);
    if (isExtra) throw new CelSyntaxError(`Syntax error: extraneous input '${text}' expecting ${this.#expected()}`, at);
    const what = kind === 'end' ? "mismatched input '<EOF>' expecting" : `mismatched input '${text}' expecting`;
    throw new CelSyntaxError(`Syntax error: ${what} ${this.#expected()}`, at);
  }

  #expected(): string {
    const { kind } = this.#tokens[this.#index - 1] ?? { kind: 'operator' };
    return kind === 'operator' || this.#index === 0
      ? "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
      : '<EOF>';
  }

  #conditional(): Expression {
    return this.#within('expression', () => {
      const condition = this.#logical('||', () => this.#logical('&&', () => this.#relation()));
      const question = this.#accept('?');
      if (question === undefined) return condition;
      const yes = this.#logical('||', () => this.#logical('&&', () => this.#relation()));
      this.#expect(':', "':'");
      const args = [condition, yes, this.#conditional()];
      return this.#made({ kind: 'call', name: '_?_:_', args, at: question.at }, args, 1);
    });
  }

  /** Many become a tree that is as deep on its left as on its right. */
  #logical(symbol: string, operand: () => Expression): Expression {
    const terms = [operand()];
    const symbols: Token[] = [];
    for (let token = this.#accept(symbol); token !== undefined; token = this.#accept(symbol)) {
      symbols.push(token);
      terms.push(operand());
    }
    const between = (from: number, to: number): Expression => {
      if (from === to) return terms[from] as Expression;
      const middle = Math.floor((from + to) / 2);
      const args = [between(from, middle), between(middle + 1, to)];
      return this.#made({ kind: 'call', name: operatorName(symbol), args, at: (symbols[middle] as Token).at }, args, 0);
    };
    return between(0, terms.length - 1);
  }

  #relation(): Expression {
    return this.#within('relation', () => this.#operators('relation', relations, this.#calc(), () => this.#within('relation', () => this.#calc())));
  }

  #calc(): Expression {
    return this.#within('calc', () => this.#sum());
  }

  #sum(): Expression {
    return this.#operators('calc', sums, this.#product(), () => this.#within('calc', () => this.#product()));
  }

  #product(): Expression {
    return this.#operators('calc', products, this.#unary(), () => this.#within('calc', () => this.#unary()));
  }

  #operators(rule: Rule, symbols: readonly string[], first: Expression, operand: () => Expression): Expression {
    let left = first;
    while (this.#next.kind === 'operator' && symbols.includes(this.#next.text)) {
      const symbol = this.#take();
      this.#enter(rule);
      const args = [left, operand()];
      left = this.#made({ kind: 'call', name: operatorName(symbol.text), args, at: symbol.at }, args, 1);
    }
    return left;
  }

  /** A pair of the same says nothing, and is left out. */
  #unary(): Expression {
    const symbol = this.#is('!') || this.#is('-') ? this.#take() : undefined;
    if (symbol === undefined) return this.#member();
    let count = 1;
    while (this.#is(symbol.text)) {
      this.#take();
      count++;
    }
    const follows = this.#next;
    if (symbol.text === '-' && follows.kind === 'literal' && (typeof follows.value === 'bigint' || typeof follows.value === 'number')) {
      this.#take();
      const at = count === 1 ? symbol.at : follows.at;
      const isNegative = count % 2 === 1;
      return this.#within('member', () =>
        this.#suffixes({ kind: 'literal', value: isNegative ? -(follows.value as bigint) : (follows.value as bigint), at }),
      );
    }
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    return this.#made({ kind: 'call', name: symbol.text === '!' ? '!_' : '-_', args: [operand], at: symbol.at }, [operand], 0);
  }

  #member(): Expression {
    return this.#within('member', () => {
      const head = this.#primary();
      if (head.kind === 'literal' && typeof head.value === 'bigint' && head.value > int64Max)
        this.#report({ message: 'invalid int literal', at: head.at });
      return this.#suffixes(head);
    });
  }

  #suffixes(head: Expression): Expression {
    let found = head;
    for (;;) {
      const dot = this.#accept('.');
      const bracket = dot === undefined ? this.#accept('[') : undefined;
      if (dot === undefined && bracket === undefined) return found;
      this.#enter('member');
      found = dot === undefined ? this.#indexed(found, (bracket as Token).at) : this.#field(found, dot.at);
    }
  }

  #indexed(operand: Expression, at: number): Expression {
    const isOptional = this.#accept('?') !== undefined;
    const args = [operand, this.#conditional()];
    this.#expect(']');
    return this.#made({ kind: 'call', name: isOptional ? '_[?_]' : '_[_]', args, at }, args, 1);
  }

  #field(operand: Expression, at: number): Expression {
    const isOptional = this.#accept('?') !== undefined;
    const { text, kind } = this.#next;
    if (kind !== 'name' && kind !== 'literal') throw noAlternative(this.#next);
    if (kind !== 'name') this.#unexpected();
    const { at: where } = this.#take();
    if (text.startsWith('`')) this.#report({ message: "unsupported syntax: '`'", at: where });
    const field = text.replaceAll('`', '');
    if (isOptional) return this.#made({ kind: 'select', operand, field, isTest: false, isOptional, at }, [operand], 1);
    const open = this.#accept('(');
    if (open === undefined) return this.#made({ kind: 'select', operand, field, isTest: false, at }, [operand], 1);
    const args = this.#list(')');
    const call = this.#expanded(open.at, () => memberCall(operand, text, args, open.at, this.#options.hasBindings === true));
    return this.#made(call, [operand, ...args], 1);
  }

  #primary(): Expression {
    const token = this.#next;
    if (token.kind === 'literal') {
      this.#take();
      return { kind: 'literal', value: token.value ?? (token.value === null ? null : new Unsigned(0n)), at: token.at };
    }
    if (this.#accept('(') !== undefined) {
      const inner = this.#conditional();
      if (!this.#is(')') && this.#next.kind === 'end') throw new CelSyntaxError("Syntax error: missing ')' at '<EOF>'", this.#next.at);
      this.#expect(')');
      return inner;
    }
    const optional = new Set<number>();
    if (this.#accept('[') !== undefined) {
      const elements = this.#list(']', optional);
      return this.#made({ kind: 'list', elements, optional, at: token.at }, elements, 0);
    }
    if (this.#accept('{') !== undefined) {
      const entries = this.#entries(optional);
      return this.#made({ kind: 'map', entries, optional, at: token.at }, entries.flat(), 0);
    }
    return this.#named();
  }

  /** A macro that is used wrongly is told, and left out. */
  #expanded(at: number, expand: () => Expression): Expression {
    try {
      return expand();
    } catch (error) {
      if (!(error instanceof CelSyntaxError)) throw error;
      this.#report(error);
      return { kind: 'literal', value: null, at };
    }
  }

  /** A variable, a call, or an object that is written down. */
  #named(): Expression {
    const dot = this.#accept('.')?.text ?? '';
    if (dot !== '' && this.#next.kind !== 'name') throw noAlternative(this.#next);
    if (this.#next.kind !== 'name' || this.#next.text.startsWith('`')) this.#unexpected();
    const struct = this.#struct(dot);
    if (struct !== undefined) return struct;
    const { text, at } = this.#take();
    if (reserved.has(text)) this.#report({ message: `reserved identifier: ${text}`, at });
    const open = this.#accept('(');
    if (open === undefined) return { kind: 'name', name: `${dot}${text}`, at };
    const args = this.#list(')');
    return this.#made(
      this.#expanded(open.at, () => globalCall(`${dot}${text}`, args, open.at)),
      args,
      0,
    );
  }

  /** `Name.of.type{field: value}`; undefined where no brace follows the names. */
  #struct(dot: string): Expression | undefined {
    const names: string[] = [];
    let at = this.#index;
    for (; this.#tokens[at]?.kind === 'name'; at += 2) {
      names.push(this.#tokens[at]?.text ?? '');
      const { kind, text } = this.#tokens[at + 1] as Token;
      if (kind !== 'operator' || (text !== '.' && text !== '{')) return undefined;
      if (text === '.') continue;
      this.#index = at + 2;
      const fields: StructField[] = [];
      const optional = new Set<number>();
      while (!this.#is('}')) {
        if (this.#accept('?') !== undefined) optional.add(fields.length);
        const { kind: found, text: shown, at: where } = this.#next;
        if (found !== 'name')
          throw new CelSyntaxError(`Syntax error: mismatched input '${found === 'end' ? '<EOF>' : shown}' expecting ${member}`, where);
        const name = this.#take().text.replaceAll('`', '');
        const colon = this.#expect(':');
        fields.push([name, this.#conditional(), colon.at]);
        if (this.#accept(',') === undefined) break;
      }
      this.#expect('}');
      const node: Expression = { kind: 'struct', name: dot + names.join('.'), fields, optional, at: (this.#tokens[at + 1] as Token).at };
      return this.#made(
        node,
        fields.map(([, value]) => value),
        0,
      );
    }
    return undefined;
  }

  #list(close: string, optional?: Set<number>): readonly Expression[] {
    const items: Expression[] = [];
    if (close === ')' && this.#next.kind === 'end')
      throw new CelSyntaxError(`Syntax error: mismatched input '<EOF>' expecting ${argument}`, this.#next.at);
    while (!this.#is(close)) {
      if (optional !== undefined && this.#accept('?') !== undefined) optional.add(items.length);
      items.push(this.#conditional());
      if (this.#accept(',') === undefined) break;
    }
    this.#expect(close, close === ']' ? "{']', ','}" : undefined);
    return items;
  }

  #entries(optional: Set<number>): readonly (readonly [Expression, Expression])[] {
    const entries: (readonly [Expression, Expression])[] = [];
    while (!this.#is('}')) {
      if (this.#accept('?') !== undefined) optional.add(entries.length);
      const key = this.#conditional();
      this.#expect(':', "':'");
      entries.push([key, this.#conditional()]);
      if (this.#accept(',') === undefined) break;
    }
    this.#expect('}', "{'}', ','}");
    return entries;
  }
}

function startsOperand({ kind, text }: Token): boolean {
  return kind === 'name' || kind === 'literal' || ['[', '{', '(', '.', '-', '!'].includes(text);
}
