/** One process at a time in a folder of the home: two that start at the same instant must not both make keys, or take one name. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from './command-error.ts';
import { codeOf } from './files.ts';
import { isRunning, markOf, type ProcessMark } from './processes.ts';

const waitMs = 10_000;
const pollMs = 10;

export function withHomeLock<T>(folder: string, act: () => T): T {
  const lock = join(folder, '.lock');
  const deadlineMs = performance.now() + waitMs;
  while (!take(folder, lock)) {
    if (performance.now() > deadlineMs) throw new CommandError(`${folder} is held by another process; if none runs, remove ${lock} and try again`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
  try {
    return act();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** The lock comes to be with its holder's name in it: it is written beside and linked into its place. */
function take(folder: string, lock: string): boolean {
  const draft = `${lock}.${randomBytes(12).toString('hex')}`;
  try {
    writeFileSync(draft, JSON.stringify(markOf(process.pid)), { flag: 'wx', mode: 0o600 });
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST')
      throw new CommandError(`cannot write into ${folder} (${codeOf(error)}); set WAVETANK_HOME to a folder that can be written`);
  } finally {
    rmSync(draft, { force: true });
  }
  if (isAbandoned(lock)) clear(lock);
  return false;
}

/** One process alone takes away what a dead one left: a second would take away the lock of whoever came after. */
function clear(lock: string): void {
  const clearing = `${lock}.clearing`;
  try {
    writeFileSync(clearing, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw error;
  }
  try {
    if (isAbandoned(lock)) rmSync(lock, { force: true });
  } finally {
    rmSync(clearing, { force: true });
  }
}

function isAbandoned(lock: string): boolean {
  let text: string;
  try {
    text = readFileSync(lock, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  return !isRunning(JSON.parse(text) as ProcessMark);
}
