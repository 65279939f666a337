/** Variables and arguments of a script: what stands before a command, and the commands that set, read and forget them. */
import { getOwn } from '../../base/dictionary.ts';
import { setArgs } from './shell-calls.ts';
import type { CommandContext, SimpleCommand } from './shell-commands.ts';
import { separatorsOf, setVariable } from './shell-expand.ts';
import { readFields } from './shell-fields.ts';

const ok = { status: 0 };

/** What stands before other commands is theirs alone. */
export const keepsAssignments: ReadonlySet<string> = new Set([
  'export',
  'local',
  'readonly',
  'declare',
  'typeset',
  ':',
  'set',
  'unset',
  'shift',
  'return',
  'exit',
]);

export function restore(variable: string, value: string | undefined, context: CommandContext): void {
  if (value !== undefined) setVariable(variable, value, context);
  else forget(variable, context);
}

function forget(variable: string, { state }: CommandContext): void {
  state.held -= getOwn(state.vars, variable)?.length ?? 0;
  delete state.vars[variable];
}

export const set: SimpleCommand = (args, context) => {
  const first = args.findIndex((arg) => arg === '--' || !/^[-+]./.test(arg));
  if (first >= 0) setArgs(args.slice(args[first] === '--' ? first + 1 : first), context);
  return ok;
};

export const shift: SimpleCommand = (args, context, { err }) => {
  const count = args[0] === undefined ? 1 : Number(args[0]);
  if (!(count <= context.state.args.length - 1)) {
    err("sh: shift: can't shift that many\n");
    context.state.exitCode = 2;
    return { status: 2 };
  }
  setArgs(context.state.args.slice(1 + count), context);
  return ok;
};

export const unset: SimpleCommand = (args, context) => {
  for (const arg of args) {
    if (args[0] === '-f') delete context.state.bodies[arg];
    else forget(arg, context);
  }
  return ok;
};

export const read: SimpleCommand = (args, context, { input }) => {
  const line = input.line();
  const names = args.filter((arg) => !arg.startsWith('-'));
  const fields = readFields(line ?? '', separatorsOf(context), names.length);
  for (const [index, name] of names.entries()) setVariable(name, fields[index] ?? '', context);
  return { status: line === undefined ? 1 : 0 };
};
