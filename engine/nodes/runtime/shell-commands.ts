/** Simple commands: assignments, redirections, functions, and the commands a small image has. */
import { formatDate, parseSleep, printfText, testWords } from './shell-text.ts';
import { perlOutput } from './perl.ts';
import type { Code, Instruction } from './shell-code.ts';
import { bytesOfText } from '../../base/byte-text.ts';
import { getOwn } from '../../base/dictionary.ts';
import { call, leave } from './shell-calls.ts';
import { expandText, expandWords, lookup, setVariable } from './shell-expand.ts';
import { keepsAssignments, read, restore, set, shift, unset } from './shell-variables.ts';
import type { CommandResult, ShellState } from './shell.ts';
import type { ProgramHost } from './program.ts';
import {
  fileWriter,
  folderNames,
  fullPath,
  holdsOf,
  ioError,
  isBroken,
  isFolder,
  normalPath,
  readFault,
  readFile,
  tar,
  writeFault,
} from './shell-files.ts';
import { awkArguments, awkOutput, hexText } from './shell-columns.ts';
import { expr, seq } from './shell-numbers.ts';
import { copy, makeFolders, move, remove, touch } from './shell-moves.ts';
import { id, whoami } from './shell-users.ts';
import { find } from './shell-find.ts';
import { stat } from './shell-stat.ts';
import { type Input, inputOfText } from './stdin.ts';
import { callDepthMax, type ShellBudget, ShellEnd } from './shell-budget.ts';

export interface CommandContext {
  readonly state: ShellState;
  readonly host: ProgramHost;
  readonly nowMs: number;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly input: Input;
  readonly budget: ShellBudget;
  /** What is printed leaves at once, and is not taken back when a command waits for its input. */
  readonly isLive: boolean;
  /** Runs code to its end at once. `input` is what it reads; its own errors are among its output. */
  nested(code: Code, input: string): CommandResult;
  nestedOn(code: Code, input: Input): CommandResult;
}

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly input: Input;
}

interface Outcome {
  readonly status: number;
  readonly sleepMs?: number;
}

export type SimpleCommand = (args: readonly string[], context: CommandContext, streams: Streams) => Outcome;

export function runSimple(instruction: Extract<Instruction, { op: 'run' }>, context: CommandContext): number {
  const { state } = context;
  const words = expandWords(instruction.words, context);
  const name = words[0];
  if (name === undefined) state.status = 0;
  const before = name === undefined ? [] : instruction.assigns.map(([variable]) => [variable, getOwn(state.vars, variable)] as const);
  for (const [variable, word] of instruction.assigns) setVariable(variable, expandText(word, context), context);
  const streams = openStreams(instruction, context);
  if (streams === undefined) state.status = 1;
  if (streams === undefined || name === undefined) return 0;
  const body = getOwn(state.bodies, name);
  if (body !== undefined) {
    call(body, words, context);
    return 0;
  }
  const target = getOwn(state.functions, name);
  if (target !== undefined) {
    if (state.calls.length >= callDepthMax) throw new ShellEnd('stack');
    state.calls.push(state.pc);
    state.pc = target;
    return 0;
  }
  const command = getOwn(commands, baseOf(name));
  const said = command === undefined ? getOwn(context.host.definition.tools, baseOf(name)) : undefined;
  if (said !== undefined) streams.out(said);
  if (command === undefined) {
    state.status = said === undefined ? 127 : 0;
    if (said === undefined) streams.err(`sh: ${name}: not found\n`);
    return 0;
  }
  const outcome = command(words.slice(1), context, streams);
  state.status = outcome.status;
  if (!keepsAssignments.has(name)) for (const [variable, value] of before) restore(variable, value, context);
  return outcome.sleepMs ?? 0;
}

/** As whoever started it called it. */
function shellName({ host }: CommandContext): string {
  const name = host.argv?.()[0] ?? '';
  return /^(?:\/[^\s]*\/)?(?:ba|da|a)?sh$/.test(name) ? name : 'sh';
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Undefined, and told, where a file cannot be opened: the command does not run then. */
function openStreams({ redirects }: Extract<Instruction, { op: 'run' }>, context: CommandContext): Streams | undefined {
  let { input } = context;
  let out = context.print;
  let err = context.printError;
  for (const { fd, operator, target } of redirects) {
    const path = expandText(target, context);
    const fault = operator === '<<' || operator === '>&' ? undefined : operator === '<' ? readFault(path, context) : writeFault(path, context);
    if (fault !== undefined) {
      err(`${shellName(context)}: can't ${operator === '<' ? 'open' : 'create'} ${path}: ${fault}\n`);
      return undefined;
    }
    if (operator === '<<') input = inputOfText(path);
    else if (operator === '<') input = inputOfText(readFile(path, context) ?? '');
    else if (operator === '>&') {
      if (fd === 2 && path === '1') err = out;
      if (fd === 1 && path === '2') out = err;
    } else {
      const write = fileWriter(path, operator.includes('>>'), context);
      if (fd === 1 || operator.startsWith('&')) out = write;
      if (fd === 2 || operator.startsWith('&')) err = write;
    }
  }
  return { out, err, input };
}

const ok: Outcome = { status: 0 };

function readAll(
  args: readonly string[],
  { context, streams, name }: { context: CommandContext; streams: Streams; name: string },
): { text: string; status: number } {
  const paths = args.filter((arg) => !arg.startsWith('-') || arg === '-');
  if (paths.length === 0) return { text: streams.input.all(), status: 0 };
  let text = '';
  let status = 0;
  for (const path of paths) {
    const isFailing = path !== '-' && isBroken(path, context);
    const content = isFailing ? undefined : path === '-' ? streams.input.all() : readFile(path, context);
    if (content === undefined) {
      streams.err(`${name}: can't open '${path}': ${isFailing ? ioError : 'No such file or directory'}\n`);
      status = 1;
    } else {
      text += content;
      context.budget.text(text.length);
    }
  }
  return { text, status };
}

function lineCount(args: readonly string[]): { count: number; rest: readonly string[] } {
  const at = args.findIndex((arg) => /^-n?[0-9]*$/.test(arg) && arg !== '-');
  if (at < 0) return { count: 10, rest: args };
  const own = (args[at] ?? '').replace(/^-n?/, '');
  return own === '' ? { count: Number(args[at + 1] ?? 10), rest: args.toSpliced(at, 2) } : { count: Number(own), rest: args.toSpliced(at, 1) };
}

const unreachable =
  (program: string): SimpleCommand =>
  (args, _context, { err }) => {
    const url = args.findLast((arg) => !arg.startsWith('-')) ?? '';
    err(`${program}: cannot reach ${url}: containers of this simulation have no network between them yet\n`);
    return { status: program === 'curl' ? 7 : 1 };
  };

/** What every small image has. */
const commands: { readonly [name: string]: SimpleCommand } = {
  ':': () => ok,
  true: () => ok,
  false: () => ({ status: 1 }),
  echo: (args, { budget }, { out }) => {
    const flag = args[0] === '-n' || args[0] === '-e' || args[0] === '-ne' || args[0] === '-en' ? args[0] : '';
    const text = args.slice(flag === '' ? 0 : 1).join(' ');
    budget.text(text.length);
    out((flag.includes('e') ? text.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : text) + (flag.includes('n') ? '' : '\n'));
    return ok;
  },
  printf: (args, { budget }, { out }) => {
    out(printfText(args[0] ?? '', args.slice(1), budget));
    return ok;
  },
  sleep: (args, _context, { err }) => {
    const sleepMs = parseSleep(args);
    if (sleepMs !== undefined) return { status: 0, sleepMs };
    err(`sleep: invalid number '${args[0] ?? ''}'\n`);
    return { status: 1 };
  },
  exit: (args, { state }) => {
    state.exitCode = args[0] === undefined ? state.status : Number(args[0]) & 255;
    return { status: state.exitCode };
  },
  return: (args, { state }) => {
    if (!leave(state)) state.pc = state.calls.pop() ?? state.code.length;
    return { status: args[0] === undefined ? state.status : Number(args[0]) & 255 };
  },
  wait: (_args, { state, nowMs }) => ({
    status: 0,
    sleepMs: state.backgroundMs === -1 ? Number.POSITIVE_INFINITY : Math.max(0, state.backgroundMs - nowMs),
  }),
  set,
  export: (args, context) => {
    for (const arg of args) if (arg.includes('=')) setVariable(arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1), context);
    return ok;
  },
  local: () => ok,
  shift,
  unset,
  cd: (args, context) => {
    setVariable('PWD', normalPath(fullPath(args[0] ?? '/', context)), context);
    return ok;
  },
  pwd: (_args, { state }, { out }) => {
    out(`${getOwn(state.vars, 'PWD') ?? '/'}\n`);
    return ok;
  },
  read,
  date: (args, { nowMs, budget }, { out }) => {
    const format = args.find((arg) => arg.startsWith('+'));
    // The longest of all verbs is written in fourteen times its own length.
    budget.text((format?.length ?? 0) * 14);
    out(`${formatDate(nowMs, format === undefined ? '%a %b %e %H:%M:%S UTC %Y' : format.slice(1))}\n`);
    return ok;
  },
  hostname: (args, { host }, { out }) => {
    out(`${args[0] === '-i' ? '127.0.0.1' : host.hostname}\n`);
    return ok;
  },
  whoami,
  id,
  uname: (args, { host }, { out }) => {
    out(args[0] === '-a' ? `Linux ${host.hostname} 6.8.0-wavetank x86_64 GNU/Linux\n` : args[0] === '-n' ? `${host.hostname}\n` : 'Linux\n');
    return ok;
  },
  env: (_args, { host, state }, { out }) => {
    for (const [name, value] of Object.entries({ ...host.env(), ...state.vars })) out(`${name}=${value}\n`);
    return ok;
  },
  printenv: (args, context, { out }) => {
    if (args[0] === undefined) for (const [name, value] of Object.entries(context.host.env())) out(`${name}=${value}\n`);
    let status = 0;
    for (const name of args) {
      const value = lookup(name, context);
      if (value === undefined) status = 1;
      else out(`${value}\n`);
    }
    return { status };
  },
  cat: (args, context, streams) => {
    // What somebody types is answered line by line.
    if (context.isLive && streams.out === context.print && streams.input === context.input && args.every((arg) => arg.startsWith('-'))) {
      for (let piece = streams.input.piece(); piece !== undefined; piece = streams.input.piece()) streams.out(piece);
      return ok;
    }
    const { text, status } = readAll(args, { context, streams, name: 'cat' });
    streams.out(text);
    return { status };
  },
  head: (args, context, streams) => {
    const { count, rest } = lineCount(args);
    const { text, status } = readAll(rest, { context, streams, name: 'head' });
    streams.out(text.split('\n').slice(0, count).join('\n') + (text === '' ? '' : '\n'));
    return { status };
  },
  tail: (args, context, streams) => {
    if (args.includes('-f') || args.includes('-F')) return { status: 0, sleepMs: Number.POSITIVE_INFINITY };
    const { count, rest } = lineCount(args);
    const { text, status } = readAll(rest, { context, streams, name: 'tail' });
    const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
    streams.out(text === '' ? '' : `${lines.slice(-count).join('\n')}\n`);
    return { status };
  },
  grep: (args, context, streams) => {
    const [pattern = '', ...paths] = args.filter((arg) => !arg.startsWith('-'));
    const { text } = readAll(paths, { context, streams, name: 'grep' });
    const inverted = args.some((arg) => /^-[a-z]*v/.test(arg));
    const hits = text.split('\n').filter((line, i, all) => !(i === all.length - 1 && line === '') && line.includes(pattern) !== inverted);
    if (!args.some((arg) => /^-[a-z]*q/.test(arg))) for (const line of hits) streams.out(`${line}\n`);
    return { status: hits.length > 0 ? 0 : 1 };
  },
  wc: (args, context, streams) => {
    const { text, status } = readAll(args, { context, streams, name: 'wc' });
    if (status !== 0) return { status };
    const path = args.find((arg) => !arg.startsWith('-'));
    const lines = text.split('\n').length - 1;
    const counts = args.includes('-l')
      ? [lines]
      : args.includes('-c')
        ? [bytesOfText(text).length]
        : [lines, text.split(/\s+/).filter((word) => word !== '').length, bytesOfText(text).length];
    streams.out(`${[...counts, ...(path === undefined ? [] : [path])].join(' ')}\n`);
    return ok;
  },
  awk: (args, context, streams) => {
    const { program, separator, paths } = awkArguments(args);
    const { text, status } = readAll(paths, { context, streams, name: 'awk' });
    const said = awkOutput(program, separator, text, context.budget);
    if (said === undefined) streams.err('awk: only `{print $1, …}` is simulated\n');
    else streams.out(said);
    return { status: said === undefined ? 2 : status };
  },
  hexdump: (args, context, streams) => {
    const { text, status } = readAll(args, { context, streams, name: 'hexdump' });
    if (status === 0) streams.out(hexText(bytesOfText(text), args.includes('-C'), context.budget));
    return { status };
  },
  sort: (args, context, streams) => {
    const { text } = readAll(args, { context, streams, name: 'sort' });
    streams.out(
      text
        .split('\n')
        .filter((line) => line !== '')
        .sort()
        .map((line) => `${line}\n`)
        .join(''),
    );
    return ok;
  },
  seq,
  expr,
  test: (args, context) => ({ status: testWords(args, (path, flag) => holdsOf(flag, path, context)) ? 0 : 1 }),
  '[': (args, context, { err }) => {
    if (args.at(-1) !== ']') {
      err('sh: missing ]\n');
      return { status: 2 };
    }
    return { status: testWords(args.slice(0, -1), (path, flag) => holdsOf(flag, path, context)) ? 0 : 1 };
  },
  touch: (args, context, streams) => ({ status: touch(args, context, streams) }),
  rm: (args, context, streams) => ({ status: remove(args, context, streams) }),
  cp: (args, context, streams) => ({ status: copy(args, context, streams) }),
  mv: (args, context, streams) => ({ status: move(args, context, streams) }),
  mkdir: (args, context, streams) => ({ status: makeFolders(args, context, streams) }),
  chmod: () => ok,
  chown: () => ok,
  ls: (args, context, { out, err }) => {
    const path = args.find((arg) => !arg.startsWith('-')) ?? '.';
    const full = normalPath(fullPath(path, context));
    if (readFile(full, context) !== undefined) out(`${path}\n`);
    else if (!isFolder(full, context)) {
      err(`ls: ${path}: No such file or directory\n`);
      return { status: 1 };
    }
    const showsHidden = args.some((arg) => /^-[a-zA-Z]*[aA]/.test(arg));
    for (const name of folderNames(full, context)) if (showsHidden || !name.startsWith('.')) out(`${name}\n`);
    return ok;
  },
  stty: (args, { host }, { out, err }) => {
    const terminal = host.terminal?.() ?? null;
    if (terminal === null) {
      err('stty: standard input: Inappropriate ioctl for device\n');
      return { status: 1 };
    }
    if (args.includes('size')) out(`${terminal.rows} ${terminal.columns}\n`);
    else if (args.length === 0) out('speed 38400 baud; line = 0;\n-brkint -imaxbel\n');
    return ok;
  },
  tty: (_args, { host }, { out }) => {
    const isTerminal = (host.terminal?.() ?? null) !== null;
    out(isTerminal ? '/dev/pts/0\n' : 'not a tty\n');
    return { status: isTerminal ? 0 : 1 };
  },
  find: (args, context, streams) => ({ status: find(args, context, streams) }),
  perl: (args, _context, { out, err }) => {
    const result = perlOutput(args);
    if (result === undefined) err('perl: only `-Mbignum=bpi -wle "print bpi(N)"` is simulated\n');
    else out(result.text);
    return result === undefined ? { status: 2 } : { status: 0, sleepMs: result.tookMs };
  },
  stress: () => ({ status: 0, sleepMs: Number.POSITIVE_INFINITY }),
  yes: () => ({ status: 0, sleepMs: Number.POSITIVE_INFINITY }),
  stat: (args, context, streams) => ({ status: stat(args, context, streams) }),
  tar: (args, context, streams) => ({ status: tar(args, context, streams) }),
  wget: unreachable('wget'),
  curl: unreachable('curl'),
  nslookup: unreachable('nslookup'),
  nc: unreachable('nc'),
};
