/** Parses CEL by precedence, and expands nothing but the macros, which become nodes. Mirrors github.com/google/cel-go/parser. */
import { int64Max, type Token, tokenize } from './lexer.ts';
import { CelSyntaxError, type Expression, type LoopMacro } from './syntax.ts';
import { Unsigned } from './values.ts';

const depthMax = 250;
const binaries: readonly (readonly string[])[] = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>=', 'in'], ['+', '-'], ['*', '/', '%']];
const loopMacros: readonly string[] = ['all', 'exists', 'exists_one', 'map', 'filter'];
const transforms: readonly string[] = ['transformList', 'transformMap', 'transformMapEntry'];

/** Upstream's names of operators as functions. */
export function operatorName(symbol: string): string {
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

/** Throws CelSyntaxError. */
export function parse(source: string, options: ParserOptions = {}): Expression {
  return new Parser(tokenize(source), options).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  readonly #options: ParserOptions;
  #depth = 0;

  constructor(tokens: readonly Token[], options: ParserOptions) {
    this.#tokens = tokens;
    this.#options = options;
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
    const follows = this.#tokens[this.#index + 1];
    const isExtra = kind === 'operator' && this.#expected() !== '<EOF>' && follows !== undefined && startsOperand(follows);
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
    // A pair of the same says nothing, and is left out.
    const name = symbol.text === '!' ? '!_' : '-_';
    if (operand.kind === 'call' && operand.name === name && follows.kind === 'operator' && follows.text === symbol.text)
      return operand.args[0] as Expression;
    return { kind: 'call', name, args: [operand], at: symbol.at };
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
        const isOptional = this.#accept('?') !== undefined;
        const { text, kind } = this.#next;
        if (kind !== 'name') this.#unexpected();
        this.#take();
        if (isOptional) {
          found = { kind: 'select', operand: found, field: text.replaceAll('`', ''), isTest: false, isOptional, at: dot.at };
          continue;
        }
        const open = this.#accept('(');
        found =
          open === undefined
            ? { kind: 'select', operand: found, field: text.replaceAll('`', ''), isTest: false, at: dot.at }
            : this.#memberCall(found, text, this.#list(')'), open.at);
        continue;
      }
      const bracket = this.#accept('[');
      if (bracket === undefined) return found;
      const isOptional = this.#accept('?') !== undefined;
      const index = this.#conditional();
      this.#expect(']');
      found = { kind: 'call', name: isOptional ? '_[?_]' : '_[_]', args: [found, index], at: bracket.at };
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
      if (!this.#is(')') && this.#next.kind === 'end') throw new CelSyntaxError("Syntax error: missing ')' at '<EOF>'", this.#next.at);
      this.#expect(')');
      return inner;
    }
    if (this.#accept('[') !== undefined) {
      const optional = new Set<number>();
      return { kind: 'list', elements: this.#list(']', optional), optional, at: token.at };
    }
    if (this.#accept('{') !== undefined) {
      const optional = new Set<number>();
      return { kind: 'map', entries: this.#entries(optional), optional, at: token.at };
    }
    this.#accept('.');
    if (this.#next.kind !== 'name') this.#unexpected();
    const { text, at } = this.#take();
    if (reserved.has(text)) throw new CelSyntaxError(`reserved identifier: ${text}`, at);
    const open = this.#accept('(');
    return open === undefined ? { kind: 'name', name: text, at } : this.#globalCall(text, this.#list(')'), open.at);
  }

  #list(close: string, optional?: Set<number>): readonly Expression[] {
    const items: Expression[] = [];
    while (!this.#is(close)) {
      if (optional !== undefined && this.#accept('?') !== undefined) optional.add(items.length);
      items.push(this.#conditional());
      if (this.#accept(',') === undefined) break;
    }
    this.#expect(close);
    return items;
  }

  #entries(optional: Set<number>): readonly (readonly [Expression, Expression])[] {
    const entries: (readonly [Expression, Expression])[] = [];
    while (!this.#is('}')) {
      if (this.#accept('?') !== undefined) optional.add(entries.length);
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
    if (
      this.#options.hasBindings &&
      target.kind === 'name' &&
      target.name === 'cel' &&
      name === 'bind' &&
      variable !== undefined &&
      second !== undefined &&
      third !== undefined
    ) {
      return { kind: 'bind', variable: nameOf(variable, 'cel.bind() variable names must be simple identifiers'), value: second, body: third, at };
    }
    if ((name === 'optMap' || name === 'optFlatMap') && variable !== undefined && second !== undefined && args.length === 2)
      return {
        kind: 'present',
        target,
        variable: nameOf(variable, `${name}() variable name must be a simple identifier`),
        body: second,
        isFlat: name === 'optFlatMap',
        at,
      };
    if (name === 'sortBy' && variable !== undefined && second !== undefined && args.length === 2) return sorted(target, variable, second, at);
    const two = twoVariables(target, name, args, at);
    if (two !== undefined) return two;
    const isLoop = loopMacros.includes(name) && (args.length === 2 || (name === 'map' && args.length === 3));
    if (!isLoop || variable === undefined || second === undefined) return { kind: 'call', name, target, args, at };
    const fault = name === 'map' || name === 'filter' ? 'argument is not an identifier' : 'argument must be a simple name';
    const loop = { kind: 'loop' as const, macro: name as LoopMacro, range: target, variable: nameOf(variable, fault), at };
    return third === undefined ? { ...loop, body: second } : { ...loop, filter: second, body: third };
  }
}

function startsOperand({ kind, text }: Token): boolean {
  return kind === 'name' || kind === 'literal' || ['[', '{', '(', '.', '-', '!'].includes(text);
}

/** As upstream expands it: a list is bound, and sorted by what is made of each element. */
function sorted(target: Expression, variable: Expression, body: Expression, at: number): Expression {
  const input = { kind: 'name' as const, name: '@__sortBy_input__', at };
  const keys = { kind: 'loop' as const, macro: 'map' as const, range: input, variable: nameOf(variable, 'argument is not an identifier'), body, at };
  const call = { kind: 'call' as const, name: '@sortByAssociatedKeys', target: input, args: [keys], at };
  return { kind: 'bind', variable: input.name, value: target, body: call, at };
}

/** Loops over index and value, or key and value. */
function twoVariables(range: Expression, name: string, args: readonly Expression[], at: number): Expression | undefined {
  const [first, second, third, fourth] = args;
  const isTest = ['all', 'exists', 'exists_one', 'existsOne'].includes(name) && args.length === 3;
  const isTransform = transforms.includes(name) && (args.length === 3 || args.length === 4);
  if ((!isTest && !isTransform) || first === undefined || second === undefined || third === undefined) return undefined;
  const macros: { readonly [name: string]: LoopMacro } = { existsOne: 'exists_one', transformList: 'map' };
  const loop = {
    kind: 'loop' as const,
    macro: macros[name] ?? (name as LoopMacro),
    range,
    variable: nameOf(first, 'argument must be a simple name'),
    second: nameOf(second, 'argument must be a simple name'),
    at,
  };
  return fourth === undefined ? { ...loop, body: third } : { ...loop, filter: third, body: fourth };
}

function nameOf(expression: Expression, fault: string): string {
  if (expression.kind !== 'name') throw new CelSyntaxError(fault, expression.at);
  return expression.name;
}
