/** Go templates as trees: what is written, and what it defines by name. Mirrors text/template/parse/parse.go. */
import { cut, type Piece, TemplateError, type Token } from './tokens.ts';

export type Operand =
  | { readonly type: 'dot' }
  | { readonly type: 'nil' }
  | { readonly type: 'literal'; readonly value: string | number | boolean }
  | { readonly type: 'function'; readonly name: string }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'pipe'; readonly pipe: Pipe }
  | { readonly type: 'chain'; readonly of: Operand; readonly fields: readonly string[] };
export type Command = readonly Operand[];
export interface Pipe {
  readonly variables: readonly string[];
  /** `=` instead of `:=`. */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
}

export type Branch = 'if' | 'range' | 'with';
export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly pipe: Pipe }
  | { readonly type: Branch; readonly pipe: Pipe; readonly body: readonly TemplateNode[]; readonly otherwise: readonly TemplateNode[] }
  | { readonly type: 'template'; readonly name: string; readonly pipe?: Pipe }
  | { readonly type: 'break' | 'continue' };

export interface Template {
  readonly nodes: readonly TemplateNode[];
  /** By their names. */
  readonly defined: ReadonlyMap<string, readonly TemplateNode[]>;
}

const lengthMax = 65_536;
const depthMax = 50;

/** `functions` are the names that there are. Throws TemplateError. */
export function parseTemplate(source: string, functions: ReadonlySet<string>): Template {
  if (source.length > lengthMax) throw new TemplateError(`the template is longer than ${lengthMax} characters`);
  return new Parser(cut(source), functions).parse();
}

interface Block {
  readonly nodes: readonly TemplateNode[];
  readonly end: 'end' | 'else' | 'eof';
  /** What stands behind an `else`. */
  readonly rest: readonly Token[];
}

class Parser {
  readonly #pieces: readonly Piece[];
  readonly #functions: ReadonlySet<string>;
  readonly #defined = new Map<string, readonly TemplateNode[]>();
  #at = 0;
  #depth = 0;
  /** How many ranges stand around. */
  #ranges = 0;

  constructor(pieces: readonly Piece[], functions: ReadonlySet<string>) {
    this.#pieces = pieces;
    this.#functions = functions;
  }

  parse(): Template {
    const { nodes, end } = this.#block(true);
    if (end !== 'eof') throw new TemplateError(`unexpected {{${end}}}`);
    return { nodes, defined: this.#defined };
  }

  #block(isOutermost = false): Block {
    const nodes: TemplateNode[] = [];
    for (;;) {
      const piece = this.#pieces[this.#at++];
      if (piece === undefined) return { nodes, end: 'eof', rest: [] };
      if (piece.type === 'text') {
        nodes.push(piece);
        continue;
      }
      const [first, ...rest] = piece.tokens;
      if (first === undefined) throw new TemplateError('missing value for command');
      const word = first.type === 'word' ? first.text : '';
      if (word === 'end' || word === 'else') return { nodes, end: word, rest };
      if (word === 'if' || word === 'range' || word === 'with') nodes.push(this.#branch(word, rest));
      else if (word === 'break' || word === 'continue') {
        if (this.#ranges === 0) throw new TemplateError(`{{${word}}} outside {{range}}`);
        nodes.push({ type: word });
      } else if (word === 'template') nodes.push(this.#reference(rest));
      else if (word === 'block') nodes.push(this.#inPlace(rest));
      else if (word === 'define' && isOutermost) this.#define(rest);
      else if (word === 'define') throw new TemplateError('unexpected <define> in command');
      else nodes.push({ type: 'action', pipe: new PipeParser(piece.tokens, this.#functions).whole() });
    }
  }

  /** `{{template "name" pipe}}` */
  #reference(tokens: readonly Token[]): TemplateNode {
    const name = nameIn('template', tokens);
    const [, ...rest] = tokens;
    return rest.length === 0 ? { type: 'template', name } : { type: 'template', name, pipe: new PipeParser(rest, this.#functions).whole() };
  }

  #define(tokens: readonly Token[]): void {
    const name = nameIn('define', tokens);
    const [, extra] = tokens;
    if (extra !== undefined) throw new TemplateError(`unexpected ${JSON.stringify(extra.text)} in define clause`);
    this.#add(name, this.#body('define'));
  }

  /** `{{block "name" pipe}}`: a definition, and its use where it stands. */
  #inPlace(tokens: readonly Token[]): TemplateNode {
    const name = nameIn('block', tokens);
    const [, ...rest] = tokens;
    if (rest.length === 0) throw new TemplateError('missing value for block clause');
    const pipe = new PipeParser(rest, this.#functions).whole();
    this.#add(name, this.#body('block'));
    return { type: 'template', name, pipe };
  }

  /** Up to its end; a range around it is none of its own. */
  #body(clause: string): readonly TemplateNode[] {
    const ranges = this.#ranges;
    this.#ranges = 0;
    if (++this.#depth > depthMax) throw new TemplateError('the template is too deep');
    const { nodes, end } = this.#block();
    this.#depth--;
    this.#ranges = ranges;
    if (end === 'eof') throw new TemplateError('unexpected EOF');
    if (end === 'else') throw new TemplateError(`unexpected {{else}} in ${clause} clause`);
    return nodes;
  }

  /** Of two of one name one may hold nothing but white space, and gives way. */
  #add(name: string, nodes: readonly TemplateNode[]): void {
    const known = this.#defined.get(name);
    if (known === undefined || isEmpty(known)) this.#defined.set(name, nodes);
    else if (!isEmpty(nodes)) throw new TemplateError(`multiple definition of template ${JSON.stringify(name)}`);
  }

  #branch(type: Branch, tokens: readonly Token[]): TemplateNode {
    if (++this.#depth > depthMax) throw new TemplateError('the template is too deep');
    const node = this.#branchOf(type, tokens);
    this.#depth--;
    return node;
  }

  #branchOf(type: Branch, tokens: readonly Token[]): TemplateNode {
    const pipe = new PipeParser(tokens, this.#functions).whole();
    if (type === 'range') this.#ranges++;
    const { nodes: body, end, rest } = this.#block();
    if (type === 'range') this.#ranges--;
    if (end === 'eof') throw new TemplateError('unexpected EOF');
    if (end === 'end') return { type, pipe, body, otherwise: [] };
    const [first, ...condition] = rest;
    if (first !== undefined) {
      // `else if` is an `if` within the `else`, closed by the same end.
      if (first.text !== type || type === 'range') throw new TemplateError(`unexpected ${first.text} in else`);
      return { type, pipe, body, otherwise: [this.#branch(type, condition)] };
    }
    const last = this.#block();
    if (last.end !== 'end') throw new TemplateError(`expected end; found ${last.end}`);
    return { type, pipe, body, otherwise: last.nodes };
  }
}

function nameIn(clause: string, [first]: readonly Token[]): string {
  if (first?.type !== 'string') throw new TemplateError(`unexpected ${JSON.stringify(first?.text ?? '}}')} in ${clause} clause`);
  return first.text;
}

function isEmpty(nodes: readonly TemplateNode[]): boolean {
  return nodes.every((node) => node.type === 'text' && node.text.trim() === '');
}

class PipeParser {
  readonly #tokens: readonly Token[];
  readonly #functions: ReadonlySet<string>;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], functions: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#functions = functions;
  }

  whole(): Pipe {
    const pipe = this.#pipe();
    const left = this.#tokens[this.#at];
    if (left !== undefined) throw new TemplateError(`unexpected ${JSON.stringify(left.text)} in operand`);
    return pipe;
  }

  #isMark(text: string, at = this.#at): boolean {
    const token = this.#tokens[at];
    return token?.type === 'mark' && token.text === text;
  }

  #pipe(): Pipe {
    const { variables, assigns } = this.#declaration();
    const commands: Command[] = [];
    do {
      if (this.#isMark('|')) this.#at++;
      const command = this.#command();
      if (command.length === 0) throw new TemplateError('missing value for command');
      commands.push(command);
    } while (this.#isMark('|'));
    return { variables, assigns, commands };
  }

  #declaration(): Pick<Pipe, 'variables' | 'assigns'> {
    const [first, second] = [this.#tokens[this.#at], this.#tokens[this.#at + 2]];
    if (first?.type !== 'variable') return { variables: [], assigns: false };
    for (const mark of [':=', '=']) {
      if (this.#isMark(mark, this.#at + 1)) {
        this.#at += 2;
        return { variables: [first.text], assigns: mark === '=' };
      }
      if (this.#isMark(',', this.#at + 1) && second?.type === 'variable' && this.#isMark(mark, this.#at + 3)) {
        this.#at += 4;
        return { variables: [first.text, second.text], assigns: mark === '=' };
      }
    }
    return { variables: [], assigns: false };
  }

  #command(): Command {
    const operands: Operand[] = [];
    for (let token = this.#tokens[this.#at]; token !== undefined && !this.#isMark('|') && !this.#isMark(')'); token = this.#tokens[this.#at])
      operands.push(this.#operand(token));
    return operands;
  }

  #operand(token: Token): Operand {
    this.#at++;
    const start = this.#start(token);
    const fields = token.type === 'field' ? [token.text] : [];
    for (let next = this.#tokens[this.#at]; next?.type === 'field' && !next.spaced; next = this.#tokens[this.#at]) {
      fields.push(next.text);
      this.#at++;
    }
    return fields.length === 0 ? start : { type: 'chain', of: start, fields };
  }

  #start(token: Token): Operand {
    switch (token.type) {
      case 'field':
        return { type: 'dot' };
      case 'variable':
        return { type: 'variable', name: token.text };
      case 'string':
        return { type: 'literal', value: token.text };
      case 'number':
        return { type: 'literal', value: Number(token.text) };
      case 'word':
        if (token.text === 'true' || token.text === 'false') return { type: 'literal', value: token.text === 'true' };
        if (token.text === 'nil') return { type: 'nil' };
        if (!this.#functions.has(token.text)) throw new TemplateError(`function ${JSON.stringify(token.text)} not defined`);
        return { type: 'function', name: token.text };
      default:
        if (token.text === '.') return { type: 'dot' };
        if (token.text !== '(') throw new TemplateError(`unexpected ${JSON.stringify(token.text)} in operand`);
        return this.#parenthesized();
    }
  }

  #parenthesized(): Operand {
    if (++this.#depth > depthMax) throw new TemplateError('the template is too deep');
    const pipe = this.#pipe();
    this.#depth--;
    if (!this.#isMark(')')) throw new TemplateError('unclosed left paren');
    this.#at++;
    return { type: 'pipe', pipe };
  }
}
