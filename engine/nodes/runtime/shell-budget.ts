/**
 * What a simulated process may use: processor time in commands, memory in characters, subshells in depth. Whatever a script says, a
 * step of the simulation costs no more than this; what exceeds it ends as it would end on a machine.
 */
import { shellCommandsPerSecond, shellFileBytesMax, shellFilesMax, shellMemoryBytesMax } from '../physics.ts';

/** A script that exceeds its memory is killed, one that never ends hangs, one that calls itself for ever overflows its stack. */
export type ShellEndReason = 'memory' | 'endless' | 'stack';

/** Ends the process from wherever it is. Nobody but the shell's loop catches it. */
export class ShellEnd extends Error {
  readonly reason: ShellEndReason;

  constructor(reason: ShellEndReason) {
    super(`the shell ended: ${reason}`);
    this.name = 'ShellEnd';
    this.reason = reason;
  }
}

/** Commands inside of substitutions and pipelines, which run to their end at once. */
const nestedCommandsMax = 10_000;
const nestingMax = 32;
/** To look at so many characters takes as long as one command. */
const charsPerCommand = 4_096;
export const callDepthMax = 1_000;

/** Counts one run of a shell, from one wake-up to the next. */
export class ShellBudget {
  #commands = 0;
  #nesting = 0;

  /** Commands' worth of work so far. */
  get commands(): number {
    return this.#commands;
  }

  /** The process has had its second of processor time. */
  get isSpent(): boolean {
    return this.#commands >= shellCommandsPerSecond;
  }

  command(): void {
    this.#spend(1);
  }

  /** A text of this length is made or looked through. Called before the work is done. */
  text(chars: number): void {
    if (chars > shellMemoryBytesMax) throw new ShellEnd('memory');
    if (chars >= charsPerCommand) this.#spend(Math.floor(chars / charsPerCommand));
  }

  /** Comparing every part of one text with every part of another. */
  product(a: number, b: number): void {
    this.#spend(Math.floor((a * b) / charsPerCommand));
  }

  /** Called for everything that goes one deeper. */
  nested<T>(run: () => T): T {
    if (++this.#nesting > nestingMax) throw new ShellEnd('stack');
    try {
      return run();
    } finally {
      this.#nesting--;
    }
  }

  #spend(commands: number): void {
    this.#commands += commands;
    if (this.#commands > nestedCommandsMax + shellCommandsPerSecond) throw new ShellEnd('endless');
  }
}

/** Whether the container's disk takes the text; false says "No space left on device". */
export function hasRoom(files: Readonly<Record<string, string>>, path: string, chars: number): boolean {
  const paths = Object.keys(files);
  if (paths.length >= shellFilesMax && !Object.hasOwn(files, path)) return false;
  let used = chars;
  for (const one of paths) if (one !== path) used += files[one]?.length ?? 0;
  return used <= shellFileBytesMax;
}
