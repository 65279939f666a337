/** Where a shell's commands write and what they read, as data: redirections of one command, of a block, or of `exec` for all that follows. */
import { setOwn } from '../../base/dictionary.ts';
import type { Redirection } from './shell-code.ts';
import type { CommandContext } from './shell-commands.ts';
import { expandText } from './shell-expand.ts';
import { appender, fullPath, missing, readFault, readFile, startFile, writeFault } from './shell-files.ts';
import { type Input, inputOf, type Stdin } from './stdin.ts';

export type Sink =
  | { readonly type: 'out' | 'err' | 'null' | 'closed' }
  /** `path` is whole. */
  | { readonly type: 'file'; readonly path: string };

export interface Level {
  /** By file descriptor. */
  readonly sinks: { readonly [fd: string]: Sink };
  /** Null: what is around it. */
  readonly input: Stdin | null;
}

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly input: Input;
}

const base: Level = { sinks: { 1: { type: 'out' }, 2: { type: 'err' } }, input: null };
const closed: Sink = { type: 'closed' };

export function currentLevel(levels: readonly Level[]): Level {
  return levels.at(-1) ?? base;
}

/** What a shell reads where these levels are around it. */
export function inputAt(levels: readonly Level[], outermost: Input): Input {
  const level = levels.findLast(({ input }) => input !== null);
  const input = level?.input ?? null;
  return input === null ? outermost : inputOf(input);
}

export function writerOf(
  sink: Sink,
  context: Pick<CommandContext, 'host' | 'budget'>,
  ends: Pick<CommandContext, 'print' | 'printError'>,
): (text: string) => void {
  switch (sink.type) {
    case 'out':
      return ends.print;
    case 'err':
      return ends.printError;
    case 'null':
    case 'closed':
      return () => undefined;
    case 'file':
      return appender(sink.path, { ...context, ...ends });
  }
}

/** Undefined, and told, where a file cannot be opened: the command does not run then. */
export function openLevel(redirects: readonly Redirection[], context: CommandContext): Level | undefined {
  const sinks: Record<string, Sink> = { ...currentLevel(context.state.redirects).sinks };
  let input: Stdin | null = null;
  const fail = (what: string): undefined => {
    writerOf(sinks[2] ?? closed, context, context.ends)(`${context.shellName}: ${what}\n`);
    return undefined;
  };
  for (const { fd, operator, target } of redirects) {
    const path = expandText(target, context);
    if (operator === '<<') {
      input = { text: path, ended: true, endsOnce: false };
      continue;
    }
    if (operator === '<' || operator === '<>') {
      if (path === '/dev/stdin') continue;
      const fault = readFault(path, context);
      if (fault !== undefined) return fail(`can't open ${path}: ${fault === missing ? 'no such file' : fault}`);
      input = { text: readFile(path, context) ?? '', ended: true, endsOnce: false };
      continue;
    }
    if (operator === '>&' || operator === '<&') {
      if (path === '-') setOwn(sinks, String(fd), closed);
      else if (!/^\d{1,3}$/.test(path)) return fail(`syntax error: bad fd number`);
      else if (path === '0' || fd === 0) continue;
      else if ((sinks[path] ?? closed).type === 'closed') return fail(`${path}: Bad file descriptor`);
      else setOwn(sinks, String(fd), sinks[path] as Sink);
      continue;
    }
    const fault = writeFault(path, context) ?? clobberFault(path, operator, context);
    if (fault !== undefined) return fail(`can't create ${path}: ${fault}`);
    const sink = sinkOf(path, sinks, context);
    if (sink.type === 'file') startFile(sink.path, operator.includes('>>'), context);
    for (const one of operator.startsWith('&') ? [1, 2] : [fd]) setOwn(sinks, String(one), sink);
  }
  return { sinks, input };
}

/** For those who write to files by themselves. */
export function openPath(path: string, append: boolean, context: CommandContext): (text: string) => void {
  const sink = sinkOf(path, currentLevel(context.state.redirects).sinks, context);
  if (sink.type === 'file') startFile(sink.path, append, context);
  return writerOf(sink, context, context.ends);
}

function sinkOf(path: string, sinks: Readonly<Record<string, Sink>>, context: CommandContext): Sink {
  switch (path) {
    case '/dev/null':
      return { type: 'null' };
    case '/dev/stdout':
    case '/dev/fd/1':
    case '/proc/self/fd/1':
      return sinks[1] ?? closed;
    case '/dev/stderr':
    case '/dev/fd/2':
    case '/proc/self/fd/2':
      return sinks[2] ?? closed;
    case '/proc/1/fd/1':
    case '/dev/tty':
      return { type: 'out' };
    case '/proc/1/fd/2':
      return { type: 'err' };
    default:
      return { type: 'file', path: fullPath(path, context) };
  }
}

function clobberFault(path: string, operator: string, context: CommandContext): string | undefined {
  const isSafe = operator !== '>' || !context.state.options.includes('noclobber') || path.startsWith('/dev/');
  return isSafe || readFile(path, context) === undefined ? undefined : 'File exists';
}
