/** What a shell is told when it starts: options, and a script, a file or nothing. */
import { readOptions } from './shell-variables.ts';

export interface ShellArguments {
  readonly options: readonly string[];
  /** The script of `-c`. */
  readonly script: string | undefined;
  /** The file whose script it is. */
  readonly file: string | undefined;
  /** `$0` and what follows; empty where nothing was said. */
  readonly words: readonly string[];
}

/** A text says what is wrong with them. */
export function shellArguments(args: readonly string[]): ShellArguments | string {
  const given: string[] = [];
  let isCommand = false;
  let at = 0;
  for (; /^[-+][a-zA-Z]/.test(args[at] ?? '') || args[at] === '--'; at++) {
    const arg = args[at] as string;
    if (arg === '--') {
      at++;
      break;
    }
    isCommand ||= /^-[a-z]*c/.test(arg);
    // Where it reads from, and that somebody types, is known otherwise.
    const letters = arg.replaceAll(/[csil]/g, '');
    if (letters.length > 1) given.push(letters);
    if (letters.endsWith('o')) given.push(args[++at] ?? '');
  }
  const read = readOptions(given, []);
  if (typeof read === 'string') return read;
  const rest = args.slice(at);
  const { options } = read;
  if (isCommand && rest.length === 0) return '-c requires an argument';
  if (isCommand) return { options, script: rest[0], file: undefined, words: rest.slice(1) };
  return { options, script: undefined, file: rest[0], words: rest };
}
