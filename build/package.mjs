/** `npm run package`: the desktop app for this platform, from the built files. Offline where Electron's own files are in node_modules. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { ensureDependencies, root, runNode } from './node-release.mjs';

ensureDependencies();
await build();
const target = { darwin: ['--mac'], win32: ['--win'] }[process.platform] ?? ['--linux', 'dir'];
const local = join(root, 'node_modules', 'electron', 'dist');
const offline = existsSync(local) ? [`-c.electronDist=${local}`] : [];
runNode([
  join(root, 'node_modules', 'electron-builder', 'cli.js'),
  '--config',
  'build/electron-builder.json',
  ...target,
  '--publish',
  'never',
  ...offline,
]);
