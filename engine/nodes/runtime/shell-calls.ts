/** Functions of a script: each call has arguments of its own, and variables that it has made local. */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { callDepthMax, ShellEnd } from './shell-budget.ts';
import type { Code } from './shell-code.ts';
import type { CommandContext } from './shell-commands.ts';
import type { ShellState } from './shell.ts';

export interface Call {
  /** Where it was called, with the arguments there. */
  readonly code: Code;
  readonly pc: number;
  readonly args: readonly string[];
  /** Loops around the call. */
  readonly lists: number;
  /** What variables were before they were made local; null where there was none. */
  readonly locals: Record<string, string | null>;
}

const functionsMax = 1_000;

export function define(name: string, code: Code, { bodies }: ShellState): void {
  if (getOwn(bodies, name) === undefined && Object.keys(bodies).length >= functionsMax) throw new ShellEnd('memory');
  setOwn(bodies, name, code);
}

export function call(body: Code, words: readonly string[], { state, budget }: CommandContext): void {
  if (state.frames.length >= callDepthMax) throw new ShellEnd('stack');
  const args = [state.args[0] ?? 'sh', ...words.slice(1)];
  state.held += lengthOf(args);
  budget.text(state.held);
  state.frames.push({ code: state.code, pc: state.pc, args: state.args, lists: state.lists.length, locals: {} });
  state.args = args;
  state.code = body;
  state.pc = 0;
}

/** False where no function runs. */
export function leave(state: ShellState): boolean {
  const frame = state.frames.pop();
  if (frame === undefined) return false;
  state.held -= lengthOf(state.args);
  for (const [name, before] of Object.entries(frame.locals)) {
    state.held -= getOwn(state.vars, name)?.length ?? -name.length;
    if (before === null) state.held -= name.length;
    if (before === null) delete state.vars[name];
    else setOwn(state.vars, name, before);
  }
  state.code = frame.code;
  state.pc = frame.pc;
  state.args = frame.args;
  state.lists.length = frame.lists;
  return true;
}

/** Until the function that runs returns; a variable keeps its value until it is given another. */
export function makeLocal(name: string, { state, budget }: CommandContext): void {
  const locals = state.frames.at(-1)?.locals;
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
