/** What tools read: the files they are told, or what is given to them. */
import type { CommandContext, Streams } from '../shell-commands.ts';
import { readFault, readFile } from '../shell-files.ts';

/** One text for each path; a path that cannot be read is told and makes the status 1. */
export interface Reading {
  readonly texts: readonly { readonly path: string; readonly text: string }[];
  readonly status: number;
}

/** Tools that say what they could not do with a file. */
const opensInWords: ReadonlySet<string> = new Set(['cat', 'tail', 'uniq', 'md5sum', 'sha256sum']);

export function readPaths(name: string, paths: readonly string[], context: CommandContext, { input, err }: Streams): Reading {
  if (paths.length === 0) return { texts: [{ path: '-', text: input.all() }], status: 0 };
  const texts: { path: string; text: string }[] = [];
  let [status, chars] = [0, 0];
  for (const path of paths) {
    const isInput = path === '-' || path === '/dev/stdin';
    const fault = isInput ? undefined : readFault(path, context);
    if (fault !== undefined) {
      err(
        fault === 'Is a directory'
          ? `${name}: read error: ${fault}\n`
          : opensInWords.has(name)
            ? `${name}: can't open '${path}': ${fault}\n`
            : `${name}: ${path}: ${fault}\n`,
      );
      status = 1;
      continue;
    }
    const text = isInput ? input.all() : (readFile(path, context) ?? '');
    chars += text.length;
    context.budget.text(chars);
    texts.push({ path, text });
  }
  return { texts, status };
}

/** All of it as one text. */
export function readAll(name: string, paths: readonly string[], context: CommandContext, streams: Streams): { text: string; status: number } {
  const { texts, status } = readPaths(name, paths, context, streams);
  return { text: texts.map(({ text }) => text).join(''), status };
}

/** Without their newlines; what comes after the last of these is a line too, where it is not empty. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export function unlines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
