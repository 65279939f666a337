/** `set -x`: what a script runs, as it could be typed. */
import type { CommandContext } from './shell-commands.ts';

export function trace(values: readonly (readonly [string, string])[], words: readonly string[], { printError, budget }: CommandContext): void {
  const shown = [...values.map(([name, value]) => `${name}=${shownWord(value)}`), ...words.map(shownWord)];
  if (shown.length === 0) return;
  const line = `+ ${shown.join(' ')}\n`;
  budget.text(line.length);
  printError(line);
}

const reserved: ReadonlySet<string> = new Set('! case do done elif else esac fi for if in then until while'.split(' '));

/** With quotes where it would be something else without them. */
function shownWord(word: string): string {
  if (/^[\w%+,./:@\]^-]*$/.test(word) && !reserved.has(word)) return word;
  return quoted(word);
}

export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}
