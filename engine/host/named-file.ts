/** Reading files that options name: what is wrong with one is its user's affair. */
import { CommandError } from './command-error.ts';
import { readInGo } from './go-files.ts';

/** The text of a file. Throws CommandError in Go's words, as `said` tells them. */
export function readNamed(path: string, exitCode = 2, said: (why: string) => string = (why) => why): string {
  try {
    return readInGo(path);
  } catch (error) {
    throw new CommandError(said((error as Error).message), exitCode);
  }
}
