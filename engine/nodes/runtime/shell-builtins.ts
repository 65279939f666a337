/** Commands that are the shell's own: they change it, or ask it. */
import { getOwn } from '../../base/dictionary.ts';
import { consoleOf, exitShell, returnFrom } from './shell-calls.ts';
import { compileScript } from './shell-compile.ts';
import { dispatch, type Outcome, type SimpleCommand, toolOf } from './shell-commands.ts';
import { lookup, setVariable } from './shell-expand.ts';
import { ScriptFault } from './shell-faults.ts';
import { fullPath, isFolder, missing, normalPath, readFile } from './shell-files.ts';
import { getopts } from './shell-getopts.ts';
import { kill, trap } from './shell-signals.ts';
import { exportNames, read, readonlyNames, set, shift, unset } from './shell-variables.ts';
import { evaluateText } from './shell-arithmetic.ts';
import type { CommandContext } from './shell-commands.ts';

const ok: Outcome = { status: 0 };

/** A number between 0 and 255, or the fault of one that is none. */
function statusOf(text: string | undefined, command: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new ScriptFault(`${command}: line 0: Illegal number: ${text}`);
  return Number(text) & 255;
}

const evaluateWords: SimpleCommand = (args) => {
  const source = args.join(' ');
  return { status: 0, enters: { kind: 'eval', code: compileScript(source), weight: source.length } };
};

const source: SimpleCommand = ([path, ...args], context) => {
  if (path === undefined) return ok;
  const text = readFile(path, context);
  if (text === undefined) throw new ScriptFault(`.: line 0: ${path.includes('/') ? `can't open '${path}': ${missing}` : `${path}: not found`}`);
  const kind = args.length > 0 ? 'function' : 'source';
  const given = args.length > 0 ? { args: [context.state.args[0] ?? 'sh', ...args] } : {};
  return { status: 0, enters: { kind, code: compileScript(text), weight: kind === 'source' ? text.length : 0, ...given } };
};

const cd: SimpleCommand = (args, context, { out, err }) => {
  const before = fullPath('.', context);
  const given = args.filter((arg) => !/^-[LP]$/.test(arg))[0] ?? lookup('HOME', context) ?? '/';
  const path = given === '-' ? (lookup('OLDPWD', context) ?? before) : given;
  if (path !== '' && !isFolder(path, context)) {
    const fault = readFile(path, context) === undefined ? missing : 'Not a directory';
    err(`${context.shellName}: cd: line 0: can't cd to ${path}: ${fault}\n`);
    return { status: 2 };
  }
  setVariable('OLDPWD', before, context);
  setVariable('PWD', normalPath(fullPath(path, context)), context);
  if (given === '-') out(`${getOwn(context.state.vars, 'PWD')}\n`);
  return ok;
};

/** What a name is, in words. */
function kindOf(name: string, context: CommandContext): string | undefined {
  if (getOwn(context.state.bodies, name) !== undefined) return 'a function';
  if (getOwn(builtins, name) !== undefined || shellTools.has(name)) return 'a shell builtin';
  const path = pathOf(name, context);
  return path;
}

/** Tools that the shell brings itself too. */
const shellTools: ReadonlySet<string> = new Set(['[', 'echo', 'printf', 'pwd', 'test', 'true', 'false']);

function pathOf(name: string, context: CommandContext): string | undefined {
  if (name.includes('/')) return toolOf(name) !== undefined || readFile(name, context) !== undefined ? name : undefined;
  const isThere = toolOf(name) !== undefined || getOwn(context.host.definition.tools, name) !== undefined;
  return isThere ? `/bin/${name}` : undefined;
}

const type: SimpleCommand = (args, context, { out, err }) => {
  let status = 0;
  for (const name of args.filter((arg) => arg !== '-p')) {
    const kind = kindOf(name, context);
    if (kind !== undefined) out(args.includes('-p') ? `${kind}\n` : `${name} is ${kind}\n`);
    else {
      err(`${name}: not found\n`);
      status = 127;
    }
  }
  return { status };
};

/** `command -v` and `-V`; without them the words are run before it comes here. */
const command: SimpleCommand = ([flag = '', ...names], context, streams) => {
  if (flag === '-p') return dispatch(names, context, streams);
  if (flag === '-V') return type(names, context, streams);
  if (flag !== '-v') throw new ScriptFault(`command: line 0: illegal option ${flag}`);
  const [name = ''] = names;
  const kind = kindOf(name, context);
  if (kind !== undefined) streams.out(`${kind.startsWith('/') || name.includes('/') ? kind : name}\n`);
  return { status: kind === undefined ? 127 : 0 };
};

const alias: SimpleCommand = (args, context, { err }) => {
  if (args.length > 0) err(`${context.shellName}: alias: aliases are not part of the simulated shell\n`);
  return { status: args.length > 0 ? 1 : 0 };
};

const umask: SimpleCommand = ([mask], { state }, { out }) => {
  if (mask === undefined) out(`${state.umask}\n`);
  else if (/^[0-7]{1,4}$/.test(mask)) state.umask = mask.padStart(4, '0');
  else throw new ScriptFault(`umask: line 0: Illegal mode: ${mask}`);
  return ok;
};

const noJob =
  (name: string): SimpleCommand =>
  () => {
    throw new ScriptFault(`${name}: line 0: No current job`);
  };

export const builtins: { readonly [name: string]: SimpleCommand } = {
  ':': () => ok,
  // Outside of loops both do nothing.
  break: () => ok,
  continue: () => ok,
  exit: (args, { state }, { err }) => {
    const code = statusOf(args[0], 'exit', state.status);
    if (consoleOf(state)?.prompt === 'bash') err('exit\n');
    exitShell(state, code);
    return { status: code, isOver: true };
  },
  return: (args, { state }) => {
    state.status = statusOf(args[0], 'return', state.status);
    returnFrom(state);
    return { status: state.status, isOver: true };
  },
  wait: (_args, { state, nowMs }) => {
    const sleepMs = state.backgroundMs === -1 ? Number.POSITIVE_INFINITY : Math.max(0, state.backgroundMs - nowMs);
    state.isWaiting = sleepMs > 0;
    return { status: 0, sleepMs };
  },
  eval: evaluateWords,
  '.': source,
  source,
  set,
  export: exportNames,
  readonly: readonlyNames,
  local: () => ok,
  shift,
  unset,
  cd,
  read,
  trap,
  kill,
  type,
  command,
  alias,
  unalias: () => ok,
  hash: () => ok,
  umask,
  ulimit: (args, _context, { out }) => {
    if (args.length < 2) out('unlimited\n');
    return ok;
  },
  times: (_args, _context, { out }) => {
    out('0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n');
    return ok;
  },
  jobs: () => ok,
  fg: noJob('fg'),
  bg: noJob('bg'),
  getopts,
  let: (args, context) => {
    let value = 0;
    for (const arg of args) value = evaluateText(arg, context);
    return { status: value === 0 ? 1 : 0 };
  },
};
