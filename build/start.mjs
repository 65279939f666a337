/**
 * `npm start`: all the set-up, then the app. In a window where Electron can run, else the same pages on loopback; arguments are those
 * of `wavetank up`.
 */
import { join } from 'node:path';
import { build } from './build.mjs';
import { ensureDependencies, root, runNode } from './node-release.mjs';

ensureDependencies();
await build();
runNode([join(root, 'dist', 'electron', 'start.js'), ...process.argv.slice(2)]);
