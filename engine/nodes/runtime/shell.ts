/**
 * Runs shell code on virtual time. The state is plain data; a sleep sets `wakeMs` and returns. Substitutions, pipelines and probe
 * commands run to their end at once on a clock of their own and say how long they would have taken.
 */
import { shellCommandsPerSecond, shellSleepMinMs } from '../physics.ts';
import { ShellBudget, ShellEnd, type ShellEndReason } from './shell-budget.ts';
import { runTraps } from './shell-calls.ts';
import { compileScript } from './shell-compile.ts';
import { nextCommand } from './shell-console.ts';
import { startShell, type ShellState } from './shell-state.ts';
import { type CommandResult, runNested, step, type Surroundings } from './shell-steps.ts';
import type { CommandContext } from './shell-commands.ts';
import type { ProgramHost } from './program.ts';
import { inputOf, inputOfText, NeedsInput } from './stdin.ts';

/** Runs what is due at `host.nowMs`. */
export function runShell(state: ShellState, host: ProgramHost): void {
  if (state.exitCode !== null || state.isBlocked || state.wakeMs === null || state.wakeMs > host.nowMs) return;
  const budget = new ShellBudget();
  try {
    runUntilSleep(state, host, budget);
  } catch (error) {
    if (!(error instanceof ShellEnd)) throw error;
    endShell(state, error.reason);
  }
  if (state.exitCode === null) return;
  if (state.partial !== '') host.log(state.partial, true);
  state.partial = '';
  state.wakeMs = null;
}

function runUntilSleep(state: ShellState, host: ProgramHost, budget: ShellBudget): void {
  const print = (text: string): void => printLines(state, host, budget, text, false);
  const printError = (text: string): void => printLines(state, host, budget, text, true);
  const input = state.stdin === null ? inputOfText('') : inputOf(state.stdin);
  state.isWaiting = false;
  while (state.exitCode === null) {
    if (budget.isSpent) {
      state.wakeMs = host.nowMs + (budget.commands * 1000) / shellCommandsPerSecond;
      return;
    }
    runTraps(state, budget);
    const console = state.frames.length === 0 ? state.console : (state.frames.at(-1)?.console ?? null);
    if (state.pc >= state.code.length && console !== null) {
      if (!nextCommand(state, console, host, print)) return;
      continue;
    }
    const sleepMs = stepOrWait(state, { host, nowMs: host.nowMs, print, printError, input, budget, isLive: true });
    if (sleepMs === undefined) return;
    if (sleepMs === 0) continue;
    // Whoever sleeps has to be woken: no process runs more often than the machine's timer fires.
    state.wakeMs = sleepMs > longestSleepMs ? null : host.nowMs + Math.max(sleepMs, shellSleepMinMs);
    return;
  }
}

/** One instruction, which is run again where it has to wait for its input: undefined then. */
function stepOrWait(state: ShellState, around: Surroundings & Pick<CommandContext, 'print' | 'printError'>): number | undefined {
  const { pc } = state;
  try {
    return step(state, around);
  } catch (error) {
    if (!(error instanceof NeedsInput)) throw error;
    state.pc = pc;
    state.waits = true;
    state.wakeMs = null;
    return undefined;
  }
}

/** More has come to read, or the last of it. */
export function wakeForInput(state: ShellState, nowMs: number): void {
  if (!state.waits) return;
  state.waits = false;
  state.wakeMs = nowMs;
}

/** A sleep beyond this never ends. */
const longestSleepMs = 1e15;

/** As the machine ends what exceeds its memory or its stack; what never comes to an end just hangs. */
function endShell(state: ShellState, reason: ShellEndReason): void {
  if (reason === 'endless') state.wakeMs = null;
  else state.exitCode = reason === 'memory' ? killedCode : segmentationFaultCode;
  if (reason === 'memory') state.oomKilled = true;
}

const killedCode = 137;
const segmentationFaultCode = 139;

/** The runtime takes lines of this length and passes on longer ones in parts. */
const lineCharsMax = 16 * 1024;

function printLines(state: ShellState, host: ProgramHost, budget: ShellBudget, text: string, isError: boolean): void {
  if (text === '') return;
  host.write?.(text, isError);
  budget.text(state.partial.length + text.length);
  const lines = (state.partial + text).split('\n');
  state.partial = lines.pop() ?? '';
  for (const line of lines) partsOf(line).forEach((part, at, parts) => host.log(part, at < parts.length - 1));
  while (state.partial.length > lineCharsMax) {
    host.log(state.partial.slice(0, lineCharsMax), true);
    state.partial = state.partial.slice(lineCharsMax);
  }
}

function partsOf(line: string): readonly string[] {
  if (line.length <= lineCharsMax) return [line];
  const parts: string[] = [];
  for (let at = 0; at < line.length; at += lineCharsMax) parts.push(line.slice(at, at + lineCharsMax));
  return parts;
}

/** Runs argv in the container, as exec probes and hooks do: `output` is all that it says. */
export function runCommand(argv: readonly string[], host: ProgramHost): Omit<CommandResult, 'errors'> {
  const name = (argv[0] ?? '').replace(/^.*\//, '');
  const isShell = ['sh', 'bash', 'ash', 'dash'].includes(name) && argv[1] !== undefined && /^-[a-z]*c$/.test(argv[1]);
  const source = isShell ? (argv[2] ?? '') : argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const state = startShell(compileScript(source), host, isShell ? argv.slice(3) : []);
  if (isShell && argv[1]?.includes('e') === true) state.options = ['errexit'];
  try {
    return runNested(state, { host, nowMs: host.nowMs, input: inputOfText(''), budget: new ShellBudget() }, { mixesErrors: true });
  } catch (error) {
    if (!(error instanceof ShellEnd)) throw error;
    if (error.reason === 'endless') return { exitCode: 1, output: '', tookMs: Number.POSITIVE_INFINITY };
    return { exitCode: error.reason === 'memory' ? killedCode : segmentationFaultCode, output: '', tookMs: 0 };
  }
}
