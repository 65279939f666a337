/** Parses CEL by precedence, and expands nothing but the macros, which become nodes. Mirrors github.com/google/cel-go/parser. */
import { int64Max, type Token, tokenize } from './lexer.ts';
import { CelSyntaxError, type Expression, type LoopMacro } from './syntax.ts';
import { Unsigned } from './values.ts';

const depthMax = 250;
const binaries: readonly (readonly string[])[] = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>=', 'in'], ['+', '-'], ['*', '/', '%']];
const loopMacros: readonly string[] = ['all', 'exists', 'exists_one', 'existsOne', 'map', 'filter'];

/** Upstream's names of operators as functions. */
export function operatorName(symbol: string): string {
  if (symbol === 'in') return '@in';
  return symbol === '!' ? '!_' : `_${symbol}_`;
}

/** Throws CelSyntaxError. */
export function parse(source: string): Expression {
  return new Parser(tokenize(source)).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const found = this.#conditional();
    if (this.#next.kind !== 'end') this.#unexpected();
    return found;
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

  #expect(text: string): Token {
    return this.#accept(text) ?? this.#unexpected();
  }

  #unexpected(): never {
    const { kind, text, at } = this.#next;
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
    if (++this.#depth > depthMax) throw new CelSyntaxError(`expression recursion limit exceeded: ${depthMax}`, this.#next.at);
    const condition = this.#binary(0);
    const question = this.#accept('?');
    if (question !== undefined) {
      const yes = this.#binary(0);
      this.#expect(':');
      const no = this.#conditional();
      this.#depth--;
      return { kind: 'call', name: '_?_:_', args: [condition, yes, no], at: question.at };
    }
    this.#depth--;
    return condition;
  }

  #binary(level: number): Expression {
    const symbols = binaries[level];
    if (symbols === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const symbol = this.#next.kind === 'operator' && symbols.includes(this.#next.text) ? this.#take() : undefined;
      if (symbol === undefined) return left;
      left = { kind: 'call', name: operatorName(symbol.text), args: [left, this.#binary(level + 1)], at: symbol.at };
    }
  }

  #unary(): Expression {
    const symbol = this.#is('!') || this.#is('-') ? this.#take() : undefined;
    if (symbol === undefined) return this.#member();
    if (++this.#depth > depthMax) throw new CelSyntaxError(`expression recursion limit exceeded: ${depthMax}`, symbol.at);
    const follows = this.#next;
    if (symbol.text === '-' && follows.kind === 'literal' && (typeof follows.value === 'bigint' || typeof follows.value === 'number')) {
      this.#take();
      this.#depth--;
      return this.#suffixes({ kind: 'literal', value: -follows.value, at: symbol.at });
    }
    const operand = this.#unary();
    this.#depth--;
    return { kind: 'call', name: symbol.text === '!' ? '!_' : '-_', args: [operand], at: symbol.at };
  }

  #member(): Expression {
    const head = this.#primary();
    if (head.kind === 'literal' && typeof head.value === 'bigint' && head.value > int64Max) throw new CelSyntaxError('invalid int literal', head.at);
    return this.#suffixes(head);
  }

  #suffixes(head: Expression): Expression {
    let found = head;
    for (;;) {
      const dot = this.#accept('.');
      if (dot !== undefined) {
        const { text, kind } = this.#next;
        if (kind !== 'name') this.#unexpected();
        this.#take();
        const open = this.#accept('(');
        found =
          open === undefined
            ? { kind: 'select', operand: found, field: text.replaceAll('`', ''), isTest: false, at: dot.at }
            : this.#memberCall(found, text, this.#list(')'), open.at);
        continue;
      }
      const bracket = this.#accept('[');
      if (bracket === undefined) return found;
      const index = this.#conditional();
      this.#expect(']');
      found = { kind: 'call', name: '_[_]', args: [found, index], at: bracket.at };
    }
  }

  #primary(): Expression {
    const token = this.#next;
    if (token.kind === 'literal') {
      this.#take();
      return { kind: 'literal', value: token.value ?? (token.value === null ? null : new Unsigned(0n)), at: token.at };
    }
    if (this.#accept('(') !== undefined) {
      const inner = this.#conditional();
      this.#expect(')');
      return inner;
    }
    if (this.#accept('[') !== undefined) return { kind: 'list', elements: this.#list(']'), at: token.at };
    if (this.#accept('{') !== undefined) return { kind: 'map', entries: this.#entries(), at: token.at };
    this.#accept('.');
    if (this.#next.kind !== 'name') this.#unexpected();
    const { text, at } = this.#take();
    const open = this.#accept('(');
    return open === undefined ? { kind: 'name', name: text, at } : this.#globalCall(text, this.#list(')'), open.at);
  }

  #list(close: string): readonly Expression[] {
    const items: Expression[] = [];
    while (!this.#is(close)) {
      items.push(this.#conditional());
      if (this.#accept(',') === undefined) break;
    }
    this.#expect(close);
    return items;
  }

  #entries(): readonly (readonly [Expression, Expression])[] {
    const entries: (readonly [Expression, Expression])[] = [];
    while (!this.#is('}')) {
      const key = this.#conditional();
      this.#expect(':');
      entries.push([key, this.#conditional()]);
      if (this.#accept(',') === undefined) break;
    }
    this.#expect('}');
    return entries;
  }

  #globalCall(name: string, args: readonly Expression[], at: number): Expression {
    const [only] = args;
    if (name !== 'has' || args.length !== 1 || only === undefined) return { kind: 'call', name, args, at };
    if (only.kind !== 'select') throw new CelSyntaxError('invalid argument to has() macro', only.at);
    return { ...only, isTest: true };
  }

  #memberCall(target: Expression, name: string, args: readonly Expression[], at: number): Expression {
    const [variable, second, third] = args;
    if (target.kind === 'name' && target.name === 'cel' && name === 'bind' && variable !== undefined && second !== undefined && third !== undefined) {
      return { kind: 'bind', variable: nameOf(variable, 'cel.bind() variable names must be simple identifiers'), value: second, body: third, at };
    }
    const isLoop = loopMacros.includes(name) && (args.length === 2 || (name === 'map' && args.length === 3));
    if (!isLoop || variable === undefined || second === undefined) return { kind: 'call', name, target, args, at };
    const macro = (name === 'existsOne' ? 'exists_one' : name) as LoopMacro;
    const loop = { kind: 'loop' as const, macro, range: target, variable: nameOf(variable, 'argument must be a simple name'), at };
    return third === undefined ? { ...loop, body: second } : { ...loop, filter: second, body: third };
  }
}

function nameOf(expression: Expression, fault: string): string {
  if (expression.kind !== 'name') throw new CelSyntaxError(fault, expression.at);
  return expression.name;
}
