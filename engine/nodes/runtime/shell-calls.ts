/**
 * What a script calls and comes back from: functions with arguments and local variables of their own, `eval`, files that are read in,
 * traps, and subshells, whose changes are gone when they end.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { callDepthMax, type ShellBudget, ShellEnd } from './shell-budget.ts';
import type { Code } from './shell-code.ts';
import { compileScript } from './shell-compile.ts';
import type { CommandContext } from './shell-commands.ts';
import type { ShellConsole } from './shell-console.ts';
import type { ShellState } from './shell-state.ts';
import type { Level } from './shell-streams.ts';

/** What a subshell leaves as it was. */
type Outer = Pick<ShellState, 'vars' | 'marks' | 'fixed' | 'bodies' | 'traps' | 'options' | 'held' | 'umask'>;

export type CallKind = 'function' | 'source' | 'eval' | 'trap' | 'subshell';

export interface Call {
  readonly kind: CallKind;
  /** Where it was called, with the arguments there. */
  readonly code: Code;
  readonly pc: number;
  readonly args: readonly string[];
  /** Loops and redirections around the call. */
  readonly lists: number;
  readonly redirects: number;
  /** What variables were before they were made local; null where there was none. */
  readonly locals: Record<string, string | null>;
  /** Whether failures ended nothing before, and whether its own ends nothing. */
  readonly wasTested: boolean;
  readonly isFree: boolean;
  /** The status before a trap. */
  readonly status: number;
  /** Characters of its script, which are held while it runs. */
  readonly weight: number;
  readonly outer: Outer | null;
  /** Where its commands come from what its process reads. */
  readonly console: ShellConsole | null;
}

const functionsMax = 1_000;

export function define(name: string, code: Code, { bodies }: ShellState): void {
  if (getOwn(bodies, name) === undefined && Object.keys(bodies).length >= functionsMax) throw new ShellEnd('memory');
  setOwn(bodies, name, code);
}

export interface Entry {
  readonly kind: CallKind;
  readonly code: Code;
  /** Without it those that are there. */
  readonly args?: readonly string[] | undefined;
  readonly weight?: number | undefined;
  readonly isFree?: boolean;
  readonly level?: Level | undefined;
  readonly console?: ShellConsole | null;
}

export function enter(state: ShellState, budget: ShellBudget, { kind, code, args, weight = 0, isFree = false, level, console = null }: Entry): void {
  if (state.frames.length >= callDepthMax) throw new ShellEnd('stack');
  const { vars, marks, fixed, bodies, traps, options, held, umask } = state;
  const outer: Outer | null = kind === 'subshell' ? { vars, marks, fixed, bodies, traps, options, held, umask } : null;
  const { pc, status, isTested: wasTested } = state;
  const [lists, redirects] = [state.lists.length, state.redirects.length];
  state.frames.push({
    kind,
    code: state.code,
    pc,
    args: state.args,
    lists,
    redirects,
    locals: {},
    wasTested,
    isFree,
    status,
    weight,
    outer,
    console,
  });
  state.held += weight + (args === undefined ? 0 : lengthOf(args)) + (outer === null ? 0 : lengthOfVariables(vars));
  budget.text(state.held);
  if (outer !== null) {
    const ignored = Object.entries(traps).filter(([, script]) => script === '');
    Object.assign(state, { vars: { ...vars }, marks: { ...marks }, fixed: [...fixed], bodies: { ...bodies }, traps: Object.fromEntries(ignored) });
  }
  if (level !== undefined) pushLevel(level, state, budget);
  if (args !== undefined) state.args = args;
  state.isTested ||= isFree;
  state.code = code;
  state.pc = 0;
}

/** Blocks in blocks: each has to be remembered. */
export function pushLevel(level: Level, state: ShellState, budget: ShellBudget): void {
  budget.text(state.redirects.reduce((sum, { input }) => sum + (input?.text.length ?? 0), level.input?.text.length ?? 0));
  state.redirects.push(level);
}

/** False where nothing was called. */
export function leave(state: ShellState): boolean {
  const frame = state.frames.pop();
  if (frame === undefined) return false;
  if (frame.outer === null) {
    if (frame.kind === 'function') state.held -= lengthOf(state.args);
    state.held -= frame.weight;
    restoreLocals(frame, state);
  } else Object.assign(state, frame.outer);
  if (frame.kind === 'function' || frame.kind === 'subshell') state.args = frame.args;
  if (frame.kind === 'trap') state.status = frame.status;
  state.code = frame.code;
  state.pc = frame.pc;
  state.lists.length = frame.lists;
  state.redirects.length = frame.redirects;
  state.isTested = frame.wasTested;
  return true;
}

function restoreLocals({ locals }: Call, state: ShellState): void {
  for (const [name, before] of Object.entries(locals)) {
    state.held -= getOwn(state.vars, name)?.length ?? -name.length;
    if (before === null) state.held -= name.length;
    if (before === null) delete state.vars[name];
    else setOwn(state.vars, name, before);
  }
}

/** Back from what runs; what failed ends the script where the script wants that. */
export function comeBack(state: ShellState): boolean {
  const frame = state.frames.at(-1);
  if (!leave(state) || frame === undefined) return false;
  if (frame.kind !== 'trap' && !frame.isFree) endOnFailure(state);
  return true;
}

/** `set -e`. */
export function endOnFailure(state: ShellState): void {
  if (state.status !== 0 && !state.isTested && state.options.includes('errexit')) exitShell(state, state.status);
}

/** Whose commands somebody types, where it is the shell that runs. */
export function consoleOf({ frames, console }: ShellState): ShellConsole | null {
  const shell = frames.findLast(({ kind }) => kind === 'subshell');
  return shell === undefined ? console : shell.console;
}

/** Gives up what was begun since somebody typed a command. False where nobody types. */
export function backToConsole(state: ShellState): boolean {
  const at = state.frames.findLastIndex(({ console }) => console !== null);
  if (at < 0 && state.console === null) return false;
  while (state.frames.length > at + 1) leave(state);
  const frame = state.frames[at];
  state.lists.length = frame?.lists ?? 0;
  state.redirects.length = (frame?.console ?? state.console)?.redirects ?? 0;
  state.pc = state.code.length;
  return true;
}

/** Ends the innermost subshell, or the shell, after the trap that it has for that. */
export function exitShell(state: ShellState, code: number): void {
  const at = state.frames.findLastIndex(({ kind }) => kind === 'subshell');
  state.status = code;
  const script = getOwn(state.traps, 'EXIT') ?? '';
  if (script !== '') {
    delete state.traps['EXIT'];
    state.frames.length = at + 1;
    state.code = [...compileScript(script), { op: 'exit', code }];
    state.pc = 0;
    return;
  }
  if (at < 0) {
    state.exitCode = code;
    return;
  }
  state.frames.length = at + 1;
  comeBack(state);
}

/** What is done on signals of the process, which only the outermost shell hears. */
export function trapsOf({ frames, traps }: ShellState): Readonly<Record<string, string>> {
  return frames.find(({ outer }) => outer !== null)?.outer?.traps ?? traps;
}

/** The trap of a signal that came, once no subshell runs. */
export function runTraps(state: ShellState, budget: ShellBudget): void {
  if (state.pending.length === 0 || state.frames.some(({ outer }) => outer !== null)) return;
  for (const signal of state.pending.splice(0)) {
    const script = getOwn(state.traps, signal) ?? '';
    if (script !== '') enter(state, budget, { kind: 'trap', code: compileScript(script), weight: script.length, isFree: true });
  }
}

/** The end of a function, or of a file that is read in. */
export function returnFrom(state: ShellState): void {
  while (['eval', 'trap'].includes(state.frames.at(-1)?.kind ?? '')) leave(state);
  if (!comeBack(state)) state.pc = state.calls.pop() ?? state.code.length;
}

/** Until the function that runs returns; a variable keeps its value until it is given another. */
export function makeLocal(name: string, { state, budget }: CommandContext): void {
  const locals = state.frames.findLast(({ kind }) => kind !== 'eval')?.locals;
  if (locals === undefined || getOwn(locals, name) !== undefined) return;
  const before = getOwn(state.vars, name) ?? null;
  state.held += before?.length ?? 0;
  budget.text(state.held);
  setOwn(locals, name, before);
}

/** Other arguments, as `set` and `shift` give. */
export function setArgs(args: readonly string[], { state, budget }: CommandContext): void {
  const next = [state.args[0] ?? 'sh', ...args];
  const length = lengthOf(next);
  state.held += length - lengthOf(state.args);
  budget.text(Math.max(length, state.held));
  state.args = next;
}

function lengthOf(args: readonly string[]): number {
  let length = 0;
  for (const arg of args) length += arg.length + 1;
  return length;
}

function lengthOfVariables(vars: Readonly<Record<string, string>>): number {
  let length = 0;
  for (const [name, value] of Object.entries(vars)) length += name.length + value.length;
  return length;
}
