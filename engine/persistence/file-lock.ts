/**
 * One process per file, whatever path leads to it: the lock is named by device and inode and lies in one place per user, which does
 * not depend on homes or variables (SESSION-FILE.md F7). A lock names its process by id and start, so that one of a process that is
 * gone is told from one of a process that got the same id later.
 *
 * Locks of one file are numbered; the highest number is the one that counts. To take the lock is to make, exclusively, the file with
 * the next number when the holder is gone; two who try at once make the same name, and one fails.
 */
import { closeSync, fstatSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { startOfProcess } from './process-start.ts';

export interface FileLock {
  release(): void;
}

/** The process that holds a file. */
export interface Holder {
  readonly pid: number;
  /** When that process began, as the system counts it. */
  readonly started: string;
}

export class FileBusyError extends Error {
  readonly pid: number;
  constructor(pid: number) {
    super(`process ${pid} holds the file`);
    this.name = 'FileBusyError';
    this.pid = pid;
  }
}

const attemptsMax = 20;

/** Locks the file behind an open descriptor, or throws `FileBusyError`. */
export function lockFile(file: number, folder = lockFolder()): FileLock {
  const { dev, ino } = fstatSync(file, { bigint: true });
  const name = `${dev}-${ino}`;
  const own: Holder = { pid: process.pid, started: startOfProcess(process.pid) ?? '' };
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const locks = listLocks(folder, name);
    const held = locks.find(({ path }) => isAlive(readHolder(path)));
    if (held !== undefined) throw new FileBusyError(readHolder(held.path)?.pid ?? 0);
    const path = join(folder, `${name}.${(locks.at(-1)?.number ?? 0) + 1}`);
    if (!create(path, own)) continue;
    // Somebody who listed earlier may have made another number; of two who see each other none goes on.
    const rival = listLocks(folder, name).find((lock) => lock.path !== path && isAlive(readHolder(lock.path)));
    if (rival !== undefined) {
      rmSync(path, { force: true });
      throw new FileBusyError(readHolder(rival.path)?.pid ?? 0);
    }
    for (const lock of locks) rmSync(lock.path, { force: true });
    return { release: () => rmSync(path, { force: true }) };
  }
  throw new FileBusyError(0);
}

/** The same for every process of a user, whatever its environment says. */
function lockFolder(): string {
  const { uid } = userInfo();
  const folder = join(process.platform === 'win32' ? tmpdir() : '/tmp', uid < 0 ? 'wavetank-locks' : `wavetank-locks-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid: owner, mode } = statSync(folder);
  if (uid >= 0 && (owner !== uid || (mode & 0o022) !== 0)) throw new Error(`${folder} belongs to somebody else; remove it`);
  return folder;
}

function listLocks(folder: string, name: string): readonly { readonly path: string; readonly number: number }[] {
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${name}.`) && /^\d+$/.test(file.slice(name.length + 1)))
    .map((file) => ({ path: join(folder, file), number: Number(file.slice(name.length + 1)) }))
    .sort((a, b) => a.number - b.number);
}

/** Makes a lock that is whole from its first instant; false when there is one of that name. */
function create(path: string, holder: Holder): boolean {
  const draft = `${path}.draft-${process.pid}`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, JSON.stringify(holder));
  closeSync(file);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch (error) {
    // It was released between the listing and now.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(holder: Holder | undefined): boolean {
  if (holder === undefined) return false;
  const started = startOfProcess(holder.pid);
  return started !== undefined && started === holder.started;
}
