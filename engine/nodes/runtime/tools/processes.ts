/** Tools that start other commands, and other shells. */
import { getOwn, setOwn } from '../../../base/dictionary.ts';
import { codeOf, type CommandContext, dispatch, type Outcome, type SimpleCommand, type Streams } from '../shell-commands.ts';
import { shellArguments } from '../shell-arguments.ts';
import { newConsole } from '../shell-console.ts';
import { missing, readFile } from '../shell-files.ts';
import { kill } from '../shell-signals.ts';
import { parseSleep } from '../shell-text.ts';
import { childShell, environmentOf, exported } from '../shell-variables.ts';
import { defineTool } from './options.ts';
import { isProgram } from './programs.ts';
import { xargs } from './xargs.ts';

const sleep: SimpleCommand = (args, _context, { err }) => {
  const sleepMs = parseSleep(args);
  if (sleepMs !== undefined) return { status: 0, sleepMs };
  err(args.length === 0 ? 'BusyBox multi-call binary.\n\nUsage: sleep [N]...\n' : `sleep: invalid number '${args[0] ?? ''}'\n`);
  return { status: 1 };
};

/** A shell by one of its names: `-c SCRIPT`, `FILE`, or what it reads, which somebody may type. */
const shell =
  (name: string): SimpleCommand =>
  (args, context, { input, err }) => {
    const given = shellArguments(args);
    const fault = typeof given === 'string' ? given : undefined;
    const { options, script, file, words } = typeof given === 'string' ? { options: [], script: '', file: '', words: [] } : given;
    if (fault === undefined && script === undefined && file === undefined && readsItsProcess(context)) {
      const console = newConsole(name, context.host.definition, (context.host.terminal?.() ?? null) !== null);
      const { enters } = childShell('', [name], context);
      if (enters !== undefined) return { status: 0, enters: { ...enters, options, console } };
    }
    const source = script ?? (file === undefined ? input.all() : readFile(file, context));
    if (fault !== undefined || source === undefined) {
      err(`${name}: ${fault ?? `can't open '${file}': ${missing}`}\n`);
      return { status: 2 };
    }
    const outcome = childShell(source, words.length > 0 ? words : [name], context);
    return outcome.enters === undefined ? outcome : { ...outcome, enters: { ...outcome.enters, options } };
  };

/** What somebody may type, which comes as it goes on. */
function readsItsProcess({ state, isLive, ends, input }: CommandContext): boolean {
  return isLive && state.stdin !== null && input === ends.input;
}

const env = defineTool({
  name: 'env',
  options: 'iu:0',
  usage: '[-i0] [-u NAME]... [-] [NAME=VALUE]... [PROG ARGS]',
  stopsEarly: true,
  run: (options, context, { out, err }) => {
    const isEmpty = options.has('i') || options.rest[0] === '-';
    const values = isEmpty ? {} : exported(context);
    for (const name of options.values('u')) delete values[name];
    let at = options.rest[0] === '-' ? 1 : 0;
    for (; /^[^=]+=/.test(options.rest[at] ?? ''); at++) {
      const [, name = '', value = ''] = /^([^=]+)=([^]*)$/.exec(options.rest[at] ?? '') ?? [];
      setOwn(values, name, value);
    }
    const words = options.rest.slice(at);
    if (words.length === 0) {
      for (const [name, value] of Object.entries(values)) out(`${name}=${value}${options.has('0') ? '\0' : '\n'}`);
      return { status: 0 };
    }
    const [name = ''] = words;
    if (!isProgram(name, context)) {
      err(`env: can't execute '${name}': ${missing}\n`);
      return { status: 127 };
    }
    return { status: 0, enters: { kind: 'subshell', code: codeOf(words), environment: environmentOf(values, context) } };
  },
});

const printenv = defineTool({
  name: 'printenv',
  options: '',
  usage: '[VARIABLE]...',
  run: ({ rest }, context, { out }) => {
    const values = exported(context);
    if (rest.length === 0) for (const [name, value] of Object.entries(values)) out(`${name}=${value}\n`);
    const found = rest.map((name) => getOwn(values, name));
    for (const value of found) if (value !== undefined) out(`${value}\n`);
    return { status: found.includes(undefined) ? 1 : 0 };
  },
});

const timeout = defineTool({
  name: 'timeout',
  options: 's:k:',
  usage: '[-s SIG] [-k KILL_SECS] SECS PROG ARGS',
  stopsEarly: true,
  atLeast: 2,
  run: (options, context, { input, out, err }) => {
    const [limit = '', ...words] = options.rest;
    const limitMs = parseSleep([limit]);
    if (limitMs === undefined) {
      err(`timeout: invalid number '${limit}'\n`);
      return { status: 1 };
    }
    return finish(context.nestedOn(codeOf(words), input, limitMs), limitMs, { out, err });
  },
});

/** With SIGTERM it ends when its time is over. */
function finish(result: ReturnType<CommandContext['nested']>, limitMs: number, { out, err }: Pick<Streams, 'out' | 'err'>): Outcome {
  err(result.errors);
  out(result.output);
  const isOver = result.tookMs > limitMs;
  return { status: isOver ? 143 : result.exitCode, sleepMs: isOver ? limitMs : result.tookMs };
}

/** What only starts the command behind it. */
const starter =
  (name: string): SimpleCommand =>
  (words, context, streams) => {
    if (words.length > 0) return dispatch(words, context, streams);
    streams.err(`BusyBox multi-call binary.\n\nUsage: ${name} PROG ARGS\n`);
    return { status: 1 };
  };

export const processTools: { readonly [name: string]: SimpleCommand } = {
  sleep,
  sh: shell('sh'),
  ash: shell('ash'),
  bash: shell('bash'),
  dash: shell('dash'),
  env,
  printenv,
  timeout,
  xargs,
  nohup: starter('nohup'),
  setsid: starter('setsid'),
  kill,
  true: () => ({ status: 0 }),
  false: () => ({ status: 1 }),
  stress: () => ({ status: 0, sleepMs: Number.POSITIVE_INFINITY }),
};
