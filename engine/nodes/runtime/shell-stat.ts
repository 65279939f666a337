/** `stat -c FORMAT PATH…`, and `stat -f -c %T PATH…` for the kind of file system: what a shell says of files beside what is in them. */
import type { CommandContext } from './shell-commands.ts';
import { fullPath, isFolder, normalPath, readFile } from './shell-files.ts';

/** What a mount says of a file in it. */
export interface FileStat {
  /** Permission bits with sticky and set-group-id. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** In memory only. */
  readonly isTmpfs: boolean;
}

/** Answers its exit code. */
export function stat(args: readonly string[], context: CommandContext, { out, err }: Record<'out' | 'err', (text: string) => void>): number {
  const at = args.indexOf('-c');
  const format = at < 0 ? '%n' : (args[at + 1] ?? '');
  const paths = args.filter((arg, i) => !arg.startsWith('-') && (at < 0 || i !== at + 1));
  let status = 0;
  const named = format.split('%n').length;
  for (const path of paths) {
    context.budget.text(format.length + named * path.length);
    const full = normalPath(fullPath(path, context));
    const isFile = readFile(full, context) !== undefined;
    if (!isFile && !isFolder(full, context)) {
      err(`stat: can't stat '${path}': No such file or directory\n`);
      status = 1;
      continue;
    }
    const known = context.host.stat?.(full);
    const found = known ?? { mode: isFile ? 0o644 : 0o755, uid: 0, gid: 0, isTmpfs: false };
    out(`${format.replace(/%([a-zA-Z%])/g, (_, letter: string) => field(letter, path, found, { isFile, ofSystem: args.includes('-f') }))}\n`);
  }
  return status;
}

function field(
  letter: string,
  path: string,
  found: FileStat,
  { isFile, ofSystem }: { readonly isFile: boolean; readonly ofSystem: boolean },
): string {
  switch (letter) {
    case 'n':
      return path;
    case 'a':
      return found.mode.toString(8);
    case 'A':
      return `${isFile ? '-' : 'd'}${permissions(found.mode)}`;
    case 'u':
      return String(found.uid);
    case 'g':
      return String(found.gid);
    case 'T':
      return ofSystem ? (found.isTmpfs ? 'tmpfs' : 'ext2/ext3') : '0';
    case 'F':
      return isFile ? 'regular file' : 'directory';
    default:
      return letter === '%' ? '%' : '?';
  }
}

/** `rwxr-xr-x`. */
function permissions(mode: number): string {
  return [6, 3, 0].map((shift) => ['r', 'w', 'x'].map((letter, bit) => ((mode >> shift) & (4 >> bit) ? letter : '-')).join('')).join('');
}
