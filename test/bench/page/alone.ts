/** What the process of a page holds that nobody looks into: whoever measures in it has its browser keep every answer. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../spawned.ts';

/** Private megabytes of the page's process after it was open for so long (Linux only, else 0). */
export async function memoryAlone(executable: string, link: string, openMs: number): Promise<number> {
  const profile = mkdtempSync(join(tmpdir(), 'wavetank-bench-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--window-size=1440,900', `--user-data-dir=${profile}`];
  const browser = spawn(executable, [...flags, '--remote-debugging-port=0', link], { stdio: 'ignore' });
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  try {
    await sleep(openMs);
    return Math.round(Math.max(0, ...renderersBelow(browser.pid ?? 0).map(privateMbOf)));
  } finally {
    browser.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function renderersBelow(root: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(pids.map((pid) => [Number(pid), Number(/\) \S (\d+)/.exec(readOrNothing(`/proc/${pid}/stat`))?.[1] ?? 0)]));
  const isBelow = (pid: number): boolean => pid === root || (parents.has(pid) && pid > 1 && isBelow(parents.get(pid) ?? 0));
  return [...parents.keys()].filter((pid) => readOrNothing(`/proc/${pid}/cmdline`).includes('--type=renderer') && isBelow(pid));
}

/** Linux only, else 0. */
function privateMbOf(pid: number): number {
  const text = readOrNothing(`/proc/${pid}/smaps_rollup`);
  const [clean, dirty] = ['Private_Clean', 'Private_Dirty'].map((name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0));
  return ((clean ?? 0) + (dirty ?? 0)) / 1000;
}

/** A process may end between two looks. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
