/**
 * `npm start`: the app in a window where Electron can run, else the same page in a browser. Arguments are those of `wavetank up`.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../engine/host/main.ts';
import { findElectron, machineFacts } from './find-electron.ts';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const args = process.argv.slice(2);
const found = findElectron(root, machineFacts());

if ('binary' in found) {
  const child = spawn(found.binary, [join(here, 'main.js'), '--', ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`wavetank: Electron does not start: ${error.message}\n`);
    process.exit(70);
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 70 : 130)));
} else {
  process.stdout.write(`No window: ${found.reason}. The page opens in any browser instead.\n`);
  process.exit(await main(['up', ...args]));
}
