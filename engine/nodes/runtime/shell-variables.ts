/** Variables and arguments of a script: what stands before a command, and the commands that set, read, export and forget them. */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { setArgs } from './shell-calls.ts';
import { compileScript } from './shell-compile.ts';
import type { CommandContext, Environment, Outcome, SimpleCommand } from './shell-commands.ts';
import { lookup, separatorsOf, setVariable } from './shell-expand.ts';
import { ScriptFault } from './shell-faults.ts';
import { readFields } from './shell-fields.ts';
import { quoted } from './shell-trace.ts';

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
  'eval',
  'exec',
  'trap',
]);

export function restore(name: string, value: string | undefined, mark: boolean | undefined, context: CommandContext): void {
  const { state } = context;
  if (mark === undefined) delete state.marks[name];
  else setOwn(state.marks, name, mark);
  if (value === undefined) forget(name, context);
  else if (getOwn(state.vars, name) !== value) setVariable(name, value, context);
}

export function forget(name: string, { state }: CommandContext): void {
  state.held -= getOwn(state.vars, name)?.length ?? -name.length;
  state.held -= name.length;
  delete state.vars[name];
}

/** The environment of what this shell starts: what it was given itself, and what it exports. */
export function exported(context: CommandContext): Record<string, string> {
  const { state, host } = context;
  const found: Record<string, string> = {};
  const given = host.env();
  for (const name of Object.keys(given)) if (getOwn(state.marks, name) !== false) setOwn(found, name, lookup(name, context) ?? '');
  for (const [name, value] of Object.entries(state.vars)) if (getOwn(state.marks, name) === true || name === 'PWD') setOwn(found, name, value);
  return found;
}

/** The same as what a shell remembers that has just these. */
export function environmentOf(values: Readonly<Record<string, string>>, { host }: CommandContext): Environment {
  const marks: Record<string, boolean> = {};
  for (const name of Object.keys(host.env())) setOwn(marks, name, false);
  for (const name of Object.keys(values)) setOwn(marks, name, true);
  return { vars: { ...values }, marks };
}

/** Another shell, which knows what is exported and nothing else. `words` are its name and arguments. */
export function childShell(source: string, words: readonly string[], context: CommandContext): Outcome {
  const values = exported(context);
  const given = context.host.env();
  const vars: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) if (getOwn(given, name) !== value) setOwn(vars, name, value);
  const marks = { ...context.state.marks };
  return { status: 0, enters: { kind: 'subshell', code: compileScript(source), args: words, weight: source.length, environment: { vars, marks } } };
}

/** Names of options by their letters; what has null is known and has no use here. */
const optionNames: ReadonlyMap<string, string> = new Map([
  ['e', 'errexit'],
  ['u', 'nounset'],
  ['x', 'xtrace'],
  ['f', 'noglob'],
  ['a', 'allexport'],
  ['C', 'noclobber'],
  ['m', 'monitor'],
  ['b', 'notify'],
  ['v', 'verbose'],
  ['n', 'noexec'],
  ['I', 'ignoreeof'],
]);
const isOption = (name: string): boolean => name === 'pipefail' || [...optionNames.values()].includes(name);

export function optionLetters(options: readonly string[]): string {
  return [...optionNames].flatMap(([letter, name]) => (options.includes(name) ? [letter] : [])).join('');
}

/** The options that these arguments begin with, and where what is none begins; a text says which of them there is not. */
export function readOptions(
  args: readonly string[],
  before: readonly string[],
): { readonly options: readonly string[]; readonly rest: number } | string {
  const options = new Set(before);
  let at = 0;
  for (; at < args.length && /^[-+]./.test(args[at] as string) && args[at] !== '--'; at++) {
    const arg = args[at] as string;
    const names: string[] = [];
    for (const letter of arg.slice(1)) {
      const name = letter === 'o' ? args[++at] : optionNames.get(letter);
      if (name === undefined || !isOption(name))
        return letter === 'o' ? `illegal option ${arg[0]}o ${name ?? ''}` : `illegal option ${arg[0]}${letter}`;
      names.push(name);
    }
    for (const name of names) {
      if (arg.startsWith('-')) options.add(name);
      else options.delete(name);
    }
  }
  return { options: [...options], rest: at };
}

export const set: SimpleCommand = (args, context, { out }) => {
  const { state } = context;
  if (args.length === 0) {
    const shown = { ...context.host.env(), ...state.vars };
    const names = Object.keys(shown).filter((name) => getOwn(state.marks, name) !== false || getOwn(state.vars, name) !== undefined);
    for (const name of names.sort()) out(`${name}=${quoted(getOwn(shown, name) ?? '')}\n`);
    return ok;
  }
  const read = readOptions(args, state.options);
  if (typeof read === 'string') throw new ScriptFault(`set: line 0: ${read}`);
  state.options = read.options;
  const { rest } = read;
  if (args[rest] === '-' || args[rest] === '--') setArgs(args.slice(rest + 1), context);
  else if (rest < args.length) setArgs(args.slice(rest), context);
  return ok;
};

export const shift: SimpleCommand = (args, context) => {
  const count = args[0] === undefined ? 1 : Number(args[0]);
  if (!/^\d*$/.test(args[0] ?? '')) throw new ScriptFault(`shift: line 0: Illegal number: ${args[0]}`);
  if (!(count <= context.state.args.length - 1)) return { status: 1 };
  setArgs(context.state.args.slice(1 + count), context);
  return ok;
};

export const unset: SimpleCommand = (args, context) => {
  const { state } = context;
  const isFunction = args[0] === '-f';
  for (const name of isFunction || args[0] === '-v' ? args.slice(1) : args) {
    if (isFunction) {
      delete state.bodies[name];
      continue;
    }
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new ScriptFault(`unset: line 0: ${name}: bad variable name`);
    if (state.fixed.includes(name)) throw new ScriptFault(`unset: line 0: ${name}: is read only`);
    forget(name, context);
    if (getOwn(context.host.env(), name) === undefined) delete state.marks[name];
    else setOwn(state.marks, name, false);
  }
  return ok;
};

export const exportNames: SimpleCommand = (args, context, { out }) => {
  const names = args.filter((arg) => arg !== '-p');
  if (names.length === 0) for (const [name, value] of Object.entries(exported(context)).sort(byName)) out(`export ${name}=${quoted(value)}\n`);
  for (const name of assigned(names, context, 'export')) setOwn(context.state.marks, name, true);
  return ok;
};

export const readonlyNames: SimpleCommand = (args, context, { out }) => {
  const { state } = context;
  const names = args.filter((arg) => arg !== '-p');
  if (names.length === 0) for (const name of [...state.fixed].sort()) out(`readonly ${name}=${quoted(lookup(name, context) ?? '')}\n`);
  for (const name of assigned(names, context, 'readonly')) if (!state.fixed.includes(name)) state.fixed.push(name);
  return ok;
};

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

/** The names, with their values given to them. */
function assigned(args: readonly string[], context: CommandContext, command: string): readonly string[] {
  return args.map((arg) => {
    const end = arg.indexOf('=');
    const name = end < 0 ? arg : arg.slice(0, end);
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new ScriptFault(`${command}: line 0: ${name}: bad variable name`);
    if (end >= 0) setVariable(name, arg.slice(end + 1), context);
    return name;
  });
}

export const read: SimpleCommand = (args, context, { input, out }) => {
  let isRaw = false;
  let at = 0;
  for (; /^-./.test(args[at] ?? '') && args[at] !== '--'; at++) {
    const flag = args[at] ?? '';
    isRaw ||= /^-[a-z]*r/.test(flag);
    if (/^-[rs]*p/.test(flag)) {
      const text = flag.replace(/^-[rs]*p/, '');
      out(text === '' ? (args[++at] ?? '') : text);
    } else if (/^-[rs]*[tnNdu]/.test(flag)) throw new ScriptFault(`read: line 0: ${flag} is not part of the simulated shell`);
    else if (!/^-[rs]+$/.test(flag)) throw new ScriptFault(`read: line 0: illegal option ${flag}`);
  }
  let names = args.slice(args[at] === '--' ? at + 1 : at);
  if (names.length === 0) names = ['REPLY'];
  let given = input.lines(1);
  // What ends without a newline is read, and said to be the end.
  const isThere = given.endsWith('\n');
  let line = given.replace(/\n$/, '');
  const pieces: string[] = [];
  // A backslash at its end goes on on the next line.
  while (!isRaw && given !== '' && /(?:^|[^\\])(?:\\\\)*\\$/.test(line)) {
    pieces.push(line.slice(0, -1));
    given = input.lines(1);
    line = given.replace(/\n$/, '');
  }
  const text = pieces.join('') + line;
  context.budget.text(text.length);
  const fields = readFields(isRaw ? text : text.replaceAll(/\\([^])/g, '$1'), separatorsOf(context), names.length);
  for (const [index, name] of names.entries()) setVariable(name, fields[index] ?? '', context);
  return { status: isThere ? 0 : 1 };
};
