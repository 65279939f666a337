/**
 * Runs shell code on virtual time. The state is plain data; a sleep sets `wakeMs` and returns. Substitutions, pipelines and probe
 * commands run to their end at once on a clock of their own and say how long they would have taken.
 */
import { shellCommandsPerSecond } from '../physics.ts';
import type { Code, Instruction } from './shell-code.ts';
import { compileScript } from './shell-compile.ts';
import { runSimple, type CommandContext } from './shell-commands.ts';
import { evaluate, expandText, expandWords, matchesPattern } from './shell-expand.ts';
import type { ProgramHost } from './program.ts';

export interface ShellState {
  readonly code: Code;
  pc: number;
  status: number;
  readonly vars: Record<string, string>;
  readonly args: readonly string[];
  readonly lists: { readonly words: readonly string[]; at: number }[];
  readonly calls: number[];
  readonly functions: Record<string, number>;
  /** Goes on at this instant; null while it waits for ever or has ended. */
  wakeMs: number | null;
  exitCode: number | null;
  /** Where the handler of SIGTERM begins. */
  trap: number | null;
  /** Until when the longest background command runs; -1 for ever. */
  backgroundMs: number;
  /** Output without its newline yet. */
  partial: string;
}

export interface CommandResult {
  readonly exitCode: number;
  readonly output: string;
  readonly tookMs: number;
}

export function startShell(code: Code, host: ProgramHost, args: readonly string[] = []): ShellState {
  const state: ShellState = {
    code,
    pc: 0,
    status: 0,
    vars: {},
    args,
    lists: [],
    calls: [],
    functions: {},
    wakeMs: host.nowMs,
    exitCode: null,
    trap: null,
    backgroundMs: 0,
    partial: '',
  };
  return state;
}

/** Runs what is due at `host.nowMs`. */
export function runShell(state: ShellState, host: ProgramHost): void {
  if (state.exitCode !== null || state.wakeMs === null || state.wakeMs > host.nowMs) return;
  const print = (text: string): void => {
    const lines = (state.partial + text).split('\n');
    state.partial = lines.pop() ?? '';
    for (const line of lines) host.log(line);
  };
  for (let steps = 0; ; steps++) {
    if (steps >= shellCommandsPerSecond) {
      state.wakeMs = host.nowMs + 1000;
      return;
    }
    const sleepMs = step(state, host, host.nowMs, print, '');
    if (state.exitCode !== null) {
      if (state.partial !== '') host.log(state.partial);
      state.partial = '';
      state.wakeMs = null;
      return;
    }
    if (sleepMs === undefined || sleepMs === 0) continue;
    state.wakeMs = sleepMs === Number.POSITIVE_INFINITY ? null : host.nowMs + sleepMs;
    return;
  }
}

const nestedStepsMax = 10_000;
const nestedMsMax = 3_600_000;

/** Runs argv in the container, as exec probes and hooks do. */
export function runCommand(argv: readonly string[], host: ProgramHost): CommandResult {
  const name = (argv[0] ?? '').replace(/^.*\//, '');
  const isShell = ['sh', 'bash', 'ash', 'dash'].includes(name) && argv[1] !== undefined && /^-[a-z]*c$/.test(argv[1]);
  const source = isShell ? (argv[2] ?? '') : argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return runNested(startShell(compileScript(source), host, isShell ? argv.slice(3) : []), host, host.nowMs, '');
}

function runNested(state: ShellState, host: ProgramHost, startMs: number, input: string): CommandResult {
  let output = '';
  let nowMs = startMs;
  const print = (text: string): void => {
    output += text;
  };
  for (let steps = 0; state.exitCode === null; steps++) {
    const sleepMs = step(state, host, nowMs, print, input) ?? 0;
    if (sleepMs === Number.POSITIVE_INFINITY || nowMs - startMs > nestedMsMax) return { exitCode: 0, output, tookMs: Number.POSITIVE_INFINITY };
    nowMs += sleepMs;
    if (steps > nestedStepsMax) return { exitCode: 1, output, tookMs: Number.POSITIVE_INFINITY };
  }
  return { exitCode: state.exitCode, output, tookMs: nowMs - startMs };
}

/** One instruction. Answers how long it takes, if it takes time. */
function step(state: ShellState, host: ProgramHost, nowMs: number, print: (text: string) => void, input: string): number | undefined {
  const instruction = state.code[state.pc];
  if (instruction === undefined) {
    state.exitCode = state.status;
    return undefined;
  }
  state.pc++;
  const context = makeContext(state, host, nowMs, print, input);
  switch (instruction.op) {
    case 'run':
      return runSimple(instruction, context);
    case 'jump':
      state.pc = instruction.to;
      return undefined;
    case 'ifOk':
      if (state.status === 0) state.pc = instruction.to;
      return undefined;
    case 'ifFail':
      if (state.status !== 0) state.pc = instruction.to;
      return undefined;
    case 'not':
      state.status = state.status === 0 ? 1 : 0;
      return undefined;
    case 'arithmetic':
      state.status = evaluate(instruction.expression, context) === 0 ? 1 : 0;
      return undefined;
    case 'pipe':
      return runPipe(instruction.stages, context);
    case 'exit':
      if (instruction.message !== undefined) host.log(instruction.message);
      state.exitCode = instruction.code ?? state.status;
      return undefined;
    default:
      flow(instruction, context);
      return undefined;
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
      state.vars[instruction.name] = value;
      return;
    }
    case 'endFor':
      state.lists.pop();
      return;
    case 'define':
      state.functions[instruction.name] = state.pc;
      state.pc = instruction.to;
      return;
    case 'return':
      state.pc = state.calls.pop() ?? state.code.length;
      return;
    case 'case': {
      const value = expandText(instruction.word, context);
      const found = instruction.cases.find(({ patterns }) => patterns.some((pattern) => matchesPattern(value, expandText(pattern, context))));
      state.pc = found?.to ?? instruction.to;
      return;
    }
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
  let input = context.input;
  let tookMs = 0;
  stages.forEach((stage) => {
    const result = context.nested(stage, input);
    input = result.output;
    tookMs = Math.max(tookMs, result.tookMs);
    context.state.status = result.exitCode;
  });
  context.print(input);
  return tookMs;
}

function makeContext(state: ShellState, host: ProgramHost, nowMs: number, print: (text: string) => void, input: string): CommandContext {
  const context: CommandContext = {
    state,
    host,
    nowMs,
    print,
    input,
    nested: (code, text) => {
      const child: ShellState = { ...startShell(code, host, state.args), vars: { ...state.vars }, status: state.status };
      return runNested(child, host, nowMs, text);
    },
  };
  return context;
}
