/** A shell that somebody talks to: it takes one command after the other from its input, with a prompt where there is a terminal. */
import { getOwn } from '../../base/dictionary.ts';
import { backToConsole, consoleOf, exitShell } from './shell-calls.ts';
import type { Code, Instruction } from './shell-code.ts';
import { ShellEnd } from './shell-budget.ts';
import { parseInteractive } from './shell-compile.ts';
import type { ImageDefinition } from './image-definition.ts';
import type { ProgramHost } from './program.ts';
import type { ShellState } from './shell-state.ts';
import { inputOf, NeedsInput } from './stdin.ts';

/** Plain data (law 9). */
export interface ShellConsole {
  /** Whose prompt; none without a terminal. */
  readonly prompt: 'ash' | 'bash' | 'dash' | 'none';
  /** Lines of a command that is not complete yet. */
  pending: string;
  /** The prompt stands there. */
  isPrompted: boolean;
  /** Redirections of all its commands. */
  redirects: number;
}

/** Of a shell that was called by this name. */
export function newConsole(name: string, definition: Pick<ImageDefinition, 'repository'>, isTerminal: boolean): ShellConsole {
  return { prompt: isTerminal ? promptOf(name, definition) : 'none', pending: '', isPrompted: false, redirects: 0 };
}

/** What a prompt shows of its machine. */
type PromptPlace = Pick<ProgramHost, 'hostname' | 'workingDir'>;

/** Functions keep what was typed: beyond, the shell has no memory left. */
const instructionsMax = 20_000;

/** Small images have busybox's shell, the others Debian's. */
function promptOf(name: string, { repository }: Pick<ImageDefinition, 'repository'>): ShellConsole['prompt'] {
  if (name === 'bash') return 'bash';
  return name === 'ash' || /busybox|alpine|agnhost|curl/.test(repository) ? 'ash' : 'dash';
}

/** Makes the next command the shell's code, or ends the shell. False when it has to wait for one, or nothing runs any more. */
export function nextCommand(state: ShellState, console: ShellConsole, host: PromptPlace, print: (text: string) => void): boolean {
  console.redirects = state.redirects.length;
  for (;;) {
    showPrompt(state, console, host, print);
    const line = nextLine(state);
    if (line === undefined) return false;
    console.isPrompted = false;
    if (line !== null) console.pending += `${line}\n`;
    const isOver = line === null;
    if (isOver && console.pending === '') {
      if (console.prompt === 'bash') print('exit\n');
      exitShell(state, state.status);
      return state.exitCode === null;
    }
    const parsed = parseInteractive(console.pending);
    if (parsed === 'incomplete' && !isOver) continue;
    console.pending = '';
    if (typeof parsed !== 'string') {
      install(state, parsed.code);
      return true;
    }
    print(`sh: syntax error: ${parsed === 'incomplete' ? 'unexpected end of file' : parsed}\n`);
    state.status = 2;
  }
}

/** ^C: what runs is given up, and what was typed and not read. */
export function interruptShell(state: ShellState, nowMs: number): void {
  state.status = 130;
  state.waits = false;
  state.wakeMs = nowMs;
  if (state.stdin !== null) state.stdin.text = '';
  if (!backToConsole(state)) {
    state.exitCode = state.status;
    return;
  }
  state.pending.length = 0;
  state.calls.length = 0;
  const console = consoleOf(state);
  if (console !== null) Object.assign(console, { pending: '', isPrompted: false });
}

/** Null at the end of input; undefined when nothing has come yet. */
function nextLine(state: ShellState): string | null | undefined {
  if (state.stdin === null) return null;
  try {
    return inputOf(state.stdin).line() ?? null;
  } catch (error) {
    if (!(error instanceof NeedsInput)) throw error;
    state.waits = true;
    state.wakeMs = null;
    return undefined;
  }
}

function showPrompt(state: ShellState, console: ShellConsole, host: PromptPlace, print: (text: string) => void): void {
  if (console.prompt === 'none' || console.isPrompted) return;
  console.isPrompted = true;
  print(console.pending === '' ? promptText(state, console, host) : '> ');
}

function promptText({ vars }: ShellState, { prompt }: ShellConsole, { hostname, workingDir = '/' }: PromptPlace): string {
  const place = getOwn(vars, 'PWD') ?? workingDir;
  if (prompt === 'bash') return `root@${hostname}:${place}# `;
  return prompt === 'ash' ? `${place} # ` : '# ';
}

/** Behind what is there, where functions or a trap may be called; else in its place. */
function install(state: ShellState, code: Code): void {
  const keeps = Object.keys(state.functions).length > 0 || state.trap !== null;
  if (keeps && state.code.length + code.length > instructionsMax) throw new ShellEnd('memory');
  const offset = keeps ? state.code.length : 0;
  state.code = keeps ? [...state.code, ...code.map((one) => moved(one, offset))] : code;
  state.pc = offset;
}

function moved(instruction: Instruction, by: number): Instruction {
  switch (instruction.op) {
    case 'jump':
    case 'ifOk':
    case 'ifFail':
    case 'next':
    case 'define':
    case 'redirect':
      return { ...instruction, to: instruction.to + by };
    case 'trap':
      return { ...instruction, handler: instruction.handler + by, to: instruction.to + by };
    case 'case':
      return { ...instruction, cases: instruction.cases.map((one) => ({ ...one, to: one.to + by })), to: instruction.to + by };
    default:
      return instruction;
  }
}
