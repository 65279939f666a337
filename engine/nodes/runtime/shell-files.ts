/** Files of a container as its shell reads and writes them, one by one or as an archive. */
import { getOwn } from '../../base/dictionary.ts';
import { hasRoom } from './shell-budget.ts';
import type { CommandContext } from './shell-commands.ts';

type FileContext = Pick<CommandContext, 'host' | 'budget' | 'printError'>;

/** Writes behind what is there. `full` is whole. */
export function appender(full: string, context: FileContext): (text: string) => void {
  const { files } = context.host;
  return (text) => writeFile(full, (files[full] ?? '') + text, context);
}

/** As a file is opened: emptied, or kept to be written behind. */
export function startFile(full: string, append: boolean, context: CommandContext): void {
  if (append && getOwn(context.host.files, full) !== undefined) return;
  writeFile(full, append ? (readFile(full, context) ?? '') : '', context);
}

export const ioError = 'Input/output error';
export const missing = 'No such file or directory';

/** Whether the disk that a path leads to fails. */
export function isBroken(path: string, context: CommandContext): boolean {
  return context.host.isBroken?.(normalPath(fullPath(path, context))) === true;
}

/** A full disk is said and the rest of the text is lost, as for most programs that do not look. */
export function writeFile(full: string, text: string, { host, budget, printError }: FileContext): void {
  budget.text(text.length);
  if (host.isBroken?.(full) === true) printError(`sh: write error: ${ioError}\n`);
  else if (hasRoom(host.files, full, text.length) && host.hasRoom?.(full, text.length) !== false) host.files[full] = text;
  else printError(`sh: write error: No space left on device\n`);
}

/** Why a file cannot be opened to be read, or to be written. */
export function readFault(path: string, context: CommandContext): string | undefined {
  if (isBroken(path, context)) return ioError;
  if (readFile(path, context) !== undefined) return undefined;
  return isFolder(path, context) ? 'Is a directory' : missing;
}

export function writeFault(path: string, context: CommandContext): string | undefined {
  return isFolder(path, context) && !isBroken(path, context) ? 'Is a directory' : diskFault(path, context);
}

/** Why nothing can be changed at a path. */
export function diskFault(path: string, context: CommandContext): string | undefined {
  if (isBroken(path, context)) return ioError;
  return context.host.isReadOnly?.(normalPath(fullPath(path, context))) === true ? 'Read-only file system' : undefined;
}

export function fullPath(path: string, context: CommandContext): string {
  const place = getOwn(context.state.vars, 'PWD') ?? context.host.workingDir ?? '';
  return normalPath(path.startsWith('/') ? path : `${place}/${path}`);
}

/** Without `.`, `..` and slashes that say nothing. */
export function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export function readFile(path: string, context: CommandContext): string | undefined {
  const full = fullPath(path, context);
  if (full === '/dev/null') return '';
  return getOwn(context.host.files, full) ?? context.host.readFile(full);
}

/** Of a file system that is the image's; others exist by what is in them, or because something is mounted there. */
const rootFolders: readonly string[] = ['bin', 'dev', 'etc', 'home', 'lib', 'proc', 'root', 'sys', 'tmp', 'usr', 'var'];

/** Such as every image has below them; what is in them is not known. */
const usualFolders: ReadonlySet<string> = new Set([
  ...['/media', '/mnt', '/opt', '/run', '/sbin', '/srv', '/usr/bin', '/usr/lib', '/usr/local', '/usr/local/bin', '/usr/sbin', '/usr/share'],
  ...['/var/cache', '/var/lib', '/var/log', '/var/run', '/var/spool', '/var/tmp'],
]);

/** The names in a folder, in order. */
export function folderNames(full: string, { host }: CommandContext): readonly string[] {
  const base = full === '/' ? '/' : `${full}/`;
  const paths = [...Object.keys(host.files), ...(host.mounted?.() ?? []), ...(host.folders?.() ?? [])].filter(
    (path) => path.startsWith(base) && path.length > base.length,
  );
  return [...new Set([...paths.map((path) => path.slice(base.length).split('/')[0] as string), ...(full === '/' ? rootFolders : [])])].sort();
}

export function isFolder(path: string, context: CommandContext): boolean {
  const full = normalPath(fullPath(path, context));
  if (full === '/' || rootFolders.includes(full.slice(1)) || context.host.folders?.().includes(full) === true) {
    return readFile(full, context) === undefined;
  }
  if (context.host.workingDir === full) return true;
  if (usualFolders.has(full) && readFile(full, context) === undefined) return true;
  const { folders = [] } = context.host.definition;
  if (folders.some((one) => one === full || one.startsWith(`${full}/`))) return true;
  return isOwnFolder(full, context) || folderNames(full, context).length > 0;
}

/** A folder that was made, and stays when nothing is in it: a path with a slash at its end. */
export function makeFolder(full: string, context: FileContext): void {
  writeFile(`${full}/`, '', context);
}

export function isOwnFolder(full: string, { host }: CommandContext): boolean {
  return getOwn(host.files, `${full}/`) !== undefined;
}

/** What `test -FLAG path` asks. */
export function holdsOf(flag: string, path: string, context: CommandContext): boolean {
  const text = readFile(path, context);
  // There are no links, no pipes and the like; of bits that set users nothing is kept.
  if (/^-[LhpSbugk]$/.test(flag)) return false;
  if (flag === '-c') return normalPath(fullPath(path, context)).startsWith('/dev/');
  if (flag === '-d') return isFolder(path, context);
  if (flag === '-f') return text !== undefined;
  if (flag === '-s') return text === undefined ? isFolder(path, context) : text !== '';
  return text !== undefined || isFolder(path, context);
}
