/**
 * kubectl's own lock on a kubeconfig: a file beside it that must not exist yet. Mirrors lockFile of client-go
 * tools/clientcmd/loader.go. kubectl gives up at once when somebody holds it; here it is waited for a moment.
 */
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError } from './command-error.ts';
import { codeOf, linkTarget } from './files.ts';

const waitMs = 5000;
const pollMs = 15;

/** Does something while no kubectl writes the file, under whichever of its names. */
export async function withKubeconfigLock<T>(file: string, act: () => T): Promise<T> {
  // In one order everywhere, so that two who want both cannot wait for each other.
  const locks = [...new Set([file, linkTarget(file)])].map((name) => `${name}.lock`).sort();
  const held: string[] = [];
  try {
    for (const lock of locks) {
      await take(file, lock);
      held.push(lock);
    }
    return act();
  } finally {
    for (const lock of held) rmSync(lock, { force: true });
  }
}

async function take(file: string, lock: string): Promise<void> {
  mkdirSync(dirname(lock), { recursive: true });
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0));
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (performance.now() > deadlineMs)
        throw new CommandError(`the kubeconfig ${file} is locked by another program; if none runs, remove ${lock} and try again`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}
