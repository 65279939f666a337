/** What each instruction of shell code does, and how code runs to its end at once on a clock of its own. */
import { setOwn } from '../../base/dictionary.ts';
import { backToConsole, comeBack, consoleOf, define, endOnFailure, enter, exitShell, makeLocal, pushLevel } from './shell-calls.ts';
import type { Code, Instruction } from './shell-code.ts';
import { type CommandContext, runSimple } from './shell-commands.ts';
import { evaluate } from './shell-arithmetic.ts';
import { expandPattern, expandText, expandWords, setVariable } from './shell-expand.ts';
import { ScriptFault } from './shell-faults.ts';
import { matchesPattern } from './shell-patterns.ts';
import { startShell, type ShellState } from './shell-state.ts';
import { forget } from './shell-variables.ts';
import { currentLevel, inputAt, openLevel, writerOf } from './shell-streams.ts';
import { type Input, inputOfText } from './stdin.ts';

export interface CommandResult {
  readonly exitCode: number;
  readonly output: string;
  /** What it says beside its output. */
  readonly errors: string;
  readonly tookMs: number;
}

/** Where a script runs: its machine, its time, what it reads, and what it may still use. */
export type Surroundings = Pick<CommandContext, 'host' | 'nowMs' | 'input' | 'budget'> & { readonly isLive?: boolean };
type Prints = Pick<CommandContext, 'print' | 'printError'>;

const nestedMsMax = 3_600_000;

/** `limitMs`: when it is stopped, with an endless time. `mixesErrors`: they are among its output. */
export function runNested(
  state: ShellState,
  around: Surroundings,
  { limitMs = nestedMsMax, mixesErrors = false }: { readonly limitMs?: number | undefined; readonly mixesErrors?: boolean } = {},
): CommandResult {
  const [pieces, errors]: [string[], string[]] = [[], []];
  let chars = 0;
  let nowMs = around.nowMs;
  const collect =
    (into: string[]) =>
    (text: string): void => {
      chars += text.length;
      around.budget.text(chars);
      into.push(text);
    };
  const [print, printError] = [collect(pieces), collect(mixesErrors ? pieces : errors)];
  const result = (exitCode: number, tookMs: number): CommandResult => ({ exitCode, output: pieces.join(''), errors: errors.join(''), tookMs });
  return around.budget.nested(() => {
    while (state.exitCode === null) {
      const sleepMs = step(state, { ...around, nowMs, print, printError, isLive: false });
      if (sleepMs > limitMs || nowMs - around.nowMs > limitMs) return result(0, Number.POSITIVE_INFINITY);
      nowMs += sleepMs;
    }
    return result(state.exitCode, nowMs - around.nowMs);
  });
}

/** One instruction. Answers how long it sleeps. */
export function step(state: ShellState, around: Surroundings & Prints): number {
  const instruction = state.code[state.pc];
  if (instruction === undefined) {
    if (state.frames.at(-1)?.kind === 'subshell' || !comeBack(state)) exitShell(state, state.status);
    return 0;
  }
  state.pc++;
  around.budget.command();
  const context = new StepContext(state, around);
  try {
    return perform(instruction, context);
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error;
    context.printError(`${context.shellName}: ${error.message}\n`);
    giveUp(state, error.code);
    return 0;
  }
}

/** What a script cannot go on after: it ends its shell, or the line that somebody typed. */
function giveUp(state: ShellState, code: number): void {
  if (consoleOf(state) === null || !backToConsole(state)) exitShell(state, code);
  else state.status = code;
}

function perform(instruction: Instruction, context: CommandContext): number {
  const { state } = context;
  switch (instruction.op) {
    case 'run':
      return runSimple(instruction, context);
    case 'jump':
      state.pc = instruction.to;
      return 0;
    case 'ifOk':
      if (state.status === 0) state.pc = instruction.to;
      return 0;
    case 'ifFail':
      if (state.status !== 0) state.pc = instruction.to;
      return 0;
    case 'not':
      state.status = state.status === 0 ? 1 : 0;
      return 0;
    case 'arithmetic':
      state.status = evaluate(instruction.expression, context) === 0 ? 1 : 0;
      if (instruction.tested !== true) endOnFailure(state);
      return 0;
    case 'pipe':
      return runPipe(instruction, context);
    case 'exit':
      if (instruction.message !== undefined) context.printError(`${instruction.message}\n`);
      exitShell(state, instruction.code ?? state.status);
      return 0;
    default:
      flow(instruction, context);
      return 0;
  }
}

type Flow = Exclude<Instruction, { op: 'run' | 'jump' | 'ifOk' | 'ifFail' | 'not' | 'arithmetic' | 'pipe' | 'exit' }>;

/** Loops, functions, choices and traps: instructions that only move the position. */
function flow(instruction: Flow, context: CommandContext): void {
  const { state, budget } = context;
  switch (instruction.op) {
    case 'for':
      state.lists.push({ words: expandWords(instruction.words, context), at: 0 });
      if (state.lists.at(-1)?.words.length === 0) state.status = 0;
      return;
    case 'next': {
      const list = state.lists.at(-1);
      const value = list?.words[list.at];
      if (list === undefined || value === undefined) {
        state.pc = instruction.to;
        return;
      }
      list.at++;
      setVariable(instruction.name, value, context);
      return;
    }
    case 'endFor':
      state.lists.pop();
      return;
    case 'subshell':
      enter(state, budget, { kind: 'subshell', code: instruction.code, isFree: instruction.tested === true });
      return;
    case 'redirect': {
      const level = openLevel(instruction.redirects, context);
      if (level === undefined) {
        state.status = 1;
        state.pc = instruction.to;
      } else pushLevel(level, state, budget);
      return;
    }
    case 'endRedirect':
      state.redirects.pop();
      return;
    case 'case': {
      const value = expandText(instruction.word, context);
      const found = instruction.cases.find(({ patterns }) => patterns.some((one) => matchesPattern(value, expandPattern(one, context), budget)));
      if (found === undefined) state.status = 0;
      state.pc = found?.to ?? instruction.to;
      return;
    }
    case 'function':
      define(instruction.name, instruction.code, state);
      state.status = 0;
      return;
    case 'local':
      for (const name of instruction.names) makeLocal(name, context);
      for (const name of instruction.unset ?? []) forget(name, context);
      return;
    case 'background':
      runBackground(instruction.code, context);
      return;
    default:
      earlier(instruction, state);
  }
}

/** Code of an earlier build. */
function earlier(instruction: Extract<Flow, { op: 'define' | 'return' | 'onTerm' | 'trap' }>, state: ShellState): void {
  switch (instruction.op) {
    case 'define':
      setOwn(state.functions, instruction.name, state.pc);
      state.pc = instruction.to;
      return;
    case 'return':
      state.pc = state.calls.pop() ?? state.code.length;
      return;
    case 'onTerm':
      state.onTerm = instruction.code;
      return;
    case 'trap':
      state.trap = instruction.handler;
      state.pc = instruction.to;
  }
}

function runBackground(code: Code, context: CommandContext): void {
  const { state } = context;
  const { tookMs, output, errors } = context.nested(code, '');
  context.printError(errors);
  context.print(output);
  if (tookMs === Number.POSITIVE_INFINITY) state.backgroundMs = -1;
  else if (state.backgroundMs !== -1) state.backgroundMs = Math.max(state.backgroundMs, context.nowMs + tookMs);
  state.status = 0;
}

function runPipe({ stages, tested = false }: Extract<Instruction, { op: 'pipe' }>, context: CommandContext): number {
  const { state } = context;
  const wasTested = state.isTested;
  state.isTested ||= tested;
  let output = '';
  let tookMs = 0;
  const statuses = stages.map((stage, i) => {
    const result = i === 0 ? context.nestedOn(stage, context.input) : context.nested(stage, output);
    context.printError(result.errors);
    output = result.output;
    tookMs = Math.max(tookMs, result.tookMs);
    return result.exitCode;
  });
  context.print(output);
  const failed = state.options.includes('pipefail') ? statuses.findLast((status) => status !== 0) : undefined;
  state.status = failed ?? statuses.at(-1) ?? 0;
  endOnFailure(state);
  state.isTested = wasTested;
  return tookMs;
}

/** As whoever started it called it. */
function nameOfShell({ argv }: Surroundings['host']): string {
  const name = argv?.()[0] ?? '';
  return /^(?:\/[^\s]*\/)?(?:ba|da|a)?sh$/.test(name) ? name : 'sh';
}

/** What a step sees. Made for each, so what few of them ask is only worked out when they do. */
class StepContext implements CommandContext {
  readonly state: ShellState;
  readonly host: CommandContext['host'];
  readonly nowMs: number;
  readonly budget: CommandContext['budget'];
  readonly isLive: boolean;
  readonly ends: CommandContext['ends'];
  readonly print: CommandContext['print'];
  readonly printError: CommandContext['printError'];
  readonly input: Input;

  constructor(state: ShellState, around: Surroundings & Prints) {
    this.state = state;
    this.host = around.host;
    this.nowMs = around.nowMs;
    this.budget = around.budget;
    this.isLive = around.isLive === true;
    this.ends = around;
    if (state.redirects.length === 0) {
      this.print = around.print;
      this.printError = around.printError;
      this.input = around.input;
      return;
    }
    const { sinks } = currentLevel(state.redirects);
    this.print = writerOf(sinks[1] ?? closed, around, around);
    this.printError = writerOf(sinks[2] ?? closed, around, around);
    this.input = inputAt(state.redirects, around.input);
  }

  get shellName(): string {
    return nameOfShell(this.host);
  }

  nested(code: Code, text: string): CommandResult {
    return this.nestedOn(code, inputOfText(text));
  }

  nestedOn(code: Code, input: Input, limitMs?: number): CommandResult {
    return runChild(this, code, { input, options: this.state.options, limitMs });
  }

  substituted(code: Code): CommandResult {
    // What fails in it ends nothing by itself.
    return runChild(this, code, { input: this.input, options: this.state.options.filter((name) => name !== 'errexit') });
  }
}

interface ChildOptions {
  readonly input: Input;
  readonly options: readonly string[];
  readonly limitMs?: number | undefined;
}

/** A subshell, which runs to its end at once. */
function runChild({ state, host, nowMs, budget }: CommandContext, code: Code, { input, options, limitMs }: ChildOptions): CommandResult {
  const { held, status, isTested, umask } = state;
  const [vars, marks, fixed, bodies] = [{ ...state.vars }, { ...state.marks }, [...state.fixed], { ...state.bodies }];
  const child: ShellState = { ...startShell(code, host, state.args), vars, marks, fixed, bodies, held, status, options, isTested, umask };
  return runNested(child, { host, nowMs, input, budget }, { limitMs });
}

const closed = { type: 'closed' } as const;
