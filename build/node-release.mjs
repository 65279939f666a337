/**
 * Finds the Node.js release the engine needs. A machine with an older one still runs Wavetank: the packages node-<platform>-<arch>
 * carry the binary (optional dependencies, so npm takes the one that fits). Runs on Node.js 20 and uses nothing but Node.js.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const neededMajor = 24;
const orphanLookMs = 200;
/** Read before anything that takes long: the parent may end meanwhile. */
const parentAtStart = process.ppid;

/** Path of a Node.js binary of the needed release. */
function nodeBinary() {
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const binary = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin', name);
  if (existsSync(binary)) return binary;
  console.error(
    `Wavetank needs Node.js ${neededMajor}; this is ${process.version}, and no binary package for ${platform}-${process.arch} is installed. Install Node.js ${neededMajor} and try again.`,
  );
  process.exit(2);
}

/** Installs what package-lock.json pins, unless it is there. */
export function ensureDependencies() {
  if (isInstalled()) return;
  console.error('Installing dependencies …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync(npm, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  if (result.status !== 0) {
    console.error('npm could not install the dependencies; the lines above say why.');
    process.exit(2);
  }
}

/** Compares the lock with npm's own list of what it installed last: a change of branch or of a date installs nothing. */
export function isInstalled(folder = root) {
  const list = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  const found = JSON.parse(readFileSync(list, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    if (found[path] !== undefined) return found[path].version === entry.version;
    return entry.optional === true && !isForThisMachine(entry);
  });
}

/** Whether an optional package was made for this very platform. Where a C library matters, there is one of two. */
function isForThisMachine({ os, cpu, libc }) {
  if (os === undefined || cpu === undefined || libc !== undefined) return false;
  return os.includes(process.platform) && cpu.includes(process.arch);
}

/**
 * Runs a script with the needed Node.js, passing signals and the exit code on. The script holds the other end of a channel, which
 * closes when this process ends in whatever way: one that should not outlive its launcher listens for `disconnect`.
 */
export function runNode(args, options = {}) {
  const child = spawn(nodeBinary(), args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], ...options });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_command !== undefined) onOrphaned(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/**
 * npm starts scripts through a shell, and hands its own end to that alone: when the shell is gone, whoever started npm has ended it.
 * A process that is to outlive npm is started without it.
 */
function onOrphaned(act) {
  const timer = setInterval(() => {
    if (process.ppid === parentAtStart) return;
    clearInterval(timer);
    act();
  }, orphanLookMs);
  timer.unref();
}

/** The same, waiting; returns the exit code. */
export function runNodeSync(args, options = {}) {
  return spawnSync(nodeBinary(), args, { cwd: root, stdio: 'inherit', ...options }).status ?? 1;
}
