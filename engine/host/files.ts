/** Writing small files of people's homes: whole or not at all, through links, and never through somebody else's. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from './command-error.ts';

const linksMax = 40;

/** What reason a file system call had, in a word. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}

/** The file that a path means, however many links lie between; it need not exist. */
export function linkTarget(path: string): string {
  let file = resolve(path);
  for (let links = 0; lstat(file)?.isSymbolicLink() === true; links += 1) {
    if (links === linksMax) throw new CommandError(`${path} is a link that leads in a circle`);
    file = resolve(dirname(file), readlinkSync(file));
  }
  return file;
}

/**
 * Throws when a path means something that is there and is no ordinary file: a device would be replaced by a file, and who reads a pipe may wait
 * for ever.
 */
export function checkOrdinary(path: string): void {
  const found = stat(linkTarget(path));
  if (found !== undefined && !found.isFile())
    throw new CommandError(`${path} is ${found.isDirectory() ? 'a folder' : 'no ordinary file'}; give another path`);
}

/**
 * Replaces what a path means in one step: a reader sees the old text or the new. An existing file keeps its owner and, unless one is
 * given, its mode, and is refused when it is read-only or no ordinary file; a new one is its owner's alone. The temporary file beside it has a name that nobody can guess and
 * must not exist, so that no link laid in its way is followed.
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  checkOrdinary(path);
  const file = linkTarget(path);
  const old = stat(file);
  if (old !== undefined && (old.mode & 0o200) === 0) throw new CommandError(`${path} is read-only; make it writable or give another path`);
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(12).toString('hex')}.tmp`);
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeAll(handle, text);
    if (old !== undefined) keepOwner(handle, old);
    if (mode !== undefined) fchmodSync(handle, mode);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeAll(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written);
}

/** A file that an administrator changes on behalf of its owner stays the owner's. */
function keepOwner(handle: number, { uid, gid, mode }: Stats): void {
  if (process.getuid !== undefined && (uid !== process.getuid() || gid !== process.getgid?.())) fchownSync(handle, uid, gid);
  fchmodSync(handle, mode & 0o777);
}

function lstat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function stat(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
