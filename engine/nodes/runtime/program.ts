/**
 * A running program: plain data that is moved on when virtual time has reached its next wake-up (law 9). A service is what an image
 * definition describes; a shell is a compiled script with its position in it.
 */
import { getOwn } from '../../base/dictionary.ts';
import { unknownInitMs } from '../physics.ts';
import type { ImageDefinition, ProgramDefinition } from './image-definition.ts';
import { nanoText } from '../timestamps.ts';
import type { LoadProfile } from './load.ts';
import { loadOfArguments } from './stress-load.ts';
import { compileScript } from './shell-compile.ts';
import { runShell } from './shell.ts';
import { shellArguments } from './shell-arguments.ts';
import { signalShell } from './shell-signals.ts';
import { toolOf } from './shell-commands.ts';
import { startShell, type ShellState } from './shell-state.ts';
import { quoteWord } from './shell-text.ts';
import { newConsole } from './shell-console.ts';
import type { FileStat } from './shell-stat.ts';
import type { Stdin } from './stdin.ts';
import { newTerminal, type Terminal } from './terminal.ts';

export interface ProgramHost {
  readonly nowMs: number;
  readonly hostname: string;
  readonly definition: ImageDefinition;
  /** What the container was started with; commands in it have none. */
  argv?(): readonly string[];
  /** Whether the pod goes on only when it has ended, as it does after an init container. */
  readonly isAwaited?: boolean | undefined;
  /** Environment in force; asked for by shells only. */
  env(): { readonly [name: string]: string };
  /** Mounted and well-known files. */
  readFile(path: string): string | undefined;
  /** Where volumes are mounted, whatever is in them. */
  readonly folders?: (() => readonly string[]) | undefined;
  /** Files of the volumes that show objects of the API. */
  readonly mounted?: (() => readonly string[]) | undefined;
  /** Whether what is at a path can be neither read nor written: its disk fails. */
  readonly isBroken?: ((path: string) => boolean) | undefined;
  /** What a mount says of a file in it; undefined for what is not mounted. */
  readonly stat?: ((path: string) => FileStat | undefined) | undefined;
  /** Whom its programs run as; root without it. */
  user?(): { readonly uid: number; readonly gid: number; readonly supplementalGroups: readonly number[] };
  /** Whether so many characters can be written there, where the container is not the only one who fills it. */
  readonly hasRoom?: ((path: string, length: number) => boolean) | undefined;
  /** Whether nothing can be written at a path. */
  readonly isReadOnly?: ((path: string) => boolean) | undefined;
  /** What its programs write to, where that is one. */
  terminal?(): Pick<Terminal, 'columns' | 'rows'> | null;
  /** Files the container has written; undefined text means removed. */
  readonly files: Record<string, string>;
  /** Where its programs start; the root without it. */
  readonly workingDir?: string | undefined;
  /** A signal for the first process of the container. */
  readonly signal?: ((name: string) => void) | undefined;
  /** A line, or a part of one that has no newline at its end. */
  log(text: string, isPartial?: boolean): void;
  /** As it comes, in pieces, for those who listen. */
  write?(text: string, isError: boolean): void;
}

/** What a container, or a command in it, is given to read. */
export interface ProgramInput {
  readonly stdin: boolean;
  readonly tty: boolean;
}

const noInput: ProgramInput = { stdin: false, tty: false };

export interface ServiceProgram {
  readonly type: 'service';
  /** Name in the image definition's programs, or '' for a program nobody has described. */
  readonly program: string;
  readonly startMs: number;
  readonly readyMs: number;
  endMs: number | null;
  exitCode: number;
  /** Where its arguments say what it uses. */
  readonly load: LoadProfile | null;
}

export interface ShellProgram {
  readonly type: 'shell';
  shell: ShellState;
  /** Where it has one, and somebody types. */
  readonly terminal: Terminal | null;
}

export type Program = ServiceProgram | ShellProgram;

/** How a container ended; `reason` only where it never ran. */
export interface ProgramStart {
  readonly program?: Program;
  /** The runtime's error when argv[0] does not exist. */
  readonly error?: string;
}

const shellNames: ReadonlySet<string> = new Set(['sh', 'bash', 'ash', 'dash']);
/** Starts argv in a container of this image. */
export function startProgram(argv: readonly string[], host: ProgramHost, input = noInput): ProgramStart {
  const { definition } = host;
  const path = argv[0] ?? '';
  const name = baseName(path);
  const described = describedProgram(definition, argv);
  const script = described === undefined ? undefined : getOwn(definition.programs, described)?.script;
  if (script !== undefined) return { program: startShellCommand(['sh', '-c', script(argv.slice(1))], host, input) };
  if (described !== undefined && !(name === 'docker-entrypoint.sh' && isShellCommand(argv.slice(1))))
    return { program: startService(described, definition, argv, host) };
  const rest = name === 'docker-entrypoint.sh' || name === 'entrypoint.sh' ? argv.slice(1) : argv;
  if (definition.shell && isShellCommand(rest)) return { program: startShellCommand(rest, host, input) };
  if (definition.anyCommand === true) return { program: startUndescribed(argv, host) };
  return {
    error: `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ${missingText(path)}`,
  };
}

/** A program that nobody has described runs until it is stopped; where the pod waits for its end, it does its work in a moment. */
function startUndescribed(argv: readonly string[], host: ProgramHost): ServiceProgram {
  const { definition, isAwaited, nowMs } = host;
  const what = argv.length === 0 ? 'the default command' : `\`${argv.join(' ')}\``;
  const until = isAwaited === true ? 'it ends in a moment' : 'it runs until it is stopped';
  host.log(`wavetank: ${what} of ${definition.repository} is simulated: ${until}`);
  return {
    type: 'service',
    program: '',
    startMs: nowMs,
    readyMs: nowMs,
    endMs: isAwaited === true ? nowMs + unknownInitMs : null,
    exitCode: 0,
    load: null,
  };
}

/** Starts one more process in a container, or says why there is no such program. */
export function startCommand(given: readonly string[], host: ProgramHost, input: ProgramInput): ShellProgram | string {
  const argv = scripted(given, host.definition);
  if (hasCommand(argv, host.definition)) return startShellCommand(argv, host, input);
  return `OCI runtime exec failed: exec failed: unable to start container process: ${missingText(argv[0] ?? '')}`;
}

/** What is run for a command: the script of a program that is one, else itself. */
export function scripted(argv: readonly string[], definition: ImageDefinition): readonly string[] {
  const name = describedProgram(definition, argv);
  const script = name === undefined ? undefined : getOwn(definition.programs, name)?.script;
  return script === undefined ? argv : ['sh', '-c', script(argv.slice(1))];
}

/** Whether an image has the program that is asked for. */
export function hasCommand(argv: readonly string[], { shell, tools }: ImageDefinition): boolean {
  return shell && (isShellCommand(argv) || getOwn(tools, baseName(argv[0] ?? '')) !== undefined);
}

export function missingText(path: string): string {
  const missing = path.includes('/') ? `stat ${path}: no such file or directory` : 'executable file not found in $PATH';
  return `exec: ${JSON.stringify(path)}: ${missing}`;
}

/** Runs what is due. Answers the exit code once it has ended. */
export function advanceProgram(program: Program, host: ProgramHost): number | undefined {
  if (program.type === 'shell') {
    runShell(program.shell, host);
    return program.shell.exitCode ?? undefined;
  }
  return program.endMs !== null && program.endMs <= host.nowMs ? program.exitCode : undefined;
}

/** Why the machine ended it; empty when it ended by itself. */
export function programEndReason(program: Program): '' | 'OOMKilled' {
  return program.type === 'shell' && program.shell.oomKilled ? 'OOMKilled' : '';
}

/** When it has to be looked at next; undefined when it runs until it is stopped. */
export function programWakeMs(program: Program): number | undefined {
  const due = program.type === 'shell' ? (program.shell.isBlocked ? null : program.shell.wakeMs) : program.endMs;
  return due ?? undefined;
}

/** SIGTERM. A shell without a trap is PID 1 and does not hear it. */
export function terminateProgram(program: Program, definition: ImageDefinition, nowMs: number): void {
  if (program.type === 'shell') {
    const { trap: handler, onTerm, args, frames } = program.shell;
    signalShell(program.shell, 'TERM', nowMs, true);
    // What an earlier build remembers of a trap.
    if (onTerm !== null) {
      if (onTerm.length === 0) return;
      program.shell = {
        ...program.shell,
        code: onTerm,
        pc: 0,
        args: frames[0]?.args ?? args,
        frames: [],
        lists: [],
        onTerm: null,
        wakeMs: nowMs,
        waits: false,
      };
      return;
    }
    if (handler !== null) program.shell = { ...program.shell, pc: handler, trap: null, wakeMs: nowMs, waits: false };
    return;
  }
  if (program.endMs !== null && program.endMs <= nowMs) return;
  const onTerm = program.program === '' ? defaultTerm : getOwn(definition.programs, program.program)?.onTerm;
  if (onTerm === undefined) return;
  program.endMs = nowMs + onTerm.afterMs;
  program.exitCode = onTerm.exitCode;
}

/** The definition behind a running service. */
export function programDefinition(program: Program, definition: ImageDefinition): ProgramDefinition | undefined {
  return program.type === 'service' ? getOwn(definition.programs, program.program) : undefined;
}

/** A program without a handler of its own, run by an init or as most servers do: ended by the signal. */
const defaultTerm = { afterMs: 120, exitCode: 143 };

function startService(name: string, definition: ImageDefinition, argv: readonly string[], host: ProgramHost): ServiceProgram {
  const program = definition.programs[name] as ProgramDefinition;
  for (const line of program.log ?? []) host.log(fillIn(line, host, argv));
  return {
    type: 'service',
    program: name,
    startMs: host.nowMs,
    readyMs: host.nowMs + (program.startupMs ?? 0),
    endMs: program.exitAfterMs === undefined ? null : host.nowMs + program.exitAfterMs,
    exitCode: program.exitCode ?? 0,
    load: program.loadFromArguments === true ? loadOfArguments(argv.slice(1)) : null,
  };
}

function startShellCommand(argv: readonly string[], host: ProgramHost, input: ProgramInput): ShellProgram {
  const name = baseName(argv[0] ?? '');
  const stdin: Stdin | null = input.stdin ? { text: '', ended: false, endsOnce: false } : null;
  const terminal = input.tty ? newTerminal() : null;
  const script = (source: string, args: readonly string[] = [], options: readonly string[] = []): ShellProgram => {
    return { type: 'shell', shell: { ...startShell(compileScript(source), host, args, { stdin, console: null }), options }, terminal };
  };
  if (!shellNames.has(name)) return script(quoteAll(argv));
  const given = shellArguments(argv.slice(1));
  if (typeof given === 'string') return script(`echo ${quoteWord(`${name}: ${given}`)} >&2; exit 2`);
  if (given.script !== undefined) return script(given.script, given.words, given.options);
  const { file } = given;
  if (file === undefined && stdin !== null) {
    const console = newConsole(name, host.definition, input.tty);
    return { type: 'shell', shell: startShell([], host, argv.slice(1), { stdin, console }), terminal };
  }
  const text =
    file === undefined
      ? ''
      : (getOwn(host.files, file) ??
        host.readFile(file) ??
        `echo ${quoteWord(`${name}: can't open '${file}': No such file or directory`)} >&2; exit 2`);
  return script(text, given.words, given.options);
}

function describedProgram(definition: ImageDefinition, argv: readonly string[]): string | undefined {
  const name = baseName(argv[0] ?? '');
  const withArgument = `${name} ${argv[1] ?? ''}`;
  if (getOwn(definition.programs, withArgument) !== undefined) return withArgument;
  return getOwn(definition.programs, name) === undefined ? undefined : name;
}

function isShellCommand(argv: readonly string[]): boolean {
  const name = baseName(argv[0] ?? '');
  return shellNames.has(name) || toolOf(argv[0] ?? '') !== undefined;
}

export function fillIn(text: string, host: Pick<ProgramHost, 'nowMs' | 'hostname'>, argv: readonly string[]): string {
  if (!text.includes('{')) return text;
  return text
    .replaceAll('{time}', nanoText(host.nowMs).slice(0, 19))
    .replaceAll('{hostname}', host.hostname)
    .replaceAll('{args}', argv.slice(1).join(' '))
    .replaceAll(/\{(--[\w-]+)=(\w+)\}/g, (_whole, flag: string, usual: string) => argumentOf(flag, argv) ?? usual);
}

/** The value of a flag: `--port=8444` or `--port 8444`. */
export function argumentOf(flag: string, argv: readonly string[]): string | undefined {
  const index = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = argv[index];
  return word === flag ? argv[index + 1] : word?.slice(flag.length + 1);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function quoteAll(argv: readonly string[]): string {
  return argv.map(quoteWord).join(' ');
}
