/** Which process a number meant: numbers are given out again, so a process is its number and the moment it began. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** When a process began, in the words of the system; undefined when there is none. */
export function startOfProcess(pid: number): string | undefined {
  if (process.platform === 'linux') return startOnLinux(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
  }
  if (process.platform === 'win32') return String(pid);
  try {
    return execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } }).trim();
  } catch {
    // `ps` answers 1 for a process that has just gone.
    return undefined;
  }
}

/** Field 22 of `stat`; the name before it may hold spaces and parentheses. A zombie holds nothing. */
function startOnLinux(pid: number): string | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
}
