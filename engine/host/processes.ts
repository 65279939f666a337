/** Which process a number meant: numbers are given out again, so a process is its number and the moment it began. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { codeOf } from './files.ts';

export interface ProcessMark {
  readonly pid: number;
  /** When it began, in the words of the system; absent where the system does not say. */
  readonly began?: string;
}

export function markOf(pid: number): ProcessMark {
  const began = beganAt(pid);
  return began === undefined ? { pid } : { pid, began };
}

/** Whether that very process still runs. */
export function isRunning({ pid, began }: ProcessMark): boolean {
  return isAlive(pid) && (began === undefined || beganAt(pid) === began);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function beganAt(pid: number): string | undefined {
  try {
    // The name of the program, in brackets, may hold anything; the start is the 20th field behind it.
    if (platform() === 'linux') return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
    if (platform() === 'darwin') return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    // It has ended since.
  }
  return undefined;
}
