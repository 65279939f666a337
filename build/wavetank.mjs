#!/usr/bin/env node
/** `npx wavetank …`: runs the bundled engine, or its sources where they are newer than the bundle, with the Node.js release it needs. */
import { join } from 'node:path';
import { isBuilt } from './build.mjs';
import { ensureDependencies, root, runNode } from './node-release.mjs';

ensureDependencies();
const entry = isBuilt() ? join(root, 'dist', 'wavetank.js') : join(root, 'engine', 'host', 'entry.ts');
runNode([entry, ...process.argv.slice(2)], { cwd: process.cwd() });
