/** From a script's syntax tree (`unbash`) to shell code. What is not understood becomes a failing command that says so. */
import {
  parse,
  type AndOr,
  type Assignment,
  type Command,
  type CommandNode,
  type CompoundList,
  type ParsedScript,
  type PipelineNode,
  type Statement,
  type TestExpression,
} from 'unbash';
import type { Arithmetic, Code, Instruction, Word } from './shell-code.ts';
import { excess } from './shell-excess.ts';
import { Parts } from './shell-parts.ts';
import { allArguments, literal, localNames } from './shell-words.ts';

type Draft = { -readonly [K in keyof Instruction]: Instruction[K] } & { to?: number };

interface Loop {
  readonly breaks: Draft[];
  readonly continueAt: number;
  /** Its words wait on the stack of lists. */
  readonly isFor: boolean;
}

export function compileScript(source: string): Code {
  const tooLarge = excess(source);
  if (tooLarge !== undefined) return [{ op: 'exit', code: 2, message: `sh: ${tooLarge}` }];
  const script = parse(source) as ParsedScript;
  const error = script.errors?.[0];
  if (error !== undefined) return [{ op: 'exit', code: 2, message: `sh: syntax error: ${error.message}` }];
  return compileStatements(script.commands);
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

/** What stands inside of `$((…))`; undefined where it is no expression. */
export function compileArithmetic(text: string): Arithmetic | undefined {
  const source = `((${text}))`;
  if (excess(source) !== undefined) return undefined;
  const script = parse(source) as ParsedScript;
  const command = script.commands.length === 1 ? script.commands[0]?.command : undefined;
  if ((script.errors ?? []).length > 0 || command?.type !== 'ArithmeticCommand' || command.expression === undefined) return undefined;
  return command.end === source.length ? parts.arithmetic(command.expression) : undefined;
}

const parts = new Parts((script) => (script === undefined ? [] : compileStatements(script.commands)));

function compileStatements(statements: readonly Statement[]): Code {
  const compiler = new Compiler();
  compiler.statements(statements);
  return compiler.code as unknown as Code;
}

class Compiler {
  readonly code: Draft[] = [];
  readonly #loops: Loop[] = [];
  /** Inside conditions failures end nothing. */
  #conditions = 0;

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
  }

  #condition(list: CompoundList): void {
    this.#tested(() => this.#list(list));
  }

  #tested(emit: () => void): void {
    this.#conditions++;
    emit();
    this.#conditions--;
  }

  get #mark(): { readonly tested?: true } {
    return this.#conditions > 0 ? { tested: true } : {};
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
        this.#redirected(node);
        return;
      case 'BraceGroup':
        this.#list(node.body);
        return;
      case 'Subshell':
        this.#emit({ op: 'subshell', code: compileStatements(node.body.commands), ...this.#mark });
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
        this.#emit({ op: 'arithmetic', expression: parts.arithmetic(node.expression), ...this.#mark });
        return;
      default:
        this.#emit({ op: 'exit', code: 2, message: `sh: ${node.type} is not part of the simulated shell` });
    }
  }

  #redirected(node: Extract<CommandNode, { type: 'Redirected' }>): void {
    const begin = this.#emit({ op: 'redirect', redirects: node.redirects.flatMap((one) => parts.redirection(one)), to: 0 });
    this.#node(node.command);
    this.#emit({ op: 'endRedirect' });
    begin.to = this.#here();
  }

  #andOr(node: AndOr): void {
    const last = node.commands.length - 1;
    node.commands.forEach((command, i) => {
      const skip = i === 0 ? undefined : this.#emit({ op: node.operators[i - 1] === '&&' ? 'ifFail' : 'ifOk', to: 0 });
      if (i === last) this.#node(command);
      else this.#tested(() => this.#node(command));
      if (skip !== undefined) skip.to = this.#here();
    });
  }

  #pipeline(node: Extract<PipelineNode, { type: 'Pipeline' }>): void {
    const [first] = node.commands;
    const negations = node.prefixes.filter((prefix) => prefix.type === 'Negation');
    const emit = (): void => {
      if (node.commands.length === 1 && first !== undefined) this.#node(first);
      else this.#emit({ op: 'pipe', stages: node.commands.map(compileNode), ...this.#mark });
    };
    if (negations.length === 0) emit();
    else this.#tested(emit);
    for (const _ of negations) this.#emit({ op: 'not' });
  }

  #command(node: Command): void {
    const name = node.name?.value;
    if ((name === 'break' || name === 'continue') && this.#loops.length > 0) {
      this.#leaveLoops(name, node.args[0]?.type === 'Word' ? node.args[0].value : '1');
      return;
    }
    const marks = name === 'export' || name === 'readonly';
    const given = [...node.prefix, ...(marks ? [] : node.suffix)].filter((part): part is Assignment => part.type === 'Assignment');
    if (given.some(({ value, index }) => value.type !== 'Word' || index !== undefined)) {
      this.#emit({ op: 'exit', code: 2, message: 'sh: syntax error: unexpected "("' });
      return;
    }
    // What appends is no assignment to this shell but the name of a command.
    const appended = given.filter(({ append }) => append === true).map(({ text }) => literal(text));
    const named = [...(node.name === undefined ? [] : [node.name]), ...node.args].flatMap((one) => {
      if (one.type === 'Word') return [parts.word(one)];
      return marks ? [parts.assignment(one)] : [];
    });
    const words = [...appended, ...named];
    const assigns = given
      .filter(({ append }) => append !== true)
      .map((part): readonly [string, Word] => [part.name, part.value.type === 'Word' ? parts.word(part.value) : []]);
    const redirects = node.redirects.flatMap((one) => parts.redirection(one));
    const isExec = name === 'exec' && words.length > 1;
    if (name === 'local') this.#emit({ op: 'local', ...localNames(node) });
    this.#emit({ op: 'run', words: isExec ? words.slice(1) : words, assigns, redirects, ...this.#mark });
    if (isExec) this.#emit({ op: 'exit', code: null });
  }

  /** `break` and `continue`, out of so many loops; inner ones give up their lists. */
  #leaveLoops(name: 'break' | 'continue', levels: string): void {
    if (!/^[1-9]\d{0,5}$/.test(levels)) {
      this.#emit({ op: 'exit', code: 2, message: `sh: ${name}: Illegal number: ${levels}` });
      return;
    }
    const at = Math.max(0, this.#loops.length - Number(levels));
    for (const { isFor } of this.#loops.slice(at + 1)) if (isFor) this.#emit({ op: 'endFor' });
    const loop = this.#loops[at] as Loop;
    if (name === 'break') loop.breaks.push(this.#emit({ op: 'jump', to: 0 }));
    else this.#emit({ op: 'jump', to: loop.continueAt });
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
    this.#body(node.body, start, [leave], false);
    this.#emit({ op: 'jump', to: start });
    this.#endLoop();
    this.#emit(succeed);
  }

  #for(node: Extract<CommandNode, { type: 'For' }>): void {
    this.#emit({ op: 'for', words: node.wordlist?.map((one) => parts.word(one)) ?? [allArguments] });
    const start = this.#here();
    const next = this.#emit({ op: 'next', name: node.name.value, to: 0 });
    this.#body(node.body, start, [next], true);
    this.#emit({ op: 'jump', to: start });
    this.#endLoop();
    this.#emit({ op: 'endFor' });
  }

  #arithmeticFor(node: Extract<CommandNode, { type: 'ArithmeticFor' }>): void {
    if (node.initialize !== undefined) this.#emit({ op: 'arithmetic', expression: parts.arithmetic(node.initialize), tested: true });
    const enter = this.#emit({ op: 'jump', to: 0 });
    const start = this.#here();
    if (node.update !== undefined) this.#emit({ op: 'arithmetic', expression: parts.arithmetic(node.update), tested: true });
    enter.to = this.#here();
    const leaves: Draft[] = [];
    if (node.test !== undefined) {
      this.#emit({ op: 'arithmetic', expression: parts.arithmetic(node.test), tested: true });
      leaves.push(this.#emit({ op: 'ifFail', to: 0 }));
    }
    this.#body(node.body, start, leaves, false);
    this.#emit({ op: 'jump', to: start });
    this.#endLoop();
  }

  #body(body: CompoundList, continueAt: number, leaves: readonly Draft[], isFor: boolean): void {
    this.#loops.push({ breaks: [...leaves], continueAt, isFor });
    this.#list(body);
  }

  #endLoop(): void {
    for (const leave of this.#loops.pop()?.breaks ?? []) leave.to = this.#here();
  }

  #case(node: Extract<CommandNode, { type: 'Case' }>): void {
    const cases: { patterns: readonly Word[]; to: number }[] = [];
    const choose = this.#emit({ op: 'case', word: parts.word(node.word), cases, to: 0 });
    const ends: Draft[] = [];
    for (const item of node.items) {
      cases.push({ patterns: item.pattern.map((one) => parts.word(one)), to: this.#here() });
      this.#list(item.body);
      ends.push(this.#emit({ op: 'jump', to: 0 }));
    }
    for (const end of [choose, ...ends]) end.to = this.#here();
  }

  #function(node: Extract<CommandNode, { type: 'Function' }>): void {
    const compiler = new Compiler();
    if (node.body.type === 'CompoundList') compiler.#list(node.body);
    else compiler.#node(node.body);
    this.#emit({ op: 'function', name: node.name.value, code: compiler.code as unknown as Code });
  }

  #test(expression: TestExpression): void {
    const test = (words: readonly Word[]): void => {
      this.#emit({ op: 'run', words: [literal('test'), ...words], assigns: [], redirects: [], ...this.#mark });
    };
    switch (expression.type) {
      case 'TestUnary':
        test([literal(expression.operator), parts.quotedWord(expression.operand)]);
        return;
      case 'TestBinary':
        test([parts.quotedWord(expression.left), literal(expression.operator), parts.quotedWord(expression.right)]);
        return;
      case 'TestGroup':
        this.#test(expression.expression);
        return;
      case 'TestNot':
        this.#tested(() => this.#test(expression.operand));
        if (expression.negations.length % 2 === 1) this.#emit({ op: 'not' });
        return;
      case 'TestLogical':
        expression.operands.forEach((operand, i) => {
          const skip = i === 0 ? undefined : this.#emit({ op: expression.operator === '&&' ? 'ifFail' : 'ifOk', to: 0 });
          if (i === expression.operands.length - 1) this.#test(operand);
          else this.#tested(() => this.#test(operand));
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
