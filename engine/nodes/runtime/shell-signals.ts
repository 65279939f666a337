/** Signals: their names, what a script does on them (`trap`), and who sends them (`kill`). */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { trapsOf } from './shell-calls.ts';
import type { SimpleCommand } from './shell-commands.ts';
import type { ShellState } from './shell-state.ts';

/** By number, as Linux counts them. */
const names: readonly string[] = (
  'EXIT HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ ' +
  'VTALRM PROF WINCH POLL PWR SYS'
).split(' ');
/** What does not end whom it comes to. */
const harmless: ReadonlySet<string> = new Set(['CHLD', 'CONT', 'STOP', 'TSTP', 'TTIN', 'TTOU', 'URG', 'WINCH']);

/** Its name without `SIG`; undefined where there is none. */
function signalName(text: string): string | undefined {
  if (/^\d{1,2}$/.test(text)) return names[Number(text)];
  const name = text.toUpperCase().replace(/^SIG/, '');
  return names.includes(name) ? name : undefined;
}

function signalNumber(name: string): number {
  return names.indexOf(name);
}

/**
 * A signal comes to a process. A shell hears those that it has a trap for, after the command that runs or at once in `wait`; one that
 * is the first of its container hears no others, any other shell ends. Answers whether it is heard.
 */
export function signalShell(state: ShellState, signal: string, nowMs: number, isFirst: boolean): boolean {
  if (state.exitCode !== null) return false;
  const script = getOwn(trapsOf(state), signal);
  if (script === undefined && (signal === 'KILL' || !isFirst) && !harmless.has(signal)) {
    state.exitCode = 128 + signalNumber(signal);
    state.wakeMs = null;
    return true;
  }
  if (script === undefined || script === '') return false;
  if (!state.pending.includes(signal)) state.pending.push(signal);
  if (!state.isWaiting && !state.waits) return true;
  if (state.isWaiting) state.status = 128 + signalNumber(signal);
  state.isWaiting = false;
  state.waits = false;
  state.wakeMs = nowMs;
  return true;
}

const ok = { status: 0 };

export const trap: SimpleCommand = (args, { state, shellName, budget }, { out, err }) => {
  const given = args[0] === '--' ? args.slice(1) : args;
  if (given.length === 0) {
    const set = Object.keys(state.traps).sort((a, b) => signalNumber(a) - signalNumber(b));
    for (const name of set) out(`trap -- '${(getOwn(state.traps, name) ?? '').replaceAll("'", `'"'"'`)}' ${name}\n`);
    return ok;
  }
  const takesBack = given.length === 1 || given[0] === '-' || signalName(given[0] ?? '') !== undefined;
  const script = given[0] ?? '';
  budget.text(script.length * names.length);
  for (const word of given.length === 1 || (takesBack && script !== '-') ? given : given.slice(1)) {
    const name = signalName(word);
    if (name === undefined) {
      err(`${shellName}: trap: line 0: ${word}: invalid signal specification\n`);
      return { status: 1 };
    }
    if (takesBack) delete state.traps[name];
    else setOwn(state.traps, name, script);
  }
  return ok;
};

export const kill: SimpleCommand = (args, { state, nowMs, shellName, host }, { out, err }) => {
  let signal: string | undefined = 'TERM';
  let [first = '', ...pids] = args;
  if (first === '-l') {
    names.slice(1).forEach((name, at) => out(`${String(at + 1).padStart(2)}) ${name}\n`));
    return ok;
  }
  if (first === '-s') [first = '', ...pids] = [`-${pids[0] ?? ''}`, ...pids.slice(1)];
  if (first.startsWith('-') && first !== '--') signal = first === '-0' ? 'EXIT' : signalName(first.slice(1));
  else if (first !== '--') pids = [...args];
  if (signal === undefined || pids.length === 0) {
    err(`${shellName}: ${signal === undefined ? `bad signal name '${first.slice(1)}'` : 'you need to specify whom to kill'}\n`);
    return { status: 1 };
  }
  let status = 0;
  for (const pid of pids) {
    if (!/^-?\d{1,9}$/.test(pid)) {
      err(`${shellName}: invalid number '${pid}'\n`);
      status = 1;
    } else if (pid !== '1') {
      err(`${shellName}: can't kill pid ${pid}: No such process\n`);
      status = 1;
    } else if (signal !== 'EXIT') (host.signal ?? ((name: string) => signalShell(state, name, nowMs, true)))(signal);
  }
  return { status };
};
