/** Simple commands: assignments, redirections, and whom a name calls: a function, a command of the shell, a tool of the image, a script. */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { callDepthMax, type ShellBudget, ShellEnd } from './shell-budget.ts';
import { builtins } from './shell-builtins.ts';
import { endOnFailure, enter, type Entry, makeLocal } from './shell-calls.ts';
import type { Code, Instruction, Word } from './shell-code.ts';
import { expandText, expandWords, setVariable } from './shell-expand.ts';
import { fullPath, readFile } from './shell-files.ts';
import type { ShellState } from './shell-state.ts';
import type { CommandResult } from './shell-steps.ts';
import { type Level, openLevel, type Streams, writerOf } from './shell-streams.ts';
import { trace } from './shell-trace.ts';
import { childShell, keepsAssignments, restore } from './shell-variables.ts';
import type { ProgramHost } from './program.ts';
import { type Input, inputOf } from './stdin.ts';
import { tools } from './tools/index.ts';

export type { Streams } from './shell-streams.ts';

export interface CommandContext {
  readonly state: ShellState;
  readonly host: ProgramHost;
  readonly nowMs: number;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** What the process itself writes to and reads, whatever is redirected. */
  readonly ends: Pick<CommandContext, 'print' | 'printError' | 'input'>;
  readonly input: Input;
  readonly budget: ShellBudget;
  /** What is printed leaves at once, and is not taken back when a command waits for its input. */
  readonly isLive: boolean;
  /** As its messages begin. */
  readonly shellName: string;
  /** Runs code to its end at once, in a subshell. `input` is what it reads. `limitMs`: no longer than that. */
  nested(code: Code, input: string): CommandResult;
  nestedOn(code: Code, input: Input, limitMs?: number): CommandResult;
  /** The same for `$(…)`. */
  substituted(code: Code): CommandResult;
}

export interface Outcome {
  readonly status: number;
  readonly sleepMs?: number;
  /** It has moved the shell on itself. */
  readonly isOver?: boolean;
  /** What runs in its place, and says how it ends. */
  readonly enters?: Omit<Entry, 'level' | 'isFree'> & { readonly environment?: Environment; readonly options?: readonly string[] };
}

/** Variables of a process that is started. */
export type Environment = Pick<ShellState, 'vars' | 'marks'>;

export type SimpleCommand = (args: readonly string[], context: CommandContext, streams: Streams) => Outcome;

type Run = Extract<Instruction, { op: 'run' }>;

export function runSimple(instruction: Run, context: CommandContext): number {
  const { state } = context;
  const words = expandWords(instruction.words, context);
  const name = words[0];
  if (name === undefined) return assign(instruction, context);
  const values = instruction.assigns.map(([variable, word]) => [variable, expandText(word, context)] as const);
  if (state.options.includes('xtrace')) trace(values, words, context);
  const hasOwn = instruction.redirects.length > 0;
  const own = hasOwn ? openLevel(instruction.redirects, context) : undefined;
  if (hasOwn && own === undefined) {
    state.status = 1;
    if (instruction.tested !== true) endOnFailure(state);
    return 0;
  }
  if (name === 'exec' && words.length === 1) {
    if (own !== undefined) state.redirects.push(own);
    return 0;
  }
  const body = getOwn(state.bodies, name);
  const isFree = instruction.tested === true;
  if (body !== undefined && !isSpecial(name)) {
    enter(state, context.budget, { kind: 'function', code: body, args: [state.args[0] ?? 'sh', ...words.slice(1)], isFree, level: own });
    for (const [variable, value] of values) {
      makeLocal(variable, context);
      setVariable(variable, value, context);
    }
    return 0;
  }
  if (callsEarlier(name, state)) return 0;
  const before = values.map(([variable]) => [variable, getOwn(state.vars, variable), getOwn(state.marks, variable)] as const);
  for (const [variable, value] of values) {
    setVariable(variable, value, context);
    if (!keepsAssignments.has(name)) setOwn(state.marks, variable, true);
  }
  const inside = own === undefined ? context : redirected(context, own);
  const outcome = dispatch(words, inside, { out: inside.print, err: inside.printError, input: inside.input });
  if (outcome.isOver === true) return 0;
  state.status = outcome.status;
  if (!keepsAssignments.has(name)) for (const [variable, value, mark] of before) restore(variable, value, mark, context);
  if (outcome.enters === undefined) {
    if (!isFree) endOnFailure(state);
    return outcome.sleepMs ?? 0;
  }
  const { environment, options = [], ...entry } = outcome.enters;
  enter(state, context.budget, { ...entry, isFree, level: own });
  if (environment !== undefined) Object.assign(state, environment, { bodies: {}, fixed: [], options, isTested: false });
  return 0;
}

/** Assignments alone: each is made before the next is read. What is redirected holds for their substitutions. */
function assign({ assigns, redirects, tested }: Run, context: CommandContext): number {
  const { state } = context;
  state.status = 0;
  const own = redirects.length > 0 ? openLevel(redirects, context) : undefined;
  if (redirects.length > 0 && own === undefined) state.status = 1;
  const inside = own === undefined ? context : redirected(context, own);
  for (const [name, word] of assigns) {
    const value = expandText(word, inside);
    if (state.options.includes('xtrace')) trace([[name, value]], [], context);
    setVariable(name, value, context);
  }
  if (tested !== true) endOnFailure(state);
  return 0;
}

function redirected(context: CommandContext, { sinks, input }: Level): CommandContext {
  const closed = { type: 'closed' } as const;
  return Object.create(context, {
    print: { value: writerOf(sinks[1] ?? closed, context, context.ends) },
    printError: { value: writerOf(sinks[2] ?? closed, context, context.ends) },
    input: { value: input === null ? context.input : inputOf(input) },
  }) as CommandContext;
}

/** A function of an earlier build's script. */
function callsEarlier(name: string, state: ShellState): boolean {
  const target = getOwn(state.functions, name);
  if (target === undefined) return false;
  if (state.calls.length >= callDepthMax) throw new ShellEnd('stack');
  state.calls.push(state.pc);
  state.pc = target;
  return true;
}

/** Names that no function takes. */
function isSpecial(name: string): boolean {
  return name === 'exit' || name === 'return' || name === 'eval' || name === 'set';
}

/** What a name calls that is no function. */
export function dispatch(words: readonly string[], context: CommandContext, streams: Streams): Outcome {
  const [name = '', ...args] = words;
  if (name === 'command' || name === 'builtin') {
    const [first = ''] = args;
    if (!first.startsWith('-')) return args.length === 0 ? { status: 0 } : dispatch(args, context, streams);
  }
  const command = getOwn(builtins, name) ?? toolOf(name);
  if (command !== undefined) return command(args, context, streams);
  const said = getOwn(context.host.definition.tools, baseOf(name));
  if (said !== undefined) {
    streams.out(said);
    return { status: 0 };
  }
  const script = name.includes('/') ? readFile(name, context) : undefined;
  if (script !== undefined) return runScript(script, words, context, streams);
  streams.err(`${context.shellName}: ${name}: not found\n`);
  return { status: 127 };
}

const programFolders = /^(?:\/usr(?:\/local)?)?\/s?bin\//;

export function toolOf(name: string): SimpleCommand | undefined {
  return name.includes('/') && !programFolders.test(name) ? undefined : getOwn(tools, baseOf(name));
}

/** A file that is run by its path; of mounted ones it is known whether they may be. */
function runScript(script: string, words: readonly string[], context: CommandContext, { err }: Streams): Outcome {
  const [name = ''] = words;
  const stat = context.host.stat?.(fullPath(name, context));
  if (stat === undefined || (stat.mode & 0o111) !== 0) return childShell(script, words, context);
  err(`${context.shellName}: ${name}: Permission denied\n`);
  return { status: 126 };
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A word that means itself. */
function plainWord(text: string): Word {
  return [{ type: 'text', text, quoted: true }];
}

/** Code that runs a command with just these words. */
export function codeOf(words: readonly string[]): Code {
  return [{ op: 'run', words: words.map(plainWord), assigns: [], redirects: [] }];
}
