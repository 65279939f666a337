/**
 * `npm start`: the app in a window where Electron can run, else the same page for a browser. Arguments are those of `wavetank up`.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findElectron, machineFacts } from './find-electron.ts';

const dist = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const found = findElectron(dirname(dist), machineFacts());
if ('reason' in found) process.stderr.write(`No window: ${found.reason}. The page opens in any browser instead.\n`);

const child =
  'binary' in found
    ? spawn(found.binary, [join(dist, 'electron', 'main.js'), '--', ...args], { stdio: 'inherit' })
    : spawn(process.execPath, [join(dist, 'wavetank.js'), 'up', ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
// The start script holds the other end of a channel (build/node-release.mjs): it closes even when that is killed.
process.on('disconnect', () => child.kill('SIGTERM'));
child.on('error', (error) => {
  process.stderr.write(`wavetank: ${child.spawnfile} does not start: ${error.message}\n`);
  process.exit(70);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
