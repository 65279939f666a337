/** From a script's syntax tree (`unbash`) to shell code. What is not understood becomes a failing command that says so. */
import {
  parse,
  type ArithmeticExpression,
  type Assignment,
  type Command,
  type CommandNode,
  type CompoundList,
  type PipelineNode,
  type Redirection as RedirectionNode,
  type Statement,
  type TestExpression,
  type Word as WordNode,
  type WordPart,
  type AndOr,
  type ParsedScript,
  type Script,
} from 'unbash';
import type { Arithmetic, Code, Instruction, Part, Redirection, Word } from './shell-code.ts';
import { excess } from './shell-excess.ts';
import { allArguments, literal, localNames, textPart } from './shell-words.ts';

type Draft = { -readonly [K in keyof Instruction]: Instruction[K] } & { to?: number };

interface Loop {
  readonly breaks: Draft[];
  readonly continueAt: number;
}

/** `errexit` as `sh -e` sets it. */
export function compileScript(source: string, errexit = false): Code {
  const tooLarge = excess(source);
  if (tooLarge !== undefined) return [{ op: 'exit', code: 2, message: `sh: ${tooLarge}` }];
  const script = parse(source) as ParsedScript;
  const error = script.errors?.[0];
  if (error !== undefined) return [{ op: 'exit', code: 2, message: `sh: syntax error: ${error.message}` }];
  return compileStatements(script.commands, errexit);
}

/** A command that somebody types: its code, what is wrong with it, or that there is more to come. */
export function parseInteractive(source: string): { readonly code: Code } | string {
  const tooLarge = excess(source);
  if (tooLarge !== undefined) return tooLarge;
  const script = parse(source) as ParsedScript;
  const errors = script.errors ?? [];
  if (errors.some(({ message, pos }) => message.startsWith('unterminated') || pos >= source.length) || goesOn(source)) return 'incomplete';
  const error = errors[0];
  return error === undefined ? { code: compileStatements(script.commands) } : error.message;
}

/** Its last line says that another one follows. */
function goesOn(source: string): boolean {
  if (/(\\|&&|\|)\s*\n$/.test(source) && !source.endsWith('\\\\\n')) return true;
  const ends = [...source.matchAll(/<<-?\s*(['"]?)(\w+)\1/g)].map((match) => match[2] ?? '');
  const lines = source.split('\n').map((line) => line.trim());
  return ends.some((end) => !lines.includes(end));
}

function compileStatements(statements: readonly Statement[], errexit = false): Code {
  const compiler = new Compiler(errexit);
  compiler.statements(statements);
  return compiler.code as unknown as Code;
}

class Compiler {
  readonly code: Draft[] = [];
  readonly #loops: Loop[] = [];
  #errexit: boolean;
  /** Inside conditions failures end nothing. */
  #conditions = 0;

  constructor(errexit: boolean) {
    this.#errexit = errexit;
  }

  statements(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #emit(instruction: Instruction): Draft {
    const draft = instruction as Draft;
    this.code.push(draft);
    return draft;
  }

  #here(): number {
    return this.code.length;
  }

  #statement(statement: Statement): void {
    if (statement.background === true) this.#emit({ op: 'background', code: compileStatements([{ ...statement, background: undefined }]) });
    else this.#node(statement.command);
    if (!this.#errexit || this.#conditions > 0 || statement.command.type === 'AndOr') return;
    this.#emit({ op: 'ifOk', to: this.#here() + 2 });
    this.#emit({ op: 'exit', code: null });
  }

  #condition(list: CompoundList): void {
    this.#conditions++;
    this.#list(list);
    this.#conditions--;
  }

  #list(list: CompoundList): void {
    this.statements(list.commands);
  }

  #node(node: PipelineNode | AndOr): void {
    switch (node.type) {
      case 'Command':
        this.#command(node);
        return;
      case 'AndOr':
        this.#andOr(node);
        return;
      case 'Pipeline':
        this.#pipeline(node);
        return;
      case 'Redirected':
        this.#emit({ op: 'pipe', stages: [compileNode(node.command)] });
        return;
      case 'BraceGroup':
      case 'Subshell':
        this.#list(node.body);
        return;
      case 'If':
        this.#if(node);
        return;
      case 'While':
        this.#while(node);
        return;
      case 'For':
        this.#for(node);
        return;
      case 'ArithmeticFor':
        this.#arithmeticFor(node);
        return;
      case 'Case':
        this.#case(node);
        return;
      case 'Function':
        this.#function(node);
        return;
      case 'TestCommand':
        this.#test(node.expression);
        return;
      case 'ArithmeticCommand':
        this.#emit({ op: 'arithmetic', expression: arithmetic(node.expression) });
        return;
      default:
        this.#emit({ op: 'exit', code: 2, message: `sh: ${node.type} is not part of the simulated shell` });
    }
  }

  #andOr(node: AndOr): void {
    node.commands.forEach((command, i) => {
      if (i === 0) {
        this.#node(command);
        return;
      }
      const skip = this.#emit({ op: node.operators[i - 1] === '&&' ? 'ifFail' : 'ifOk', to: 0 });
      this.#node(command);
      skip.to = this.#here();
    });
  }

  #pipeline(node: Extract<PipelineNode, { type: 'Pipeline' }>): void {
    const [first] = node.commands;
    if (node.commands.length === 1 && first !== undefined) this.#node(first);
    else this.#emit({ op: 'pipe', stages: node.commands.map(compileNode) });
    for (const prefix of node.prefixes) if (prefix.type === 'Negation') this.#emit({ op: 'not' });
  }

  #command(node: Command): void {
    const name = node.name?.value;
    const loop = this.#loops.at(-1);
    if (loop !== undefined && name === 'break') {
      loop.breaks.push(this.#emit({ op: 'jump', to: 0 }));
      return;
    }
    if (loop !== undefined && name === 'continue') {
      this.#emit({ op: 'jump', to: loop.continueAt });
      return;
    }
    if (name === 'trap') {
      this.#trap(node);
      return;
    }
    if (name === 'set' && node.args.some((arg) => arg.type === 'Word' && /^-[a-z]*e/.test(arg.value))) this.#errexit = true;
    const words = [...(node.name === undefined ? [] : [node.name]), ...node.suffix.filter((part) => part.type === 'Word')].map(word);
    const isExec = name === 'exec' && words.length > 1;
    const assigns = node.prefix.filter((part): part is Assignment => part.type === 'Assignment');
    const exported = node.suffix.filter((part): part is Assignment => part.type === 'Assignment');
    const all = [...assigns, ...exported].map((part): readonly [string, Word] => [part.name, part.value.type === 'Word' ? word(part.value) : []]);
    if (name === 'local') this.#emit({ op: 'local', names: localNames(node) });
    this.#emit({ op: 'run', words: isExec ? words.slice(1) : words, assigns: all, redirects: node.redirects.flatMap(redirection) });
    if (isExec) this.#emit({ op: 'exit', code: null });
  }

  #trap(node: Command): void {
    const handler = node.args[0];
    const signals = node.args.slice(1).map((one) => (one.type === 'Word' ? one.value : ''));
    if (handler?.type !== 'Word' || !signals.some((signal) => ['TERM', 'SIGTERM', '15'].includes(signal))) return;
    if (handler.value === '-' || handler.value === '') {
      this.#emit({ op: 'onTerm', code: handler.value === '' ? [] : null });
      return;
    }
    const script = parse(handler.value) as ParsedScript;
    const commands = script.errors === undefined || script.errors.length === 0 ? script.commands : [];
    this.#emit({ op: 'onTerm', code: [...compileStatements(commands, this.#errexit), { op: 'exit', code: 143 }] });
  }

  #if(node: Extract<CommandNode, { type: 'If' }>): void {
    const ends: Draft[] = [];
    for (const branch of [node, ...node.elif]) {
      this.#condition(branch.clause);
      const skip = this.#emit({ op: 'ifFail', to: 0 });
      this.#list(branch.then);
      ends.push(this.#emit({ op: 'jump', to: 0 }));
      skip.to = this.#here();
    }
    if (node.else === undefined) this.#emit(succeed);
    else this.#list(node.else);
    for (const end of ends) end.to = this.#here();
  }

  #while(node: Extract<CommandNode, { type: 'While' }>): void {
    const start = this.#here();
    this.#condition(node.clause);
    const leave = this.#emit({ op: node.kind === 'until' ? 'ifOk' : 'ifFail', to: 0 });
    this.#body(node.body, start, [leave]);
    this.#emit({ op: 'jump', to: start });
    this.#endLoop();
    this.#emit(succeed);
  }

  #for(node: Extract<CommandNode, { type: 'For' }>): void {
    this.#emit({ op: 'for', words: node.wordlist?.map(word) ?? [allArguments] });
    const start = this.#here();
    const next = this.#emit({ op: 'next', name: node.name.value, to: 0 });
    this.#body(node.body, start, [next]);
    this.#emit({ op: 'jump', to: start });
    this.#endLoop();
    this.#emit({ op: 'endFor' });
  }

  #arithmeticFor(node: Extract<CommandNode, { type: 'ArithmeticFor' }>): void {
    if (node.initialize !== undefined) this.#emit({ op: 'arithmetic', expression: arithmetic(node.initialize) });
    const enter = this.#emit({ op: 'jump', to: 0 });
    const start = this.#here();
    if (node.update !== undefined) this.#emit({ op: 'arithmetic', expression: arithmetic(node.update) });
    enter.to = this.#here();
    const leaves: Draft[] = [];
    if (node.test !== undefined) {
      this.#emit({ op: 'arithmetic', expression: arithmetic(node.test) });
      leaves.push(this.#emit({ op: 'ifFail', to: 0 }));
    }
    this.#body(node.body, start, leaves);
    this.#emit({ op: 'jump', to: start });
    this.#endLoop();
  }

  #body(body: CompoundList, continueAt: number, leaves: readonly Draft[]): void {
    this.#loops.push({ breaks: [...leaves], continueAt });
    this.#list(body);
  }

  #endLoop(): void {
    for (const leave of this.#loops.pop()?.breaks ?? []) leave.to = this.#here();
  }

  #case(node: Extract<CommandNode, { type: 'Case' }>): void {
    const cases: { patterns: readonly Word[]; to: number }[] = [];
    const choose = this.#emit({ op: 'case', word: word(node.word), cases, to: 0 });
    const ends: Draft[] = [];
    for (const item of node.items) {
      cases.push({ patterns: item.pattern.map(word), to: this.#here() });
      this.#list(item.body);
      ends.push(this.#emit({ op: 'jump', to: 0 }));
    }
    for (const end of [choose, ...ends]) end.to = this.#here();
  }

  #function(node: Extract<CommandNode, { type: 'Function' }>): void {
    const compiler = new Compiler(this.#errexit);
    if (node.body.type === 'CompoundList') compiler.#list(node.body);
    else compiler.#node(node.body);
    this.#emit({ op: 'function', name: node.name.value, code: compiler.code as unknown as Code });
  }

  #test(expression: TestExpression): void {
    const test = (words: readonly Word[]): void => {
      this.#emit({ op: 'run', words: [[{ type: 'text', text: 'test' }], ...words], assigns: [], redirects: [] });
    };
    switch (expression.type) {
      case 'TestUnary':
        test([literal(expression.operator), quotedWord(expression.operand)]);
        return;
      case 'TestBinary':
        test([quotedWord(expression.left), literal(expression.operator), quotedWord(expression.right)]);
        return;
      case 'TestGroup':
        this.#test(expression.expression);
        return;
      case 'TestNot':
        this.#test(expression.operand);
        if (expression.negations.length % 2 === 1) this.#emit({ op: 'not' });
        return;
      case 'TestLogical':
        expression.operands.forEach((operand, i) => {
          const skip = i === 0 ? undefined : this.#emit({ op: expression.operator === '&&' ? 'ifFail' : 'ifOk', to: 0 });
          this.#test(operand);
          if (skip !== undefined) skip.to = this.#here();
        });
    }
  }
}

/** An `if` or a loop whose condition failed has not failed itself. */
const succeed: Instruction = { op: 'run', words: [literal(':')], assigns: [], redirects: [] };

function compileNode(command: CommandNode): Code {
  return compileStatements([{ type: 'Statement', pos: 0, end: 0, command, background: undefined }]);
}

function word(node: WordNode): Word {
  return node.parts === undefined ? [textPart(node.value, node.text !== node.value)] : node.parts.flatMap((one) => part(one, false));
}

function quotedWord(node: WordNode): Word {
  return node.parts === undefined ? literal(node.value) : node.parts.flatMap((one) => part(one, true));
}

function part(node: WordPart, quoted: boolean): readonly Part[] {
  switch (node.type) {
    case 'DoubleQuoted':
    case 'LocaleString':
      return node.parts.length === 0 ? [{ type: 'text', text: '' }] : node.parts.flatMap((child) => part(child, true));
    case 'SimpleExpansion':
      return [{ type: 'variable', name: node.text.slice(1), quoted }];
    case 'ParameterExpansion': {
      const operation = node.operation;
      if (node.prefix === '#') return [{ type: 'variable', name: node.parameter, quoted, operator: 'length' }];
      if (operation?.type === 'Default' || operation?.type === 'Remove') {
        return [{ type: 'variable', name: node.parameter, quoted, operator: operation.operator, operand: word(operation.operand) }];
      }
      return [{ type: 'variable', name: node.parameter, quoted }];
    }
    case 'CommandExpansion':
      return [{ type: 'command', code: scriptCode(node.script), quoted }];
    case 'ArithmeticExpansion':
      return [{ type: 'arithmetic', expression: arithmetic(node.expression), quoted }];
    case 'Literal':
      return [textPart(node.value, quoted || node.text !== node.value)];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [textPart(node.value, true)];
    case 'Glob':
      return quoted ? [textPart(node.value, true)] : [{ type: 'glob', text: node.value }];
    default:
      return [{ type: 'text', text: node.text }];
  }
}

function scriptCode(script: Script | undefined): Code {
  return script === undefined ? [] : compileStatements(script.commands);
}

function redirection(node: RedirectionNode): readonly Redirection[] {
  if (node.type === 'HereDoc')
    return [
      { fd: 0, operator: '<<', target: node.body.parts === undefined ? literal(node.body.text) : node.body.parts.flatMap((one) => part(one, true)) },
    ];
  if (node.target === undefined) return [];
  const target = word(node.target);
  if (node.type === 'HereString') return [{ fd: 0, operator: '<<', target: [...target, { type: 'text', text: '\n' }] }];
  const fallback = node.operator.startsWith('<') ? 0 : 1;
  return [{ fd: node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : fallback, operator: node.operator, target }];
}

function arithmetic(node: ArithmeticExpression | undefined): Arithmetic {
  if (node === undefined) return { type: 'number', value: 0 };
  switch (node.type) {
    case 'ArithmeticBinary':
      return { type: 'binary', operator: node.operator, left: arithmetic(node.left), right: arithmetic(node.right) };
    case 'ArithmeticUnary':
      return { type: 'unary', operator: node.operator, operand: arithmetic(node.operand), prefix: node.prefix };
    case 'ArithmeticTernary':
      return { type: 'ternary', test: arithmetic(node.test), yes: arithmetic(node.consequent), no: arithmetic(node.alternate) };
    case 'ArithmeticGroup':
      return arithmetic(node.expression);
    case 'ArithmeticCommandExpansion':
      return { type: 'word', word: [{ type: 'command', code: scriptCode(node.script), quoted: true }] };
    case 'ArithmeticWord':
      if (node.parts !== undefined) return { type: 'word', word: node.parts.flatMap((one) => part(one, true)) };
      return /^[0-9]/.test(node.value) ? { type: 'number', value: Number(node.value) } : { type: 'name', name: node.value };
  }
}
