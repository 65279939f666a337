/**
 * Runs shell code on virtual time. The state is plain data; a sleep sets `wakeMs` and returns. Substitutions, pipelines and probe
 * commands run to their end at once on a clock of their own and say how long they would have taken.
 */
import { setOwn } from '../../base/dictionary.ts';
import { shellCommandsPerSecond, shellSleepMinMs } from '../physics.ts';
import { ShellBudget, ShellEnd, type ShellEndReason } from './shell-budget.ts';
import { type Call, define, leave, makeLocal } from './shell-calls.ts';
import type { Code, Instruction } from './shell-code.ts';
import { compileScript } from './shell-compile.ts';
import { runSimple, type CommandContext } from './shell-commands.ts';
import { evaluate, expandPattern, expandText, expandWords, setVariable } from './shell-expand.ts';
import { matchesPattern } from './shell-patterns.ts';
import type { ProgramHost } from './program.ts';
import { nextCommand, type ShellConsole } from './shell-console.ts';
import { type Input, inputOf, inputOfText, NeedsInput, type Stdin } from './stdin.ts';

export interface ShellState {
  code: Code;
  pc: number;
  status: number;
  readonly vars: Record<string, string>;
  /** Characters that the variables hold. */
  held: number;
  args: readonly string[];
  readonly lists: { readonly words: readonly string[]; at: number }[];
  readonly calls: number[];
  /** Both of an earlier build. */
  readonly functions: Record<string, number>;
  readonly bodies: Record<string, Code>;
  /** Functions that run, the innermost last. */
  readonly frames: Call[];
  /** Goes on at this instant; null while it waits for ever or has ended. */
  wakeMs: number | null;
  exitCode: number | null;
  /** Where the handler of SIGTERM begins. */
  trap: number | null;
  /** What it does instead of ending: nothing where it is empty. */
  onTerm: Code | null;
  /** Until when the longest background command runs; -1 for ever. */
  backgroundMs: number;
  /** Output without its newline yet. */
  partial: string;
  /** It was killed for its memory. */
  oomKilled: boolean;
  /** Null where there is nothing to read. */
  readonly stdin: Stdin | null;
  /** Where its commands come from its input. */
  readonly console: ShellConsole | null;
  /** It goes on when more has come to read. */
  waits: boolean;
  /** What it writes to is full: it goes on when somebody takes it. */
  isBlocked: boolean;
}

export interface CommandResult {
  readonly exitCode: number;
  readonly output: string;
  readonly tookMs: number;
}

/** What somebody may type, and how. */
export interface ShellStreams {
  readonly stdin: Stdin | null;
  readonly console: ShellConsole | null;
}

const noStreams: ShellStreams = { stdin: null, console: null };

export function startShell(code: Code, host: ProgramHost, args: readonly string[] = [], { stdin, console } = noStreams): ShellState {
  const state: ShellState = {
    code,
    pc: 0,
    status: 0,
    vars: {},
    held: 0,
    args,
    lists: [],
    calls: [],
    functions: {},
    bodies: {},
    frames: [],
    wakeMs: host.nowMs,
    exitCode: null,
    trap: null,
    onTerm: null,
    backgroundMs: 0,
    partial: '',
    oomKilled: false,
    stdin,
    console,
    waits: false,
    isBlocked: false,
  };
  return state;
}

/** Runs what is due at `host.nowMs`. */
export function runShell(state: ShellState, host: ProgramHost): void {
  if (state.exitCode !== null || state.isBlocked || state.wakeMs === null || state.wakeMs > host.nowMs) return;
  const budget = new ShellBudget();
  try {
    runUntilSleep(state, host, budget);
  } catch (error) {
    if (!(error instanceof ShellEnd)) throw error;
    endShell(state, error.reason);
  }
  if (state.exitCode === null) return;
  if (state.partial !== '') host.log(state.partial, true);
  state.partial = '';
  state.wakeMs = null;
}

function runUntilSleep(state: ShellState, host: ProgramHost, budget: ShellBudget): void {
  const print = (text: string): void => printLines(state, host, budget, text, false);
  const printError = (text: string): void => printLines(state, host, budget, text, true);
  const input = state.stdin === null ? inputOfText('') : inputOf(state.stdin);
  while (state.exitCode === null) {
    if (budget.isSpent) {
      state.wakeMs = host.nowMs + (budget.commands * 1000) / shellCommandsPerSecond;
      return;
    }
    if (state.pc >= state.code.length && state.frames.length === 0 && state.console !== null) {
      if (!nextCommand(state, host.hostname, print)) return;
      continue;
    }
    const sleepMs = stepOrWait(state, { host, nowMs: host.nowMs, print, printError, input, budget, isLive: true });
    if (sleepMs === undefined) return;
    if (sleepMs === 0) continue;
    // Whoever sleeps has to be woken: no process runs more often than the machine's timer fires.
    state.wakeMs = sleepMs > longestSleepMs ? null : host.nowMs + Math.max(sleepMs, shellSleepMinMs);
    return;
  }
}

/** One instruction, which is run again where it has to wait for its input: undefined then. */
function stepOrWait(state: ShellState, around: Surroundings & Prints): number | undefined {
  const { pc } = state;
  try {
    return step(state, around);
  } catch (error) {
    if (!(error instanceof NeedsInput)) throw error;
    state.pc = pc;
    state.waits = true;
    state.wakeMs = null;
    return undefined;
  }
}

/** More has come to read, or the last of it. */
export function wakeForInput(state: ShellState, nowMs: number): void {
  if (!state.waits) return;
  state.waits = false;
  state.wakeMs = nowMs;
}

/** A sleep beyond this never ends. */
const longestSleepMs = 1e15;

/** As the machine ends what exceeds its memory or its stack; what never comes to an end just hangs. */
function endShell(state: ShellState, reason: ShellEndReason): void {
  if (reason === 'endless') state.wakeMs = null;
  else state.exitCode = reason === 'memory' ? killedCode : segmentationFaultCode;
  if (reason === 'memory') state.oomKilled = true;
}

const killedCode = 137;
const segmentationFaultCode = 139;

/** The runtime takes lines of this length and passes on longer ones in parts. */
const lineCharsMax = 16 * 1024;

function printLines(state: ShellState, host: ProgramHost, budget: ShellBudget, text: string, isError: boolean): void {
  host.write?.(text, isError);
  budget.text(state.partial.length + text.length);
  const lines = (state.partial + text).split('\n');
  state.partial = lines.pop() ?? '';
  for (const line of lines) partsOf(line).forEach((part, at, parts) => host.log(part, at < parts.length - 1));
  while (state.partial.length > lineCharsMax) {
    host.log(state.partial.slice(0, lineCharsMax), true);
    state.partial = state.partial.slice(lineCharsMax);
  }
}

function partsOf(line: string): readonly string[] {
  if (line.length <= lineCharsMax) return [line];
  const parts: string[] = [];
  for (let at = 0; at < line.length; at += lineCharsMax) parts.push(line.slice(at, at + lineCharsMax));
  return parts;
}

const nestedMsMax = 3_600_000;

/** Runs argv in the container, as exec probes and hooks do. */
export function runCommand(argv: readonly string[], host: ProgramHost): CommandResult {
  const name = (argv[0] ?? '').replace(/^.*\//, '');
  const isShell = ['sh', 'bash', 'ash', 'dash'].includes(name) && argv[1] !== undefined && /^-[a-z]*c$/.test(argv[1]);
  const source = isShell ? (argv[2] ?? '') : argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const state = startShell(compileScript(source), host, isShell ? argv.slice(3) : []);
  try {
    return runNested(state, { host, nowMs: host.nowMs, input: inputOfText(''), budget: new ShellBudget() });
  } catch (error) {
    if (!(error instanceof ShellEnd)) throw error;
    if (error.reason === 'endless') return { exitCode: 1, output: '', tookMs: Number.POSITIVE_INFINITY };
    return { exitCode: error.reason === 'memory' ? killedCode : segmentationFaultCode, output: '', tookMs: 0 };
  }
}

/** Where a script runs: its machine, its time, what it reads, and what it may still use. */
type Surroundings = Pick<CommandContext, 'host' | 'nowMs' | 'input' | 'budget'> & { readonly isLive?: boolean };
type Prints = Pick<CommandContext, 'print' | 'printError'>;

function runNested(state: ShellState, around: Surroundings): CommandResult {
  const pieces: string[] = [];
  let chars = 0;
  let nowMs = around.nowMs;
  const print = (text: string): void => {
    chars += text.length;
    around.budget.text(chars);
    pieces.push(text);
  };
  return around.budget.nested(() => {
    while (state.exitCode === null) {
      const sleepMs = step(state, { ...around, nowMs, print, printError: print, isLive: false });
      if (sleepMs > nestedMsMax || nowMs - around.nowMs > nestedMsMax)
        return { exitCode: 0, output: pieces.join(''), tookMs: Number.POSITIVE_INFINITY };
      nowMs += sleepMs;
    }
    return { exitCode: state.exitCode, output: pieces.join(''), tookMs: nowMs - around.nowMs };
  });
}

/** One instruction. Answers how long it sleeps. */
function step(state: ShellState, around: Surroundings & Prints): number {
  const instruction = state.code[state.pc];
  if (instruction === undefined) {
    if (!leave(state)) state.exitCode = state.status;
    return 0;
  }
  state.pc++;
  around.budget.command();
  const context = makeContext(state, around);
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
      return 0;
    case 'pipe':
      return runPipe(instruction.stages, context);
    case 'exit':
      if (instruction.message !== undefined) around.host.log(instruction.message);
      state.exitCode = instruction.code ?? state.status;
      return 0;
    default:
      flow(instruction, context);
      return 0;
  }
}

/** Loops, functions, choices and traps: instructions that only move the position. */
function flow(
  instruction: Exclude<Instruction, { op: 'run' | 'jump' | 'ifOk' | 'ifFail' | 'not' | 'arithmetic' | 'pipe' | 'exit' }>,
  context: CommandContext,
): void {
  const { state } = context;
  switch (instruction.op) {
    case 'for':
      state.lists.push({ words: expandWords(instruction.words, context), at: 0 });
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
    case 'define':
      setOwn(state.functions, instruction.name, state.pc);
      state.pc = instruction.to;
      return;
    case 'return':
      state.pc = state.calls.pop() ?? state.code.length;
      return;
    case 'case': {
      const value = expandText(instruction.word, context);
      const found = instruction.cases.find(({ patterns }) =>
        patterns.some((pattern) => matchesPattern(value, expandPattern(pattern, context), context.budget)),
      );
      state.pc = found?.to ?? instruction.to;
      return;
    }
    case 'function':
      define(instruction.name, instruction.code, state);
      return;
    case 'local':
      for (const name of instruction.names) makeLocal(name, context);
      return;
    case 'onTerm':
      state.onTerm = instruction.code;
      return;
    case 'trap':
      state.trap = instruction.handler;
      state.pc = instruction.to;
      return;
    case 'background': {
      const { tookMs } = context.nested(instruction.code, '');
      if (tookMs === Number.POSITIVE_INFINITY) state.backgroundMs = -1;
      else if (state.backgroundMs !== -1) state.backgroundMs = Math.max(state.backgroundMs, context.nowMs + tookMs);
      state.status = 0;
    }
  }
}

function runPipe(stages: readonly Code[], context: CommandContext): number {
  let output = '';
  let tookMs = 0;
  stages.forEach((stage, i) => {
    const result = i === 0 ? context.nestedOn(stage, context.input) : context.nested(stage, output);
    output = result.output;
    tookMs = Math.max(tookMs, result.tookMs);
    context.state.status = result.exitCode;
  });
  context.print(output);
  return tookMs;
}

function makeContext(state: ShellState, around: Surroundings & Prints): CommandContext {
  const { host, nowMs, budget } = around;
  const runChild = (code: Code, input: Input): CommandResult => {
    const own = { vars: { ...state.vars }, bodies: { ...state.bodies }, held: state.held, status: state.status };
    const child: ShellState = { ...startShell(code, host, state.args), ...own };
    return runNested(child, { host, nowMs, input, budget });
  };
  return {
    isLive: false,
    ...around,
    state,
    nested: (code, text) => runChild(code, inputOfText(text)),
    nestedOn: runChild,
  };
}
