/** A shell on its way. Plain data, so that it is saved at any instant (law 9). */
import type { Call } from './shell-calls.ts';
import type { Code } from './shell-code.ts';
import type { ShellConsole } from './shell-console.ts';
import type { Level } from './shell-streams.ts';
import type { Stdin } from './stdin.ts';

export interface ShellState {
  code: Code;
  pc: number;
  status: number;
  vars: Record<string, string>;
  /** Names that are exported (true) or gone though the environment has them (false). */
  marks: Record<string, boolean>;
  /** Names whose values stay. */
  fixed: string[];
  /** Characters that the variables hold. */
  held: number;
  args: readonly string[];
  readonly lists: { readonly words: readonly string[]; at: number }[];
  readonly calls: number[];
  /** Both of an earlier build. */
  readonly functions: Record<string, number>;
  bodies: Record<string, Code>;
  /** Functions, subshells and the like that run, the innermost last. */
  readonly frames: Call[];
  /** Where output goes and input comes from, the innermost last. */
  readonly redirects: Level[];
  /** Names of the options that are on. */
  options: readonly string[];
  /** What is done on signals and at the end, as scripts; nothing where that is empty. */
  traps: Record<string, string>;
  /** How far `getopts` has come: in which argument, at which letter. */
  optionAt: { readonly index: number; readonly inside: number };
  umask: string;
  /** Signals that came and whose traps have not run yet. */
  pending: string[];
  /** It is asked whether what runs works: failures end nothing. */
  isTested: boolean;
  /** Goes on at this instant; null while it waits for ever or has ended. */
  wakeMs: number | null;
  exitCode: number | null;
  /** Where the handler of SIGTERM begins, and what it does: both of an earlier build. */
  trap: number | null;
  onTerm: Code | null;
  /** Until when the longest background command runs; -1 for ever. */
  backgroundMs: number;
  /** It stands in `wait`, which a signal ends. */
  isWaiting: boolean;
  /** Output without its newline yet. */
  partial: string;
  /** It was killed for its memory. */
  oomKilled: boolean;
  /** Null where there is nothing to read. */
  readonly stdin: Stdin | null;
  /** Where its commands come from its input. */
  readonly console: ShellConsole | null;
  /** It goes on when more has come to read. */
  waits: boolean;
  /** What it writes to is full: it goes on when somebody takes it. */
  isBlocked: boolean;
}

/** What somebody may type, and how. */
export interface ShellStreams {
  readonly stdin: Stdin | null;
  readonly console: ShellConsole | null;
}

const noStreams: ShellStreams = { stdin: null, console: null };

export function startShell(
  code: Code,
  { nowMs }: { readonly nowMs: number },
  args: readonly string[] = [],
  { stdin, console } = noStreams,
): ShellState {
  return {
    code,
    pc: 0,
    status: 0,
    vars: {},
    marks: {},
    fixed: [],
    held: 0,
    args,
    lists: [],
    calls: [],
    functions: {},
    bodies: {},
    frames: [],
    redirects: [],
    options: [],
    traps: {},
    optionAt: { index: 1, inside: 1 },
    umask: '0022',
    pending: [],
    isTested: false,
    wakeMs: nowMs,
    exitCode: null,
    trap: null,
    onTerm: null,
    backgroundMs: 0,
    isWaiting: false,
    partial: '',
    oomKilled: false,
    stdin,
    console,
    waits: false,
    isBlocked: false,
  };
}
